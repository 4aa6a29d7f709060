"""What `make bench ARGS="rivals knots"` measured: benchmarks/data/rivals.json, and docs/rivals.md from it.

A benchmark replaces its part of the file, and the document's tables and the sentences with numbers are
written anew between their markers. `python -m benchmarks.rivals_file` does the latter alone.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
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
    state = {"date": datetime.now(UTC).date().isoformat(), "numerics": NUMERICS_VERSION}
    document = {**read(), part: {"state": state, **content}}
    FILE.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    DOCUMENT.write_text(rendered(DOCUMENT.read_text(encoding="utf-8"), document), encoding="utf-8")


def rendered(text: str, document: Measured) -> str:
    """The document with everything between markers from the file."""
    for name, make in BLOCKS.items():
        begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
        head, tail = text[: text.index(begin) + len(begin)], text[text.index(end) :]
        text = head + make(document) + tail
    return text


def column(race: Measured, target: str, moment: int, methods: Iterable[str] = METHODS) -> dict[str, float]:
    """The median losses of methods on a target after the first moment (0) or the second (1)."""
    return {name: race["losses"][target][name][moment] for name in methods}


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
    return f"{state['date']}, numerics {state['numerics']}"


def _race_table(race: Measured) -> str:
    """The lowest of each column is bold."""
    moments = race["moments"]
    cells = [(target, moment) for target in race["losses"] for moment in range(len(moments))]
    rows = [
        f"| method | {' | '.join(f'{target}, {moments[moment]:g} s' for target, moment in cells)} |",
        "|---" * (1 + len(cells)) + "|",
    ]
    lowest = [min(column(race, *cell).values()) for cell in cells]
    for name in race["losses"][cells[0][0]]:
        losses = [race["losses"][target][name][moment] for target, moment in cells]
        told = [
            f"**{loss:.2e}**" if loss <= 1.005 * low else f"{loss:.2e}"
            for loss, low in zip(losses, lowest, strict=True)
        ]
        rows.append(f"| {METHODS[name].title} | {' | '.join(told)} |")
    known = [race["best_known"][target] for target, _ in cells]
    rows.append("| *best known* | " + " | ".join(f"*{loss:.2e}*" for loss in known) + " |")
    return "\n".join(rows) + "\n"


def _race(document: Measured) -> str:
    part = document["rivals"]
    return f"Median loss of {part['race']['seeds']} starts ({_state(part)}).\n\n{_race_table(part['race'])}"


def _others(document: Measured) -> str:
    part = document["rivals"]
    return (
        f"Median loss of {part['others']['seeds']} starts ({_state(part)}).\n\n{_race_table(part['others'])}"
    )


def _race_told(document: Measured) -> str:
    race = document["rivals"]["race"]
    return _prose(f"""
        Seconds are processor seconds, in pieces of work of up to a tenth. ANLS+ or adaptive width is the
        lowest in every column. Which of the two depends on the width: adaptive width builds its network
        neuron by neuron, so that with 10 neurons it is done within a tenth of a second, with 100 within a
        second, and 300 take longer. It is better where it gets there, since it depends on no start and
        takes steps back; before that ANLS+ is, whose neurons are all there from the beginning. No gradient
        method, hybrids included, comes within a factor of {rounded_down(lead(race, ("f1",)))} of the better
        of them on sin πx and of {rounded_down(lead(race, ("sin5", "f2")))} on the others. On sin πx
        Gauss–Newton, SgGN, VarPro and L-BFGS come to rest before the first tenth of a second is over, in
        the median on a higher floor than plain gradient descent reaches.
    """)


def _ratios(document: Measured) -> str:
    rows = ["| method | an iteration | dense | ratio |", "|---|---|---|---|"]
    ratios = document["rivals"]["ratios"]
    for name, one in ratios["methods"].items():
        ours, dense = _digits(one["microseconds"]), _digits(one["dense_milliseconds"])
        rows.append(f"| {METHODS[name].title} | {ours} µs | {dense} ms | {_digits(one['ratio'])} |")
    warm = ratios["momentum_at_hand"]
    told = _prose(f"""
        Ratios differ from one time to the next, most on a busy machine. The dense epoch of momentum spends
        most of its time in getting memory for its matrices; with memory at hand it takes
        {_digits(warm["dense_milliseconds"])} ms, and the ratio is {_digits(warm["ratio"])}. L-BFGS gains
        least: its two loops over ten pairs cost the same on both sides, and its dense evaluation is nothing
        but two products of a matrix and a vector.
    """)
    return "\n".join([*rows, "", told])


def _prose(text: str) -> str:
    """A line of Markdown from several of the source."""
    return " ".join(text.split()) + "\n"


def _digits(value: float) -> str:
    """To two digits."""
    return f"{float(f'{value:.2g}'):,.{1 if value < 9.95 else 0}f}"


def _others_told(document: Measured) -> str:
    rivals = document["rivals"]
    race, others = rivals["race"], rivals["others"]
    slowest = max(
        max(column(race, target, 1, GRADIENT).values()) / min(column(race, target, 1, OURS).values())
        for target in ("f1", "sin5")
    )
    rest = [name for name in METHODS if name not in OURS]
    chirp = rounded_down(lead(others, ("chirp",), rest))
    noise = column(others, "noise", 1, [name for name in METHODS if name != "lsq"])
    share = 10 * math.ceil(10 * (max(noise.values()) / min(noise.values()) - 1))
    bullets = (
        f"""- **sin πx, sin 5πx** (f1, sin5): adaptive width; on sin 5πx ANLS+ within the first tenth of a
        second. Gradient methods are {rounded_down(lead(race, ("f1", "sin5")))} to {rounded_down(slowest)}
        times higher.""",
        """- **Discontinuous, two frequencies** (f2): ANLS+; with time, adaptive width too. Least squares for
        the coefficients is worth more here than any rule for the biases: even LSQ alone is below Adam.""",
        """- **Step**: any method that finds two biases for one gap is done; the losses are rounding. Gradient
        descent is not, since the coefficients of the pair must become large, at a small rate. Gauss–Newton
        gets close, and L-BFGS there.""",
        f"""- **Chirp**: ANLS+ or adaptive width, by a factor of {chirp} and more. The
        fast end of the wave needs knots that no slope carries there.""",
        f"""- **Noise**: ANLS+ by a little. All but LSQ come within {share} % of it, since most of the loss is
        noise. The lowest loss fits some of it, and is not the best network.""",
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
        told = ["" if cell is None else f"{cell[0]:.2e} ({_gap(cell[1])})" for cell in cells]
        rows.append(f"| {name} | {' | '.join(told)} |")
    return "\n".join(rows) + "\n"


BLOCKS: dict[str, Callable[[Measured], str]] = {
    "race": _race,
    "race-told": _race_told,
    "ratios": _ratios,
    "knots": _knots,
    "widths": _widths,
    "others": _others,
    "others-told": _others_told,
}
"""By the names of the markers in the document."""


if __name__ == "__main__":
    DOCUMENT.write_text(rendered(DOCUMENT.read_text(encoding="utf-8"), read()), encoding="utf-8")
