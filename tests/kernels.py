"""Compile the kernels once, before the processes of the tests would each compile their own.

`python -m tests.kernels` for this processor, `python -m tests.kernels plain` for the plainest one. A mark
beside the kernels says that it is done; like them it belongs to one state of the sources.
"""

import os
import subprocess
import sys
from pathlib import Path

from core.kernel_cache import cache_dir
from tests.core.test_processors import PROCESSORS, ROOT

SETS = """
from core.service.queries.kernel_worker import compile_set
from core.service.workers.kernels import kernel_sets
for name in kernel_sets():
    compile_set(name)
"""
"""What workers look for: without it they begin interpreted."""


def main(kind: str = "") -> None:
    settings = PROCESSORS["nothing but the baseline"] if kind == "plain" else {}
    place = Path(settings["NUMBA_CACHE_DIR"]) if "NUMBA_CACHE_DIR" in settings else cache_dir()
    if place is not None and (place / "tests.compiled").exists():
        return
    for computed in (["-m", "tests.core.digest"], ["-m", "tests.core.portable.digest"], ["-c", SETS]):
        command = [sys.executable, *computed]
        subprocess.run(command, cwd=ROOT, env=os.environ | settings, stdout=subprocess.DEVNULL, check=True)
    if place is not None:
        (place / "tests.compiled").touch()


if __name__ == "__main__":
    main(*sys.argv[1:])
