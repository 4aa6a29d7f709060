"""The flow beside gradient descent: time to 10^8 epochs on f1, the losses reached, and the floors passed.

How two sequences of stage floors are compared. Epochs of the two differ by a step or two, so changes that
nearly coincide may come in either order, with another floor for the moment between them. That is a tie, and
its stage is short. So: of each sequence take the stages that last at least 2 % of the epoch at which they end
(from epoch 100 on); their floors must all occur among the floors of the other sequence, in the same order,
equal to 9 digits.
"""

from dataclasses import dataclass
from time import process_time

import numpy as np

from core import theory
from core.config.run_config import RunConfig
from core.model.loss import mean_loss
from core.model.pattern import Pattern
from core.types import FloatArray

SHARE = 0.02
FIRST = 100.0
DIGITS = 1e-9


@dataclass(frozen=True, eq=False)
class Staircase:
    """The stages of a run: where each begins and its floor; and how the run ended."""

    begins: FloatArray
    floors: FloatArray
    end: float
    loss: float
    seconds: float

    def lasting(self) -> FloatArray:
        """Floors of the stages that no tie explains, without repetitions."""
        ends = np.append(self.begins[1:], self.end)
        floors = self.floors[(ends - self.begins >= SHARE * ends) & (ends >= FIRST)]
        new = np.abs(np.diff(floors, prepend=-1.0)) > tolerance(floors)
        return floors[new]

    def missing_from(self, other: "Staircase") -> int:
        """How many of the lasting floors are not to be found, in order, in the other staircase."""
        floors = self.lasting()
        longest = np.zeros(len(other.floors) + 1, dtype=np.int64)  # longest common subsequence, row by row
        for floor in floors:
            match = np.abs(other.floors - floor) <= tolerance(floor)
            extended = np.maximum(longest[1:], np.where(match, longest[:-1] + 1, 0))
            longest = np.concatenate([[0], np.maximum.accumulate(extended)])
        return len(floors) - int(longest[-1])


def tolerance(floor: FloatArray) -> FloatArray:
    """Floors nearer than this are one."""
    return DIGITS * np.abs(floor) + 1e-18


def staircase(query: str) -> Staircase:
    """Run a query from stage change to stage change, without frames."""
    config = RunConfig.from_query(query)
    data, method, end = config.training_data(), config.method, float(config.epochs)
    state = method.init(data, *config.initial())
    method.advance(data, state, 1.0, stop_at_change=False)  # compile before the clock starts
    begins, floors = [0.0], [theory.floor(data, Pattern(state["gap"], state["pin"]))]
    start, done = process_time(), False
    while not done:
        result = method.advance(data, state, end, stop_at_change=True)
        state = result.state
        done = result.met is not None or float(state["epoch"]) >= end
        if result.stages:
            begins.append(float(state["epoch"]))
            floors.append(theory.floor(data, Pattern(state["gap"], state["pin"])))
    seconds = process_time() - start
    return Staircase(
        np.array(begins), np.array(floors), end, mean_loss(data, state["b"], state["c"]), seconds
    )


def compare(target: str, seeds: int, epochs: str) -> None:
    """One line for each seed, and the worst of each column."""
    print(f"{target}, {epochs} epochs: seconds of flow and GD; loss of the flow, relative to GD's; stages;")
    print("lasting floors of the flow and of GD, and how many are missing from the other")
    worst_seconds, worst_loss, worst_missing = 0.0, 0.0, 0
    for seed in range(seeds):
        flow, descent = (
            staircase(f"target={target}&seed={seed}&method={name}&epochs={epochs}") for name in ("flow", "gd")
        )
        ratio = flow.loss / descent.loss - 1.0
        missing = (flow.missing_from(descent), descent.missing_from(flow))
        seconds = f"{flow.seconds:5.2f} s {descent.seconds:6.2f} s"
        stages = f"{len(flow.begins):4d} {len(descent.begins):4d}"
        floors = f"{flow.lasting().size:3d} {descent.lasting().size:3d}   {missing[0]} {missing[1]}"
        print(f"seed {seed}: {seconds}   {flow.loss:.6e} ({ratio:+.1e})   {stages}   {floors}", flush=True)
        worst_seconds = max(worst_seconds, flow.seconds)
        worst_loss = max(worst_loss, abs(ratio))
        worst_missing += sum(missing)
    print(f"worst: {worst_seconds:.2f} s, loss {worst_loss:.1e} apart, {worst_missing} floors missing")


def main() -> None:
    """Bars: 5 s, 1 %, none missing; then the largest budget."""
    compare("f1", 10, "1e8")
    compare("five", 8, "1e6")
    longest = staircase("target=f1&seed=0&method=flow&epochs=1e12")
    print(f"f1, seed 0, to 1e12 epochs or rest: {longest.seconds:.2f} s, loss {longest.loss:.6e}")


if __name__ == "__main__":
    main()
