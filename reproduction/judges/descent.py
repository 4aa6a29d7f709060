"""Evidence on gradient descent: patterns, full training, parameters at rest (sections 1, 3 and 5.1)."""

from collections.abc import Sequence
from math import sqrt

from core.narrative import number
from reproduction.criteria import Criterion, Limits
from reproduction.judges.table import Table, of, together
from reproduction.measures import at
from reproduction.statistics import median, share, spread
from reproduction.verdicts import Evidence

EPOCHS = 1e8
"""Of the runs of gradient descent on f1."""


def relative_error(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    seeds = together(table, *claim.samples)
    each = {sample: spread(one[sample]["relative_loss"] for one in seeds) for sample in claim.samples}
    listed = ", ".join(
        f"{title} {number(100 * each[sample].median, 2)} %"
        for title, sample in (("f₁", "f1_gd"), ("sin 5πx", "sin5_gd"), ("f₂", "f2_gd"))
    )
    hits = [all(one[sample]["relative_loss"] >= claim.value for sample in claim.samples) for one in seeds]
    return Evidence(
        f"{listed} in the median; all three in {share(hits)}",
        "The root of the loss over the mean square of y.",
        hits=hits,
    )


def _hopping(table: Table, limits: Limits) -> tuple[dict[int, bool], str]:
    """Seeds in which the paper's own counting, without pins, sees many more changes than there are stages."""
    plain = table["f1_plain"]
    much = {
        seed: plain[seed]["plain_changes"] > limits["similar"] * one["stages"]
        for seed, one in table["f1_gd"].items()
        if seed in plain
    }
    counted = spread(one["plain_changes"] for one in plain.values())
    return much, (
        f"In the paper's own counting, without pins, some uₗ changes {counted.text} times in the first "
        f"500,000 epochs. That is many more times than there are stages in {share(much.values())}."
    )


def patterns(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    known = {seed: one for seed, one in table["f1_gd"].items() if one["on_plateaus"] == one["on_plateaus"]}
    held = {seed: one["off_plateaus"] > limits["similar"] * one["on_plateaus"] for seed, one in known.items()}
    quiet = median(one["constant_share"] for one in known.values() if one["constant_share"] >= 0.0)
    found = spread(one["on_plateaus"] for one in known.values())
    much, why = _hopping(table, limits)
    return Evidence(
        f"{number(found.median, 2)} changes of pattern a decade of epochs on plateaus, "
        f"{number(median(one['off_plateaus'] for one in known.values()), 2)} off them, up to the last change "
        f"(medians); so in {share(held.values())}",
        f"In the median {number(100 * quiet, 2)} % of a plateau's length is one stretch without any "
        f"change. A constant pattern makes a plateau, but not every change ends one. {why}",
        hits=[hit and not much.get(seed, False) for seed, hit in held.items()],
        mended=list(held.values()),
        spread=found,
    )


def settles(table: Table, limits: Limits, claim: Criterion) -> Evidence:
    last = {seed: one["last_change"] for seed, one in table["f1_gd"].items()}
    found = spread(last.values())
    factor = limits["similar"]
    near = {seed: claim.value / factor <= value <= claim.value * factor for seed, value in last.items()}
    much, why = _hopping(table, limits)
    return Evidence(
        f"last change of some uₗ at epoch {found.text}; similar to 2·10⁷ in {share(near.values())}",
        "When the pattern settles is a matter of the seed. A bias pinned to a datum is counted as "
        f"standing on it. {why}",
        hits=[hit and not much.get(seed, False) for seed, hit in near.items()],
        mended=list(near.values()),
        spread=found,
    )


def trapped(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    last = of(table, "f1_gd", "last_change")
    hits = [value <= limits["late"] * EPOCHS for value in last]
    return Evidence(
        f"no uₗ changes in the second half of 10⁸ epochs in {share(hits)}",
        "Pinned biases count as standing on their datum.",
        hits=hits,
        spread=spread(last),
    )


def convergence(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    held = [one for one in table["f1_gd"].values() if one["last_change"] <= limits["late"] * EPOCHS]
    moved = [one["moved_late"] for one in held]
    hits = [value <= limits["settled"] for value in moved]
    return Evidence(
        f"largest move in the second half: {spread(moved).text} of the largest distance; settled in "
        f"{share(hits)}",
        f"Of {len(held)} runs that are trapped in a stage by then.",
        hits=hits,
        spread=spread(moved),
    )


def _pinned(
    table: Table, name: str, level: float, what: str
) -> tuple[list[float], list[bool], list[bool], str]:
    """A number that pinned neurons keep above 0: all seeds, those without pins, and a sentence."""
    values, pins = of(table, "f1_gd", name), of(table, "f1_gd", "pinned")
    free = [value for value, count in zip(values, pins, strict=True) if not count]
    held = [value for value, count in zip(values, pins, strict=True) if count]
    why = (
        f"Without pinned neurons ({len(free)} of {len(values)} seeds) {what} is "
        f"{number(median(free), 2)} in the median"
    )
    why += f", with them {number(median(held), 2)}." if held else "."
    return values, [value < level for value in values], [value < level for value in free], why


def stationarity(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    values, hits, _, why = _pinned(table, "mse", limits["trained"], "the MSE")
    residual = of(table, "f1_gd", "residual")
    return Evidence(
        f"MSE of the system {spread(values).text} after 10⁸ epochs; below {number(limits['trained'])} "
        f"in {share(hits)}",
        f"{why} Counted without the bias equations of pinned neurons the residual is "
        f"{number(median(residual), 2)}.",
        hits=hits,
        mended=[value < limits["trained"] for value in residual],
        spread=spread(values),
    )


def interpolates(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    values, hits, mended, why = _pinned(table, "missed", sqrt(limits["trained"]), "the distance")
    return Evidence(
        f"largest |f(μₗ) − ȳₗ| {spread(values).text}; met in {share(hits)}",
        why,
        hits=hits,
        mended=mended,
        spread=spread(values),
    )


def lines(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    values, hits, mended, why = _pinned(table, "lines", sqrt(limits["trained"]), "the difference of slopes")
    return Evidence(
        f"largest difference of slopes {spread(values).text}; none in {share(hits)}",
        why,
        hits=hits,
        mended=mended,
        spread=spread(values),
    )


def averages(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    found = of(table, "f1_gd", "averages")
    return Evidence(
        f"largest change of the mean squared error: {number(max(found), 2)} of it",
        "The first network of each run and the last, where no neuron is pinned. With pins the data "
        "beside the "
        "pin count one by one.",
        hits=[value <= limits["rounding"] for value in found],
        spread=spread(found),
    )


def plateaus(table: Table, limits: Limits, claim: Criterion) -> Evidence:
    counts = of(table, claim.samples[0], at("plateaus", limits["flat"], limits["shortest"]))
    hits = [value >= limits["several"] for value in counts]
    return Evidence(
        f"{spread(counts).text} plateaus; {number(limits['several'])} or more in {share(hits)}",
        "Counted on log axes.",
        hits=hits,
        spread=spread(counts),
    )


def slow(table: Table, limits: Limits, claim: Criterion) -> Evidence:
    epochs = of(table, "f1_gd", at("trained", limits["trained"]))
    hits = [value > claim.value for value in epochs]
    found = spread(epochs)
    return Evidence(
        f"{found.text} epochs; more than 10⁷ in {share(hits)}",
        "∞ stands for a seed that needs more than the 10⁸ epochs of the run.",
        hits=hits,
        spread=found,
    )


def coefficients_follow(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    b, c = (of(table, "f1_gd", at(f"{name}_settled", limits["settled"])) for name in ("b", "c"))
    hits = [second >= first for first, second in zip(b, c, strict=True)]
    return Evidence(
        f"biases settle at epoch {number(median(b), 2)}, coefficients at {number(median(c), 2)} "
        "(medians); no "
        f"earlier in {share(hits)}",
        "Both move together within a stage; which of them comes to rest first is decided by the last "
        "of them.",
        hits=hits,
        spread=spread(c),
    )


def coefficients_stay(table: Table, limits: Limits, claim: Criterion) -> Evidence:
    return _smallest(of(table, claim.samples[0], "smallest"), limits)


def _smallest(found: Sequence[float], limits: Limits) -> Evidence:
    known = [value for value in found if value == value]
    hits = [value > limits["vanishes"] for value in known]
    return Evidence(
        f"smallest over largest: {spread(known).text}; none vanishes in {share(hits)}",
        "Of the neurons that see data.",
        hits=hits,
        spread=spread(known),
    )
