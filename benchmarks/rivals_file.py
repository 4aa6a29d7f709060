"""What `make bench ARGS="rivals knots"` measured: benchmarks/data/rivals.json, and docs/rivals.md from it.

A benchmark replaces its part of the file, and the document's tables and the sentences with numbers are
written anew between their markers. `python -m benchmarks.rivals_file` does the latter alone.
"""

import json
import math
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from core.config.run_config import NUMERICS_VERSION
from core.methods import METHODS

ROOT = Path(__file__).resolve().parent.parent
FILE, DOCUMENT = ROOT / "benchmarks" / "data" / "rivals.json", ROOT / "docs" / "rivals.md"

OURS = ("anls_plus", "adaptive_width")
GRADIENT = ("gd", "adam", "flow", "ls_gd", "ls_adam", "momentum", "nesterov", "lbfgs", "sgd")
"""Methods that follow a gradient, the hybrids among them."""

Measured = Mapping[str, Any]


def read() -> dict[str, Any]:
    """The file."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def keep(part: str, content: Measured) -> None:
    """Replace what one benchmark measured, and write the document."""
    state = {
        "date": datetime.now(UTC).date().isoformat(),
        "numerics": NUMERICS_VERSION,
        "processor": processor(),
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in ("numpy", "scipy", "numba")},
    }
    document = {**read(), part: {"state": state, **content}}
    FILE.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    DOCUMENT.write_text(rendered(DOCUMENT.read_text(encoding="utf-8"), document), encoding="utf-8")


def processor() -> str:
    """Its name, as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def rendered(text: str, document: Measured) -> str:
    """The document with everything between markers from the file."""
    for name, make in BLOCKS.items():
        begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
        head, tail = text[: text.index(begin) + len(begin)], text[text.index(end) :]
        text = head + make(document) + tail
    return text


def column(race: Measured, target: str, moment: int, methods: Iterable[str] = METHODS) -> dict[str, float]:
    """The median losses of methods on a target after the first moment (0) or the second (1).

    Of the tuned run and the one with the defaults the lower: what is best on few seeds may not be.
    """
    both = (race["losses"][target], race.get("defaults", race["losses"])[target])
    return {name: min(one[name][moment] for one in both) for name in methods}


def lead(race: Measured, targets: Sequence[str], others: Iterable[str] = GRADIENT) -> float:
    """How many times the better of ours the lowest of the others has, where that is least."""
    others = tuple(others)
    return min(
        min(column(race, target, moment, others).values()) / min(column(race, target, moment, OURS).values())
        for target in targets
        for moment in range(len(race["moments"]))
    )


def rounded_down(value: float) -> str:
    """To one digit, so that it is a bound."""
    power = 10 ** math.floor(math.log10(value))
    return f"{int(value / power) * power:,}" if power >= 1 else f"{value:.1g}"


def _state(part: Measured) -> str:
    state = part["state"]
    libraries = (f"{name} {number}" for name, number in state.get("libraries", {}).items())
    return ", ".join((state["date"], f"numerics {state['numerics']}", *_machine(state), *libraries))


def _machine(state: Measured) -> Iterable[str]:
    """What it was measured on, if the file says so."""
    return (f"{state['processor']}, Python {state['python']}",) if "processor" in state else ()


def _race_table(race: Measured) -> str:
    """The lowest of each column is bold; where a method was tuned, the higher of two stands in brackets."""
    moments = race["moments"]
    cells = [(target, moment) for target in race["losses"] for moment in range(len(moments))]
    rows = [
        f"| method | {' | '.join(f'{target}, {moments[moment]:g} s' for target, moment in cells)} |",
        "|---" * (1 + len(cells)) + "|",
    ]
    lowest = [min(column(race, *cell).values()) for cell in cells]
    for name in race["losses"][cells[0][0]]:
        cells_text = [_cell(race, name, *cell, low) for cell, low in zip(cells, lowest, strict=True)]
        rows.append(f"| {METHODS[name].title} | {' | '.join(cells_text)} |")
    known = [race["best_known"][target] for target, _ in cells]
    rows.append("| *best known* | " + " | ".join(f"*{loss:.2e}*" for loss in known) + " |")
    return "\n".join(rows) + "\n"


def _cell(race: Measured, name: str, target: str, moment: int, low: float) -> str:
    loss = column(race, target, moment, (name,))[name]
    text = f"**{loss:.2e}**" if loss <= 1.005 * low else f"{loss:.2e}"
    if race.get("settings", {}).get(target, {}).get(name):
        tuned, default = (race[which][target][name][moment] for which in ("losses", "defaults"))
        text += f"{'° ' if default < tuned else ' '}({max(tuned, default):.2e})"
    return text


def _settings_table(race: Measured) -> str:
    """What the tuning chose; nothing where there was none."""
    chosen = race.get("settings")
    if not chosen:
        return ""
    rows = [f"| settings | {' | '.join(chosen)} |", "|---" * (1 + len(chosen)) + "|"]
    for name in METHODS:
        if any(settings[name] for settings in chosen.values()):
            chosen_text = [settings[name].replace("&", ", ") or "default" for settings in chosen.values()]
            rows.append(f"| {METHODS[name].title} | {' | '.join(chosen_text)} |")
    return "\n".join(["", *rows]) + "\n"


def _race_part(part: Measured, which: str) -> str:
    race = part[which]
    seeds = " and ".join(map(str, race.get("tuned_on", ())))
    how = (
        f"the lower of two: tuned on {seeds} other seeds, or with the defaults (°). The other is in brackets"
        if "settings" in race
        else "each with its default settings: none is tuned yet"
    )
    head = f"Median loss of {race['seeds']} starts, {how}.\n\nMeasured: {_state(part)}."
    return f"{head}\n\n{_race_table(race)}{_settings_table(race)}"


def _race(document: Measured) -> str:
    return _race_part(document["rivals"], "race")


def _others(document: Measured) -> str:
    return _race_part(document["rivals"], "others")


def _lowest(race: Measured, target: str, moment: int) -> str:
    losses = column(race, target, moment)
    low = min(losses.values())
    *most, last = (METHODS[name].title for name, loss in losses.items() if loss <= 1.005 * low)
    return f"{', '.join(most)} and {last}" if most else last


def _compared(factor: float) -> str:
    """How the best of the others stands to the better of ours, in words."""
    if factor >= 1.0:
        return f"at least {rounded_down(factor)} times the loss of the better of ANLS+ and adaptive width"
    return f"as little as {factor:.1g} times the loss of the better of ANLS+ and adaptive width"


def _race_summary(document: Measured) -> str:
    race = document["rivals"]["race"]
    late = len(race["moments"]) - 1
    pairs = {target: (_lowest(race, target, 0), _lowest(race, target, late)) for target in race["losses"]}
    firsts = "; ".join(
        f"on {target} {first}" + (f", then {second}" if second != first else "")
        for target, (first, second) in pairs.items()
    )
    return _prose(f"""
        Seconds are processor seconds, in pieces of work of up to a tenth. The lowest: {firsts}.
        The best gradient method, hybrids included, has {_compared(lead(race, ("f1",)))} on sin πx.
        On the others it has {_compared(lead(race, ("sin5", "f2")))}. What is best on a few seeds need not
        be best on others, so the lower of the two counts. Adaptive width builds its network neuron by
        neuron, so that it needs longer for a wide one. ANLS+ has all its neurons from the beginning.
    """)


def _ratios(document: Measured) -> str:
    """The headline is against dense loops that keep their memory, as one would write them for speed."""
    rows = ["| method | per iteration | dense | ratio |", "|---|---|---|---|"]
    ratios = document["rivals"]["ratios"]
    warm = ratios["momentum_at_hand"]["dense_milliseconds"]
    for name, one in ratios["methods"].items():
        dense = warm if name in ("momentum", "nesterov") else one["dense_milliseconds"]
        ratio = 1e3 * dense / one["microseconds"]
        ours = _digits(one["microseconds"])
        rows.append(f"| {METHODS[name].title} | {ours} µs | {_digits(dense)} ms | {_digits(ratio)} |")
    plain = ratios["methods"]["momentum"]
    text = _prose(f"""
        Ratios differ from one time to the next, most on a busy machine. The dense epoch of momentum keeps
        the memory of its matrices. Written without that care it takes
        {_digits(plain["dense_milliseconds"])} ms, most of it to get memory. L-BFGS gains least. Its two loops
        over ten pairs cost the same on both sides, and its dense evaluation is two products of a matrix and
        a vector.
    """)
    return "\n".join([*rows, "", text])


def _prose(text: str) -> str:
    """A line of Markdown from several of the source."""
    return " ".join(text.split()) + "\n"


def _digits(value: float) -> str:
    """To two digits."""
    return f"{float(f'{value:.2g}'):,.{1 if value < 9.95 else 0}f}"


def _others_summary(document: Measured) -> str:
    rivals = document["rivals"]
    race, others = rivals["race"], rivals["others"]
    late = len(race["moments"]) - 1
    rest = [name for name in METHODS if name not in OURS]
    noise = column(others, "noise", late, [name for name in METHODS if name != "lsq"])
    share = 10 * math.ceil(10 * (max(noise.values()) / min(noise.values()) - 1))
    bullets = (
        f"""- **sin πx** (f1): {_lowest(race, "f1", late)}. The others have
        {_compared(lead(race, ("f1",), rest))}.""",
        f"""- **sin 5πx** (sin5): {_lowest(race, "sin5", late)}. The others have
        {_compared(lead(race, ("sin5",), rest))}.""",
        f"""- **Discontinuous, two frequencies** (f2): {_lowest(race, "f2", late)}. The others have
        {_compared(lead(race, ("f2",), rest))}.""",
        f"""- **Step**: {_lowest(others, "step", late)}. A method that puts two biases into one gap is
        done; the losses are rounding then. Gradient descent is not
        ({column(others, "step", late)["gd"]:.1e}), since the coefficients of the pair must become large.""",
        f"""- **Chirp**: {_lowest(others, "chirp", late)}. The others have
        {_compared(lead(others, ("chirp",), rest))}. The fast end of the wave needs knots that no slope
        carries there.""",
        f"""- **Noise**: {_lowest(others, "noise", late)} by a little. All but LSQ come within {share} % of
        it, since most of the loss is noise. The lowest loss fits some of it, and is not the best network.""",
    )
    return "".join(map(_prose, bullets))


def _gap(gap: float) -> str:
    return f"+{100.0 * gap:.2g} %"


def _knots(document: Measured) -> str:
    rows = ["| problem | data | neurons | optimum | one run | best of four |", "|---|---|---|---|---|---|"]
    problems = document["knots"]["problems"]
    rows += [
        f"| {one['problem']} | {one['data']} | {one['neurons']} | {one['optimum']:.3e} | "
        f"{_gap(one['one'])} | {_gap(one['four'])} |"
        for one in problems
    ]
    middle = [float(np.median([one[name] for one in problems])) for name in ("one", "four")]
    rows.append("| **median** | | | | " + " | ".join(f"**{_gap(gap)}**" for gap in middle) + " |")
    return "\n".join(rows) + f"\n\n({_state(document['knots'])}.)\n"


def _widths(document: Measured) -> str:
    widths = document["knots"]["widths"]
    most = max(map(len, widths.values()))
    rows = [f"| 60 data | {' | '.join(map(str, range(1, most + 1)))} |", "|---" * (most + 1) + "|"]
    for name, cells in widths.items():
        texts = ["" if cell is None else f"{cell[0]:.2e} ({_gap(cell[1])})" for cell in cells]
        rows.append(f"| {name} | {' | '.join(texts)} |")
    return "\n".join(rows) + "\n"


BLOCKS: dict[str, Callable[[Measured], str]] = {
    "race": _race,
    "race-told": _race_summary,
    "ratios": _ratios,
    "knots": _knots,
    "widths": _widths,
    "others": _others,
    "others-told": _others_summary,
}
"""By the names of the markers in the document."""


if __name__ == "__main__":
    DOCUMENT.write_text(rendered(DOCUMENT.read_text(encoding="utf-8"), read()), encoding="utf-8")
