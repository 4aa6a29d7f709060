"""`python -m benchmarks import`: how long a file of 100,000 rows takes to be previewed.

Told for each kind of file: the seconds of the processor that reading it takes, least of five.
"""

import random
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial

from core.limits import LIMITS
from core.problem.tables import import_document

ROWS, REPEATS = 100_000, 5


def _files() -> dict[str, str]:
    draw = random.Random(1).random
    ago, start = date(1700, 1, 1), datetime(2000, 1, 1)
    rows = range(ROWS)
    return {
        "numbers": "x,y\n" + "".join(f"{k / 2},{draw():.4f}\n" for k in rows),
        "decimal commas": "x;y\n" + "".join(f"{k};{draw():.4f}\n".replace(".", ",") for k in rows),
        "ISO times, four columns": "date,y,z,name\n"
        + "".join(f"{start + timedelta(minutes=15 * k)},{draw():.4f},{k},abc\n" for k in rows),
        "US dates with gaps": "date,y\n"
        + "".join(f"{ago + timedelta(k):%m/%d/%Y},{f'{draw():.3f}' if k % 7 else ''}\n" for k in rows),
    }


def _least(act: Callable[[], object]) -> float:
    spent = []
    for _ in range(REPEATS):
        before = time.process_time()
        act()
        spent.append(time.process_time() - before)
    return min(spent)


def main() -> None:
    """Print one line per kind of file."""
    limits = replace(LIMITS, upload_bytes=10**8)
    for name, text in _files().items():
        data = text.encode()
        seconds = _least(partial(import_document, data, limits=limits))
        print(f"{name:24} {len(data) / 1e6:.1f} MB  {seconds:.2f} s")
