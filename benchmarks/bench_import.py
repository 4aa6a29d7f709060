"""`python -m benchmarks import`: how long a file of 100,000 rows takes to be previewed.

Told for each kind of file: the seconds of the processor that reading it takes, least of five. Then what
somebody waits for: a file as large as a server takes, sent to the real app over HTTP and read by its query
worker, which is there already.
"""

import random
import time
import urllib.request
from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import partial
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import HTTPError

from benchmarks.bars import verdict
from benchmarks.real_app import real_app
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


PREVIEW_SECONDS = 1.0


def _largest(number: int) -> bytes:
    """So many rows, in as many bytes as a server takes; each number makes another file."""
    draw = random.Random(number).random
    start, columns = datetime(2000, 1, 1), ["date", *"abcdefgh"]
    head = ",".join(columns) + "\n"
    row_bytes = (LIMITS.upload_bytes - len(head)) // ROWS - len("2000-01-01 00:00:00,\n")
    digits = row_bytes // 8 - len("0.,")
    rows = (
        f"{start + timedelta(minutes=15 * k)},{','.join(f'{draw():.{digits}f}' for _ in range(8))}\n"
        for k in range(ROWS)
    )
    return (head + "".join(rows)).encode()


def _answer(asked: urllib.request.Request) -> bytes:
    """What the server says, however often it wants to be asked again."""
    while True:
        try:
            with urllib.request.urlopen(asked, timeout=60) as answer:
                return bytes(answer.read())
        except HTTPError as error:
            if error.code != HTTPStatus.TOO_MANY_REQUESTS:
                raise
            time.sleep(float(error.headers["Retry-After"]))


def over_http() -> None:
    """What somebody waits for."""
    with TemporaryDirectory() as home, real_app(Path(home)) as app:
        seconds = []
        for number in range(1 + REPEATS):
            content = _largest(number)
            asked = urllib.request.Request(f"{app.base}/api/data?preview=1", content)
            asked.add_header("Content-Type", "text/csv")
            before = time.perf_counter()
            found = _answer(asked)
            seconds.append(time.perf_counter() - before)
            assert f'"rows":{ROWS}'.encode() in found
        # The first one waits for the query worker.
        least = min(seconds[1:])
        print(
            f"{'over HTTP, warm':24} {len(content) / 1e6:.1f} MB  {least:.2f} s, "
            f"the slowest {max(seconds[1:]):.2f} s {verdict(least, PREVIEW_SECONDS, 'less')}"
        )


def main() -> None:
    """Print one line per kind of file."""
    limits = replace(LIMITS, upload_bytes=10**8)
    for name, text in _files().items():
        data = text.encode()
        seconds = _least(partial(import_document, data, limits=limits))
        print(f"{name:24} {len(data) / 1e6:.1f} MB  {seconds:.2f} s")
    over_http()
