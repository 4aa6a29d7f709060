"""Everything that is told of a run speaks in the units and by the names of the data that people brought.

The same numbers are trained twice: as somebody's years and flows, and as what those are mapped to. Every
answer about the first must be the answer about the second, told in years and flows.
"""

import csv
import io
import re
from itertools import pairwise
from typing import Any

import numpy as np
import orjson
import pytest

from components.pages.lab.stage_table import stage_table
from core.config import RunConfig
from core.frames import Frame, stages_of
from core.narrative import plateaus_of
from core.problem.csv import canonical_csv, encode_inline
from core.problem.data import Points
from core.problem.units import fitting_units
from core.run import train
from core.service.comparison import data_csv
from core.service.export import csv_lines, json_parts
from core.tables.pictures import (
    best_known_columns,
    candidate_columns,
    data_columns,
    forecast_columns,
    rate_columns,
)
from core.tables.summaries import plateaus, stages

YEARS = np.arange(1900.0, 2000.0, 4.0)
FLOWS = 1000.0 + 300.0 * np.sin(YEARS / 11.0) + 7.0 * (YEARS % 13)
LINK = "labels=river.csv|year|flow&width=8&seed=2&epochs=30000"


def _query(x: Any, y: Any, more: str) -> str:
    return f"data={encode_inline(canonical_csv(Points(x, y, np.ones(len(x)))))}&{more}"


@pytest.fixture(scope="module")
def told() -> tuple[RunConfig, list[Frame]]:
    units = fitting_units(RunConfig.from_query(_query(YEARS, FLOWS, LINK)).training_data())
    config = RunConfig.from_query(_query(YEARS, FLOWS, f"{LINK}&units={','.join(map(repr, units))}"))
    return config, list(train(config))


@pytest.fixture(scope="module")
def trained(told: tuple[RunConfig, list[Frame]]) -> tuple[RunConfig, list[Frame]]:
    data = told[0].training_data()
    config = RunConfig.from_query(_query(data.x, data.y, LINK.partition("&")[2]))
    return config, list(train(config))


Run = tuple[RunConfig, list[Frame]]


def test_training_itself_sees_only_the_mapped_data(told: Run, trained: Run) -> None:
    assert np.abs(told[0].training_data().x).max() <= 1.0
    assert np.abs(told[0].training_data().y).max() <= 1.01
    for one, two in zip(told[1], trained[1], strict=True):
        assert (one.loss, *one.b, *one.c) == (two.loss, *two.b, *two.c)


def test_a_network_told_in_the_datas_units_is_the_same_function(told: Run) -> None:
    config, frames = told
    frame, data = frames[-1].in_units(config.scale), data_columns(config)
    heights = data["base"] + np.maximum(YEARS[:, None] - frame.b, 0.0) @ frame.c
    assert np.mean((heights - FLOWS) ** 2) == pytest.approx(frame.loss, rel=1e-6)
    np.testing.assert_allclose(data["x"], YEARS)
    np.testing.assert_allclose(data["y"], FLOWS)
    assert (data["title"], data["x_name"], data["y_name"]) == ("river.csv", "year", "flow")


def test_numbers_of_tables_are_scaled(told: Run, trained: Run) -> None:
    scale = told[0].scale
    lists = [
        (stages(*told), stages(*trained), ["floor", "loss_start", "loss_end"]),
        (plateaus(*told), plateaus(*trained), ["loss_begin", "loss_end"]),
    ]
    for entries, others, keys in lists:
        assert entries
        for one, two in zip(entries, others, strict=True):
            for key in keys:
                assert one[key] == scale.loss(two[key])
    last = told[1][-1]
    mine, plain = (candidate_columns(config, last) for config in (told[0], trained[0]))
    np.testing.assert_allclose(mine["position"], scale.x(plain["position"]))
    np.testing.assert_allclose(mine["candidate_loss"], scale.loss(plain["candidate_loss"]))
    assert best_known_columns(told[0])["loss"] == scale.loss(best_known_columns(trained[0])["loss"])
    mine, plain = (forecast_columns(config, told[1][200])["future"] for config in (told[0], trained[0]))
    np.testing.assert_allclose(mine["b"], scale.x(plain["b"]), rtol=1e-6)
    np.testing.assert_allclose(mine["loss"], scale.loss(plain["loss"]), rtol=1e-6)
    group = [frame for frame in told[1] if frame.stage == 0]
    mine, plain = (rate_columns(config, group) for config in (told[0], trained[0]))
    for name in ("excess", "lower", "upper"):
        np.testing.assert_allclose(mine[name], scale.loss(np.asarray(plain[name])))


def _sentences(config: RunConfig, frames: list[Frame]) -> list[str]:
    found = [text for stage in stages(config, frames) for text in stage["story"].values()]
    found += [plateau.sentence for plateau in plateaus_of(config, frames)]
    for stage in stages_of(frames)[:12]:
        found.append(str(forecast_columns(config, frames[stage.first_frame])["sentence"]))
        found.append(candidate_columns(config, frames[stage.first_frame])["reason"])
    found.append(str(stage_table(config, stages(config, frames), "run")))
    return found


def test_sentences_name_years_and_never_the_mapped_x(told: Run, trained: Run) -> None:
    mine, plain = _sentences(*told), _sentences(*trained)
    named = 0
    for one, two in zip(mine, plain, strict=True):
        assert "x = " not in one
        assert len(re.findall(r"year = ", one)) == len(re.findall(r"x = ", two))
        for year in re.findall(r"year = ([\d.]+)", one):
            named += 1
            assert YEARS[0] <= float(year.rstrip(".")) <= YEARS[-1]
        if "loss from" in two:
            assert one != two
    assert named > 10


def test_exports_hold_the_datas_units(told: Run) -> None:
    config, frames = told
    blocks = [[frame.in_units(config.scale) for frame in frames]]
    rows = list(csv.DictReader(io.StringIO("".join(csv_lines(config.width, blocks)))))
    assert float(rows[-1]["b1"]) == pytest.approx(config.scale.x(frames[-1].b[0]))
    document = orjson.loads(
        b"".join(json_parts(config, "finished", len(frames), len(frames), lambda: blocks))
    )
    np.testing.assert_allclose(document["x"], YEARS)
    assert document["loss"][-1] == pytest.approx(config.scale.loss(frames[-1].loss))
    data = list(csv.reader(io.StringIO(data_csv(config.training_data()))))
    assert data[0] == ["year", "flow", "weight"]
    assert float(data[1][0]) == 1900.0


def test_dates_are_told_as_dates() -> None:
    config = RunConfig.from_query(
        "data=0:1;10:2;40:0;50:3&units=25,25,0,3&labels=a|day|b&calendar=yes&width=4&epochs=3000&seed=1"
    )
    frames = list(train(config))
    said = " ".join(_sentences(config, frames))
    assert re.search(r"day = 1970-0[12]-\d\d", said)
    assert not re.search(r"day = [−\d.]+ ", said)


def test_old_links_with_units_keep_their_runs() -> None:
    query = "data=1950:3;1960:5;1970:4&units=1960,10,4,1&width=3"
    assert RunConfig.from_query(query).run_id == OLD_ID
    assert [later - first for first, later in pairwise(RunConfig.from_query(query).training_data().x)] == [
        1,
        1,
    ]
    assert RunConfig.from_query(f"{query}&labels=a|b|c").run_id != OLD_ID


OLD_ID = "bdb5af93f4ec63d80c2bbc6a6a393488"
