"""Verdicts on gradient descent: plateaus, stages, full training (sections 1, 3 and 5.1 of the paper)."""

from core.run import number
from reproduction.claims import Finding, Table, by_share, of
from reproduction.words import share, spread

TRAINED = 1e7
"""More epochs than these, says the paper, until gradient descent on f1 has converged."""


def patterns(table: Table) -> Finding:
    on, off = of(table, "f1_gd", "on_plateaus"), of(table, "f1_gd", "off_plateaus")
    quiet = spread(value for value in of(table, "f1_gd", "constant_share") if value == value)
    busy = [a >= b for a, b in zip(on, off, strict=True)]
    why = (
        f"In the median {number(100 * quiet.median, 2)} % of a plateau's length is one stretch without "
        "any change."
    )
    if any(busy):
        why += (
            f" In {share(busy)} the pattern changes on a plateau as often as off it: a constant pattern "
            "makes a plateau, but not every change of pattern ends one."
        )
    found = spread(on)
    return Finding(
        f"{number(found.median, 2)} changes of pattern a decade of epochs on plateaus, "
        f"{number(spread(off).median, 2)} off them (medians of {found.count} seeds)",
        "agrees" if found.median < spread(off).median / 5 else "differs",
        why,
        found,
    )


def floors(table: Table) -> Finding:
    lowest, final = spread(of(table, "f1_gd", "lowest_excess")), spread(of(table, "f1_gd", "final_excess"))
    stages = spread(of(table, "f1_gd", "stages"))
    never = lowest.low > -1e-6
    return Finding(
        f"lowest (L − Q₀)/L in any frame: {number(lowest.low, 2)}; at the end "
        f"{number(abs(final.median), 2)}; {stages.text} stages",
        "agrees" if never else "differs",
        "Beyond rounding the loss never undercuts the floor of its stage, and at the end it stands on "
        "it. A stage is counted from one change of the pattern, pinned neurons included, to the next."
        if never
        else "In some frame the loss is below the floor computed for its stage.",
        final,
    )


def slow(table: Table) -> Finding:
    epochs = of(table, "f1_gd", "trained")
    slow = [value > TRAINED for value in epochs]
    found = spread(epochs)
    return Finding(
        f"{found.text} epochs; more than 10⁷ in {share(slow)}",
        "agrees" if found.median > TRAINED else "differs",
        "Fully trained means: what the parameters could still remove within the stage is below 10⁻¹⁰ for "
        "good. ∞ stands for a seed that needs more than the 10⁸ epochs of the run.",
        found,
    )


def stationarity(table: Table) -> Finding:
    mse, pinned = of(table, "f1_gd", "mse"), of(table, "f1_gd", "pinned")
    free = [value for value, pins in zip(mse, pinned, strict=True) if pins == 0]
    held = [value for value, pins in zip(mse, pinned, strict=True) if pins > 0]
    residual = spread(of(table, "f1_gd", "residual"))
    vanish = bool(free) and spread(free).median < 1e-8
    why = (
        f"Without pinned neurons ({len(free)} of {len(mse)} seeds) the median is "
        f"{number(spread(free).median, 2)}."
        if free
        else ""
    )
    if held:
        why += (
            f" With a neuron pinned to a data point ({len(held)} seeds) it stays at "
            f"{number(spread(held).median, 2)} for good, because such a neuron need not satisfy its own "
            "bias equation. Counted without those equations, the residual is "
            f"{number(residual.median, 2)} in the median of all seeds."
        )
    return Finding(
        f"MSE of the system {spread(mse).text} after 10⁸ epochs",
        ("corrected" if held else "agrees") if vanish and residual.median < 1e-10 else "differs",
        why.strip(),
        spread(mse),
    )


def interpolates(table: Table) -> Finding:
    missed, pinned = of(table, "f1_gd", "missed"), of(table, "f1_gd", "pinned")
    free = [value for value, pins in zip(missed, pinned, strict=True) if pins == 0]
    held = [value for value, pins in zip(missed, pinned, strict=True) if pins > 0]
    met = bool(free) and spread(free).median < 1e-4
    why = "The distance is the largest |f(μₗ) − ȳₗ| of the final network."
    if held:
        why += (
            f" With pinned neurons ({len(held)} of {len(missed)} seeds) the two sets beside the pin are "
            f"missed, by {number(spread(held).median, 2)} in the median."
        )
    return Finding(
        f"{spread(free).text} without pinned neurons" if free else "every seed has a pinned neuron",
        ("corrected" if held else "agrees") if met else "differs",
        why,
        spread(free) if free else None,
    )


def settles(table: Table) -> Finding:
    found = spread(of(table, "f1_gd", "last_change"))
    within = found.low <= 2e7 <= found.high
    return Finding(
        f"last change of some uₗ at epoch {found.text}",
        "agrees" if within else "differs",
        "When the pattern settles is a matter of the seed; the paper's value lies within our range."
        if within
        else "The paper's value lies outside our range.",
        found,
    )


def ranges(table: Table) -> Finding:
    early, fall, late = (of(table, "sin5_gd", name) for name in ("early_rest", "later_fall", "late_rest"))
    seen = [a < 0.1 and b > 2 and c < 0.1 for a, b, c in zip(early, fall, late, strict=True)]
    found = spread(fall)
    return Finding(
        "converged to the eye at 10³ epochs and again at 10⁷, with a fall in between by a factor of "
        f"{found.text}; all three in {share(seen)}",
        "agrees" if 2 * sum(seen) > len(seen) else "differs",
        "To the eye means: less than a tenth of the fall within the range happens in its last half "
        f"({number(100 * spread(early).median, 2)} % and {number(100 * spread(late).median, 2)} % in the "
        "median). The paper prints no numbers for this figure.",
        found,
    )


def five(table: Table) -> Finding:
    loss = of(table, "five_gd", "loss")
    solved = [value < 1e-8 for value in loss]
    inner = [
        pins == 3
        for value, pins in zip(loss, of(table, "five_gd", "inner_pinned"), strict=True)
        if value < 1e-8
    ]
    return Finding(
        f"all five points met in {share(solved)}; loss {spread(loss).text}",
        by_share(solved),
        f"Where it succeeds, each of the three inner data points holds a pinned bias in {sum(inner)} of "
        f"{len(inner)} cases, as in the paper's picture; a pinned neuron is a limit of gradient descent "
        "that the paper's lemma does not count. The other seeds stay trapped: too few neurons end up "
        "where they are needed.",
        spread(loss),
    )


def explicit(table: Table) -> Finding:
    mse, step = spread(of(table, "sin5_explicit", "mse")), spread(of(table, "sin5_explicit", "step"))
    fits = all(
        width <= most
        for width, most in zip(
            of(table, "sin5_explicit", "width"), of(table, "sin5_explicit", "allowed"), strict=True
        )
    )
    loss = spread(of(table, "sin5_explicit", "loss"))
    exploded = [value > 0 for value in of(table, "sin5_explicit", "explodes")]
    return Finding(
        f"stationarity MSE {mse.text}; loss {number(loss.median, 2)}; at most 2N neurons in every seed"
        if fits
        else f"stationarity MSE {mse.text}; more than 2N neurons needed",
        "agrees" if fits and mse.high < 1e-16 else "differs",
        "It is stationary to rounding: one step of gradient descent changes no parameter by more than "
        f"{number(step.high, 2)} of its size. But it is no place to rest: its coefficients are so large "
        "that at the paper's learning rate of 10⁻³ rounding errors grow, and the loss explodes within 20 "
        f"epochs in {share(exploded)}. At 10⁻⁷ nothing moves.",
        mse,
    )


def decay(table: Table) -> Finding:
    stages = int(sum(of(table, "f1_flow", "stages")))
    corrected = int(sum(of(table, "f1_flow", "corrected")))
    lower, upper = (
        int(sum(of(table, "f1_flow", "printed_lower"))),
        int(sum(of(table, "f1_flow", "printed_upper"))),
    )
    seeds = len(table["f1_flow"])
    return Finding(
        f"corrected: violated in {corrected} of {stages} stages; as printed: in {lower + upper} ({seeds} "
        "seeds)",
        "differs" if corrected else "corrected" if lower + upper else "agrees",
        "The exponents of the statement lack the factor 2 that its proof has. Without it the lower "
        f"envelope is too high: violated in {lower} stages; the upper one is merely weaker.",
    )


def floor_falls(table: Table) -> Finding:
    changes, promised, kept, fell = (
        int(sum(of(table, "f1_flow", name))) for name in ("changes", "promised", "kept", "fell")
    )
    return Finding(
        f"condition met at {promised} of {changes} changes, and the floor fell at {kept} of those "
        f"({len(table['f1_flow'])} seeds)",
        "agrees" if kept == promised and promised else "differs",
        f"The condition is sufficient, not necessary, and rarely met: the floor fell at {fell} of all "
        f"{changes} changes of one free neuron over one data point, and rose at {changes - fell}. The "
        "staircase of floors is not monotone.",
    )
