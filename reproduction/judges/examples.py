"""Evidence on the worked examples: ranges of epochs, five points, the explicit network (sections 1, 3)."""

from math import sqrt

from core.narrative import number
from reproduction.criteria import Criterion, Limits
from reproduction.judges.table import Table, of
from reproduction.statistics import median, share, spread
from reproduction.verdicts import Evidence


def _range(
    table: Table, limits: Limits, claim: Criterion, epochs: tuple[float, float, float], falls: bool
) -> Evidence:
    """Saturation of one range of epochs, on linear axes and on logarithmic ones."""
    first, middle, last = (of(table, claim.samples[0], f"at_{epoch:g}") for epoch in epochs)
    fall = [a / c for a, c in zip(first, last, strict=True)]
    enough = [not falls or value > limits["similar"] for value in fall]
    linear = [(b - c) / (a - c) if a > c else 1.0 for a, b, c in zip(first, middle, last, strict=True)]
    relative = [(b - c) / b for b, c in zip(middle, last, strict=True)]
    by_eye = [
        [much and value < limits["saturated"] for much, value in zip(enough, reading, strict=True)]
        for reading in (linear, relative)
    ]
    found = spread(fall)
    return Evidence(
        f"falls by a factor of {found.text}; in the last half {number(100 * median(linear), 2)} % of "
        "the fall, "
        f"{number(100 * median(relative), 2)} % of the loss then; saturated to the eye on linear axes in "
        f"{share(by_eye[0])}, on logarithmic ones in {share(by_eye[1])}",
        f"{sum(by_eye[0])} of {len(fall)} seeds on linear axes, {sum(by_eye[1])} on logarithmic ones. "
        "The paper's text names neither.",
        hits=by_eye[0],
        readings=(by_eye[1],),
        spread=found,
    )


def ranges(table: Table, limits: Limits, claim: Criterion) -> Evidence:
    return _range(table, limits, claim, (0.0, 500.0, 1e3), falls=False)


def ranges_again(table: Table, limits: Limits, claim: Criterion) -> Evidence:
    return _range(table, limits, claim, (1e3, 5e6, 1e7), falls=True)


def ranges_third(table: Table, limits: Limits, claim: Criterion) -> Evidence:
    return _range(table, limits, claim, (1e7, 5e7, 1e8), falls=True)


def five(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    loss, pinned = of(table, "five_gd", "loss"), of(table, "five_gd", "inner_pinned")
    solved = [value < limits["trained"] for value in loss]
    inner = [pins == 3 for pins, hit in zip(pinned, solved, strict=True) if hit]
    return Evidence(
        f"all five points met in {share(solved)}; loss {spread(loss).text}",
        f"Where it succeeds, each of the three inner data points holds a pinned bias in {sum(inner)} of "
        f"{len(inner)} cases, as in the paper's picture. A pinned neuron is a limit of gradient descent "
        "that the paper's lemma does not count. The other seeds stay trapped: too few neurons end up "
        "where they are needed.",
        hits=solved,
        spread=spread(loss),
    )


def five_dead(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    moved, dead = of(table, "five_gd", "dead_moved"), of(table, "five_gd", "dead")
    return Evidence(
        f"largest change: {number(max(moved), 2)}; {spread(dead).text} dead neurons",
        "A dead neuron has no gradient.",
        hits=[value == 0.0 for value in moved],
    )


def five_rest(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    moved = of(table, "five_gd", "moved_late")
    hits = [value <= limits["settled"] for value in moved]
    return Evidence(
        f"largest move in the second half: {spread(moved).text} of the largest distance; settled in "
        f"{share(hits)}",
        "A pinned bias hops about its datum within a step.",
        hits=hits,
        spread=spread(moved),
    )


def five_formula(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    solved = [one["formula"] for one in table["five_gd"].values() if one["loss"] < limits["trained"]]
    hits = [value < sqrt(limits["trained"]) for value in solved]
    return Evidence(
        f"largest difference from 4, −4, 4: {spread(solved).text}; the same in {share(hits)}",
        "Of the seeds that meet all five points.",
        hits=hits,
        spread=spread(solved),
    )


def explicit(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    found = list(table["sin5_explicit"].values())
    built = [one["width"] <= one["allowed"] and one["mse"] < limits["trained"] for one in found]
    calm = [not one["explodes"] for one in found]
    mse = spread(one["mse"] for one in found)
    step = max(one["step"] for one in found)
    return Evidence(
        f"stationarity MSE {mse.text}; loss {number(median(one['loss'] for one in found), 2)}; at most "
        "2N neurons "
        f"and stationary in {share(built)}; left in peace by GD in {share(calm)}",
        "It is stationary to rounding: one step of gradient descent changes no parameter by more than "
        f"{number(step, 2)} of its size. But it is no place to rest, since its coefficients are large. At "
        "the paper's learning rate of 10⁻³ rounding errors grow, and the loss explodes within 20 epochs. "
        "At 10⁻⁷ nothing moves.",
        hits=[a and b for a, b in zip(built, calm, strict=True)],
        mended=built,
        spread=mse,
    )


def explicit_spikes(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    found = list(table["sin5_explicit"].values())
    error = spread(one["relative_error"] for one in found)
    hits = [one["relative_error"] > limits["well"] and one["overshoot"] > limits["spike"] for one in found]
    return Evidence(
        f"error {error.text} of the target's norm; overshoots by "
        f"{number(median(one['overshoot'] for one in found), 2)} "
        f"of its range in the median; both in {share(hits)}",
        "Fully trained does not mean good.",
        hits=hits,
        spread=error,
    )
