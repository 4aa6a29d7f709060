"""Verdicts on active neuron least squares and its rivals (sections 4 and 5.2 of the paper)."""

from collections.abc import Sequence

from core.run import number
from reproduction.claims import Finding, Table, Verdict, by_share, of
from reproduction.words import Spread, share, spread

WILD = 2.0
"""A curve that rises to so many times its smallest value so far fluctuates and is unstable."""
RISE = 1.5
"""One that rises to so many times has suddenly risen."""


def _near(found: Spread, value: float, factor: float = 3.0) -> bool:
    """Whether the median is within a factor of the paper's value, which it gives to one digit."""
    return value / factor <= found.median <= value * factor


def _below(first: Sequence[float], second: Sequence[float]) -> list[bool]:
    return [a < b for a, b in zip(first, second, strict=True)]


def _shared(table: Table, first: str, second: str, name: str, other: str) -> tuple[list[float], list[float]]:
    """Numbers of two samples for the seeds that both have."""
    seeds = sorted(set(table[first]) & set(table[second]))
    return [table[first][seed][name] for seed in seeds], [table[second][seed][other] for seed in seeds]


def seven(table: Table) -> Finding:
    numbers = next(iter(table["seven"].values()))
    each = [int(numbers[f"neuron_{j}"]) for j in range(1, 6)]
    listed = ", ".join(map(str, each))
    right = each == [2, 1, 1, 2, 1]
    return Finding(
        f"{sum(each)}: {listed} for the five neurons",
        "agrees" if right else "differs",
        "With rule 6(ii) read as the midpoint with the neighbouring bias: the midpoint with a neuron's "
        "own bias cannot cross a data point.",
    )


def anls_f1(table: Table) -> Finding:
    losses = of(table, "f1_anls", "at_100")
    lucky = [value <= 1.05e-4 for value in losses]
    live = of(table, "f1_anls", "live")
    needed = [int(count) for count, hit in zip(live, lucky, strict=True) if hit]
    found = spread(losses)
    return Finding(
        f"{found.text}; 10⁻⁴ or less in {share(lucky)}",
        by_share(lucky),
        "The paper's value is that of a fortunate seed"
        + (f": it took {min(needed)} or more live neurons of ten" if needed else "")
        + ". About a quarter of He's biases start dead, and ANLS never moves a dead neuron.",
        found,
    )


def anls_lsq(table: Table) -> Finding:
    lsq, anls = _shared(table, "f1_lsq", "f1_anls", "loss", "loss")
    gain = spread(a / b for a, b in zip(lsq, anls, strict=True))
    better = _below(anls, lsq)
    return Finding(
        f"{gain.text} times smaller; smaller in {share(better)}",
        "agrees" if all(better) and gain.median > 3 else "differs",
        "ANLS starts from the least-squares solution and takes improving steps only.",
        gain,
    )


def others_f1(table: Table) -> Finding:
    parts, held = [], []
    for title, sample in (
        ("GD", "f1_gd"),
        ("Adam", "f1_adam"),
        ("LS/GD", "f1_ls_gd"),
        ("LS/Adam", "f1_ls_adam"),
    ):
        late, early = _shared(table, sample, "f1_anls", "at_10000", "at_100")
        above = _below(early, late)
        held.append(2 * sum(above) > len(above))
        parts.append(f"{title} {number(spread(late).median, 2)} (above ANLS in {share(above)})")
    return Finding(
        "loss at 10,000 iterations: " + ", ".join(parts),
        "agrees" if all(held) else "differs",
        "Each is compared with what ANLS has reached after 100 iterations from the same start.",
    )


def race_sin5(table: Table) -> Finding:
    gd, anls = _shared(table, "sin5_gd", "sin5_anls", "at_1e7", "loss")
    found, steps = spread(anls), spread(of(table, "sin5_anls", "iterations"))
    return Finding(
        f"ANLS {found.text} after {number(steps.median)} iterations; GD {number(spread(gd).median, 2)} "
        "after 10⁷ epochs",
        "agrees" if all(_below(anls, gd)) else "differs",
        f"ANLS is {number(spread(g / a for g, a in zip(gd, anls, strict=True)).median, 2)} times lower in "
        "the median.",
        found,
    )


def f2_lsq(table: Table) -> Finding:
    found = spread(of(table, "f2_lsq", "loss"))
    return Finding(
        found.text,
        "agrees" if _near(found, 1e-3, 2) else "differs",
        "Data and biases are both drawn at random.",
        found,
    )


def f2_anls(table: Table) -> Finding:
    found, final = spread(of(table, "f2_anls", "at_100")), spread(of(table, "f2_anls", "loss"))
    steps = spread(of(table, "f2_anls", "iterations"))
    goes_on = final.median < found.median / 2
    near = _near(found, 3e-5)
    return Finding(
        f"{found.text} after 100 iterations",
        ("corrected" if goes_on else "agrees") if near else "differs",
        f"It has not converged there: it goes on to {number(final.median, 2)} and stops by itself after "
        f"{number(steps.median)} iterations."
        if goes_on
        else "It stops near there.",
        found,
    )


def f2_gd(table: Table) -> Finding:
    losses = of(table, "f2_gd", "loss")
    above = [value > 1e-2 for value in losses]
    found = spread(losses)
    return Finding(
        f"{found.text}; above 10⁻² in {share(above)}",
        "agrees" if 2 * sum(above) > len(above) else "differs",
        "After 5·10⁶ epochs of learning rate 10⁻³.",
        found,
    )


def f2_adam(table: Table) -> Finding:
    found = spread(of(table, "f2_adam", "loss"))
    rise = spread(of(table, "f2_adam", "rise"))
    near = _near(found, 2e-3)
    return Finding(
        f"{found.text} after 10⁶ iterations",
        "agrees" if near else "differs",
        f"Adam's loss fluctuates: up to {number(rise.median, 2)} times its smallest value so far, in the "
        "median."
        if near
        else "The median is more than a factor of three from the paper's value.",
        found,
    )


def f2_ls_gd(table: Table) -> Finding:
    late, early = _shared(table, "f2_ls_gd", "f2_anls", "at_10000", "at_100")
    ratio = spread(a / b for a, b in zip(late, early, strict=True))
    found = spread(late)
    return Finding(
        f"{found.text}: {number(ratio.median, 2)} times ANLS's loss at 100 iterations",
        "agrees" if ratio.median <= 10 else "differs",
        f"The ratio ranges from {number(ratio.low, 2)} to {number(ratio.high, 2)}: similar for most "
        "seeds, far above for some.",
        found,
    )


def f2_ls_adam(table: Table) -> Finding:
    rises = of(table, "f2_ls_adam", "rise")
    wild = [value > WILD for value in rises]
    found = spread(rises)
    return Finding(
        f"rises to {found.text} times its smallest value so far; more than twofold in {share(wild)}",
        by_share(wild),
        "Violent for some seeds, hardly there for others. How large the coefficients get when two biases "
        "meet depends on the cut-off of the least-squares solver; the paper does not say which it used.",
        found,
    )


def spike(table: Table) -> Finding:
    descent, adam = of(table, "f2_ls_gd", "spike"), of(table, "f2_ls_adam", "spike")
    first, second = [value > 0.1 for value in descent], [value > 0.1 for value in adam]
    either = [a or b for a, b in zip(first, second, strict=True)]
    return Finding(
        f"LS/GD overshoots by more than a tenth in {share(first)}, LS/Adam in {share(second)}",
        by_share(either),
        f"Measured within 0.05 of the jump, against its height; the largest are {number(max(descent), 2)} "
        f"and {number(max(adam), 2)} times the height. The other seeds end without one.",
        spread(descent),
    )


def errors(table: Table) -> Finding:
    names = {"GD": "f2_gd", "Adam": "f2_adam", "LS/GD": "f2_ls_gd", "ANLS": "f2_anls"}
    seeds = sorted(set.intersection(*(set(table[sample]) for sample in names.values())))
    errors = {
        title: [table[sample][seed]["prediction_error"] for seed in seeds] for title, sample in names.items()
    }
    best = [min(names, key=lambda title: errors[title][i]) == "ANLS" for i in range(len(seeds))]
    medians = {title: spread(values).median for title, values in errors.items()}
    listed = ", ".join(
        f"{title} {number(value, 2)}" for title, value in sorted(medians.items(), key=lambda pair: pair[1])
    )
    worst = spread(errors["ANLS"])
    verdict: Verdict = by_share(best)
    return Finding(
        f"medians: {listed}; ANLS has the smallest in {share(best)}",
        verdict,
        f"ANLS is not safe from spikes either: its error reaches {number(worst.high, 2)} for the worst "
        "seed. Least squares sees the data only, whatever happens between them.",
        worst,
    )


def error_rise(table: Table) -> Finding:
    rises, lowest_at = of(table, "f2_ls_gd", "error_rise"), of(table, "f2_ls_gd", "error_lowest_at")
    risen = [value > RISE for value in rises]
    found = spread(rises)
    return Finding(
        f"rises to {found.text} times its smallest value so far; by half or more in {share(risen)}",
        by_share(risen),
        f"It rises by a tenth or more in {share([value > 1.1 for value in rises])}, the seed of our "
        "figure among them. For most others the error of LS/GD falls to the end: it is "
        f"lowest at iteration {number(spread(lowest_at).median)} in the median.",
        found,
    )


def error_jumps(table: Table) -> Finding:
    rises = of(table, "f2_ls_adam", "error_rise")
    wild = [value > WILD for value in rises]
    found = spread(rises)
    return Finding(
        f"rises to {found.text} times its smallest value so far; more than twofold in {share(wild)}",
        by_share(wild),
        "The jumps of the prediction error are wilder than those of the loss: between the data nothing "
        "holds the network.",
        found,
    )


def plateaus_f2(table: Table) -> Finding:
    counts = {title: spread(of(table, sample, "plateaus")) for title, sample in
              (("GD", "f2_gd"), ("LS/GD", "f2_ls_gd"))}  # fmt: skip
    listed = ", ".join(
        f"{title} {number(one.median)} ({number(one.low)} to {number(one.high)})"
        for title, one in counts.items()
    )
    most = all(one.median >= 2 for one in counts.values())
    return Finding(
        f"plateaus a run: {listed}",
        "agrees" if most else "differs",
        "Counted on log axes: a fifth of a decade of epochs or longer with a fall of less than a tenth "
        "of a decade a decade. With 300 neurons the steps are many and small, and run into one another. "
        "Adam's loss fluctuates too much to be counted so. ANLS changes the pattern at every iteration, "
        "by construction.",
    )
