"""Finished figures from results: what they draw is what the runs say, in the data's own units."""

from collections.abc import Callable

import numpy as np
import pytest
from plotly.graph_objects import Figure

from components.common.theme import NEURON_COLOURS, neuron_groups
from components.figures import biases, coefficients, fit, loss, prediction, stationarity
from components.figures.paper import PAPER_PICTURES, paper_figure
from components.figures.runs import runs_of
from components.figures.tables import GROUP_TABLES, view_of
from components.figures.tables import TABLES as FILLED
from components.pages.lessons.figures import _bias_curves
from components.panels import SERVED
from components.panels.base import PanelRequest
from components.panels.tables import LOOKS, TABLES
from core import RunConfig, train
from core import fit as fit_data
from core.model import Pattern
from core.run.train import Run
from core.theory import regression_lines

Picture = Callable[..., Figure]
PICTURES: tuple[Picture, ...] = (loss, fit, biases, coefficients, stationarity, prediction)
DATA = "data=10:100;20:140;30:90;40:300;50:310;60:120&units=10,50,100,300&width=4&seed=1"


def trained(query: str) -> Run:
    run = train(RunConfig.from_query(query))
    list(run)
    return run


@pytest.fixture(scope="module")
def anls() -> Run:
    return trained("target=f1&width=6&points=30&method=anls&epochs=20")


@pytest.fixture(scope="module")
def gd() -> Run:
    return trained("target=f1&width=6&points=30&method=gd&epochs=3000")


def test_a_neuron_has_one_colour_wherever_it_is_drawn(gd: Run) -> None:
    """In notebooks and on Paper, in Landscape, and on handouts; the page is compared by a fixture."""
    colours, frame = NEURON_COLOURS["light"], gd.frames[-1]
    expected = [colours[group] for group in neuron_groups(gd.frames[0].b)]
    crosses: dict[int, str] = {}
    (held,) = runs_of(gd, "light")
    for kind in ("free", "pinned"):
        columns = FILLED[f"crosses_{kind}"](held, view_of([held], "light"))
        crosses |= dict(zip(columns["neuron"], columns["colour"], strict=True))
    for neuron, colour in enumerate(expected):
        assert crosses.get(neuron + 1, colour) == colour
        landscape = SERVED["landscape"].build(PanelRequest(gd.config, frame, neuron, "light"))
        assert landscape["data"][0]["line"]["color"] == colour
    told = [{"biases": [[[0.0, b], [1.0, b]] for b in gd.frames[0].b.tolist()], "data": []}]
    lines, _ = _bias_curves(told, "biases", {"ends": [1.0]})
    assert [line.colour for line in lines] == expected


def test_what_is_no_result_is_refused() -> None:
    with pytest.raises(TypeError, match="int is not a result"):
        loss(3)  # type: ignore[arg-type]


def named(figure: Figure, name: str) -> dict[str, np.ndarray]:
    (trace,) = [trace for trace in figure.data if trace.name == name]
    return {"x": np.asarray(trace.x, dtype=float), "y": np.asarray(trace.y, dtype=float)}


@pytest.mark.parametrize("picture", PICTURES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_picture_is_a_figure_with_curves(picture: Picture, theme: str, gd: Run) -> None:
    figure = picture(gd, theme=theme)
    assert isinstance(figure, Figure)
    assert any(len(trace.x) > 10 for trace in figure.data)
    assert figure.layout.font.color
    figure.to_json()


def test_the_staircase_has_every_frame_and_names_the_run(gd: Run) -> None:
    curve = named(loss(gd), "GD")
    assert np.array_equal(curve["y"], [frame.loss for frame in gd.frames])
    assert np.array_equal(curve["x"][1:], [frame.epoch for frame in gd.frames[1:]])
    assert 0.0 < curve["x"][0] < curve["x"][1]


def test_several_runs_share_a_picture(anls: Run, gd: Run) -> None:
    several = loss([anls, gd])
    assert {"ANLS", "GD"} <= {trace.name for trace in several.data}
    assert "floor of each stage" not in {trace.name for trace in several.data}
    assert "floor of each stage" in {trace.name for trace in loss(gd).data}
    assert {"mine", "theirs"} <= {trace.name for trace in loss({"mine": anls, "theirs": gd}).data}


def test_the_fit_shows_the_moment(gd: Run) -> None:
    start, end = named(fit(gd, epoch=0), "GD"), named(fit(gd), "GD")
    assert not np.array_equal(start["y"], end["y"])
    frame = gd.frames[-1]
    value = np.maximum(end["x"][:, None] - frame.b, 0.0) @ frame.c
    assert np.allclose(end["y"], value)
    data = gd.config.training_data()
    assert np.array_equal(named(fit(gd), "data")["y"], data.y)


def test_own_data_are_drawn_in_their_own_units() -> None:
    run = trained(f"{DATA}&method=anls&epochs=5")
    figure = fit(run)
    data = named(figure, "data")
    assert data["x"].tolist() == [10, 20, 30, 40, 50, 60]
    assert data["y"].tolist() == [100, 140, 90, 300, 310, 120]
    network = named(figure, "ANLS")
    assert network["x"][0] == 10
    assert network["x"][-1] == 60
    assert np.mean((np.interp(data["x"], network["x"], network["y"]) - data["y"]) ** 2) == pytest.approx(
        run.config.scale.loss(run.frames[-1].loss), rel=1e-6
    )


def test_trajectories_are_those_of_the_neurons(gd: Run) -> None:
    drawn = np.concatenate([np.asarray(trace.y, dtype=float) for trace in biases(gd).data])
    for neuron in range(gd.config.width):
        assert {float(frame.b[neuron]) for frame in gd.frames} <= set(drawn.tolist())


def test_what_is_no_result_is_refused_in_a_sentence(gd: Run) -> None:
    with pytest.raises(ValueError, match="none; a result of fit"):
        loss([])
    with pytest.raises(ValueError, match="int is not a result of fit"):
        loss([3])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="nothing is trained yet"):
        loss(train(gd.config))
    with pytest.raises(ValueError, match=r"theme: 'sepia'; one of light, dark"):
        loss(gd, theme="sepia")


def test_tables_have_the_columns_that_panels_know(gd: Run) -> None:
    assert FILLED.keys() | GROUP_TABLES.keys() <= TABLES.keys()
    runs = runs_of(gd, "light")
    view = view_of(runs, "light")
    for name, table in FILLED.items():
        assert table(runs[0], view).keys() <= {*TABLES[name], *LOOKS, "size", "colour"}


def test_nothing_is_named_that_is_not_drawn(gd: Run) -> None:
    assert not any((frame.gap >= frame.points).any() for frame in gd.frames)
    assert "dead neuron" not in {trace.name for trace in biases(gd).data}


def test_a_result_of_fit_is_drawn_as_it_answers() -> None:
    x, y = [10.0, 20.0, 30.0, 40.0, 50.0, 60.0], [100.0, 140.0, 90.0, 300.0, 310.0, 120.0]
    result = fit_data(x, y, width=4, method="anls", seed=1, epochs=20)
    data, network = named(fit(result), "data"), named(fit(result), "ANLS")
    assert data["x"] == pytest.approx(x)
    assert data["y"] == pytest.approx(y)
    assert network["y"] == pytest.approx(result.predict(network["x"]))
    assert named(loss(result), "ANLS")["y"][-1] == result.loss
    drawn = np.concatenate([np.asarray(trace.y, dtype=float) for trace in biases(result).data])
    assert set(result.b.tolist()) <= set(drawn.tolist())


def test_every_picture_of_the_paper_is_a_finished_figure(anls: Run, gd: Run) -> None:
    """Of a few seconds' runs; those of the page are looked at in the browser."""
    for theme in ("light", "dark"):
        for name in PAPER_PICTURES:
            of_gd = name in ("rates", "both_rates", "range")
            runs = runs_of([gd] if of_gd or name == "loss" else [anls, gd], theme)
            figure = paper_figure(name, runs, theme, moment=2.0 if name == "moves" else None)
            assert any(trace.x is not None and len(trace.x) for trace in figure.data), name
            for axis in ("x", "y"):
                for values in (np.asarray(trace[axis], dtype=float) for trace in figure.data):
                    assert np.array_equal(values, values.astype(np.float32), equal_nan=True), "seven digits"


def test_a_window_and_a_stretch_of_x_are_what_is_seen(gd: Run) -> None:
    (run,) = runs = runs_of(gd, "light")
    figure = paper_figure("loss", runs, "light", window=(10.0, 100.0))
    low, high = 10.0 ** np.array(figure.layout.yaxis.range)
    seen = [frame.loss for frame in run.frames if 10 <= frame.epoch <= 100]
    assert low < min(seen) and max(seen) < high < 2 * max(seen)
    few = paper_figure("loss", runs, "light").layout.yaxis
    for axis in (figure.layout.yaxis, few):
        decades = axis.range[1] - axis.range[0]
        assert (axis.tickmode == "linear" and axis.dtick >= 1) if decades >= 2 else len(axis.tickvals) >= 1
    stretch = paper_figure("fits", runs, "light", domain=(0.2, 0.4))
    assert tuple(stretch.layout.xaxis.range) == (0.2, 0.4)


def test_regression_lines_and_macroscopic_data_are_those_of_the_theory(gd: Run) -> None:
    figure, frame = fit(gd), gd.frames[-1]
    data = gd.config.training_data()
    lines = [line for line in regression_lines(data, Pattern(frame.gap, frame.pin)) if line.count > 1]
    drawn = named(figure, "regression lines")
    for line, x, y in zip(lines[-2:], drawn["x"].reshape(-1, 3)[-2:], drawn["y"].reshape(-1, 3)[-2:],
                          strict=True):  # fmt: skip
        assert x[0] < line.low < line.high < x[1]
        assert np.allclose(y[:2], line.height + line.slope * (x[:2] - line.center))
    assert "regression lines" not in {trace.name for trace in fit([gd, gd]).data}
