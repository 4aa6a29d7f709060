"""Every number in a lesson's text is a claim that is recomputed, a setting of its link, or follows.

The claims themselves are recomputed by test_lessons.py. Here the text is read: a number that
nothing stands behind fails, so that none can be written, or left behind, without its source.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from components.common.view import split_query
from components.pages.lessons.folder import LessonFolder
from components.pages.lessons.parser import Claim, Lesson, Listing, Paragraph, Question, shown_queries
from core.analysis.best_known import STORED
from core.config.run_config import RunConfig, race_from_query
from core.frames.frame import Frame
from core.model import Pattern, sharpness
from core.problem import TARGETS
from core.run.train import train
from core.service.files.library import read_volume
from core.service.records import decode_frame
from core.tables import summaries
from reproduction.shipping import LESSONS as FOLDER
from reproduction.shipping import LIBRARY
from tests.numerals import agrees, written

LESSONS = LessonFolder(FOLDER).lessons()


@cache
def shipped(query: str) -> tuple[Frame, ...]:
    """A run that a lesson shows, from the library."""
    config = RunConfig.from_query(query)
    return tuple(decode_frame(payload) for payload in read_volume(LIBRARY / f"{config.run_id}.xz").payloads)


WAVE = "target=f1&method=gd&epochs=1e8"
NOISY = "epochs=1e7&method=gd&noise=0.15&points=40&seed=8&target=f1&width=6"
EDGE = "epochs=1e5&learning_rate=0.05&method=gd&seed=1&target=f1&width=5"
FIVE = "epochs=1e7&method=gd&seed=9&target=five"
OTHER = "epochs=1e8&method=gd&seed=11&target=f1"


def companions() -> list[tuple[int, float]]:
    """The neurons in the gap of neuron 1 at the moment of the first forecast, with their biases."""
    frame = next(frame for frame in shipped(OTHER) if frame.epoch == 400_000)
    found = [(j + 1, float(frame.b[j])) for j in np.flatnonzero(frame.gap == frame.gap[0]).tolist()]
    assert len(found) == 3
    return found


def hopper() -> int:
    """The first neuron, counted from 1, that hops at the end of the run at the edge of stability."""
    pin = shipped(EDGE)[-1].pin
    return int(np.flatnonzero(pin <= -2)[0]) + 1


def groups() -> list[int]:
    """How many data the groups of the noisy run hold at its end."""
    return [u for u in shipped(NOISY)[-1].u.tolist() if u]


def loss_at(query: str, epoch: float) -> float:
    """From the library."""
    return next(frame.loss for frame in shipped(query) if frame.epoch >= epoch)


def together() -> list[int]:
    """The neurons, counted from 1, that share a gap among the data at the end of the noisy run."""
    gap = shipped(NOISY)[-1].gap.tolist()
    return [j + 1 for j, own in enumerate(gap) if gap.count(own) > 1 and 0 < own < 40]


def at_the_edge(gap: int) -> int:
    """The one neuron of the noisy run that ends left of all data (gap 0) or right of them (gap 40)."""
    (only,) = [j + 1 for j, own in enumerate(shipped(NOISY)[-1].gap.tolist()) if own == gap]
    return int(only)


def stage_starts() -> list[tuple[float, float, bool]]:
    """Epoch, floor, and whether a neuron crossed, at the start of each stage of the first lessons' run."""
    found: list[tuple[float, float, bool]] = []
    stage = -1
    for frame in shipped(WAVE):
        if frame.stage != stage:
            stage = frame.stage
            found.append((frame.epoch, frame.floor, any(c.kind == "crossed" for c in frame.changes)))
    return found


def flow(first: int, last: int) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """The Nile's flow in these years."""
    return np.array([y for x, y in TARGETS["nile"].data if first <= x <= last])


def pieces() -> list[tuple[float, float, float]]:
    """Start, end and slope of the straight pieces of gradient descent's last network of the Nile."""
    query = "epochs=1e5&method=gd&target=nile"
    last, scale = shipped(query)[-1], RunConfig.from_query(query).scale
    b, c = scale.x(last.b), scale.slope(last.c)
    ends = [1871.0, *sorted(year for year in b.tolist() if 1871 < year < 1970), 1970.0]
    return [(start, end, float(c[b <= start].sum())) for start, end in pairwise(ends)]


def steepest() -> tuple[float, float, float]:
    """The piece that falls fastest."""
    return min(pieces(), key=lambda piece: piece[2])


def level_from() -> float:
    """The year from which on every piece is a quarter as steep at most."""
    steep = [end for _, end, slope in pieces() if abs(slope) > abs(steepest()[2]) / 4]
    return max(steep)


def jump() -> list[float]:
    """Where the neurons of ANLS stand that make its jump."""
    query = "epochs=500&method=anls&target=nile"
    b = RunConfig.from_query(query).scale.x(shipped(query)[-1].b)
    return [float(year) for year in b if 1915 < year < 1916]


def avalanche() -> list[tuple[str, float]]:
    """What began each stage from 107 to 121, and by how much the floor changed."""
    starts = [f for before, f in pairwise(shipped(WAVE)) if f.stage != before.stage]
    floors = {f.stage + 1: f.floor for f in starts}
    told = [f for f in starts if 107 <= f.stage + 1 <= 121]
    return [(f.changes[0].kind, f.floor - floors[f.stage]) for f in told]


def measured_rate() -> float:
    """How fast the distance to the floor shrinks in stage 105 of the first lessons' run."""
    return float(summaries.stages(RunConfig.from_query(WAVE), shipped(WAVE))[104]["rate"])


def late_losses() -> list[float]:
    """The losses at the edge of stability, from the epoch on at which it is reached."""
    return [frame.loss for frame in shipped(EDGE) if frame.epoch >= 1e4]


def lone_point() -> float:
    """The point that is a group of its own at epoch 20,000 of the noisy run."""
    frame = next(frame for frame in shipped(NOISY) if frame.epoch >= 2e4)
    sizes = [u for u in frame.u.tolist() if u]
    assert sorted(sizes)[:2] == [1, 11], "one single point, and three large groups"
    return float(RunConfig.from_query(NOISY).training_data().x[sum(sizes[: sizes.index(1)])])


def above_the_floor() -> float:
    """How much of the loss of the Nile lies above the floor at the end of gradient descent."""
    query = "epochs=1e5&method=gd&target=nile"
    last = shipped(query)[-1].in_units(RunConfig.from_query(query).scale)
    return last.loss - last.floor


DERIVED: dict[tuple[str, str], Callable[[], float]] = {
    ("plateau", "4"): lambda: LESSONS["regression"].order,
    ("plateau", "3"): lambda: LESSONS["pinned"].order,
    ("plateau", "2"): lambda: LESSONS["crossing"].order,
    ("plateau", "10,000"): lambda: 1e4,  # test_the_wait_becomes_ever_slower
    ("crossing", "3"): lambda: LESSONS["pinned"].order,
    ("rate", "3"): lambda: LESSONS["pinned"].order,
    ("pinned", "10⁻²⁰"): lambda: 1e-20 if shipped(FIVE)[-1].loss < 1e-20 else float("nan"),
    ("crossing", "fifteen"): lambda: float(len(avalanche())),
    ("crossing", "thirteen"): lambda: float(len([kind for kind, _ in avalanche() if kind == "crossed"])),
    ("crossing", "eleven"): lambda: float(len([kind for kind, by in avalanche() if by < -1e-9])),
    ("crossing", "1.9·10⁻⁶"): measured_rate,
    ("regression", "13"): lambda: groups()[0],
    ("regression", "15"): lambda: groups()[1],
    ("regression", "12"): lambda: groups()[2],
    ("regression", "2"): lambda: together()[0],
    ("regression", "3"): lambda: together()[1],
    ("regression", "4"): lambda: together()[2],
    ("regression", "6"): lambda: at_the_edge(40),
    ("regression", "1"): lambda: at_the_edge(0),
    ("regression", "0.436"): lambda: lone_point(),
    ("regression", "0.41"): lambda: float(np.mean(shipped(NOISY)[-1].b[[j - 1 for j in together()]])),
    ("regression", "−0.38"): lambda: float(shipped(NOISY)[-1].b[4]),
    ("regression", "200,000"): lambda: 2e5,  # test_how_the_noisy_run_comes_to_rest
    ("regression", "5"): lambda: 21 - sum(together()) - at_the_edge(0) - at_the_edge(40),
    ("stability", "0.036"): lambda: 2 / 55.8,  # the sharpness that the lesson claims
    ("stability", "3"): hopper,
    ("stability", "41,000"): lambda: 41_374,  # test_the_sharpness_at_the_edge
    ("stability", "10"): lambda: 10,  # the same
    ("stability", "17"): lambda: 17,  # the same
    ("stability", "0.07"): lambda: max(late_losses()),
    ("stability", "6.6·10⁻³"): lambda: float(np.median([loss for loss in late_losses() if loss < 0.01])),
    ("stability", "0.00999"): lambda: loss_at(WAVE, 1e5),
    ("stability", "fifty"): lambda: 0.05 / 0.001,
    ("stability", "0.3"): lambda: 0.3,  # a suggestion: the next test tries it
    ("plateau", "490,000"): lambda: 488_723,
    ("plateau", "290,000"): lambda: 780_000 - 488_723,
    ("plateau", "60,000"): lambda: 840_000 - 780_000,
    ("crossing", "137,000"): lambda: 919_878 - 783_249,
    ("crossing", "700,000"): lambda: 780_000 - 7e4,  # test_lessons.py: the twins share a gap from 7e4 on
    ("crossing", "−0.41"): lambda: -0.414,
    ("crossing", "8"): lambda: 8,  # the twin of neuron 2, in the same test
    ("anls", "700,000"): lambda: 780_000 - 7e4,
    ("anls", "6.4·10⁻⁵"): lambda: STORED["f1", 10].loss,
    ("river", "28,400"): lambda: float(flow(1871, 1970).var()),
    ("river", "99,900"): lambda: 1e5 - 100,
    ("river", "100 million"): lambda: 1e8,  # the unit that the series names, 10⁸ m³
    ("river", "1898"): lambda: 1898,  # the last year of the first mean
    ("river", "1098"): lambda: float(flow(1871, 1898).mean()),
    ("river", "850"): lambda: float(flow(1899, 1970).mean()),
    ("river", "1894"): lambda: steepest()[0],
    ("river", "1905"): lambda: steepest()[1],
    ("river", "1919"): level_from,
    ("river", "Two"): lambda: float(len(jump())),
    ("river", "1,700"): above_the_floor,
    ("river", "1917"): lambda: 1917,  # test_what_the_jump_follows
    ("river", "1915"): lambda: 1915 if len(jump()) == 2 else float("nan"),
    ("river", "1916"): lambda: 1916 if len(jump()) == 2 else float("nan"),
    ("forecast", "160,000"): lambda: 556_053 - 400_000,
    ("forecast", "−0.42"): lambda: float(np.mean([b for _, b in companions()])),
    ("forecast", "7"): lambda: companions()[1][0],
    ("forecast", "8"): lambda: companions()[2][0],
    ("forecast", "75 million"): lambda: 8e7 - 5e6,
}
"""Numbers that follow from those of the claims, and how; test_lessons.py has what is said of single runs."""


def texts(lesson: Lesson) -> Iterator[str]:
    """All that a reader sees, step by step."""
    for step in lesson.steps:
        for block in step.blocks:
            if isinstance(block, Paragraph):
                yield block.text
            elif isinstance(block, Listing):
                yield from block.items
            elif isinstance(block, Question):
                yield from (block.text, *(text for text, _ in block.options), block.reveal)


def plain(text: str) -> str:
    """Without addresses, and without what is no quantity: formulas, places in papers, their years."""
    formula, place = r"`[^`]*[=≤←λη^][^`]*`", r"\b(?:[Ss]ection|Theorem|Lemma) \d(?:\.\d)?"
    return re.sub(rf"\]\([^)]*\)|2/λ|2/η|, 20\d\d\)|\((?:19|20)\d\d\)|{formula}|{place}", " ", text)


def claimed(claims: tuple[Claim, ...]) -> Iterator[float]:
    for claim in claims:
        for part in (*claim.value.split(), claim.at):
            try:
                yield float(part)
            except ValueError:
                continue


def known(lesson: Lesson) -> set[float]:
    """Every number of the lesson's claims and of the settings of its links."""
    found = {value for step in lesson.steps for value in claimed(step.claims)}
    queries = shown_queries(lesson)
    extra = [block.query for step in lesson.steps for block in step.blocks if isinstance(block, Question)]
    for query in queries:
        config, view = split_query(query)
        for run in race_from_query(config):
            rate = float(getattr(run.method, "learning_rate", 0.0))
            found |= {run.points, run.width, run.epochs, rate, 2 / rate if rate else 0.0}
            found |= set(run.training_data().x.round(3).tolist()) if run.points <= 10 else set()
        found |= set() if view.at is None else {view.at}
    for query in filter(None, extra):
        at = split_query(query)[1].at
        found |= set() if at is None else {at}
    return found


def test_crossings_that_raise_the_floor_are_told() -> None:
    starts = stage_starts()
    raising = [
        stage
        for stage in range(107, 122)
        if starts[stage - 1][2] and starts[stage - 1][1] > starts[stage - 2][1]
    ]
    assert raising == [117, 119]


def test_the_pin_and_the_release_leave_the_floor() -> None:
    assert sorted(kind for kind, by in avalanche() if abs(by) < 1e-9) == ["pinned", "released"]
    assert shipped(WAVE)[-1].epoch == 8e7


def test_the_wait_becomes_ever_slower() -> None:
    tens = [f.loss for f in shipped(WAVE) if 488_723 < f.epoch <= 780_000 and f.epoch % 1e4 == 0]
    falls = [before - after for before, after in pairwise(tens)]
    assert len(tens) == 30 and all(later < sooner for sooner, later in pairwise(falls))


def test_the_sharpness_at_the_edge() -> None:
    data = RunConfig.from_query(EDGE).training_data()
    late = [f for f in shipped(EDGE) if f.epoch >= 1e4]
    found = [(f.epoch, sharpness(data, Pattern(f.gap, f.pin), f.b, f.c)) for f in late]
    assert {round(value) for epoch, value in found if 10_907 < epoch < 2e4 and value < 25} == {10}
    assert [(epoch, round(value)) for epoch, value in found if epoch > 2e4 and value < 25] == [(41_374, 17)]
    assert np.median([value for _, value in found]) == pytest.approx(40, abs=1.5)


def test_how_the_noisy_run_comes_to_rest() -> None:
    frames = [f for f in shipped(NOISY) if f.epoch >= 54_392]
    soon = next(f.stationarity for f in frames if f.epoch >= 2e5)
    assert soon > frames[0].stationarity / 20
    assert frames[-1].stationarity < 1e-15


def test_the_dead_of_steps_of_a_tenth_lie_where_the_lesson_says() -> None:
    b = shipped("epochs=1e5&method=gd&target=f1&learning_rate=0.1")[-1].b
    assert ((b > 1).sum(), (b > 1.1).sum()) == (8, 7)


def test_what_the_jump_follows() -> None:
    flows = dict(TARGETS["nile"].data)
    before, after = max(flows[year] for year in range(1911, 1916)), max(flows[y] for y in range(1918, 1923))
    assert min(flows[1916], flows[1917]) > 1.2 * max(before, after)


def test_steps_of_three_tenths_end_when_the_lesson_says() -> None:
    last = list(train(RunConfig.from_query("epochs=1e5&method=gd&target=f1&learning_rate=0.3")))[-1]
    assert 5e3 < last.epoch < 2e4
    assert (last.b > 1.5).sum() == 9, "they do not diverge: nine neurons die"
    assert last.loss < 1.0


def test_a_number_from_nowhere_is_found() -> None:
    sources = known(LESSONS["plateau"])
    for text in ("a loss of 1.61·10⁻³", "after 781,000 epochs", "in seventeen stages"):
        ((_, value, digits),) = written(text)
        assert not any(agrees(value, digits, source) for source in sources)


@pytest.mark.parametrize("name", LESSONS)
def test_every_number_has_a_source(name: str) -> None:
    sources = known(LESSONS[name])
    unfounded = []
    for text in texts(LESSONS[name]):
        for as_written, value, digits in written(plain(text)):
            derived = DERIVED.get((name, as_written))
            behind = sources if derived is None else {derived()}
            if not any(agrees(value, digits, source) for source in behind):
                unfounded.append((as_written, text[:80]))
    assert unfounded == []
