"""Compile the kernels once, before the processes of the tests would each compile their own.

`python -m tests.kernels` for this processor, `python -m tests.kernels plain` for the plainest one.
"""

import os
import subprocess
import sys

from tests.core.test_processors import PROCESSORS, ROOT

if __name__ == "__main__":
    settings = PROCESSORS["nothing but the baseline"] if "plain" in sys.argv[1:] else {}
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.digest"],
        cwd=ROOT,
        env=os.environ | settings,
        stdout=subprocess.DEVNULL,
        check=False,
    )
    sys.exit(done.returncode)
