"""Reading a query compiles nothing: whoever asks, or refuses, waits for no compiler."""

import os
import subprocess
import sys

from core import RunConfig
from core.problem.gallery import TARGETS
from tests.core.test_processors import ROOT

READ = """
import gc
from numba.core.dispatcher import Dispatcher
from numba.np.ufunc.dufunc import DUFunc
from core import RunConfig
from core.problem.gallery import TARGETS
for name in TARGETS:
    RunConfig.from_query(f"target={name}&method=anls&seed=3").run_id
RunConfig.from_query("data=0:1;1:2;2:-1&width=4")
RunConfig.from_query("target=abs(x)-x/2&domain=0,3")
for one in gc.get_objects():
    if (isinstance(one, Dispatcher) and one.overloads) or (isinstance(one, DUFunc) and one.ntypes):
        print(one)
"""


def test_neither_import_nor_query_has_a_kernel_compiled() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    done = subprocess.run(
        [sys.executable, "-c", READ], cwd=ROOT, env=environment, capture_output=True, check=True, text=True
    )
    assert done.stdout == ""


def test_what_is_left_for_later_is_never_refused() -> None:
    """The values of named functions, with as many points as there may be."""
    for name, target in TARGETS.items():
        if not target.fixed:
            config = RunConfig.from_query(f"target={name}&points=10000&sampling=uniform&noise=1&seed=1")
            assert config.training_data().m == 10_000
