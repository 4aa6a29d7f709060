"""How the Study page looks: groups that can be told apart, axes with ticks, words for codes, its link."""

from typing import Any, get_args

import numpy as np
import pytest

from components.common.run_styles import run_looks
from components.common.theme import THEME_NAMES
from components.common.view import VIEW_KEYS
from components.pages.study import content
from components.pages.study.axes import Figure, with_ticks
from components.pages.study.captions import PICTURES, caption
from components.pages.study.endings import MOST_OUTLINES
from components.pages.study.figures import picture, scatter
from components.pages.study.grid import SHOWN, answer_rows, columns
from components.pages.study.groups import alone, groups_of
from components.pages.study.layout import NOTHING, legend, study_layout
from components.pages.study.table import StudyTable, grouped
from components.pages.study.view import StudyView, read_view
from components.pages.study.words import OUTCOMES, column_help, column_title
from core.config import FIELDS, RunConfig
from core.methods.contract import EndKind
from tests.components.test_study import QUERY, computed, figures, same_runs
from tests.components.tree import components


@pytest.fixture(scope="module")
def table() -> StudyTable:
    return computed(QUERY)


def test_the_legend_names_what_is_drawn_and_what_is_not(table: StudyTable) -> None:
    assert [group.title for group in content.legend(table, "method", "light")[0]] == ["ANLS", "GD"]
    groups, rest = content.legend(table, "width", "dark")
    assert not rest and {group.title: group.colour for group in groups} == {
        trace["name"]: trace["line"]["color"]
        for trace in figures(table, "width", "0.01", "dark")["bands"]["data"]
        if "fill" not in trace
    }
    assert [group.title for group in groups] == ["width 5", "width 10"]
    assert content.legend(table, "target", "light") == ([], "")
    many, rest = content.legend(same_runs(table, 20), "seed", "light")
    assert len(many) == 16 and rest == "and 4 more that are not drawn"
    assert len(legend(many, rest, "seed 3")) == 17


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_no_two_groups_look_alike_in_any_picture_of_lines(table: StudyTable, theme: str) -> None:
    for key in ("method", "seed"):
        many = same_runs(table, 16, key)
        looks = {(group.colour, group.dash) for group in groups_of(many, key, theme)}
        assert len(looks) == 16 and len({dash for _, dash in looks}) > 8
        for name in ("bands", "seconds", "reached", "widths"):
            data = [trace for trace in picture(many, name, key, "0.01", theme)["data"] if "name" in trace]
            assert {(trace["line"]["color"], trace["line"]["dash"]) for trace in data} == looks, name
    assert {group.dash for group in groups_of(table, "width", theme)} == {"solid"}


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_a_width_has_the_colour_that_it_has_in_the_lab(table: StudyTable, theme: str) -> None:
    looks = run_looks([RunConfig.from_query(f"width={width}") for width in (5, 10)])
    groups = groups_of(table, "width", theme)
    assert [group.title for group in groups] == [look["title"] for look in looks]
    assert [group.colour for group in groups] == [look["colours"][theme] for look in looks]


def test_a_group_is_shown_alone_in_every_picture(table: StudyTable) -> None:
    for name, _ in PICTURES:
        drawn = scatter(table, "method", "seed", "loss", "light")
        if name != "scatter":
            drawn = picture(table, name, "method", "0.01", "light")
        assert alone(drawn, "no such group") == drawn
        faint = {trace.get("name") for trace in alone(drawn, "GD")["data"] if trace.get("opacity", 1) < 0.5}
        assert faint == {"ANLS"}, name
        if name == "losses":
            assert drawn["data"][0]["fillcolor"] == "rgba(0,0,0,0)"


def test_many_groups_have_a_row_each_sorted_by_median(table: StudyTable) -> None:
    rows = [{**table.rows[place], "seed": place % 8, "loss": 10.0 ** (place % 8)} for place in range(16)]
    many = StudyTable(rows, table.curves)
    assert len(grouped(many, "seed")) > MOST_OUTLINES
    drawn = picture(many, "losses", "seed", "0.01", "light")
    axis = drawn["layout"]["yaxis"]
    assert axis["ticktext"] == [f"seed {place}" for place in reversed(range(8))] and axis["range"][1] > 7
    assert {trace["y"][0] for trace in drawn["data"]} == set(range(8))
    *bars, dots, medians = alone(drawn, "seed 3")["data"]
    assert [bar["name"] for bar in bars if "opacity" not in bar] == ["seed 3"]
    for trace, usual in ((dots, 0.55), (medians, 1.0)):
        shown = {
            name
            for name, opacity in zip(trace["text"], trace["marker"]["opacity"], strict=True)
            if opacity == usual
        }
        assert shown == {"seed 3"} and {*trace["text"]} == {f"seed {place}" for place in range(8)}
    assert "One row per group" in caption("losses", 8, 1) and "One row" not in caption("losses", 6, 1)


def test_no_logarithmic_axis_is_without_ticks(table: StudyTable) -> None:
    for spread in (1.0, 1.001, 1.05, 1.5, 3.0, 8.0, 50.0, 1e3, 1e9):
        for least in (1e-7, 3.3e-3, 0.9, 6.0):
            data = [{"x": [1.0, 10.0], "y": [least, least * spread]}]
            figure: Figure = {"data": data, "layout": {"xaxis": {}, "yaxis": {"type": "log"}}}
            axis = with_ticks(figure)["layout"]["yaxis"]
            low, high = axis.get("range") or np.log10([least, least * spread])
            assert "range" not in axis or high - low >= 0.4999
            if "dtick" in axis:
                assert high - low > 2 and (high - low) / axis["dtick"] <= 8
            else:
                inside = [value for value in axis["tickvals"] if low <= np.log10(value) <= high]
                assert len(inside) >= 2 and len(axis["ticktext"]) == len(axis["tickvals"]) < 12
    near = [{**row, "width": 5, "loss": 0.2 * (1 + row["seed"] / 100)} for row in table.rows]
    for name in ("losses", "widths"):
        layout = picture(StudyTable(near, table.curves), name, "seed", "0.01", "light")["layout"]
        axis = layout["xaxis" if name == "losses" else "yaxis"]
        assert len(axis["tickvals"]) > 1 and axis["range"][1] - axis["range"][0] == pytest.approx(0.5)
        assert layout["xaxis"]["automargin"] and layout["yaxis"]["automargin"]


def test_a_caption_says_what_is_drawn() -> None:
    assert "Slopes" in caption("widths", 2, 3) and "Slopes" not in caption("widths", 2, 1)
    assert "80 %" in caption("bands", 6, 1) and "80 %" not in caption("bands", 7, 1)
    assert "Bands" in caption("bands", 10, 1) and "Bands" not in caption("bands", 11, 1)
    assert all(caption(name, 1, 1) for name, _ in PICTURES)
    assert caption("scatter", 2, 1, 320).startswith("One marker per run.")
    assert caption("scatter", 2, 1, 10_000).startswith("All runs.")


def test_the_way_of_looking_is_a_part_of_the_link() -> None:
    query = "epochs=300,20&method=gd,anls&seed=0..9"
    assert read_view(f"?{query}&at=5&panels=loss") == (query, StudyView())
    view = StudyView("width", "1e-4", "seed", "plateaus")
    assert view.query(query) == f"{query}&group=width&level=1e-4&across=seed&up=plateaus"
    assert read_view(f"?{view.query(query)}") == (query, view)
    assert StudyView().query(query) == query and StudyView(up="seed").query("") == "up=seed"
    assert read_view("?level=7x&across=query&up=<b>&group=A!&seed=1") == ("seed=1", StudyView())
    assert read_view("?level=2e4&group=method,width&seed=1") == ("seed=1", StudyView("method,width", "2e4"))
    assert not {*StudyView._fields} & ({spec.name for spec in FIELDS} | VIEW_KEYS)


def test_a_choice_stands_in_the_picture_that_it_steers() -> None:
    def ids(node: Any) -> set[str]:
        return {part for part in node if isinstance(part, str)}

    parts = list(components(study_layout(StudyView())))
    sections = [part for part in parts if getattr(part, "className", "") == "study-picture"]
    assert len(sections) == len(PICTURES)
    for section, (name, _) in zip(sections, PICTURES, strict=True):
        own = {"reached": {"pick-level"}, "scatter": {"pick-across", "pick-up"}}.get(name, set())
        assert {each for each in ids(section) if each.startswith("pick-")} == own
    results = next(part for part in parts if getattr(part, "id", "") == "study-results")
    assert results.className == NOTHING and {"study-grid", "study-pictures", "pick-group"} <= ids(results)


def test_the_table_speaks_in_words(table: StudyTable) -> None:
    headers = {column["field"]: column for column in columns()}
    assert headers["longest_plateau"]["headerName"] == "longest plateau, decades"
    assert headers["epochs_to_0.1"]["headerName"] == "epochs to loss 0.1"
    assert all(column["headerTooltip"] for column in headers.values())
    assert all(column_help(column) != column_help("no such column") for column in SHOWN)
    assert not any("_" in column_title(column) for column in SHOWN)
    told = answer_rows(table.rows, {"endRow": 16})["rowData"]
    assert {row["method"] for row in told} == {"ANLS", "GD"} and {row["target"] for row in told} == {"sin πx"}
    known = dict(OUTCOMES.values())
    assert all(known[row["outcome"]] == row["ended"] for row in told)
    for model, (column, raw) in (
        ({"outcome": {"type": "contains", "filter": "used up"}}, ("outcome", "budget")),
        ({"method": {"type": "equals", "filter": "ANLS"}}, ("method", "anls")),
    ):
        expected = sum(row[column] == raw for row in table.rows)
        assert expected and answer_rows(table.rows, {"filterModel": model})["rowCount"] == expected
    hovered = scatter(table, "method", "longest_plateau", "loss", "light")["data"][0]
    assert hovered["text"][0] == "ANLS, seed 0, width 5" and "longest plateau" in hovered["hovertemplate"]
    assert {*OUTCOMES} >= {*get_args(EndKind), "failed", ""}
