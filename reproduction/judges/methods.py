"""Evidence on active neuron least squares and its rivals on f1 and sin 5πx (section 5.2)."""

from core.narrative import number
from reproduction.criteria import Criterion, Limits
from reproduction.judges.table import Table, of, together
from reproduction.measures import at
from reproduction.statistics import median, share, spread
from reproduction.verdicts import Evidence

RIVALS = {"GD": "gd", "Adam": "adam", "LS/GD": "ls_gd", "LS/Adam": "ls_adam"}


def race_sin5(table: Table, limits: Limits, claim: Criterion) -> Evidence:
    seeds = together(table, *claim.samples)
    gd, anls = ([one[sample] for one in seeds] for sample in claim.samples)
    gain = [a["at_1e+07"] / b["loss"] for a, b in zip(gd, anls, strict=True)]
    found = spread(one["loss"] for one in anls)
    hits = [value > limits["similar"] for value in gain]
    return Evidence(
        f"ANLS {found.text} after {number(median(one['iterations'] for one in anls))} iterations; GD "
        f"{number(median(one['at_1e+07'] for one in gd), 2)} after 10⁷ epochs; much lower in {share(hits)}",
        f"ANLS is {spread(gain).text} times lower.",
        hits=hits,
        spread=found,
    )


def anls_lsq(table: Table, limits: Limits, claim: Criterion) -> Evidence:
    gain = [one["f1_lsq"]["loss"] / one["f1_anls"]["loss"] for one in together(table, *claim.samples)]
    hits = [value > limits["similar"] for value in gain]
    return Evidence(
        f"{spread(gain).text} times smaller; by more than {number(limits['similar'])} in {share(hits)}",
        "ANLS starts from the least-squares solution and takes improving steps only.",
        hits=hits,
        spread=spread(gain),
    )


def anls_f1(table: Table, limits: Limits, claim: Criterion) -> Evidence:
    losses, live = of(table, "f1_anls", "at_100"), of(table, "f1_anls", "live")
    hits = [value <= limits["similar"] * claim.value for value in losses]
    reached = [value <= limits["digit"] * claim.value for value in losses]
    needed = [count for count, hit in zip(live, hits, strict=True) if hit]
    found = spread(losses)
    return Evidence(
        f"{found.text}; similar to 10⁻⁴ or smaller in {share(hits)}; 10⁻⁴ itself, to its printed "
        f"digit, in {share(reached)}",
        "About a quarter of He's biases start dead, and ANLS never moves a dead neuron"
        + (
            f": where it succeeds, {number(median(needed))} of ten are live in the median." if needed else "."
        ),
        hits=hits,
        spread=found,
    )


def others_f1(table: Table, limits: Limits, claim: Criterion) -> Evidence:
    seeds = together(table, *claim.samples)
    factor = limits["similar"]
    parts, each = [], []
    for title, name in RIVALS.items():
        above = [one[f"f1_{name}"]["lowest_to_10000"] > factor * one["f1_anls"]["at_100"] for one in seeds]
        lowest = median(one[f"f1_{name}"]["lowest_to_10000"] for one in seeds)
        parts.append(f"{title} {number(lowest, 2)} (far above ANLS in {share(above)})")
        each.append(above)
    hits = [all(found) for found in zip(*each, strict=True)]
    return Evidence(
        f"lowest loss within 10,000 iterations: {', '.join(parts)}; all four in {share(hits)}",
        "Each is compared with what ANLS has reached after 100 iterations from the same start.",
        hits=hits,
    )


def faster_f1(table: Table, limits: Limits, claim: Criterion) -> Evidence:
    seeds, name = together(table, *claim.samples), at("converged", limits["similar"])
    needed = {title: [one[f"f1_{short}"][name] for one in seeds] for title, short in RIVALS.items()}
    anls = [one["f1_anls"][name] for one in seeds]
    hits = [
        all(values[i] > limits["similar"] * max(anls[i], 1.0) for values in needed.values())
        for i in range(len(seeds))
    ]
    listed = ", ".join(f"{title} {number(median(values), 2)}" for title, values in needed.items())
    return Evidence(
        f"iterations: ANLS {number(median(anls), 2)}, {listed} (medians); all four much slower in "
        f"{share(hits)}",
        "Iterations of different methods cost differently: one of ANLS tries every candidate.",
        hits=hits,
        spread=spread(anls),
    )


def stagnation(table: Table, limits: Limits, claim: Criterion) -> Evidence:
    """Plateaus of several methods; of Adam on f2 those of its smallest loss so far."""
    seeds = together(table, *claim.samples)
    parts, numbers, each = [], [], []
    for sample in claim.samples:
        kind = "best_plateaus" if sample == "f2_adam" else "plateaus"
        counts = [seed[sample][at(kind, limits["flat"], limits["shortest"])] for seed in seeds]
        found = spread(counts)
        title = next(title for title, short in RIVALS.items() if short == sample[3:])
        parts.append(f"{title} {number(found.median)} ({number(found.low)} to {number(found.high)})")
        none, one = counts.count(0), counts.count(1)
        numbers.append(f"{title} {none}, {one} and {len(counts) - none - one}")
        each.append([count >= limits["several"] for count in counts])
    hits = [all(one) for one in zip(*each, strict=True)]
    return Evidence(
        f"plateaus a run: {', '.join(parts)}; {number(limits['several'])} or more in each in {share(hits)}",
        f"Seeds with no, one and more plateaus on log axes: {'; '.join(numbers)}.",
        hits=hits,
    )


def anls_stagnation(table: Table, limits: Limits, claim: Criterion) -> Evidence:
    counts = of(table, claim.samples[0], at("plateaus", limits["flat"], limits["shortest"]))
    hits = [count == 0 for count in counts]
    return Evidence(
        f"{spread(counts).text} plateaus; none in {share(hits)}",
        "ANLS changes the pattern at every iteration, by construction, and stops where no change improves.",
        hits=hits,
        spread=spread(counts),
    )


def fits(table: Table, limits: Limits, claim: Criterion) -> Evidence:
    """All of the claim's methods approximate very well."""
    return _fits(table, limits, claim, well=True)


def misfits(table: Table, limits: Limits, claim: Criterion) -> Evidence:
    """None of the claim's methods does."""
    return _fits(table, limits, claim, well=False)


def _fits(table: Table, limits: Limits, claim: Criterion, *, well: bool) -> Evidence:
    seeds = together(table, *claim.samples)
    errors = {sample: [one[sample]["relative_error"] for one in seeds] for sample in claim.samples}
    titles = {short: title for title, short in RIVALS.items()} | {"anls": "ANLS"}
    listed = ", ".join(
        f"{titles[sample[3:]]} {number(100 * median(values), 2)} %" for sample, values in errors.items()
    )
    hits = [
        all((values[i] <= limits["well"]) == well for values in errors.values()) for i in range(len(seeds))
    ]
    return Evidence(
        f"error of the target's norm: {listed} (medians); {'very well' if well else 'not so'} in "
        f"{share(hits)}",
        f"Very well means {number(100 * limits['well'])} % or less.",
        hits=hits,
    )
