"""What a benchmark promises: each measured value beside its bar, and which bars were missed.

The ratios that are not promised as a number are compared with another checkout's: see `against`.
"""

import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import median

MISSED: list[str] = []
"""Bars that were not met, for the exit code of `python -m benchmarks`."""
LOWER = 0.9
"""A ratio may be so much of what it was before."""
ROUNDS = 3
"""Both checkouts are measured so often, in turns. The middle round counts: any side can be disturbed."""
_RATIO = re.compile(r"([\d,]+(?:\.\d+)?)x")
_PROBLEM = re.compile(r"^.*?(?:n=\s*\d+ m=\s*\d+|^\s*\d+\s+\d+)|^[^:]*")
_BAR = re.compile(r"\((?:a )?bar [^)]*\)")

Ratios = dict[str, float]


def verdict(value: float, bar: float, better: str = "more") -> str:
    """Whether a value meets its bar, in words."""
    met = value >= bar if better == "more" else value <= bar
    if not met:
        MISSED.append(f"{value:.3g} where {bar:g} is the bar")
    return f"(bar {bar:g}: {'met' if met else 'MISSED'})"


def ratios(printed: str) -> Ratios:
    """The ratios that a benchmark has printed, as in "1,234x", by the problem that begins their line.

    Examples
    --------
    >>> ratios("gd f1 n= 10 m= 100  1.2 s: mean 310x, best piece 260x (bar 250x)")
    {'gd f1 n= 10 m= 100 #1': 310.0, 'gd f1 n= 10 m= 100 #2': 260.0}
    """
    found: Ratios = {}
    places: Counter[str] = Counter()
    for line in printed.splitlines():
        label = _PROBLEM.match(line)
        name = " ".join(label[0].split()) if label else ""
        for ratio in _RATIO.findall(_BAR.sub("", line)):
            places[name] += 1
            found[f"{name} #{places[name]}"] = float(ratio.replace(",", ""))
    return found


def _measured(name: str, function: str, root: Path) -> Ratios:
    """The ratios that a function of one benchmark prints in one checkout."""
    command = [sys.executable, "-c", f"from benchmarks.bench_{name} import {function}; {function}()"]
    variables = {key: value for key, value in os.environ.items() if key != "PLATEAU_AGAINST"}
    # A missed bar of the other checkout is its own affair.
    done = subprocess.run(command, cwd=root, env=variables, stdout=subprocess.PIPE, text=True, check=False)
    return ratios(done.stdout)


def _middle(rounds: Iterable[Ratios]) -> Ratios:
    found: dict[str, list[float]] = {}
    for measured in rounds:
        for name, ratio in measured.items():
            found.setdefault(name, []).append(ratio)
    return {name: median(values) for name, values in found.items()}


def against(functions: Mapping[str, str], other: Path, here: Path) -> None:
    """Print the ratios of these benchmarks and functions there and here; lower ones are missed bars."""
    for name, function in functions.items():
        rounds: list[tuple[Ratios, Ratios]] = []
        for _ in range(ROUNDS):
            rounds.append((_measured(name, function, other), _measured(name, function, here)))
        before, after = (_middle(side) for side in zip(*rounds, strict=True))
        print(f"\n== {name}: before, after ==", flush=True)
        for key in [key for key in before if key in after]:
            share = after[key] / before[key]
            line = f"{key:60} {before[key]:10,.1f}x {after[key]:10,.1f}x  {share:5.2f}"
            print(f"{line} {verdict(share, LOWER)}", flush=True)
