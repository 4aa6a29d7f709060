"""The same bits on other processors, as far as one machine can pretend to be them.

Environment variables hide instructions from NumPy, from the C library, from OpenBLAS and
from numba's compiler. For ARM the kernels are at least assembled, and looked through for fused
instructions and calls. And the source itself is read: no kernel may ask NumPy for anything but a square
root, which IEEE 754 rounds correctly, and nothing may be compiled with fastmath.
"""

import ast
import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from numba import njit, types

from core.kernel_cache import cache_dir
from core.portable import sums
from core.portable.random import take_normals
from tests.core.portable.digest import digest
from tests.core.portable.test_arrays import KERNELS, ONE, TWO

ROOT = Path(__file__).resolve().parents[3]
SOURCES = sorted((ROOT / "core/portable").glob("*.py"))
llvm: Any = importlib.import_module("llvmlite.binding")
NUMPY = vars(importlib.import_module("numpy._core._multiarray_umath"))
HIDDEN = " ".join(name for name in NUMPY["__cpu_dispatch__"] if NUMPY["__cpu_features__"].get(name))
"""What NumPy would use beyond its baseline: it refuses names of the baseline and warns of absent ones."""

PROCESSORS: dict[str, dict[str, str]] = {
    "plain NumPy": {"NPY_DISABLE_CPU_FEATURES": HIDDEN},
    "plain C library": {
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F",
        "OPENBLAS_CORETYPE": "Nehalem",
    },
    "older": {
        "NPY_DISABLE_CPU_FEATURES": HIDDEN,
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F",
        "OPENBLAS_CORETYPE": "Haswell",
    },
}
Arguments = tuple[types.Type, ...]
VECTOR = types.float64[::1]
ON_NUMBERS: dict[str, tuple[Any, Arguments]] = {
    **{name: (KERNELS[name], (types.float64,)) for name in ONE},
    **{name: (KERNELS[name], (types.float64,) * 2) for name in TWO},
}
ON_ARRAYS: dict[str, tuple[Any, Arguments]] = {
    "total": (sums.total, (VECTOR,)),
    "dot": (sums.dot, (VECTOR,) * 2),
    "weighted_square": (sums.weighted_square, (VECTOR,) * 2),
    "cumulative_from_right": (sums.cumulative_from_right, (VECTOR,)),
    "take_normals": (take_normals, (types.int64[::1], VECTOR, types.int64)),
}
FREEDOM = re.compile(r"\bf(add|sub|mul|div|neg) (fast|contract|reassoc|arcp|nnan|ninf|nsz|afn)\b|@llvm\.fm")
"""Permissions to the compiler that would let the bits depend on the processor."""
ARM = "aarch64-unknown-linux-gnu"
FUSED = re.compile(r"\bf(n?m(add|sub)|ml[as])\b")
COMPILED_FOR = {
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    **({"NUMBA_CACHE_DIR": f"{cache_dir()}/plain"} if cache_dir() else {}),
}
"""Kept apart: who writes at the same time for this processor could leave its own code under that name."""


@cache
def here() -> dict[str, str]:
    return digest()


def elsewhere(settings: dict[str, str]) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.core.portable.digest"],
        cwd=ROOT, env=os.environ | settings, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("name", PROCESSORS)
def test_same_bits(name: str) -> None:
    assert elsewhere(PROCESSORS[name]) == here()


@pytest.mark.slow
@pytest.mark.xdist_group("processors")
def test_same_bits_compiled_for_the_plainest_processor() -> None:
    """Without FMA and wide vectors."""
    assert elsewhere(PROCESSORS["older"] | COMPILED_FOR) == here()


def compile_anew(function: Callable[..., Any], arguments: Arguments, fastmath: bool = False) -> str:
    """The compiler's intermediate code of a kernel and of all that it calls, optimised."""
    fresh = njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, fastmath=fastmath)(
        function
    )
    fresh.compile(arguments)
    (code,) = fresh.inspect_llvm().values()
    return str(code)


def assemble_for_arm(code: str) -> str:
    """Its instructions on a 64-bit ARM, which has fused ones for scalars too."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        target = llvm.Target.from_triple(ARM)
    except RuntimeError:
        pytest.skip("this compiler knows no ARM")
    module = llvm.parse_assembly(re.sub("target triple = .*", f'target triple = "{ARM}"', code))
    return str(target.create_target_machine(opt=3).emit_assembly(module))


@pytest.mark.slow
@pytest.mark.parametrize("name", [*ON_NUMBERS, *ON_ARRAYS])
def test_nothing_may_be_fused_or_regrouped(name: str) -> None:
    kernel, arguments = (ON_NUMBERS | ON_ARRAYS)[name]
    code = compile_anew(kernel.py_func, arguments)
    assert re.search(r"\bf(mul|add) ", code)
    assert not FREEDOM.search(code)


@pytest.mark.slow
@pytest.mark.parametrize("name", ON_NUMBERS)
def test_nothing_is_fused_on_arm(name: str) -> None:
    kernel, arguments = ON_NUMBERS[name]
    assembled = assemble_for_arm(compile_anew(kernel.py_func, arguments))
    assert re.search(r"\bf(mul|add)\b", assembled)
    assert not FUSED.search(assembled)
    calls = set(re.findall(r"\tbl?\t([a-z]\w*)", assembled))
    assert calls <= {"sqrt"}, f"{name} asks the C library for {calls}"


@pytest.mark.slow
def test_a_fused_product_would_be_seen() -> None:
    def product_and_sum(x: float, y: float) -> float:
        return x * y + x

    free = compile_anew(product_and_sum, (types.float64,) * 2, fastmath=True)
    assert FREEDOM.search(free)
    assert FUSED.search(assemble_for_arm(free))
    bound = compile_anew(product_and_sum, (types.float64,) * 2)
    assert not FREEDOM.search(bound)
    assert not FUSED.search(assemble_for_arm(bound))


def kernels(tree: ast.Module) -> list[ast.FunctionDef]:
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [function for function in functions if function.decorator_list]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_kernels_use_correctly_rounded_operations_alone(path: Path) -> None:
    tree = ast.parse(path.read_text())
    assert "fastmath" not in [keyword.arg for keyword in ast.walk(tree) if isinstance(keyword, ast.keyword)]
    for kernel in kernels(tree):
        for node in ast.walk(kernel):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                assert node.value.id != "math"
                assert node.value.id != "np" or node.attr in {
                    "sqrt",
                    "empty",
                    "zeros",
                    "inf",
                    "int64",
                    "arange",
                    "uint64",
                    "float64",
                }, ast.unparse(node)
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
                ast.literal_eval(ast.unparse(node.left))
                ast.literal_eval(ast.unparse(node.right))
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
                pytest.fail(f"{kernel.name} multiplies matrices")
