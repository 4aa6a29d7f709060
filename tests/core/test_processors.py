"""The same query gives the same bits on every processor, as far as one machine can pretend to be them.

Environment variables choose the kernels of OpenBLAS, hide instructions from NumPy and the C
library, and make numba compile for a processor that has nothing but the baseline. A kernel that
this machine cannot execute ends in an illegal instruction; the test then says that it is left out.
"""

import ast
import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.core.digest import digest
from tests.core.portable.test_processors import COMPILED_FOR, HIDDEN

ROOT = Path(__file__).resolve().parents[2]
TUNABLES = "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"
PROCESSORS: dict[str, dict[str, str]] = {
    **{
        f"OpenBLAS for {name}": {"OPENBLAS_CORETYPE": name}
        for name in ("Prescott", "Nehalem", "Haswell", "Zen", "SkylakeX", "Sapphirerapids")
    },
    "plain NumPy": {"NPY_DISABLE_CPU_FEATURES": HIDDEN},
    "plain C library": {"GLIBC_TUNABLES": TUNABLES},
    "nothing but the baseline": {
        "OPENBLAS_CORETYPE": "Nehalem",
        "NPY_DISABLE_CPU_FEATURES": HIDDEN,
        "GLIBC_TUNABLES": TUNABLES,
        **COMPILED_FOR,
    },
}
PROBE = "import numpy as np; a = np.ones((70, 70)); np.linalg.svd(a @ a + np.eye(70)); np.sin(a)"

FOREIGN = frozenset(
    [
        "arctan2",
        "average",
        "cov",
        "exp2",
        "fft",
        "float_power",
        "geomspace",
        "logspace",
        "median",
        "nanmean",
        "nansum",
        "polyval",
        "pow",
        "roots",
        "trapezoid",
        "dot",
        "linalg",
        "vdot",
        "inner",
        "matmul",
        "tensordot",
        "einsum",
        "hypot",
        "sum",
        "mean",
        "var",
        "std",
        "convolve",
        "polyfit",
        "interp",
        "random",
        "log",
        "log2",
        "log10",
        "log1p",
        "exp",
        "expm1",
        "power",
        "cbrt",
        "sin",
        "cos",
        "tan",
        "arcsin",
        "arccos",
        "arctan",
        "sinh",
        "cosh",
        "tanh",
    ]
)
"""What NumPy computes by kernels that it, or BLAS, chooses by the processor, or the compiler may fuse.

Not among them: what is elementwise and one of IEEE's operations, a selection or a comparison (sqrt, where,
clip, diff, gradient, linspace and arange of whole numbers), what goes in order (cumsum, searchsorted), what
picks (min, max, sort, quantile with method="lower"), and math.fsum, which is exact.
"""
REDUCTIONS = frozenset(["sum", "mean", "std", "var", "prod", "dot"])
"""The same as methods of an array."""
ALLOWED = {
    ("core/theory/rates.py", "singular values, shown to three digits: no frame rests on them"),
    ("core/analysis/slowest.py", "singular vectors, of which the largest shares are told in words"),
    ("core/model/sharpness.py", "the largest eigenvalue, shown to three digits"),
    ("reproduction/measures/cod.py", "the paper's dense decomposition, a reference that decides nothing"),
    ("core/problem/data.py", "the bit generators, which are integer arithmetic"),
    ("core/portable/random.py", "types of generators"),
    ("core/model/initial.py", "types of generators"),
    ("core/theory/construction.py", "types of generators"),
    ("core/portable/tables.py", "powers of integers, which are exact"),
    ("reproduction/statistics.py", "a bit generator, which is integer arithmetic"),
}


def run(command: list[str], settings: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=os.environ | settings, capture_output=True, text=True
    )


@cache
def here() -> dict[str, Any]:
    return digest()


EVERY_TIME = ("OpenBLAS for Prescott", "nothing but the baseline")
"""The two that differ most from a present-day processor."""


@pytest.mark.slow
@pytest.mark.xdist_group("processors")
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in EVERY_TIME else pytest.mark.long) for name in PROCESSORS],
)
def test_every_bit_is_the_same_elsewhere(name: str) -> None:
    settings = PROCESSORS[name]
    if run(["-c", PROBE], settings).returncode < 0:
        pytest.skip(f"left out: this machine cannot execute the kernels of {name}")
    done = run(["-m", "tests.core.digest"], settings)
    assert done.returncode == 0, done.stderr
    elsewhere = json.loads(done.stdout)
    assert elsewhere.keys() == here().keys()
    different = {key: (value, elsewhere[key]) for key, value in here().items() if elsewhere[key] != value}
    assert not different


def test_the_comparison_could_fail() -> None:
    """The variables do change what BLAS and NumPy compute, on this machine as on any x86."""
    code = (
        "import numpy as np; r = np.random.default_rng(0).random((300, 300)); print((r @ r).tobytes().hex())"
    )
    plain = run(["-c", code], {"OPENBLAS_CORETYPE": "Prescott"})
    other = run(["-c", code], {"OPENBLAS_CORETYPE": "Haswell"})
    if plain.returncode or other.returncode:
        pytest.skip("left out: this machine has only one kind of kernels")
    assert plain.stdout != other.stdout


def exact_power(node: ast.BinOp | ast.AugAssign) -> bool:
    """Of two literal whole numbers, the result one too or a power of 2: any C library has it right."""
    if isinstance(node, ast.AugAssign):
        return False
    try:
        base, exponent = (float(ast.literal_eval(part)) for part in (node.left, node.right))
    except ValueError:
        return False
    return exponent.is_integer() and (base == 2.0 or (base.is_integer() and 0.0 <= exponent * base < 100.0))


def chosen_by_call(node: ast.Call) -> bool:
    """A reduction of an array, the power function, a late import of SciPy, or a sort whose ties fall as the
    vectors are wide."""
    if isinstance(node.func, ast.Name):
        late = node.func.id == "import_module" and ast.unparse(node.args[0]).startswith("'scipy")
        return node.func.id == "pow" or late
    if not isinstance(node.func, ast.Attribute):
        return False
    owner = node.func.value
    if node.func.attr in REDUCTIONS:
        return not (isinstance(owner, ast.Name) and owner.id == "sums")
    kinds = {ast.unparse(word.value) for word in node.keywords if word.arg == "kind"}
    stable = bool(kinds & {"'stable'", "'mergesort'"})  # numba knows the second name only
    return node.func.attr in ("argsort", "argpartition") and not stable


def foreign_calls(path: Path) -> set[str]:
    """Uses of NumPy or SciPy, or of @, whose bits the processor may choose."""
    return foreign_in(path.read_text())


def foreign_in(text: str) -> set[str]:
    tree = ast.parse(text)
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.MatMult):
            found.add(f"line {node.lineno}: @")
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Pow):
            if not exact_power(node):
                found.add(f"line {node.lineno}: **")
        elif isinstance(node, ast.Call) and chosen_by_call(node):
            found.add(f"line {node.lineno}: {ast.unparse(node.func)}")
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in FOREIGN:
            if node.value.id in ("np", "numpy", "math"):
                found.add(f"line {node.lineno}: {node.value.id}.{node.attr}")
        elif isinstance(node, ast.ImportFrom) and node.module in ("math", "numpy"):
            found |= {f"line {node.lineno}: {node.module}.{a.name}" for a in node.names if a.name in FOREIGN}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("scipy"):
            found.add(f"line {node.lineno}: {node.module}")
        elif isinstance(node, ast.Import):
            found |= {f"line {node.lineno}: {a.name}" for a in node.names if a.name.startswith("scipy")}
    return found


def test_no_source_asks_for_what_a_processor_chooses() -> None:
    allowed = {name for name, _ in ALLOWED}
    paths = sorted(p for folder in ("core", "reproduction") for p in (ROOT / folder).rglob("*.py"))
    read = {str(path.relative_to(ROOT)): path for path in paths}
    found = {name: foreign_calls(path) for name, path in read.items() if name not in allowed}
    assert {name: calls for name, calls in found.items() if calls} == {}


@pytest.mark.parametrize(
    "line",
    ["a @ b", "x**2", "x **= 2", "10.0**k", "np.float64(3) ** -1.0", "0.1**3", "np.log(x)", "(a * b).sum()",
     "x.mean()", "pow(x, 2)", "np.argsort(b)", "b.argsort()", "from math import exp", "import scipy.linalg",
     "import_module('scipy.linalg')",
     "numpy.sum(x)", "np.prod(x)"],
)  # fmt: skip
def test_the_reading_finds_it(line: str) -> None:
    assert foreign_in(line)


@pytest.mark.parametrize(
    "line",
    ["x * x", "2.0**-52", "2**32 - 1", "10**6", "np.sqrt(x)", "np.cumsum(x)", "sums.dot(u, v)",
     "np.argsort(b, kind='stable')", "fsum(x)"],
)  # fmt: skip
def test_the_reading_lets_it_pass(line: str) -> None:
    assert not foreign_in(line)


@pytest.mark.parametrize("name", sorted(name for name, _ in ALLOWED))
def test_what_is_allowed_is_needed(name: str) -> None:
    assert foreign_calls(ROOT / name)
