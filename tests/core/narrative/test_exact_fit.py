"""A run that ends because the fit is exact is never called stuck, and one that is stuck never exact."""

from dataclasses import replace

import numpy as np
import pytest

from core import train
from core.config.run_config import RunConfig
from core.frames.frame import Frame
from core.frames.stages import stages_of
from core.least_squares.chain import ascending
from core.methods import METHODS
from core.methods.anls.iteration import anls
from core.model.exact_fit import fits_exactly
from core.narrative.plateaus import phases_of
from core.narrative.story import explain
from core.portable.sums import weighted_square

METHOD_NAMES = ("anls", "anls_plus", "lsq", "gauss_newton", "varpro", "flow")
Y = np.array([0.0, 0.7, 0.2, -0.4, 0.5])
LEARNT = "othing is left to learn"


def config_of(method: str, y: np.ndarray, biases: str) -> RunConfig:
    points = ";".join(f"{x!r}:{v!r}" for x, v in zip([0.0, 1.0, 2.0, 3.0, 4.0], y.tolist(), strict=True))
    many, slope = biases.count(",") + 1, repr(0.1 * float(np.abs(y).max()))
    return RunConfig.from_query(
        f"data={points}&width={many}&biases={biases}&coefficients={','.join([slope] * many)}"
        f"&method={method}&epochs={1e9 if method == 'flow' else 300:g}"
    )


def at_the_end(config: RunConfig, frame: Frame) -> tuple[str, str, str]:
    """The moment and the reason of a last stage of one frame, and the reason of a plateau."""
    stage = stages_of([frame])[0]
    story = explain(config, stage, [frame], None)
    (phase,) = phases_of(config, [frame, frame], frame.index)
    return story.moment, story.why, phase.sentence


@pytest.mark.parametrize(
    ("method", "scale"),
    [
        *((method, scale) for method in METHOD_NAMES for scale in (1e-9, 1.0)),
        *((method, 1e9) for method in METHOD_NAMES if METHODS[method].solves_least_squares),
    ],
)
@pytest.mark.parametrize("offset", [0.0, 10.0])
def test_an_exact_fit_is_not_stuck(method: str, scale: float, offset: float) -> None:
    config = config_of(method, scale * (Y + offset) / (1.0 + offset), "-0.5,0.5,1.5,2.5,3.5")
    frame = list(train(config))[-1]
    moment, why, still = at_the_end(config, frame)
    assert "0 but for rounding" in moment, (frame.loss, moment)
    assert LEARNT in why and LEARNT in still


@pytest.mark.parametrize("method", METHOD_NAMES)
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_too_few_neurons_never_fit_exactly(method: str, scale: float) -> None:
    config = config_of(method, scale * Y, "-0.5,0.5")
    frame = list(train(config))[-1]
    assert not any("rounding" in text or LEARNT in text for text in at_the_end(config, frame))


@pytest.mark.parametrize("first", [-1e-8, -1e-6, -1e-3])
@pytest.mark.parametrize("method", ["anls", "lsq"])
def test_rounding_of_huge_coefficients_is_not_stuck(method: str, first: float) -> None:
    """A bias just left of the first datum: the biases interpolate, whatever rounding leaves."""
    config = config_of(method, Y + 1.0, f"{first!r},0.5,1.5,2.5,3.5")
    data, b = config.training_data(), config.initial()[0].copy()
    course = anls(data.points, b, ascending(b), 1e-8, 10)
    assert course.done == 0 and fits_exactly(course.total, weighted_square(data.w, data.y))
    frame = list(train(config))[-1]
    moment, why, still = at_the_end(config, frame)
    assert "0 but for rounding" in moment and LEARNT in why and LEARNT in still, frame.loss


@pytest.mark.parametrize("part", [0.5, 2.0])
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("method", ["gd", "flow", "gauss_newton"])
def test_sentences_change_where_the_method_stops(method: str, scale: float, part: float) -> None:
    """Just below the bound by which a method stops, and just above."""
    config = config_of(method, scale * Y, "-0.5,0.5,1.5,2.5,3.5")
    data, start = config.training_data(), next(iter(train(config)))
    loss = part * METHODS[method]().exact_loss(data)
    frame = replace(start, loss=loss, floor=0.0)
    assert all((LEARNT in text) == (part < 1.0) for text in at_the_end(config, frame)[1:])
