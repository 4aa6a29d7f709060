"""Compile the kernels once, before the processes of the tests would each compile their own.

`python -m tests.kernels` for this processor, `python -m tests.kernels plain` for the plainest one. A mark
beside the kernels says that it is done; like them it belongs to one state of the sources.
"""

import os
import subprocess
import sys
from pathlib import Path

from numba import config

from tests.core.test_processors import PROCESSORS, ROOT


def main(kind: str = "") -> None:
    settings = PROCESSORS["nothing but the baseline"] if kind == "plain" else {}
    place = settings.get("NUMBA_CACHE_DIR", config.CACHE_DIR)
    mark = Path(place) / "tests.compiled"
    if place and mark.exists():
        return
    for computed in ("tests.core.digest", "tests.core.portable.digest"):
        command = [sys.executable, "-m", computed]
        subprocess.run(command, cwd=ROOT, env=os.environ | settings, stdout=subprocess.DEVNULL, check=True)
    if place:
        mark.touch()


if __name__ == "__main__":
    main(*sys.argv[1:])
