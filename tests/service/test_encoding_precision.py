"""Pairs of huge opposite coefficients must survive the way to the browser."""

import json
import struct
from dataclasses import replace

import numpy as np
import pytest

from core.config.run_config import RunConfig
from core.run.train import train
from core.service.encoding import compact_columns


@pytest.mark.parametrize(("largest", "expected"), [(1.0, "float32"), (999.0, "float32"), (1e8, "float64")])
def test_single_precision_only_where_it_is_enough_to_draw(largest: float, expected: str) -> None:
    frame = next(iter(train(RunConfig.from_query("method=lsq&width=4&points=9"))))
    c = np.array([0.5, largest, -largest, 0.25])
    body = compact_columns("0" * 32, "finished", 1, 1, [replace(frame, c=c)])
    (length,) = struct.unpack_from("<I", body)
    types = {column["name"]: column["type"] for column in json.loads(body[4 : 4 + length])["columns"]}
    assert types["b"] == types["c"] == expected
