"""Whether what is said about a run is true: a reading of the printed sentences that shares no code with them.

Sentences are taken apart by regular expressions; floors come from dense linear algebra, least losses
from lstsq, paces from differences of the flow's own right-hand side. `python -m tests.core.narrative.truth`
goes through forty thousand frames and more of all methods and prints what is not true.
"""

import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np

from core.config.run_config import RunConfig
from core.frames.frame import Frame
from core.frames.stages import Stage, stages_of
from core.methods import METHODS
from core.narrative.numbers import fill, number, percentage
from core.narrative.plateaus import Phase, Plateau, plateaus_of
from core.narrative.story import Story, explain
from core.problem.data import TrainingData
from core.run.train import train
from core.types import FloatArray, IntArray

N = r"(−?10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+|−?\d+(?:,\d{3})*(?:\.\d+)?(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)"
_PLAIN = str.maketrans("−⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "--0123456789")


def read(text: str) -> float:
    """A number as sentences write it."""
    found = re.fullmatch(r"(−?)(?:([\d.]+)·)?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", text)
    if found is None:
        return float(text.translate(_PLAIN).replace(",", ""))
    return float(f"{found[1].translate(_PLAIN)}{found[2] or 1}e{found[3].translate(_PLAIN)}")


def near(text: str, value: float, digits: float = 0.006) -> bool:
    """Whether the text is the value to about three digits."""
    return bool(abs(read(text) - value) <= digits * abs(value) + 1e-300)


def columns(
    data: TrainingData, gap: IntArray, pin: IntArray, b: FloatArray, c: FloatArray | None = None
) -> FloatArray:
    """What a pattern can move: steps c_j 1[x > b_j] of free neurons, ramps of all; rows times sqrt w."""
    seen = np.arange(data.m)[:, None] >= gap
    at = np.where(pin >= 0, data.x[np.maximum(pin, 0)], b)
    steps = seen * (1.0 if c is None else c)
    both = np.hstack([steps[:, pin < 0], np.where(seen, data.x[:, None] - at, 0.0)])
    return np.asarray(np.sqrt(data.w)[:, None] * both)


def dense_floor(data: TrainingData, gap: IntArray, pin: IntArray, b: FloatArray) -> float:
    """Q_0 by a singular value decomposition."""
    a = columns(data, gap, pin, b)
    y = np.sqrt(data.w) * data.y
    size = np.linalg.norm(a, axis=0)
    u, s, _ = np.linalg.svd(a[:, size > 0] / size[size > 0], full_matrices=False)
    basis = u[:, s > 1e-11]
    return float(np.sum((y - basis @ (basis.T @ y)) ** 2) / np.sum(data.w))


def pace(data: TrainingData, frame: Frame) -> float:
    """-dL/dt along the flow of the pattern, by the definition."""
    at = np.where(frame.pin >= 0, data.x[np.maximum(frame.pin, 0)], frame.b)
    r = np.sqrt(data.w) * (np.maximum(data.x[:, None] - at, 0.0) @ frame.c - data.y)
    gradient = columns(data, frame.gap, frame.pin, frame.b, frame.c).T @ r
    return float(data.s * 2.0 / data.weight * np.sum(gradient**2))


def least_of(data: TrainingData, frame: Frame) -> float:
    """The least loss of any coefficients at these biases."""
    root = np.sqrt(data.w)
    a = root[:, None] * np.maximum(data.x[:, None] - frame.b, 0.0)
    size = np.maximum(np.linalg.norm(a, axis=0), 1e-300)
    best, *_ = np.linalg.lstsq(a / size, root * data.y, rcond=1e-13)
    return float(np.sum((a / size @ best - root * data.y) ** 2) / data.weight)


def rises(frames: Sequence[Frame]) -> int:
    """How often the loss goes up from one frame to the next."""
    return sum(b.loss > 1.001 * a.loss for a, b in pairwise(frames))


def is_least(data: TrainingData, frame: Frame) -> bool:
    """Whether no other coefficients are better at these biases."""
    return frame.loss <= least_of(data, frame) * (1 + 1e-6) + 1e-9 * float(np.mean(data.y**2))


class Reader:
    """Judges the sentences about one run."""

    def __init__(self, config: RunConfig, frames: Sequence[Frame]) -> None:
        self.config, self.frames, self.data = config, frames, config.training_data()
        self.small = 1e-24 * float(np.mean(self.data.y**2))
        self.at_rest = frames[-1].epoch < config.epochs
        self._floors: dict[bytes, float] = {}

    def floor(self, frame: Frame) -> float:
        """Q_0, once a pattern."""
        key = frame.gap.tobytes() + frame.pin.tobytes()
        if key not in self._floors:
            self._floors[key] = dense_floor(self.data, frame.gap, frame.pin, frame.b)
        return self._floors[key]

    def is_fitted(self, frame: Frame) -> bool:
        """Whether the loss is nothing but rounding, or what the flow's integration leaves."""
        if self.config.method.name == "flow":
            return frame.loss <= 1.001e-18 * float(np.mean(self.data.y**2))
        least = least_of(self.data, frame) if self.config.method.solves_least_squares else frame.loss
        return min(frame.loss, least) <= self.small

    def is_floor(self, text: str, frame: Frame) -> bool:
        return near(text, self.floor(frame)) or (text == "0" and self.floor(frame) <= self.small)

    def headline(self, text: str, stage: Stage) -> bool:
        before = self.frames[stage.first_frame - 1] if stage.first_frame else None
        first = self.frames[stage.first_frame]
        ok = text.startswith(f"Stage {stage.number + 1}, from ")
        for who, where, side in re.findall(rf"neuron (\d+) crosses x = {N} from the (left|right)", text):
            k = int(np.argmin(np.abs(self.data.x - read(where))))
            j = int(who) - 1
            ok &= (first.gap[j] > k) == (side == "left")
            if before is not None and stage.unrecorded == 0 and before.pin[j] < 0:
                ok &= (before.gap[j] > k) != (first.gap[j] > k)
        for who, where in re.findall(rf"neuron (\d+) is pinned at x = {N}", text):
            ok &= near(where, self.data.x[first.pin[int(who) - 1]], 0.02) or abs(read(where)) < 1e-9
        change = re.search(rf"The (floor|loss) (falls|rises) from {N} to {N}\.", text)
        if change is not None and before is not None:
            what, verb, a, b = change.groups()
            ok &= a != b and (read(b) < read(a)) == (verb == "falls")
            if what == "floor":
                ok &= self.is_floor(a, before) and self.is_floor(b, first)
            else:
                ok &= near(a, before.loss) and near(b, first.loss)
        stays = re.search(rf"The (floor|loss) stays at {N}\.", text)
        if stays is not None and before is not None:
            old, new = (
                (self.floor(before), self.floor(first)) if stays[1] == "floor" else (before.loss, first.loss)
            )
            ok &= abs(old - new) <= 2e-5 * max(old, new) + self.small
        return bool(ok and not ("floor" in text and self.config.method.solves_least_squares))

    def moment(self, text: str, frame: Frame, stage: Sequence[Frame]) -> bool:
        floor = self.floor(frame)
        if found := re.fullmatch(r"The loss is (\S+), (.+) above the floor (\S+)\.", text):
            above = frame.loss >= floor * (1 - 1e-7) - self.small
            return above and near(found[1], frame.loss) and self.is_floor(found[3], frame)
        if re.fullmatch(r"The loss is (\S+), the least for these biases\.", text):
            return is_least(self.data, frame)
        if "the floor of this stage is 0, a bound that need not be reached" in text:
            return floor <= self.small
        if "0 but for rounding" in text:
            return self.is_fitted(frame)
        if found := re.fullmatch(r"The loss is (\S+); no floor holds while a neuron hops\.", text):
            return near(found[1], frame.loss) and bool((frame.pin <= -2).any())
        below = any(each.loss < self.floor(each) for each in stage)
        return "counts as pinned hops" in text and below and bool((frame.pin >= 0).any())

    def why(self, text: str, stage: Sequence[Frame]) -> bool:
        first, last = stage[0], stage[-1]
        if found := re.fullmatch(rf"During this stage the loss goes from {N} to {N}\.", text):
            return near(found[1], first.loss) and near(found[2], last.loss) and last.loss < 0.5 * first.loss
        if "Nothing is left to learn" in text:
            return all(self.is_fitted(each) for each in stage)
        ok = bool(last.loss >= 0.5 * first.loss)
        if found := re.match(r"The steps are too large here: (neuron .*)\. A smaller learning rate", text):
            return ok and all(self.hops(found[1], each) for each in stage)
        if "The coefficients are the best ones" in text:
            return ok and is_least(self.data, last)
        if found := re.search(
            r"no network with this activation pattern has a loss below (\S+)\. ", text, re.I
        ):
            ok &= "is certain to end" not in text or last is not self.frames[-1] or not self.at_rest
            ok &= self.is_floor(found[1], last)
            return ok and all(each.loss >= 0.999999 * self.floor(each) for each in stage)
        if found := re.match(r"The floor, (\S+), is well below the loss", text):
            above = all(each.loss - self.floor(each) >= 0.099 * each.loss for each in stage)
            return ok and self.is_floor(found[1], last) and above
        return ok and "decide how the loss goes on" in text

    def state(self, text: str, frame: Frame) -> bool:
        dead, left = int(np.sum(frame.gap == self.data.m)), int(np.sum((frame.gap == 0) & (frame.pin == -1)))
        n = frame.gap.size
        found = (
            re.search(r"no data point: (\d+) of (\d+)", text),
            re.search(r"every one: (\d+) of (\d+)", text),
        )
        counted = [(int(each[1]), int(each[2])) if each else (0, n) for each in found]
        pinned = bool(((frame.pin >= 0) & (frame.gap < self.data.m)).any())
        return counted == [(dead, n), (left, n)] and ("Pinned: " in text) == pinned

    def hops(self, text: str, frame: Frame) -> bool:
        """Whether this neuron hops over this datum, and as many more as it says."""
        found = re.fullmatch(rf"neuron (\d+) hops over x = {N}(?:, as do(?:es)? (\d+) more)?", text)
        if found is None:
            return False
        datum = -2 - int(frame.pin[int(found[1]) - 1])
        if datum < 0 or abs(read(found[2]) - self.data.x[datum]) > 0.006 * abs(self.data.x[datum]) + 1e-9:
            return False
        return bool(np.count_nonzero(frame.pin <= -2) == 1 + int(found[3] or 0))

    def plateau(self, plateau: Plateau) -> bool:
        """Whether the phases cover a plateau, and its own sentences are those of the frame judged."""
        inside = range(plateau.first, plateau.last + 1)
        held = [i for phase in plateau.phases for i in range(phase.first, phase.last + 1)]
        (judged,) = (phase for phase in plateau.phases if phase.first <= plateau.judged <= phase.last)
        frame = self.frames[plateau.judged]
        ok = held == list(inside) and plateau.sentence == fill(judged.sentence, frame.loss, frame.floor)
        return ok and all(
            getattr(plateau, part) == getattr(judged, part)
            for part in ("why", "ends", "detail", "neuron", "datum")
        )

    def standing(self, plateau: Plateau, phase: Phase, text: str, frame: Frame) -> bool:
        """Whether the two sentences on a plateau are true at a frame of one of its phases."""
        inside = self.frames[plateau.first : plateau.last + 1]
        floor, dead = self.floor(frame), bool((frame.gap == self.data.m).all())
        above = frame.loss - floor
        ok = text.startswith("The loss ") and text.endswith(".") and "{" not in text
        if phase.why == "dead":
            return ok and dead
        if "nothing is left to learn" in text:
            return ok and self.is_fitted(frame)
        if found := re.fullmatch(r"The loss stands still while (neuron .* hops .*)\.", text):
            return ok and phase.why == "step" and self.hops(found[1], frame)
        if "the steps overshoot" in text:
            return bool(ok and phase.why == "step" and rises(inside) >= 0.2 * (len(inside) - 1))
        if found := re.match(rf"The loss has reached its floor, {N}", text):
            ok &= self.is_floor(found[1], frame) and -1e-7 * floor <= above <= 0.1001 * frame.loss
            ok &= phase.ends.startswith("Only a crossing")
            ok &= ("pinned neuron that comes free" in phase.ends) == bool((frame.pin >= 0).any())
            ok &= ("pinned" in text) == (phase.why == "pinned")
            if phase.why == "pinned":
                held = np.flatnonzero(frame.pin >= 0)
                one = re.search(rf"neuron (\d+) is pinned at x = {N}", text)
                many = re.search(r"because (\d+) neurons are pinned", text)
                ok &= one is not None or (many is not None and int(many[1]) == held.size)
                if one is not None:
                    ok &= held.tolist() == [int(one[1]) - 1] == [phase.neuron]
                    ok &= phase.datum == frame.pin[held[0]]
                ok &= self.loose_floor(frame) < 0.5001 * floor
            return bool(ok and phase.why in ("floor", "pinned"))
        if found := re.fullmatch(rf"The loss is still creeping down, at best to its floor, {N}\.", text):
            ok &= self.is_floor(found[1], frame) and above >= 0.0999 * frame.loss
            ok &= phase.ends.startswith("More time can end it, or a crossing")
            return bool(ok and phase.why == "slow" and self.config.method.decays)
        gained = re.search(rf"gains {N} % in", text)
        ok &= (
            gained is not None and abs(read(gained[1]) / 100 - (1 - inside[-1].loss / inside[0].loss)) < 0.01
        )
        ok &= ("stands still" in text) == (1 - inside[-1].loss / inside[0].loss < 0.1)
        if "the best ones" in text:
            return bool(ok and is_least(self.data, frame))
        return bool(ok and not self.config.method.decays)

    def loose_floor(self, frame: Frame) -> float:
        """Q_0 if no neuron were pinned."""
        return dense_floor(self.data, frame.gap, np.full(frame.pin.size, -1), frame.b)

    def detail(self, plateau: Plateau, phase: Phase) -> bool:
        """Whether the numbers behind a phase are true, each at the epoch that it names."""
        inside = self.frames[plateau.first : plateau.last + 1]
        here = self.frames[phase.first : phase.last + 1]
        first, last = inside[0], inside[-1]
        ok = all(len(sentence.split()) <= 25 for sentence in re.split(r"(?<=\.) ", phase.detail))
        inner = re.search(
            rf"This plateau holds (\S+) (crossing|move|stage change)s?: in all, "
            rf"the loss (?:stays at {N}|(falls|rises) from {N} to {N})\.",
            phase.detail,
        )
        ok &= (inner is not None) == (last.stage > first.stage)
        if inner is not None:
            ok &= int(inner[1].replace(",", "")) == last.stage - first.stage
            ok &= near(inner[3] or inner[6], last.loss)
            ok &= inner[4] is None or (inner[4] == "falls") == (last.loss < first.loss)
            kinds = {change.kind for each in inside[1:] for change in each.changes}
            ok &= inner[2] != "crossing" or kinds == {"crossed"}
        if found := re.search(r"rises between (\d+) of (\d+) recorded", phase.detail):
            ok &= (rises(inside), len(inside) - 1) == (int(found[1]), int(found[2]))
        ok &= ("to the floor takes" in phase.detail) == ("creeping" in phase.sentence)
        found = re.search(rf"(?:At|At the pace of) (?:epoch|iteration) {N},", phase.detail)
        if found is None:
            return ok and (phase.neuron is None or phase.why in ("pinned", "step"))
        return ok and any(
            self.is_behind(phase, frame) for frame in here if near(found[1], frame.epoch, 0.0051)
        )

    def is_behind(self, phase: Phase, frame: Frame) -> bool:
        """Whether the numbers of one frame behind a phase are true."""
        ok = True
        if found := re.search(rf"the floor without the pins is {N}\.", phase.detail):
            loose = self.loose_floor(frame)
            ok &= near(found[1], loose) or (found[1] == "0" and loose <= self.small)
        method: Any = self.config.method
        rate = getattr(method, "learning_rate", 0.0) * (1 + frame.epoch) ** -getattr(method, "decay", 0.0)
        if found := re.search(rf"the sharpness {N} is above 2/η = {N}\.", phase.detail):
            ok &= read(found[1]) > read(found[2]) and near(found[2], 2 / rate)
        if found := re.search(rf"63 % of the way to the floor takes about {N} epochs\.", phase.detail):
            wait = (frame.loss - self.floor(frame)) / (rate * pace(self.data, frame))
            ok &= near(found[1], wait, 0.06) and self.slowest(phase, frame, rate)
        return ok

    def slowest(self, phase: Phase, frame: Frame, rate: float) -> bool:
        """The slowest direction, by a dense singular value decomposition."""
        found = re.search(
            rf"direction, (mostly )?neuron (\d+)(?: more than others)?, that is {N} epochs", phase.detail
        )
        if found is None:
            return phase.neuron is None
        a = columns(self.data, frame.gap, frame.pin, frame.b, frame.c)
        _, s, v = np.linalg.svd(a, full_matrices=False)
        size = np.linalg.matrix_rank(columns(self.data, frame.gap, frame.pin, frame.b), tol=1e-11)
        free = np.flatnonzero(frame.pin < 0)
        share = v[size - 1, free.size :] ** 2
        share[free] += v[size - 1, : free.size] ** 2
        expected = 1 / (2 * self.data.s * s[size - 1] ** 2 * rate)
        lone = size < 2 or s[size - 2] > 1.001 * s[size - 1]
        named = int(np.argmax(share)) == int(found[2]) - 1 == phase.neuron or not lone
        return near(found[3], expected, 0.06) and named


def on_screen(story: Story, moment: str, phase: Phase | None, frame: Frame) -> list[str]:
    """The sentences about a frame that a page shows, those behind *Why?* included."""
    parts = [story.headline, story.change, moment, story.state]
    if phase is None:
        parts.append(story.why)
    else:
        parts += [fill(phase.sentence, frame.loss, frame.floor), phase.ends, phase.detail]
    return [one for part in parts if part for one in re.split(r"(?<=\.) (?=[A-Z])", part)]


def agree(shown: Sequence[str]) -> bool:
    """Whether no sentence is there twice, and no two contradict each other."""
    text = " ".join(shown)
    ok = len(set(shown)) == len(shown)
    found = re.search(rf"{N} % above the floor", text)
    if found is not None and "has reached its floor" in text:
        ok &= read(found[1]) <= 11.2
    if found is not None and "still creeping" in text:
        ok &= read(found[1]) >= 11.0
    reached = "has reached its floor" in text or "nothing is left to learn" in text
    ok &= not (reached and ("creeping" in text or "well below the loss" in text))
    ok &= not ("no floor holds" in text and ("its floor" in text or "loss below" in text))
    return ok and "stuck" not in text


def sentences(config: RunConfig, frames: Sequence[Frame]) -> Iterator[tuple[str, bool]]:
    """Every sentence about a run, frame by frame, and whether it is true."""
    reader = Reader(config, frames)
    plateaus = plateaus_of(config, frames)
    phases = {
        i: phase for each in plateaus for phase in each.phases for i in range(phase.first, phase.last + 1)
    }
    for stage in stages_of(frames):
        inside = frames[stage.first_frame : stage.last_frame + 1]
        before = frames[stage.first_frame - 1] if stage.first_frame else None
        story: Story = explain(config, stage, inside, before)
        began = f"{story.headline} {story.change}".strip()
        yield began, reader.headline(began, stage)
        yield story.state, reader.state(story.state, inside[0])
        yield story.why, reader.why(story.why, inside)
        floor = reader.floor(inside[0])
        for frame in inside:
            text = fill(story.moment, frame.loss, frame.floor)
            excess = re.search(r"is \S+, (.+) above the floor", text)
            ok = excess is None or excess[1] == percentage(frame.loss, frame.floor)
            yield text, ok and reader.moment(text, frame, inside) and number(floor) != "undefined"
            shown = on_screen(story, text, phases.get(frame.index), frame)
            yield " ".join(shown), agree(shown)
        yield story.text, story.text == f"{began} {text}"
    for plateau in plateaus:
        yield plateau.sentence, reader.plateau(plateau)
        for phase in plateau.phases:
            yield phase.detail, reader.detail(plateau, phase)
            for frame in frames[phase.first : phase.last + 1]:
                text = fill(phase.sentence, frame.loss, frame.floor)
                yield f"{text} {phase.ends}", reader.standing(plateau, phase, text, frame)


PROBLEMS = (
    "target=f1&epochs=1e6",
    "target=five&epochs=1e6",
    "target=step&points=30&width=6&epochs=1e6&seed=3",
    "target=sin(4*x)&points=40&width=8&epochs=1e6&sampling=uniform&seed=5",
    "target=f1&points=20&width=12&learning_rate=0.1&epochs=1e5",
    "target=sin5&points=60&width=15&learning_rate=0.02&epochs=1e5&seed=2",
    "data=0:0;1:0;2:5;3:5&biases=-1,1.5&coefficients=1,1&epochs=1e6",
    "target=step&width=4&learning_rate=0.01&seed=12&epochs=1e6",
    "target=five&seed=7000&epochs=1e6",
    "target=f1&learning_rate=0.1&epochs=1e5",
)


LEAST_FRAMES = 40_000
"""How many frames the problems have at least, or too little is read."""


def runs(problems: Sequence[str], most: float = np.inf) -> Iterator[tuple[RunConfig, list[Frame]]]:
    """All methods on all of the problems; keys that a method does not know are left out."""
    for query, (name, method) in product(problems, METHODS.items()):
        known = {field.name for field in method.parameters()}
        parts = [part for part in query.split("&") if "learning_rate" not in part or "learning_rate" in known]
        budget = min(float(query.split("epochs=")[1].split("&")[0]), method.default_epochs, most)
        parts = [part for part in parts if not part.startswith("epochs=")]
        config = RunConfig.from_query("&".join([*parts, f"method={name}", f"epochs={budget:g}"]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # a run that diverges
            frames = list(train(config))
        yield config, frames


def main() -> int:
    """All of it; what is not true is printed."""
    frames = read_so_far = 0
    wrong: list[str] = []
    for config, moments in runs(PROBLEMS):
        frames += len(moments)
        for sentence, ok in sentences(config, moments):
            read_so_far += 1
            if not ok:
                wrong.append(f"{config.to_query()}: {sentence}")
    print(f"{frames} frames, {read_so_far} sentences, {len(wrong)} not true", *wrong[:40], sep="\n")
    return bool(wrong) or frames < LEAST_FRAMES


if __name__ == "__main__":
    sys.exit(main())
