"""The Study page without a browser: what it says, draws and lists."""

import random
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import dash_ag_grid
import numpy as np
import orjson
import pytest
from flask.testing import FlaskClient

from app import create_app
from components.pages.study import content
from components.pages.study.axes import Figure
from components.pages.study.captions import PICTURES, caption
from components.pages.study.figures import lab_link, picture, scatter
from components.pages.study.grid import NUMBERS, answer_rows, columns
from components.pages.study.groups import groups_of
from components.pages.study.layout import own_studies
from components.pages.study.levels import epochs_to, levels, usual_level
from components.pages.study.table import StudyTable, StudyTables, grouped
from core.config import runs_from_query
from core.methods import METHODS
from core.narrative import number
from core.run.train import Training
from core.service.service import RunService
from core.service.settings import Settings
from core.service.studies.plan import study_id_of
from core.service.studies.shipped import read_study
from core.service.studies.store import pack_record, record_curve, record_row
from core.study import GRID, Row, curve_of, failed_row, row_of
from reproduction.ready_studies import FOLDER, READY
from tests.service.services import at_once

QUERY = "seed=0..3&method=anls,gd&width=5,10&epochs=30,200&points=30"


def figures(table: StudyTable, key: str, level: str, theme: str) -> dict[str, Figure]:
    return {name: picture(table, name, key, level, theme) for name, _ in PICTURES if name != "scatter"}


def computed(query: str) -> StudyTable:
    table = StudyTable()
    for config in runs_from_query(query).configs:
        training = Training(config)
        frames = []
        while training.outcome is None:
            frames += training.step()
        table.rows.append(row_of(config, frames, training.outcome))
        table.curves.append(curve_of(frames))
    return table


@pytest.fixture(scope="module")
def table() -> StudyTable:
    return computed(QUERY)


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    return create_app(Settings(home=tmp_path)).server.test_client()


def test_the_lab_does_not_load_the_grid(client: FlaskClient) -> None:
    lab, study = client.get("/").text, client.get("/study?seed=0..3").text
    scripts, others = ([part.split('"')[0] for part in text.split('src="')[1:]] for text in (lab, study))
    assert not any("dash_ag_grid" in script or "study" in script for script in scripts)
    assert "study.css" not in lab and "ag-grid" not in lab
    assert any("dash_ag_grid" in script for script in others)
    assert "plotly-slim" in study


def test_the_styles_of_the_grid_are_those_of_its_version(client: FlaskClient) -> None:
    page = client.get("/study").text
    sheets = [part.split('"')[0] for part in page.split('<link rel="stylesheet" href="')[1:]]
    styles = next(sheet for sheet in sheets if "ag-grid" in sheet)
    assert sheets.index(styles) < next(place for place, sheet in enumerate(sheets) if "study.css" in sheet)
    answer = client.get(styles)
    assert answer.text.startswith(f"/* ag-grid-community v{dash_ag_grid._version.grid_version},")
    answer.close()


def test_what_does_not_change_stands_there_without_a_script(client: FlaskClient) -> None:
    for address, unfolded in (("/study", True), ("/study?seed=0..3", False)):
        page = client.get(address).text
        body = page[page.index("<body") : page.index("<footer")]
        assert '<header id="bar">' in body and body.count("<h1>") == 1
        assert all(escape(f"/study?{query}") in body for _, query, _ in READY)
        ready = body[body.index("<details") :].split(">")[0]
        assert ("open" in ready) == unfolded
        assert body.index("<main") < body.index('id="react-entry-point"') < body.index("</main>")


def same_runs(table: StudyTable, number: int, key: str = "seed") -> StudyTable:
    """So many runs that have one curve, in a group each."""
    names = list(METHODS) if key == "method" else range(number)
    rows = [{**table.rows[0], key: names[place]} for place in range(number)]
    return StudyTable(rows, table.curves[:1] * number)


def test_what_tells_the_runs_apart_comes_first_in_the_table() -> None:
    fields = [column["field"] for column in columns(("seed", "noise", "learning_rate"))]
    assert fields[:3] == ["noise", "learning_rate", "seed"] and fields[-1] == "query"
    assert len(fields) == len({*fields}) and {*NUMBERS} < {*fields}


def test_bands_are_closed_and_fewer_where_there_are_many_groups(table: StudyTable) -> None:
    data = figures(table, "method", "0.01", "light")["bands"]["data"]
    assert [trace.get("fill") for trace in data] == ["toself", "toself", None] * 2
    for outer, inner, line in zip(data[::3], data[1::3], data[2::3], strict=True):
        number = len(line["x"])
        for band in (outer, inner):
            assert band["x"] == line["x"] + line["x"][::-1]
            upper, lower = band["y"][:number], band["y"][number:][::-1]
            assert all(
                low <= middle <= high for low, middle, high in zip(lower, line["y"], upper, strict=True)
            )
    for most, each in ((6, 3), (10, 2), (16, 1)):
        drawn = figures(same_runs(table, most), "seed", "0.01", "light")["bands"]["data"]
        assert len(drawn) == most * each


def test_how_often_takes_up_the_settings_of_the_lab(client: FlaskClient) -> None:
    answer = client.get("/study?seeds=20&method=gd,anls&seed=11&epochs=1e5,100&at=5e3&panels=loss")
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/study?epochs=1e5,100&method=gd,anls&seed=0..19"
    assert client.get("/study?seeds=20").headers["Location"] == "/study?seed=0..19"
    usual = client.get("/study?seeds=20&epochs=2000&method=gd&width=7")
    assert usual.headers["Location"].endswith("?epochs=2000&seed=0..19&width=7")
    wrong = client.get("/study?seeds=20&width=0")
    assert wrong.headers["Location"] == "/study?seed=0..19&width=0"


def test_medians_and_shares_are_those_of_the_rows(table: StudyTable) -> None:
    drawn = figures(table, "method", "0.01", "light")
    assert set(drawn) == {"bands", "seconds", "reached", "losses", "plateaus", "widths"}
    rows = [row for row in table.rows if row["method"] == "gd"]
    reached = next(trace for trace in drawn["reached"]["data"] if trace["name"] == "GD")
    share = sum(row["epochs_to_0.01"] is not None for row in rows) / len(rows)
    assert reached["y"][-1] == share
    medians = next(trace for trace in drawn["widths"]["data"] if trace.get("name") == "GD")
    for width, loss in zip(medians["x"], medians["y"], strict=True):
        assert loss == pytest.approx(np.median([row["loss"] for row in rows if row["width"] == width]))
    for trace in drawn["widths"]["data"]:
        slope = np.polyfit(np.log(trace["x"]), np.log(trace["y"]), 1)[0]
        assert trace["text"][-1] == f"slope {slope:.1f}".replace("-", "−")
    for trace in drawn["losses"]["data"]:
        assert sum(trace["y"][:-1]) == pytest.approx(1.0)


def test_losses_over_seconds_are_those_over_epochs_at_the_cost_of_each_run(table: StudyTable) -> None:
    drawn = figures(table, "method", "0.01", "light")["seconds"]["data"]
    assert [trace["name"] for trace in drawn] == ["ANLS", "GD"]
    for trace in drawn:
        places = [place for place, row in enumerate(table.rows) if row["method"] == trace["name"].lower()]
        for second, loss in zip(trace["x"], trace["y"], strict=True):
            losses = []
            for place in places:
                row, curve = table.rows[place], table.curves[place]
                cost = METHODS[row["method"]]().seconds_per_epoch(row["width"], row["points"])
                past = sum(cost * epoch <= second for epoch in GRID[: len(curve)])
                losses.append(curve[past - 1])
            assert loss == pytest.approx(np.median(losses))
        assert trace["y"][-1] == pytest.approx(np.median([table.rows[place]["loss"] for place in places]))


def test_every_method_has_its_line_in_the_studies_of_all_methods() -> None:
    """Also one that is done at once."""
    every = [query for _, query, _ in READY if "varpro" in query]
    assert len(every) == 6
    for query in every:
        _, records = read_study(FOLDER / f"{study_id_of(query)}.xz")
        rows = [orjson.loads(record_row(record)) for record in records]
        curves = [record_curve(record) for record in records]
        methods = parse_qs(query)["method"][0].split(",")
        drawn = figures(StudyTable(rows, curves), "method", "0.01", "light")
        for name in ("bands", "seconds"):
            named = {trace["name"] for trace in drawn[name]["data"] if "name" in trace and len(trace["x"])}
            assert named == {METHODS[method].title for method in methods}, name


def test_pictures_stay_small_whatever_the_study_has(table: StudyTable) -> None:
    many = StudyTable(table.rows * 700, table.curves * 700)
    shown = scatter(many, "method", "plateaus", "loss", "dark")["data"]
    assert sum(len(trace["x"]) for trace in shown) <= len(table.rows), "runs in one place share a marker"
    for figure in figures(many, "seed", "0.01", "dark").values():
        assert sum(len(trace["x"]) for trace in figure["data"]) < 10_000


def test_every_run_is_in_the_scatter_the_best_of_thousands_too() -> None:
    chance = random.Random(5)
    rows: list[Row] = [
        {"method": "gd", "width": 5, "seed": seed, "epochs": 9.0, "query": f"seed={seed}",
         "loss": 10 ** chance.uniform(-6, 0), "plateaus": chance.randrange(40)}
        for seed in range(3000)
    ]  # fmt: skip
    for many in (320, 3000):
        table = StudyTable(rows[:many], [])
        (trace,) = scatter(table, "method", "plateaus", "loss", "light")["data"]
        assert min(trace["y"]) == min(row["loss"] for row in table.rows)
        if many == 320:
            assert len(trace["x"]) == many
        drawn = list(zip(trace["x"], trace["y"], strict=True))
        for row in table.rows:
            near = (abs(x - row["plateaus"]) < 1 and abs(np.log10(y / row["loss"])) < 0.11 for x, y in drawn)
            assert any(near), "none is further away from a marker than the marker is wide"


def test_losses_to_reach_are_those_that_the_runs_come_to(table: StudyTable) -> None:
    factor = 3.7e5  # a y in thousands
    rows: list[Row] = [
        {key: value for key, value in row.items() if "_to_" not in key} | {"loss": factor * row["loss"]}
        for row in table.rows
    ]
    large = StudyTable(rows, [np.float32(factor) * curve for curve in table.curves])
    offered = [float(level) for level in levels(large)]
    ends = sorted(row["loss"] for row in rows)
    most = max(float(curve[0]) for curve in large.curves)
    assert len(offered) >= 2 and all(ends[0] <= level <= most for level in offered)
    middle = float(usual_level(large))
    share = sum(end <= middle for end in ends) / len(ends)
    assert 0.5 <= share < 1.0
    for place, epoch in enumerate(epochs_to(large, range(len(rows)), usual_level(large))):
        assert (epoch is not None) == (min(large.curves[place]) <= middle)
    figure = picture(large, "reached", "method", usual_level(large), "light")
    assert max(trace["y"][-1] for trace in figure["data"]) >= 0.5


def test_a_headline_says_who_reaches_the_loss_and_how_often(table: StudyTable) -> None:
    counts = {
        name: [row["epochs_to_0.1"] is not None for row in table.rows if row["method"] == name]
        for name in ("anls", "gd")
    }
    told = content.headline(table, "method", "0.1")
    first, second = sorted(counts, key=lambda name: -sum(counts[name]))
    titles = {name: METHODS[name].title for name in counts}
    expected = f"{titles[first]} reaches 0.1 in {sum(counts[first])} of {len(counts[first])} runs"
    assert told == f"{expected}, {titles[second]} in {sum(counts[second]) or 'none'}."
    assert content.headline(table, "method", "1e-30") == "No run reaches 10⁻³⁰."
    assert content.headline(table, "method,width", "0.1").count("width") == 4, "few groups are all named"
    many = content.headline(same_runs(table, 7), "seed", "")
    assert "is last of 7:" in many and len(many.split()) <= 25
    assert content.headline(StudyTable([], []), "method", "0.1") == ""


def test_every_ready_study_has_a_picture(client: FlaskClient) -> None:
    for place, (_, query, _) in enumerate(READY):
        answer = client.get(f"/study/ready/{place}.svg")
        groups = (
            len(runs_from_query(query).lists.get("learning_rate", ()))
            or query.split("method=")[1].split("&")[0].count(",") + 1
        )
        assert answer.mimetype == "image/svg+xml"
        assert answer.text.count("<polyline") + answer.text.count("<circle") == groups
        assert len(answer.data) < 60_000
        assert client.get(f"/study/ready/{place}.svg?theme=dark").data != answer.data, "its own colours"
    assert client.get(f"/study/ready/{len(READY)}.svg").status_code == 404


def test_methods_times_widths_are_groups_of_their_own(table: StudyTable) -> None:
    groups = groups_of(table, "method,width", "light")
    assert [group.title for group in groups] == [
        "ANLS, width 5",
        "ANLS, width 10",
        "GD, width 5",
        "GD, width 10",
    ]
    assert all(len({table.rows[place][key] for place in group.places}) == 1
               for group in groups for key in ("method", "width"))  # fmt: skip
    assert len({(group.colour, group.dash) for group in groups}) == 4
    assert groups[0].colour == groups[1].colour != groups[2].colour
    assert groups[0].symbol == groups[2].symbol != groups[1].symbol
    widths = picture(table, "widths", "method,width", "", "light")["data"]
    assert [(trace["name"], trace["x"]) for trace in widths] == [("ANLS", [5, 10]), ("GD", [5, 10])]


def test_a_marker_opens_its_run_at_its_end(table: StudyTable) -> None:
    row = table.rows[0]
    assert lab_link(row) == f"/?{row['query']}&at={row['epochs']:.6g}"
    links = {
        link
        for trace in scatter(table, "width", "seed", "loss", "light")["data"]
        for link in trace["customdata"]
    }
    assert links == {lab_link(row) for row in table.rows}


def test_a_marker_of_a_moment_opens_its_run_there(table: StudyTable) -> None:
    """When a loss was reached, whether the picture tells it in epochs, in seconds, or as a share of runs."""
    rows = [row for row in table.rows if row["epochs_to_0.1"]]
    moments = {f"/?{row['query']}&at={row['epochs_to_0.1']:.6g}" for row in rows}
    assert moments and moments != {lab_link(row) for row in rows}
    for x, y in (("epochs_to_0.1", "loss"), ("seed", "seconds_to_0.1")):
        traces = scatter(table, "method", x, y, "light")["data"]
        assert moments <= {link for trace in traces for link in trace["customdata"]}
    traces = figures(table, "method", "0.1", "light")["reached"]["data"]
    assert {link for trace in traces for link in trace["customdata"]} - {""} == {
        lab_link(row, "epochs_to_0.1") for row in table.rows if row["epochs_to_0.1"] is not None
    }
    for trace in traces:
        assert len(trace["customdata"]) == len(trace["x"])


def test_a_run_that_could_not_be_computed_takes_no_place_in_the_pictures(table: StudyTable) -> None:
    gone = failed_row("data=@gone", None)
    more = StudyTable([*table.rows, gone], [*table.curves, np.empty(0, dtype=np.float32)])
    for name, figure in figures(more, "width", "0.1", "light").items():
        drawn = [trace["x"] for trace in figure["data"] if trace.get("name") != "width none"]
        plain = [trace["x"] for trace in figures(table, "width", "0.1", "light")[name]["data"]]
        assert [x for x in drawn if x] == plain


def test_the_grid_sorts_and_filters(table: StudyTable) -> None:
    rows = table.rows
    request: dict[str, Any] = {"startRow": 0, "endRow": 5, "sortModel": [{"colId": "loss", "sort": "desc"}]}
    answer = answer_rows(rows, request)
    assert answer["rowCount"] == len(rows) == 16
    largest = sorted((row["loss"] for row in rows), reverse=True)[:5]
    assert [row["loss"] for row in answer["rowData"]] == [number(loss, 4) for loss in largest]
    for row in answer["rowData"]:
        assert content.chosen_run(row)[1].startswith("/?") and "&at=" in content.chosen_run(row)[1]
    for model, holds in (
        ({"method": {"type": "equals", "filter": "gd"}}, lambda row: row["method"] == "gd"),
        ({"query": {"type": "contains", "filter": "SEED=2"}}, lambda row: "seed=2" in row["query"]),
        ({"seed": {"type": "inRange", "filter": 1, "filterTo": 2}}, lambda row: 1 <= row["seed"] <= 2),
        ({"loss": {"type": "lessThan", "filter": 1e-3}}, lambda row: row["loss"] < 1e-3),
        ({"epochs_to_1e-6": {"type": "blank"}}, lambda row: row["epochs_to_1e-6"] is None),
    ):
        assert answer_rows(rows, {"filterModel": model})["rowCount"] == sum(map(holds, rows))
    # What never happened comes last, whichever way.
    for way in ("asc", "desc"):
        found = answer_rows(rows, {"endRow": 16, "sortModel": [{"colId": "epochs_to_0.001", "sort": way}]})
        there = [row["epochs_to_0.001"] is None for row in found["rowData"]]
        assert there == sorted(there)


def test_what_is_said_before_and_while(tmp_path: Path, table: StudyTable) -> None:
    service: RunService = at_once(tmp_path)[0]
    studies = service.studies
    assert not content.planned(studies, "width=0,1")["may_run"]
    before = content.planned(studies, QUERY)
    assert before["may_run"]
    assert before["note"].startswith("Press Run: 16 runs that differ in seed, width and method, about")
    info, _ = studies.submit(QUERY, "me", "me")
    assert not content.planned(studies, QUERY)["note"].startswith("Press")
    assert own_studies(studies.listing("another"), unfolded=True) == []
    text = str(own_studies(studies.listing("me"), unfolded=True))
    assert (
        "sin πx, ANLS, GD" in text
        and f"/study?{info.query}" in text
        and "Starting. 0 of 16 runs; about" in text
    )
    assert content.group_options(info) == ["method,width", "method", "width"]
    assert content.usual_group(studies, info) == "method,width"
    crowded, _ = studies.submit("seed=0..1&method=anls,gd&width=2..10&epochs=5,5&points=30", "me", "me")
    assert content.usual_group(studies, crowded) == "method", "18 groups are more than can be drawn"
    for place in range(4):
        studies._store.add(info.id, pack_record(place, table.rows[place], table.curves[place]))
    told = studies.info(info.id)
    assert told is not None and content.progress(told).startswith("4 of 16 runs; about")
    tables = StudyTables(studies)
    assert len(tables.table(told).rows) == 4
    for place in range(4, 16):
        studies._store.add(info.id, pack_record(place, table.rows[place], table.curves[place]))
    assert [row["id"] for row in tables.table(told).rows] == [row["id"] for row in table.rows]
    done = studies.info(info.id)
    assert done is not None and content.progress(done) == "All 16 runs are done."
    for name, _ in PICTURES:
        figure, said = content.drawn(tables, done, name, "method", ("loss", "seed"), "light", "")
        assert figure["data"] and said == caption(name, 2, 2)


def test_runs_are_grouped_by_any_key_that_differs(tmp_path: Path) -> None:
    studies = at_once(tmp_path)[0].studies
    query = "init=he,small&method=anls&epochs=5&seed=0..1"
    info, _ = studies.submit(query, "me", "me")
    small = computed(query)
    for place, row in enumerate(small.rows):
        studies._store.add(info.id, pack_record(place, row, small.curves[place]))
    groups = grouped(StudyTables(studies).table(info), "init")
    assert {name: len(places) for name, places in groups.items()} == {("default",): 2, ("small",): 2}


@pytest.mark.parametrize(("title", "query", "said"), READY)
def test_ready_studies_are_written_as_the_canonical_link(title: str, query: str, said: str) -> None:
    assert title and said and runs_from_query(query).query == query
