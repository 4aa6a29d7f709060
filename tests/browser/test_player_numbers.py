"""What the browser computes from the frames, against the core."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from core.config.run_config import RunConfig
from core.model.network import evaluate, knots
from core.model.pattern import pattern_of, segments, statuses
from core.problem.data import TrainingData
from core.run.train import train
from core.types import FloatArray
from tests.browser.conftest import OpenPage, until
from tests.browser.playing import opened

DEGENERATE: list[tuple[str, list[float], list[float]]] = [
    ("ordinary", [-1.2, -0.4, 0.1, 0.65], [1.0, -2.0, 0.5, 3.0]),
    ("several in one gap", [0.11, 0.12, 0.13, -0.5], [1.0, -3.0, 2.0, 0.25]),
    ("on data", [-1.0, 0.0, 0.5, 1.0], [1.0, 1.0, -1.0, 2.0]),
    ("all dead", [1.0, 2.0, 5.0], [1.0, 2.0, 3.0]),
    ("all left", [-2.0, -3.0, -2.5], [1.0, -2.0, 3.0]),
    ("equal biases", [0.3, 0.3, 0.3], [1.0, 2.0, -4.0]),
    ("huge opposite pair", [0.2, 0.2 + 1e-9], [1e8, -1e8]),
    ("one neuron", [0.0], [1.0]),
    ("more neurons than data", list(np.linspace(-1.5, 1.5, 12)), [(-1.0) ** j for j in range(12)]),
]


@pytest.fixture(scope="module")
def data() -> TrainingData:
    x = np.array([-1.0, -0.75, -0.3, 0.0, 0.25, 0.5, 0.9])
    return TrainingData(x=x, y=np.sin(3 * x) + x**2, truth=None, domain=(-1.0, 1.0))


def test_what_the_browser_derives_equals_the_core(open_page: OpenPage, data: TrainingData) -> None:
    page = open_page()
    until(page, "window.plateau?.derive !== undefined")
    for name, b_list, c_list in DEGENERATE:
        b, c = np.array(b_list), np.array(c_list)
        pattern = pattern_of(data.x, b)
        found = page.evaluate(
            """([x, y, b, c]) => { const gap = plateau.derive.gaps(x, b);
              const part = plateau.derive.segments(x, y, b, c, gap); const plain = (a) => Array.from(a);
              const corners = plateau.derive.knots(b, c, -1.04, 1.04);
              return {gap: plain(gap), order: part.order, u: plain(part.u), start: plain(part.start),
                mean_x: plain(part.mean_x), mean_y: plain(part.mean_y), sxx: plain(part.sxx),
                sxy: plain(part.sxy),
                slope: plain(part.slope), offset: plain(part.offset), value: plain(part.value), corners,
                status: plain(gap.map((g) => 0)).map((_, j) => plateau.derive.status(gap[j], -1, x.length)),
                values: x.map((at) => plateau.derive.evaluate(b, c, at)),
                loss: plateau.derive.loss(x, y, b, c),
                lines: plateau.derive.regressionLines(x, part)}; }""",
            [data.x.tolist(), data.y.tolist(), b_list, c_list],
        )
        part = segments(data, pattern, b, c)
        assert found["gap"] == pattern.gap.tolist(), name
        assert found["status"] == list(statuses(data.x, pattern)), name
        for column in ("order", "u", "start"):
            assert found[column] == getattr(part, column).tolist(), (name, column)
        for column in ("mean_x", "mean_y", "sxx", "sxy", "slope", "offset", "value"):
            mine = np.array(found[column], dtype=np.float64)
            np.testing.assert_allclose(
                mine, getattr(part, column), rtol=1e-13, atol=1e-13, err_msg=f"{name} {column}"
            )
        scale = 1e-13 * (1 + float(np.sum(np.abs(c))))
        expected = evaluate(b, c, data.x)
        np.testing.assert_allclose(found["values"], expected, atol=scale, err_msg=name)
        assert found["loss"] == pytest.approx(np.mean((expected - data.y) ** 2), rel=1e-6, abs=scale), name
        corners_x, corners_y = knots(b, c, -1.04, 1.04)
        drawn = np.interp(corners_x, found["corners"]["x"], found["corners"]["y"])
        np.testing.assert_allclose(drawn, corners_y, atol=10 * scale, err_msg=name)
        check_lines(found["lines"], data, part.start)


def check_lines(lines: list[dict[str, float]], data: TrainingData, start: Any) -> None:
    """Regression lines against NumPy's fit of the raw data in each U_l."""
    sets = {level: slice(a, b) for level, (a, b) in enumerate(pairwise(start.tolist())) if b - a >= 2}
    assert {int(line["level"]) for line in lines} == set(sets)
    for line in lines:
        part = sets[int(line["level"])]
        slope, intercept = np.polyfit(data.x[part], data.y[part], 1)
        assert line["slope"] == pytest.approx(slope, abs=1e-10)
        assert line["y_from"] == pytest.approx(intercept + slope * line["from"], abs=1e-10)
        length = data.x[part][-1] - data.x[part][0]
        assert line["from"] == pytest.approx(data.x[part][0] - 0.1 * length)


def test_the_stored_frames_are_those_of_the_core(open_page: OpenPage) -> None:
    page = opened(open_page)
    frames = list(train(RunConfig.from_query("epochs=3e4&method=gd&seed=1")))
    stored = page.evaluate(
        """() => { const run = plateau.player.state_.runs.find((one) => one.method === "gd");
          const rows = (name) => Array.from({length: run.count}, (_, i) => Array.from(run.row(name, i)));
          const column = (name) => Array.from(run.column[name].subarray(0, run.count));
          return {epoch: column("epoch"), loss: column("loss"), stage: column("stage"),
            floor: column("floor"), b: rows("b"), c: rows("c"), gap: rows("gap"), pin: rows("pin"),
            changes: run.changes}; }"""
    )
    assert stored["epoch"] == [frame.epoch for frame in frames]
    assert stored["loss"] == [frame.loss for frame in frames]
    assert stored["floor"] == [frame.floor for frame in frames]
    assert stored["stage"] == [frame.stage for frame in frames]
    assert stored["gap"] == [frame.gap.tolist() for frame in frames]
    assert stored["pin"] == [frame.pin.tolist() for frame in frames]
    single: FloatArray = np.array([frame.b for frame in frames], dtype=np.float32).astype(np.float64)
    np.testing.assert_array_equal(stored["b"], single)
    told = [[[x.neuron, x.kind, x.datum] for x in frame.changes] for frame in frames]
    assert stored["changes"] == told
