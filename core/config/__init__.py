"""A run as a link: `run_config` turns a query into a run and back, by way of the codec.

`fields` declares every key once (range, label, help: `field_spec`), `codec` and `method_codec` read and write
their values, `lists` reads several values per key, `run_list` makes their runs, `query` splits and quotes the
text. It may import the problem, the model, the starts of the theory and the methods (whose hyper-parameters
are query keys), and nothing that runs them.
"""

from .codec import scale_in
from .field_spec import FieldSpec
from .fields import FIELDS, epochs_field, field_names, method_field, parameter_fields
from .labels import write_labels
from .lists import check_list, count_runs
from .query import FORMER_VIEW_KEYS, join_query, split_query
from .run_config import NUMERICS_VERSION, RunConfig, race_from_query, race_to_query
from .run_list import RunList, check_cost, runs_from_query

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
