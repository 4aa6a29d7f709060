"""Ctrl-C ends in KeyboardInterrupt, at any moment of any method: no kernel hands over what cannot be unwound,
and none is cut short while it is compiled.

A signal that arrives in compiled code is handled by the next Python code that runs. Where a kernel returns a
new array, that is numba's own code in the middle of making the result. Alone, the array is given up and the
exception goes on; in a tuple numba returns half a result (SystemError); a named tuple ends the process.
"""

import ast
import importlib
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np
import pytest
from numba.core.caching import NullCache
from numba.core.codegen import CPUCodeLibrary

from core.compiled import compiled, compiled_ufunc
from core.methods import METHODS
from core.model.exact_fit import exact_loss
from tests.effort import cases

ROOT = Path(__file__).resolve().parents[2]
KERNEL = type(importlib.import_module("core.portable.sums").total)
TRIES = cases(3, of=50)
LONGEST = 0.4
"""Seconds after which a run is interrupted at the latest: it repeats itself until then."""

TRAINS = """
import signal
import sys
from core import RunConfig, train
from tests.core.methods.test_contract import bits
# A shell that starts a program in the background has it ignore the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
whole = {}
for line in sys.stdin:
    config = RunConfig.from_query(line.strip())
    if line not in whole:
        whole[line] = list(map(bits, train(config)))
    run, given = train(config), []
    try:
        print("trains", flush=True)  # from here on the signal may come
        while True:
            for frame in run:
                given.append(bits(frame))
            run, given = train(config), []
    except KeyboardInterrupt:
        pass
    kept = list(map(bits, run.frames))
    right = kept == whole[line][: len(kept)] and kept[: len(given)] == given
    for frame in run:
        pass
    right &= list(map(bits, run.frames)) == whole[line]
    print("went on" if right else "lost frames", flush=True)
"""

SHAPES = """
import ctypes, signal
import numpy as np
from numba import njit
interrupt = ctypes.CDLL(None)["raise"]
interrupt.argtypes, interrupt.restype = [ctypes.c_int], ctypes.c_int
number = int(signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)

@njit
def numbers():
    interrupt(number)
    return 1, 2.0, True

@njit
def array():
    interrupt(number)
    return np.zeros((5, 2))[1:]

@njit
def nothing(out):
    interrupt(number)
    out[0] = 1.0

for kernel, given in ((numbers, ()), (array, ()), (nothing, (np.zeros(1),))):
    for _ in range(100):
        try:
            kernel(*given)
            for _ in range(10):
                pass
        except KeyboardInterrupt:
            continue
        raise SystemExit(f"{kernel} was not interrupted")
"""

COMPILES = """
import gc, os, random, signal, sys, threading, time
signal.signal(signal.SIGINT, signal.default_int_handler)
gc.disable()  # outside of a compilation finalisers swallow signals as they do anywhere
from numba.core.caching import NullCache
from core.compiled import compiled
from core.model.exact_fit import fits_exactly

kept = []

def compile_anew():
    kernel = compiled(fits_exactly.py_func)
    kernel._cache = NullCache()
    kept.append(kernel)
    begin = time.perf_counter()
    assert kernel(1.0, 2.0) is False
    return time.perf_counter() - begin

def interrupt(seconds):
    time.sleep(seconds)
    os.kill(os.getpid(), signal.SIGINT)

compile_anew()
longest, draw, came = compile_anew(), random.Random(27), 0
for _ in range(int(sys.argv[1])):
    try:
        threading.Thread(target=interrupt, args=[draw.uniform(0.0, longest)]).start()
        while True:
            compile_anew()
    except KeyboardInterrupt:
        came += 1
print(came)
"""

EACH_LINE = """
import signal, sys
from core.interrupts import interrupts_deferred
signal.signal(signal.SIGINT, signal.default_int_handler)

def is_interrupted(at):
    lines = 0
    def trace(frame, event, argument):
        nonlocal lines
        lines += event == "line"
        if event == "line" and lines == at:
            signal.raise_signal(signal.SIGINT)
        return trace
    try:
        sys.settrace(trace)
        with interrupts_deferred():
            pass
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    return False

line = 1
while is_interrupted(line):
    line += 1
print(line)
"""


def _compiles(node: ast.expr) -> bool:
    return any(name in ast.unparse(node) for name in ("njit", "compiled"))


def _in_python(node: ast.AST) -> Iterator[ast.expr]:
    """Names and attributes that are read in code which is not compiled."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef) and any(map(_compiles, child.decorator_list)):
            continue
        if isinstance(child, ast.Call) and _compiles(child.func):
            continue
        if isinstance(child, ast.Name | ast.Attribute) and isinstance(child.ctx, ast.Load):
            yield child
        yield from _in_python(child)


def _used_from_python() -> dict[str, tuple[object, str]]:
    """Kernels that Python code of the core refers to, and a place where it does."""
    found: dict[str, tuple[object, str]] = {}
    for path in sorted((ROOT / "core").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        module = importlib.import_module(name)
        for node in _in_python(ast.parse(path.read_text(encoding="utf-8"))):
            value: object = None
            if isinstance(node, ast.Name):
                value = getattr(module, node.id, None)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                owner = getattr(module, node.value.id, None)
                value = getattr(owner, node.attr, None) if isinstance(owner, ModuleType) else None
            if isinstance(value, KERNEL):
                kernel = value.py_func
                found[f"{kernel.__module__}.{kernel.__name__}"] = (kernel, f"{path}:{node.lineno}")
    return found


def _can_be_unwound(hint: object) -> bool:
    """Numbers, tuples of such and of these, one array alone, nothing."""
    if hint in (int, float, complex, bool, type(None)) or get_origin(hint) is np.ndarray:
        return True
    return _is_made_in_c(hint)


def _is_made_in_c(hint: object) -> bool:
    """Numbers and plain tuples: no line of Python runs while they are made, so that no signal is handled."""
    parts = get_args(hint)
    return hint in (int, float, bool) or (get_origin(hint) is tuple and all(map(_is_made_in_c, parts)))


@pytest.mark.skipif(KERNEL.__name__ == "function", reason="nothing is compiled")
def test_no_kernel_hands_python_what_cannot_be_unwound() -> None:
    kernels = _used_from_python()
    assert len(kernels) > 40
    wrong = [
        f"{name} returns {hint}, used at {where}"
        for name, (kernel, where) in kernels.items()
        if not _can_be_unwound(hint := get_type_hints(kernel)["return"])
    ]
    assert not wrong, "\n".join(wrong)


def test_these_shapes_are_unwound() -> None:
    done = subprocess.run([sys.executable, "-c", SHAPES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_signal_at_any_moment_of_any_method_loses_no_frame_and_the_run_goes_on() -> None:
    """The delay is what is drawn: no moment is awaited."""
    draw = random.Random(27)
    with subprocess.Popen(
        [sys.executable, "-c", TRAINS], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as trains:
        assert trains.stdin is not None
        assert trains.stdout is not None
        for name in METHODS:
            for _ in range(TRIES):
                trains.stdin.write(f"target=sin(5*pi*x)&points=60&width=12&method={name}&epochs=1000\n")
                trains.stdin.flush()
                assert trains.stdout.readline() == "trains\n"
                with pytest.raises(subprocess.TimeoutExpired):
                    trains.wait(draw.uniform(0.0, LONGEST))
                trains.send_signal(signal.SIGINT)
                said = trains.stdout.readline()
                assert said == "went on\n", (name, said or trains.wait())
        trains.stdin.close()
        assert trains.wait() == 0


@pytest.mark.skipif(KERNEL.__name__ == "function", reason="nothing is compiled")
def test_a_signal_at_any_moment_of_a_compilation_is_neither_lost_nor_fatal() -> None:
    """Raised wherever it came, one of some hundred ended the process (SIGSEGV)."""
    tries = cases(10, of=400)
    done = subprocess.run(
        [sys.executable, "-c", COMPILES, str(tries)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{tries}\n", "")


class Interrupted:
    """Is interrupted in its finaliser, where nobody can catch it, as when the compiler calls back."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


@pytest.mark.skipif(KERNEL.__name__ == "function", reason="nothing is compiled")
@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("is_ufunc", [False, True])
def test_a_signal_that_the_compiler_swallows_is_one_all_the_same(
    is_ufunc: bool, fails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel: Any = compiled(exact_loss.py_func)
    kernel._cache = NullCache()
    if is_ufunc:
        kernel = compiled_ufunc(kernel)
        kernel._dispatcher.cache = NullCache()

    def interrupted(self: CPUCodeLibrary) -> None:
        Interrupted()
        if fails:
            raise RuntimeError("no compiled object yet")
        finalize(self)

    finalize = CPUCodeLibrary.finalize
    with monkeypatch.context() as patch:
        patch.setattr(CPUCodeLibrary, "finalize", interrupted)
        with pytest.raises(KeyboardInterrupt):
            kernel(4.0)
    assert kernel(4.0) == exact_loss(4.0)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_signal_at_any_line_of_the_bookkeeping_neither_hangs_nor_is_lost() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EACH_LINE],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        timeout=120,
        check=True,
    )
    assert int(done.stdout) > 10
