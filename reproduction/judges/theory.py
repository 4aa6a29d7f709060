"""Evidence on the model and on the theorems about stages (sections 2, 3 and 4 of the paper)."""

from core.narrative import number
from reproduction.criteria import Criterion, Limits
from reproduction.judges.table import Table, of
from reproduction.statistics import share, spread
from reproduction.verdicts import Evidence


def unit_weights(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    found, printed = spread(of(table, "unit_weights", "converted")), of(table, "unit_weights", "printed")
    same = [value <= limits["rounding"] for value in printed]
    return Evidence(
        f"largest difference of the two functions {number(found.high, 2)} of their size; by the printed "
        f"identity the same in {share(same)}",
        "Weights of both signs, twenty neurons, a thousand points. The statement is true; the "
        "identity of its "
        "proof is wrong for negative weights.",
        hits=same,
        mended=[value <= limits["rounding"] for value in of(table, "unit_weights", "converted")],
        spread=found,
    )


def dead(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    moved = of(table, "dead", "moved")
    return Evidence(
        f"largest change of a parameter: {number(max(moved), 2)}",
        "Ten neurons beyond the last datum.",
        hits=[value == 0.0 for value in moved],
    )


def sets(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    caption, mended, partition = (of(table, "seven", name) for name in ("caption", "mended", "partition"))
    return Evidence(
        "the definition gives the points between the l-th and (l+1)-th smallest biases"
        if all(mended)
        else "neither reading gives the sets of the definition",
        "Each point belongs to exactly one set." if all(partition) else "The sets are no partition.",
        hits=[bool(a and b) for a, b in zip(caption, partition, strict=True)],
        mended=[bool(a and b) for a, b in zip(mended, partition, strict=True)],
    )


def floors(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    lowest, final = of(table, "f1_gd", "lowest_excess"), spread(of(table, "f1_gd", "final_excess"))
    stages = spread(of(table, "f1_gd", "stages"))
    held = [value >= -limits["rounding"] for value in lowest]
    return Evidence(
        f"lowest (L − Q₀)/L in any frame: {number(min(lowest), 2)}; at the end "
        f"{number(abs(final.median), 2)} in the median; {stages.text} stages",
        "A stage is counted from one change of the pattern, pinned neurons included, to the next. At the end "
        "the loss stands on the floor of its last stage.",
        hits=held,
        spread=final,
    )


def decay(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    stages, corrected, lower, upper = (
        of(table, "f1_flow", name) for name in ("stages", "corrected", "printed_lower", "printed_upper")
    )
    return Evidence(
        f"as printed: violated in {sum(lower) + sum(upper):.0f} of {sum(stages):.0f} stages; corrected: in "
        f"{sum(corrected):.0f} ({len(stages)} seeds)",
        "The exponents of the statement lack the factor 2 that its proof has. Without it the lower "
        f"envelope is too high: violated in {sum(lower):.0f} stages; the upper one is merely weaker.",
        hits=[a + b == 0 for a, b in zip(lower, upper, strict=True)],
        mended=[value == 0 for value in corrected],
    )


def rates_positive(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    lowest = [value for value in of(table, "f1_flow", "lowest_rate") if value < float("inf")]
    return Evidence(
        f"smallest r_min: {number(min(lowest), 2)}; {spread(lowest).text} over seeds",
        "It is positive, and can be so small that a stage stands still far above its floor.",
        hits=[value > 0.0 for value in lowest],
        spread=spread(lowest),
    )


def floor_falls(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    changes, promised, kept = (of(table, "f1_flow", name) for name in ("changes", "promised", "kept"))
    return Evidence(
        f"condition met at {sum(promised):.0f} of {sum(changes):.0f} changes, and the floor fell at "
        f"{sum(kept):.0f} of those ({len(changes)} seeds)",
        "The condition is sufficient, not necessary, and rarely met.",
        hits=[a == b for a, b in zip(kept, promised, strict=True)],
    )


def staircase(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    changes, promised, kept, fell = (
        of(table, "f1_flow", name) for name in ("changes", "promised", "kept", "fell")
    )
    return Evidence(
        f"the floor fell at {sum(fell):.0f} of {sum(changes):.0f} changes and rose at "
        f"{sum(changes) - sum(fell):.0f}; stages were long enough at {sum(promised):.0f} "
        f"({len(changes)} seeds)",
        "Changes of one free neuron over one datum. If the theorem's condition holds, the floor drops. "
        "Stages that long are the exception, so the staircase of floors goes up as well as down.",
        hits=[a == b for a, b in zip(fell, changes, strict=True)],
        mended=[a == b for a, b in zip(kept, promised, strict=True)],
    )


def eigenvalues(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    found = of(table, "silent", "eigenvalue")
    live, gradient = of(table, "silent", "live_eigenvalue"), of(table, "silent", "gradient")
    return Evidence(
        f"a positive eigenvalue, {number(max(found), 2)}, at an equilibrium with c = 0",
        "x = 0, 1, 2, 3, y = 4, −2, 0, 0, b = −1, c = 0: both equations of the flow hold, and the "
        "neuron leaves. "
        "Where no coefficient is 0 the matrix is −JᵀJ, and the sentence is true.",
        hits=[value <= 0.0 for value in found],
        mended=[value <= 0.0 and rest == 0.0 for value, rest in zip(live, gradient, strict=True)],
    )


def seven(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    numbers = next(iter(table["seven"].values()))
    each, literal = [int(numbers[f"neuron_{j}"]) for j in range(1, 6)], int(numbers["literal"])
    right = each == [2, 1, 1, 2, 1]
    return Evidence(
        f"{sum(each)}: {', '.join(map(str, each))} for the five neurons; {literal} by rules 6(i) and "
        "(iii) alone",
        "With rule 6(ii) read as the midpoint with the neighbouring bias: the midpoint with a neuron's "
        "own bias cannot cross a data point.",
        hits=[literal == sum(each) and right],
        mended=[right],
    )


def cod(table: Table, limits: Limits, claim: Criterion) -> Evidence:  # noqa: ARG001
    candidates, wrong, circular = (of(table, "cod", name) for name in ("candidates", "wrong", "circular"))
    return Evidence(
        f"corrected: {sum(wrong):.0f} of {sum(candidates):.0f} candidates differ; as printed "
        f"{sum(circular):.0f} more have no answer ({len(candidates)} seeds)",
        "The case in which the printed d* refers to itself needs a column that was redundant and "
        "stays in the "
        "range of the others.",
        hits=[a + b == 0 for a, b in zip(wrong, circular, strict=True)],
        mended=[value == 0 for value in wrong],
    )


def anls_monotone(table: Table, limits: Limits, claim: Criterion) -> Evidence:
    rises = [value for sample in claim.samples for value in of(table, sample, "rise")]
    return Evidence(
        f"largest rise over {len(rises)} runs: {number(max(rises) - 1.0, 2)} of the smallest loss so far",
        "ANLS takes improving steps only.",
        hits=[value <= 1.0 + limits["rounding"] for value in rises],
    )
