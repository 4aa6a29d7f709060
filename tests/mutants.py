"""Do the tests notice a wrong core? `make mutants` changes one operator, constant, condition, return or call
at a time and looks whether a golden run or a test of the package fails.

Kernels are interpreted, in processes forked from one that has imported NumPy, numba and pytest. Golden runs
go first: most mutants change one of them within a second. A run that does not end is a kill too. The sample
is drawn by a seed, so that it can be repeated. A mutant is undecided if the tests of its package take longer
than PACKAGE_SECONDS. RESULTS keeps fates by sources and seed: an interrupted run goes on where it was.
"""

import argparse
import ast
import copy
import doctest
import hashlib
import importlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
from hypothesis import Phase, settings

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / ".mutants"
PACKAGES = (
    "problem", "model", "theory", "least_squares", "methods", "rivals", "analysis", "narrative", "run",
    "frames", "config", "study", "portable",
)  # fmt: skip
MARKS = "not long and not fault and not redis and not browser"
GOLDEN_SECONDS, TEST_SECONDS, PACKAGE_SECONDS = 20, 1.0, 15
"""Of the processor: for all golden runs (usually 4), for one test, for the tests of a package."""

OUT_OF_TIME = "out of time"
MOST_GOLDEN = 10
"""Golden runs for one mutant."""

COMPARED: dict[type, tuple[type, ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
COMPUTED: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


@dataclass
class Mutant:
    """A change of one node: where it is, what it was and is, and the file with it."""

    path: str
    line: int
    function: str
    before: str
    after: str
    source: str
    fate: str = ""
    by: str = ""
    """What has noticed it."""

    @property
    def name(self) -> str:
        return f"{self.path}:{self.line} {self.before} → {self.after}"


def changes_of(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in the place of a node."""
    match node:
        case ast.Compare(left, [operator, *others], compared):
            for other in COMPARED[type(operator)]:
                yield ast.Compare(left, [other(), *others], compared)
        case ast.BinOp(left, operator, right) if type(operator) in COMPUTED:
            yield ast.BinOp(left, COMPUTED[type(operator)](), right)
        case ast.AugAssign(target, operator, value):
            if type(operator) in COMPUTED:
                yield ast.AugAssign(target, COMPUTED[type(operator)](), value)
            yield ast.Pass()
        case ast.UnaryOp(ast.USub() | ast.Not(), operand):
            yield operand
        case ast.BoolOp(operator, values):
            yield ast.BoolOp(ast.Or() if isinstance(operator, ast.And) else ast.And(), values)
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value) | float(value)):
            far = abs(value) > 1000 or 0.0 < abs(value) < 0.001
            yield ast.Constant(2 * value if far else value + 1)
        case ast.If(test, body, orelse):
            yield ast.If(ast.Constant(False), body, orelse)
            yield ast.If(ast.Constant(True), body, orelse)
        case ast.While(test, body, orelse):
            yield ast.While(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(ast.UnaryOp(ast.Not(), test), body, orelse)
        case ast.Return(ast.expr() as value) if not _constant(value, None):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(ast.Call()):
            yield ast.Pass()


def _constant(node: ast.AST, value: object) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


def places(tree: ast.AST, function: str = "") -> Iterator[tuple[tuple[Any, str, int | None], ast.AST, str]]:
    """(parent, field, index), node, function of what runs: no types, decorators, or keywords of a class."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list") or (name == "keywords" and _is_class(tree)):
            continue
        for index, node in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(node, ast.AST):
                yield (tree, name, index if isinstance(value, list) else None), node, function
                yield from places(node, node.name if isinstance(node, ast.FunctionDef) else function)


def _is_class(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef)


def mutants_of(path: str, source: str) -> Iterator[Callable[[], Mutant]]:
    """All changes of one file, each written when it is called for."""
    tree = ast.parse(source)
    for place, node, function in list(places(tree)):
        for changed in changes_of(node):
            yield partial(written, path, tree, function, place, node, changed)


def written(
    path: str,
    tree: ast.AST,
    function: str,
    place: tuple[Any, str, int | None],
    node: ast.AST,
    changed: ast.AST,
) -> Mutant:
    """The file with one node changed."""
    parent, field, index = place
    old = getattr(parent, field)
    setattr(parent, field, changed if index is None else [*old[:index], changed, *old[index + 1 :]])
    source = ast.unparse(ast.fix_missing_locations(tree))
    setattr(parent, field, old)
    return Mutant(path, getattr(node, "lineno", 0), function, _short(node), _short(changed), source)


def _short(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(copy.deepcopy(node))).splitlines()[0]


def sample(root: Path, number: int, seed: int) -> list[Mutant]:
    """So many of all changes of the core, each as likely as any other."""
    paths = sorted(path for name in PACKAGES for path in (root / "core" / name).rglob("*.py"))
    found = [each for path in paths for each in mutants_of(str(path.relative_to(root)), path.read_text())]
    print(f"{number} of {len(found):,} mutants, seed {seed}", flush=True)
    return [write() for write in random.Random(seed).sample(found, number)]


def reach(root: Path) -> str:
    """By golden run, as JSON: the functions of the core that it calls, as in `core/run/train.py train`."""
    from tests.core.run import test_golden  # noqa: PLC0415 (imports the core, which is changed)

    core, found = f"{root / 'core'}{os.sep}", {}
    for query in test_golden.QUERIES:
        codes: dict[int, CodeType] = {}
        sys.settrace(lambda frame, *_, codes=codes: codes.update({id(frame.f_code): frame.f_code}))
        test_golden.fingerprint(query)
        sys.settrace(None)
        inside = [code for code in codes.values() if code.co_filename.startswith(core)]
        found[query] = [f"{Path(code.co_filename).relative_to(root)} {code.co_name}" for code in inside]
    return json.dumps(found)


def golden(mutant: Mutant, reached: dict[str, list[str]]) -> str:
    """The first golden run that comes out differently or fails, of those that call what is changed."""
    from tests.core.run import test_golden  # noqa: PLC0415

    calls = f"{mutant.path} {mutant.function}"
    chosen = [
        query
        for query, called in reached.items()
        if (calls in called if mutant.function else any(name.startswith(calls) for name in called))
    ]
    for query in chosen[:: 1 + len(chosen) // MOST_GOLDEN]:
        try:
            if test_golden.fingerprint(query) == test_golden.KNOWN[query]:
                continue
        except Exception as error:
            return f"{query}: {type(error).__name__}"
        return query
    return ""


class Package:
    """A pytest plug-in: tests of a file that has the name of the changed one go first; says what failed."""

    def __init__(self, path: str, left_out: set[str]) -> None:
        self.stem, self.left_out = Path(path).stem, left_out
        self.failed = ""

    def pytest_configure(self) -> None:
        phases = [Phase.explicit, Phase.generate]
        settings.register_profile("mutants", derandomize=True, database=None, deadline=None, phases=phases)
        settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if item.nodeid not in self.left_out]
        items.sort(key=lambda item: self.stem not in item.nodeid)

    def pytest_runtest_logstart(self) -> None:
        signal.signal(signal.SIGPROF, _too_slow)
        signal.setitimer(signal.ITIMER_PROF, TEST_SECONDS)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.failed = self.failed or f"import of {report.nodeid}"

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed = self.failed or report.nodeid


def _too_slow(number: int, frame: FrameType | None) -> None:
    pytest.skip("takes too long interpreted")


def package_tests(path: str, left_out: set[str]) -> str:
    """The first that fails of the examples of a file, the tests of its package, and others that name it."""
    module = path.removesuffix(".py").replace("/", ".")
    if doctest.testmod(importlib.import_module(module)).failed:
        return f"examples of {module}"
    package = Path("tests/core") / path.split("/")[1]
    naming = [file for file in Path("tests/core").rglob("test_*.py") if module in file.read_text()]
    others = [str(file) for file in naming if not file.is_relative_to(package)]
    return failing([str(package), *others], path, left_out)


def failing(tests: list[str], path: str = "", left_out: set[str] = frozenset()) -> str:  # type: ignore[assignment]
    """The first of some tests that fails."""
    plugin = Package(path, left_out)
    quiet = ("-q", "-x", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
    pytest.main([*quiet, "-m", MARKS, *tests], plugins=[plugin])
    return plugin.failed


def noticed_by_package(root: Path, mutant: Mutant, left_out: set[str]) -> str:
    """The first test of the package that fails, but not without the mutant: of speed, some do interpreted."""
    while "::" in (
        found := judge(root, mutant, partial(package_tests, mutant.path, left_out), PACKAGE_SECONDS)
    ):
        if not forked(root, PACKAGE_SECONDS, partial(failing, [found]))[0]:
            break
        left_out.add(found)
    return found


def forked(root: Path, seconds: float, work: Callable[[], str]) -> tuple[str, bool]:
    """What work says in a child process in that folder, and whether so much processor time was enough."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        os.chdir(root)
        sys.path.insert(0, str(root))
        sys.modules.pop("tests")  # that of the copy is meant
        quiet = os.open("mutants.out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        spent = int(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (spent + int(seconds) + 1, spent + int(seconds) + 2))
        try:
            said = work()
        except BaseException as error:
            said = repr(error)
        os.write(write, said.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        said = answer.read()
    return said, os.waitpid(child, 0)[1] == 0


def judge(root: Path, mutant: Mutant, tests: Callable[[], str], seconds: float) -> str:
    """Put a mutant in its place, and say what notices: nothing, a test, or the time."""
    path = root / mutant.path
    original, stamp = path.read_text(), path.stat()
    path.write_text(mutant.source)
    try:
        failed, ended = forked(root, seconds, tests)
        return failed or ("" if ended else OUT_OF_TIME)
    finally:
        path.write_text(original)
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))


def copy_of_the_sources(place: Path) -> Path:
    """What is under version control, without compiled modules."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    for name in filter(None, listed.stdout.split("\0")):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, place / name)
    return place


def main() -> None:
    """Draw, judge, and keep one line of JSON per mutant."""
    parser = argparse.ArgumentParser(prog="make mutants")
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    os.environ.update(NUMBA_DISABLE_JIT="1", OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    sys.dont_write_bytecode = True
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    root = copy_of_the_sources(Path(tempfile.mkdtemp(prefix="mutants-")))
    subprocess.run([sys.executable, "-m", "compileall", "-q", "core", "tests"], cwd=root, check=True)
    preload()
    mutants = sample(root, given.number, given.seed)
    reached: dict[str, list[str]] = json.loads(forked(root, 600, partial(reach, root))[0])
    results = results_file(root, given.number, given.seed)
    known = [json.loads(line) for line in results.read_text().splitlines()] if results.exists() else []
    left_out: set[str] = set()
    for number, mutant in enumerate(mutants):
        if number < len(known):
            mutant.fate, mutant.by = known[number]["fate"], known[number]["by"]
            continue
        mutant.by = judge(root, mutant, partial(golden, mutant, reached), GOLDEN_SECONDS)
        mutant.fate = "killed" if mutant.by else "survived"
        if not mutant.by:
            mutant.by = noticed_by_package(root, mutant, left_out)
            mutant.fate = {"": "survived", OUT_OF_TIME: "undecided"}.get(mutant.by, "killed")
        found = {"fate": mutant.fate, "mutant": mutant.name, "function": mutant.function, "by": mutant.by}
        with results.open("a") as file:
            file.write(json.dumps(found, ensure_ascii=False) + "\n")
        print(f"{number + 1}: {mutant.fate}: {mutant.name} ({mutant.by})", flush=True)
    print(Counter(mutant.fate for mutant in mutants))


def results_file(root: Path, number: int, seed: int) -> Path:
    """Where the fates of this sample are kept, one per line in the order of the sample."""
    digest = hashlib.sha256()
    for path in sorted((root / "core").rglob("*.py")):
        digest.update(path.read_bytes())
    RESULTS.mkdir(exist_ok=True)
    return RESULTS / f"{digest.hexdigest()[:12]}-{number}-{seed}.jsonl"


def preload() -> None:
    """What every process would import again; none of it imports the core."""
    for name in ("mpmath", "numba", "numpy", "orjson", "pandas", "pydantic", "scipy.linalg"):
        importlib.import_module(name)


if __name__ == "__main__":
    main()
