"""A run as a link: `run_config` turns a query into a run and back, by way of the codec.

`fields` declares every key once (range, label, help), `codec` reads and writes their values, `lists` reads
several values a key, `run_list` makes their runs, `query` splits and quotes the text, `starts` names the
starting networks. It may import the problem, the model and the methods (whose hyper-parameters are query
keys), and nothing that runs them.
"""

from .codec import scale_in
from .fields import FIELDS, FieldSpec, epochs_field, field_names, method_field, parameter_fields
from .labels import write_labels
from .lists import check_list, count_runs
from .query import FORMER_VIEW_KEYS, join_query, split_query
from .run_config import NUMERICS_VERSION, RunConfig, check_cost, race_from_query, race_to_query
from .run_list import RunList, runs_from_query

__all__ = [
    "FIELDS",
    "FORMER_VIEW_KEYS",
    "NUMERICS_VERSION",
    "FieldSpec",
    "RunConfig",
    "RunList",
    "check_cost",
    "check_list",
    "count_runs",
    "epochs_field",
    "field_names",
    "join_query",
    "method_field",
    "parameter_fields",
    "race_from_query",
    "race_to_query",
    "runs_from_query",
    "scale_in",
    "split_query",
    "write_labels",
]
