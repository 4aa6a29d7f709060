"""The bits of this version of the numerics: links and stored runs rest on them.

Where a change is meant, NUMERICS_VERSION changes too, and `python -m tests.core.run.test_golden` prints what
golden.json is to hold.
"""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from core import RunConfig, train
from core.analysis.plateaus import flat_stretches
from core.config import NUMERICS_VERSION
from core.methods import METHODS
from core.service.records import encode_frame
from tests.service.samples import timeless

GOLDEN = Path(__file__).with_name("golden.json")
KNOWN: dict[str, str] = json.loads(GOLDEN.read_text())
QUERIES = [name for name in KNOWN if name != "numerics"]


def fingerprint(query: str) -> str:
    """Of the data, the start, the frames without their clock, and where the loss stands still."""
    config = RunConfig.from_query(query)
    data, frames = config.training_data(), list(train(config))
    whole = sha256(repr(flat_stretches(config, frames)).encode())
    for array in (data.x, data.y, data.w, *config.initial()):
        whole.update(array.tobytes())
    for frame in frames:
        whole.update(timeless(encode_frame(frame)))
    return whole.hexdigest()[:16]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("query", QUERIES)
def test_a_run_has_the_bits_of_its_version(query: str) -> None:
    assert KNOWN["numerics"] == NUMERICS_VERSION
    assert fingerprint(query) == KNOWN[query]


def test_every_method_has_a_run() -> None:
    assert {f"method={name}" for name in METHODS} <= {part for query in QUERIES for part in query.split("&")}


if __name__ == "__main__":
    found = {"numerics": NUMERICS_VERSION} | {query: fingerprint(query) for query in QUERIES}
    print(json.dumps(found, indent=0))
