"""The contract over all panels: what a figure may ask for.

That the browser can answer it is tested by components/player/test/panels.test.ts, over the same panels.
"""

import json
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from dash import no_update

from components.common.help import TERMS
from components.common.theme import (
    METHOD_COLOURS,
    METHOD_DASHES,
    NEURON_COLOURS,
    THEME_NAMES,
    THEMES,
    css_variables,
    method_colour,
    method_dash,
)
from components.common.view import TIMES
from components.pages.lab.callbacks.served import GONE, drawn
from components.panels import BOUND, PANELS, PRESENTED, SERVED, specification
from components.panels.base import AnyPanel, Panel, PanelRequest, ServedPanel, enlarged
from components.panels.landscape import loss_along, places_for
from components.panels.legend import MARKS, SIGNS
from components.panels.moments import panel_question, register_panels
from components.panels.shown import MOST, FrameCache, bytes_of, request_of, thinned
from components.panels.tables import AXES, HOVERS, LOOKS, TABLES
from core.config.run_config import RunConfig
from core.methods import METHODS
from core.model.pattern import Pattern
from core.model.sharpness import sharpness
from core.run.train import train
from core.service import TABLES as QUERY_TABLES
from core.service import NotYetError, QueueFullError, StoreError
from core.service.service import RunService
from core.types import FloatArray

MARKERS = {"circle", "circle-open", "square-open", "diamond", "diamond-open", "x-thin-open", "star", "bowtie"}
DIRECT_MARKERS = {"circle", "square", "diamond", "bowtie", "x-thin"}


def traces(theme: str = "light") -> Iterator[tuple[Panel, dict[str, Any]]]:
    for panel in BOUND.values():
        for trace in panel.figure(theme)["data"]:
            yield panel, trace


@pytest.mark.parametrize("panel", BOUND.values(), ids=BOUND)
@pytest.mark.parametrize("theme", THEME_NAMES)
def test_a_figure_is_plain_json_without_numbers_of_a_run(panel: Panel, theme: str) -> None:
    figure = panel.figure(theme)
    assert json.loads(json.dumps(figure)) == figure
    assert set(figure) == {"data", "layout"}
    for trace in figure["data"]:
        assert not {"x", "y", "z"} & set(trace), "numbers come from tables, in the browser"


@pytest.mark.parametrize("panel", PANELS.values(), ids=PANELS)
def test_a_panel_explains_itself(panel: AnyPanel) -> None:
    assert panel.title and panel.help.endswith("."), "the help is a sentence"
    assert specification("light")["summaries"][panel.name].endswith((".", "}")), "so is the summary"
    if not isinstance(panel, Panel):
        return
    assert panel.kind in ("history", "moment")
    assert not panel.figure("light")["layout"].get("title"), "the title bar has the title"
    assert panel.figure("light")["layout"]["showlegend"] is False


def test_the_registry_is_keyed_by_name() -> None:
    assert [panel.name for panel in PANELS.values()] == list(PANELS)
    assert len({panel.title for panel in PANELS.values()}) == len(PANELS)
    assert {"loss", "fit", "biases", "coefficients", "pattern"} <= set(PANELS)
    assert {"stationarity", "prediction", "rates", "candidates"} <= set(PANELS)


def test_every_trace_binds_columns_of_a_table() -> None:
    for panel, trace in traces():
        meta = trace["meta"]
        assert meta["table"] in TABLES, panel.name
        assert set(meta["bind"]) >= {"x", "y"}, panel.name
        assert set(meta["bind"].values()) <= {*TABLES[meta["table"]], *LOOKS}, panel.name
        assert meta.get("each") in (None, "run", "group")


def test_axes_and_hover_have_a_known_meaning() -> None:
    for panel in BOUND.values():
        meta = panel.figure("light")["layout"]["meta"]
        assert meta["x"] in AXES and meta["y"] in AXES, panel.name
        assert meta.get("hover", {}).get("kind") in (None, *HOVERS)
        assert bool(meta.get("cursor")) == (panel.kind == "history"), panel.name


def test_the_table_behind_each_panel_has_headings() -> None:
    for panel in BOUND.values():
        rows = panel.figure("light")["layout"]["meta"]["rows"]
        assert all(name in TABLES[rows["table"]] and heading for name, heading in rows["columns"])


def test_direct_traces_stay_within_what_the_canvas_can_draw() -> None:
    for panel, trace in traces():
        symbol = trace.get("marker", {}).get("symbol")
        assert symbol is None or symbol in MARKERS
        if not trace["meta"].get("direct"):
            continue
        predicted = trace["meta"]["table"].startswith("future_")
        assert (panel.kind == "history") == predicted, (
            "of a history, only the forecast changes with the moment"
        )
        assert trace["type"] == "scatter"
        assert symbol is None or symbol.removesuffix("-open") in DIRECT_MARKERS
        assert trace.get("xaxis") in (None, "x2") and trace.get("yaxis") in (None, "y2")


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_the_specification_covers_every_method(theme: str) -> None:
    spec = json.loads(json.dumps(specification(theme)))
    assert set(spec["methods"]) == set(METHODS)
    assert [panel["name"] for panel in spec["panels"]] == list(BOUND)
    assert set(spec["times"]) == set(TIMES)
    assert spec["config"]["showSendToCloud"] is False and spec["config"]["plotlyServerURL"] == ""


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    high, low = sorted((luminance(one), luminance(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_ink_can_be_read(theme: str) -> None:
    inks = THEMES[theme]
    for ground in (inks.paper, inks.panel):
        assert contrast(inks.ink, ground) >= 7
        assert contrast(inks.muted, ground) >= 4.5
        assert contrast(inks.accent, ground) >= 4.5
        assert contrast(inks.error, ground) >= 4.5
        assert contrast(inks.faint, ground) >= 3
    assert contrast(inks.accent_ink, inks.accent) >= 4.5


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_lines_can_be_seen(theme: str) -> None:
    panel = THEMES[theme].panel
    for method in METHODS:
        assert contrast(method_colour(theme, method), panel) >= 2.8, method
    for colour in NEURON_COLOURS[theme]:
        assert contrast(colour, panel) >= 2.8, colour


def test_methods_differ_in_colour_and_in_line_style() -> None:
    for theme in THEME_NAMES:
        assert len(set(METHOD_COLOURS[theme].values())) == len(METHOD_COLOURS[theme])
    assert len(set(METHOD_DASHES.values())) == len(METHOD_DASHES)
    assert method_colour("dark", "not yet invented") == THEMES["dark"].muted
    assert method_dash("not yet invented") not in METHOD_DASHES.values()


VISION = {
    "all cones": [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
    "no long": [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
    "no medium": [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
    "no short": [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
}
"""How linear colours look to people (Machado, Oliveira & Fernandes 2009)."""


def lightness_and_hue(colour: str, vision: str) -> FloatArray:
    """CIELAB."""
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    seen = np.clip(np.reshape(VISION[vision], (3, 3)) @ linear, 0.0, 1.0)
    xyz = np.array([[0.4339, 0.3762, 0.1899], [0.2127, 0.7152, 0.0722], [0.0178, 0.1095, 0.8727]]) @ seen
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("vision", VISION)
@pytest.mark.parametrize("theme", THEME_NAMES)
def test_a_rival_is_told_from_every_other_method_by_its_colour(theme: str, vision: str) -> None:
    coloured = METHOD_COLOURS[theme]
    seen = {method: lightness_and_hue(colour, vision) for method, colour in coloured.items()}
    for one, other in permutations(coloured, 2):
        if METHODS[one].rival:
            assert np.linalg.norm(seen[one] - seen[other]) >= 15.0, (one, other)


def test_css_variables_name_every_ink() -> None:
    assert css_variables("light")["--accent-ink"] == THEMES["light"].accent_ink
    assert set(css_variables("light")) == set(css_variables("dark"))


def test_present_mode_enlarges_lengths_and_nothing_else() -> None:
    figure = BOUND["loss"].figure("light")
    large = enlarged(figure, PRESENTED)
    assert large["layout"]["font"]["size"] == figure["layout"]["font"]["size"] * PRESENTED
    assert large["layout"]["margin"]["l"] == figure["layout"]["margin"]["l"] * PRESENTED
    assert [trace["meta"] for trace in large["data"]] == [trace["meta"] for trace in figure["data"]]
    assert large["layout"]["yaxis2"]["range"] == [0, 1]
    assert enlarged(figure, 1.0) == figure


CONFIG = RunConfig.from_query("epochs=2e4&seed=9&target=five&width=5")
FRAMES = list(train(CONFIG))
MOMENT = {"run": CONFIG.run_id, "frame": 3, "theme": "light", "asked": 7}


class OneRun:
    """The part of a run service that a served panel reads."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def config(self, run_id: str) -> RunConfig | None:
        return CONFIG if run_id == CONFIG.run_id else None

    def frames(self, run_id: str, after: int, last: int) -> list[Any]:
        self.asked.append(last)
        return FRAMES[after + 1 : last + 1] if run_id == CONFIG.run_id else []

    def count(self, run_id: str) -> int:
        return len(FRAMES) if run_id == CONFIG.run_id else 0

    recorded = count


@pytest.mark.parametrize("panel", SERVED.values(), ids=SERVED)
@pytest.mark.parametrize("theme", THEME_NAMES)
def test_a_served_figure_is_plain_json_for_every_moment(panel: ServedPanel, theme: str) -> None:
    for frame in (FRAMES[0], FRAMES[-1]):
        for neuron in (None, 0, 4, 99):
            figure = panel.build(PanelRequest(CONFIG, frame, neuron, theme))
            assert json.loads(json.dumps(figure)) == figure
            assert all(len(trace["x"]) == len(trace["y"]) > 0 for trace in figure["data"])


def test_the_landscape_passes_through_the_loss_and_has_its_kinks_at_the_data() -> None:
    frame, data = FRAMES[-1], CONFIG.training_data()
    places = places_for(data)
    assert set(data.x.tolist()) <= set(places.tolist())
    for j in range(CONFIG.width):
        here = loss_along(data, frame.b, frame.c, j, frame.b[[j]])
        assert here[0] == pytest.approx(frame.loss, rel=1e-9)
    pinned = np.flatnonzero(frame.pin >= 0)
    assert pinned.size, "the example must have a pinned neuron"
    for j in pinned.tolist():
        at = float(data.x[frame.pin[j]])
        left, held, right = loss_along(data, frame.b, frame.c, j, np.array([at - 1e-4, at, at + 1e-4]))
        assert held < left and held < right


def test_a_told_moment_means_a_frame_or_nothing() -> None:
    service: RunService = OneRun()  # type: ignore[assignment]
    good = {"run": CONFIG.run_id, "frame": 3, "neuron": 2, "theme": "dark"}
    request = request_of(service, good)
    assert request is not None and request.frame.index == 3
    assert (request.neuron, request.theme) == (1, "dark")
    plain = request_of(service, {**good, "neuron": 0, "theme": "pink"})
    assert plain is not None and (plain.neuron, plain.theme) == (None, "light")
    wrong: tuple[dict[str, Any], ...] = (
        {"run": "../../etc"},
        {"frame": -1},
        {"frame": 10**9},
        {"frame": "3"},
    )
    assert all(request_of(service, {**good, **part}) is None for part in wrong)
    assert request_of(service, {}) is None


@pytest.mark.parametrize("panel", SERVED.values(), ids=SERVED)
def test_a_query_worker_draws_what_the_panel_builds(panel: ServedPanel) -> None:
    """The figure is made by a query worker: it may take seconds, and a page may not."""
    register_panels()
    service: RunService = OneRun()  # type: ignore[assignment]
    moment = {"run": CONFIG.run_id, "frame": 3, "neuron": 2, "theme": "dark", "more": "x" * 10_000}
    question, request = panel_question(service, panel, moment), request_of(service, moment)
    assert question is not None and request is not None and len(question.key) < 300
    assert QUERY_TABLES["panel"](service, question) == panel.build(request)
    assert panel_question(service, panel, {**moment, "frame": 10**9}) is None


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        ({"data": []}, ({"data": []}, {"asked": 7})),
        (None, (no_update, {"asked": 7, "error": GONE})),
        (NotYetError(3), (no_update, {"asked": 7, "late": True})),
        (QueueFullError("You have asked for 8 answers.", 2), (no_update, {"asked": 7, "late": True})),
        (
            StoreError("It took too long."),
            (no_update, {"asked": 7, "error": "Landscape could not be drawn. It took too long."}),
        ),
    ],
)
def test_a_figure_that_is_late_or_fails_is_said_to_be(
    outcome: object, expected: tuple[object, object]
) -> None:
    class Busy(OneRun):
        @property
        def queries(self) -> "Busy":
            return self

        def table(self, *_: object) -> object:
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

    service: RunService = Busy()  # type: ignore[assignment]
    assert drawn(service, "somebody", SERVED["landscape"], MOMENT) == expected
    gone = drawn(service, "somebody", SERVED["landscape"], {"run": 3, "asked": 8})
    assert gone == (no_update, {"asked": 8, "error": GONE})


@pytest.mark.parametrize("panel", SERVED.values(), ids=SERVED)
def test_a_served_figure_is_larger_in_present_mode_and_has_rows(panel: ServedPanel) -> None:
    register_panels()
    service: RunService = OneRun()  # type: ignore[assignment]
    figures: list[Any] = []
    for size in ("screen", "present"):
        question = panel_question(service, panel, {**MOMENT, "size": size})
        assert question is not None
        figures.append(QUERY_TABLES["panel"](service, question))
    screen, present = figures
    assert present["layout"]["font"]["size"] == PRESENTED * screen["layout"]["font"]["size"]
    named = [trace for trace in screen["data"] if trace.get("name")]
    assert named and all(len(trace["x"]) > 1 for trace in named)


def test_frames_are_kept_up_to_a_number_of_bytes_the_latest_of_them() -> None:
    reader: Any = OneRun()
    cache = FrameCache(3 * bytes_of(FRAMES[0]))
    for index in range(6):
        assert cache.frame(reader, CONFIG.run_id, index) is FRAMES[index]
        assert cache.bytes <= 3 * bytes_of(FRAMES[0])
    reader.asked.clear()
    for index in (5, 4, 3, 0):
        assert cache.frame(reader, CONFIG.run_id, index) is FRAMES[index]
    assert reader.asked == [0], "the latest three were kept"
    wide = FrameCache(1)
    assert wide.frame(reader, CONFIG.run_id, 1) is FRAMES[1] and wide.bytes == bytes_of(FRAMES[1])
    with pytest.raises(IndexError):
        cache.frame(reader, "another", 0)


def test_a_landscape_of_many_data_takes_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    frame, data = FRAMES[-1], CONFIG.training_data()
    whole = loss_along(data, frame.b, frame.c, 1, places_for(data))
    monkeypatch.setattr("components.panels.landscape.BLOCK", 7)
    parts = loss_along(data, frame.b, frame.c, 1, places_for(data))
    assert parts == pytest.approx(whole, rel=1e-12)


def test_sharpness_is_drawn_over_the_run_beside_two_over_the_step() -> None:
    service: RunService = OneRun()  # type: ignore[assignment]
    request = request_of(service, {"run": CONFIG.run_id, "frame": 3})
    assert request is not None
    history = request.history()
    assert [frame.index for frame in history] == thinned(len(FRAMES))
    shorter = request_of(service, {"run": CONFIG.run_id, "frame": 3, "head": 20})
    assert shorter is not None and [frame.index for frame in shorter.history()] == thinned(20)
    curve, edge, _, dot = SERVED["sharpness"].build(request)["data"]
    assert curve["x"] == [max(frame.epoch, 1.0) for frame in history]
    for frame, value in zip(history[::40], curve["y"][::40], strict=True):
        pattern = Pattern(frame.gap, frame.pin)
        assert value == sharpness(CONFIG.training_data(), pattern, frame.b, frame.c)
    assert set(edge["y"]) == {2.0 / CONFIG.method.learning_rate}  # type: ignore[attr-defined]
    assert dot["x"] == [FRAMES[3].epoch]
    other = RunConfig.from_query("target=five&method=anls&width=5")
    frame = next(train(other))
    assert len(SERVED["sharpness"].build(PanelRequest(other, frame, None, "dark"))["data"]) == 2


def test_a_history_is_bounded_and_grows_by_halves() -> None:
    for count in (0, 1, 2, 299, 300, 301, 1000, 4000):
        kept = thinned(count)
        assert len(kept) <= MOST + 1
        assert kept[-1] == max(count - 1, 0) and kept[0] == 0
        assert {index for index in thinned(2 * count + 1) if index < count} <= set(kept)


def test_every_sign_of_the_legend_is_drawn_somewhere_and_every_trace_is_explained() -> None:
    drawn = {trace["meta"]["table"] for _, trace in traces()}
    explained = {table for sign in SIGNS for table in sign.tables}
    assert explained <= drawn
    (loss,) = (panel for panel in BOUND.values() if panel.name == "loss")
    marks = {trace["meta"]["table"] for trace in loss.figure("light")["data"]}
    assert marks - explained <= {"curve", "end", "future_events"}, "these speak for themselves"
    assert set(TERMS) - set(MARKS) <= {"released"}, "every other term has marks to light up"
