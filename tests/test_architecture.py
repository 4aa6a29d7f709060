"""The layout and import rules, read off the source.

core computes and never draws; only core.service touches files, clocks, processes and
the network. Methods do not know each other, nor do panels, so that each can be
added, read and removed alone.
"""

import ast
import re
import subprocess
import sys
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path
from statistics import median

import pytest

from components.panels import PANELS
from core.methods import METHODS
from tests.architecture import (
    FACE,
    ROOT,
    SERVICE_LAYERS,
    edges,
    imported_modules,
    level_of,
    module_name,
    part_of,
    service_layer_of,
    sources,
    with_drawing,
)

SOURCES = sorted(p for folder in ("core", "components") for p in (ROOT / folder).rglob("*.py"))
PURE = [p for p in SOURCES if p.is_relative_to(ROOT / "core") and not p.is_relative_to(ROOT / "core/service")]

IMPURE_STDLIB = {
    "asyncio", "fcntl", "glob", "http", "io", "multiprocessing", "os", "pathlib", "pickle", "random",
    "secrets", "shutil", "signal", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time",
    "urllib.request",
}  # fmt: skip
PURE_PACKAGES = {"core", "numpy", "scipy", "numba"}
OPTIONAL = {"core/sklearn.py": {"sklearn"}}
"""Modules that nothing else imports, with the package that they are for."""
WORLDLY = {
    "core/run/train.py": {"time"},  # the wall-clock column of a frame
    "core/tables/pictures.py": {"time"},  # as many rows of a track record as there is time for
    "core/interrupts.py": {"signal", "threading"},  # Ctrl-C is Python's, and of its main thread
    "core/kernel_cache.py": {"os", "pathlib", "shutil", "time"},  # where numba keeps what it has compiled
    "core/methods/flow/segment.py": {"threading"},  # each thread remembers flows of its own
    "core/analysis/forecast/run_ahead.py": {"threading"},  # a lock around what is remembered
    "core/study/processes.py": {"os", "pickle", "subprocess", "threading"},  # runs in processes, for scripts
    "core/__main__.py": {"pathlib"},  # where the app lies
    "core/figures.py": {"pathlib"},  # likewise
    "core/client.py": {"pathlib", "time", "urllib.request"},  # asks a server
    "core/study/worker.py": {"os", "pickle"},  # the program of such a process
}
"""What in the numerics reads a clock or a disk, or remembers something while several threads compute."""
SHARED = {
    *("base", "contract", "damped", "hybrid", "parameters", "placing", "stepping", "with_momentum"),
    "data_scan",
    *("legend", "moments", "section", "shown", "tables"),
}
"""What methods, or panels, have in common: the contract, and bodies that differ in a step only."""

BUILDS_ON = {"adaptive_width": {"anls_plus"}}
"""Methods that are another one and more."""


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_numerics_are_pure() -> None:
    wrong = []
    for path in PURE:
        modules = set(imported_modules(path))
        foreign = {m.split(".")[0] for m in modules} - PURE_PACKAGES - set(sys.stdlib_module_names)
        foreign -= OPTIONAL.get(name(path), set())
        impure = modules & IMPURE_STDLIB - WORLDLY.get(name(path), set())
        service = {m for m in modules if m.startswith("core.service")}
        wrong += [f"{name(path)} imports {module}" for module in sorted(foreign | impure | service)]
    assert not wrong


def test_core_never_draws() -> None:
    drawn = {"dash", "plotly", "components"}
    in_core = [p for p in SOURCES if name(p).startswith("core")]
    assert not [name(p) for p in in_core if drawn & {m.split(".")[0] for m in imported_modules(p)}]


def test_imports_point_downwards() -> None:
    wrong = []
    for path in sources():
        own = part_of(module_name(path))
        assert own is not None
        others = {part_of(module) for module in imported_modules(path)} - {own, None, FACE}
        beside = [part for part in others if part is not None and level_of(part) >= level_of(own)]
        wrong += [f"{name(path)} imports {part}, beside or above it" for part in beside if own != FACE]
    assert not wrong


def test_layers_of_the_service_import_downwards() -> None:
    """A maintainer of the files need not know of Redis, nor one of the workers of HTTP."""
    paths = [p for p in SOURCES if p.is_relative_to(ROOT / "core/service") and p.stem != "__init__"]
    known = {module_name(path) for path in paths}
    order = list(SERVICE_LAYERS)
    wrong = []
    for path in paths:
        own = service_layer_of(module_name(path))
        used = {service_layer_of(module) for module in imported_modules(path) if module in known}
        above = [layer for layer in used if order.index(layer) > order.index(own)]
        wrong += [f"{name(path)} of {own} imports {layer}, above it" for layer in above]
    assert not wrong


def test_the_page_says_about_how_long_each_layer_of_the_service_is() -> None:
    page = (ROOT / "docs/architecture.md").read_text()
    told = re.findall(r"(?m)^\| `?(\w+)/?`? \| .* \| ([\d,]+) \|$", page)
    lengths = Counter[str]()
    for path in SOURCES:
        if path.is_relative_to(ROOT / "core/service") and path.stem != "__init__":
            lengths[service_layer_of(module_name(path))] += len(path.read_text().splitlines())
    assert {layer for layer, _ in told} == set(SERVICE_LAYERS)
    numbers = {layer: int(lines.replace(",", "")) for layer, lines in told}
    assert not {one: real for one, real in lengths.items() if abs(numbers[one] - real) > 0.1 * real}


def test_parts_and_modules_form_no_cycle() -> None:
    TopologicalSorter(edges()).prepare()
    modules = {module_name(path): path for path in sources()}
    graph = {
        module: set(imported_modules(path)) & modules.keys() - {module} for module, path in modules.items()
    }
    # A package's own face imports its modules, which never import the face.
    TopologicalSorter(graph).prepare()


ALONE = """
import importlib, os, sys
import celery, flask_caching, flask_compress, numba, numpy, orjson, redis, scipy.linalg, segno, waitress
import core
wrong = []
for module in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        try:
            importlib.import_module(module)
        except BaseException as error:
            print(f"{module}: {error!r}", flush=True)
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        wrong.append(module)
sys.exit(1 if wrong else 0)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_every_module_imports_alone() -> None:
    """Each where nothing of ours is loaded but what `core` loads before any of its modules: none relies on
    another's import."""
    modules = [
        module_name(p) for p in sources() if p.is_relative_to(ROOT / "core") and p.stem != "celery_app"
    ]
    done = subprocess.run([sys.executable, "-c", ALONE, *modules], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_drawing_is_that_of_the_source() -> None:
    """Drawn anew by `make docs`."""
    text = (ROOT / "docs/architecture.md").read_text()
    assert with_drawing(text) == text


PACKAGES = sorted(p.parent for p in (ROOT / "core").glob("*/__init__.py"))


def test_a_package_says_what_lives_there_and_what_it_may_import() -> None:
    for package in PACKAGES:
        docstring = ast.get_docstring(ast.parse((package / "__init__.py").read_text())) or ""
        assert docstring.count(".") >= 2 and "may import" in " ".join(docstring.split()), name(package)


OUTSIDE = sorted(p for folder in ("components", "reproduction") for p in (ROOT / folder).rglob("*.py"))
DEEP = {
    "core.service.queries.views",
    "core.service.visitors",
    "core.service.responses",
    "core.service.web",
}
"""Need Flask, which a package that workers import must not."""


def is_package(module: str) -> bool:
    return (ROOT / module.replace(".", "/") / "__init__.py").exists()


def test_what_lies_outside_imports_packages_of_core() -> None:
    """Where in a package a name lives is the package's own matter."""
    wrong = []
    for path in OUTSIDE:
        nodes = ast.walk(ast.parse(path.read_text()))
        found = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
        deep = {m for m in found if m.startswith("core.") and m.count(".") > 1 and not is_package(m)} - DEEP
        wrong += [f"{name(path)} imports {module}" for module in sorted(deep)]
    assert not wrong


def docstring_lines(function: ast.FunctionDef) -> int:
    """How long the documentation of a function is: parameters and examples do not make it hard to read."""
    return len((ast.get_docstring(function, clean=False) or "").splitlines())


def test_files_and_functions_are_short() -> None:
    lengths = {}
    for path in (p for p in sources() if p.is_relative_to(ROOT / "core")):
        text = path.read_text()
        lengths[name(path)] = len(text.splitlines())
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                kernel = any(
                    "njit" in ast.unparse(d) or "compiled" in ast.unparse(d) for d in node.decorator_list
                )
                length = (node.end_lineno or 0) - node.lineno + 1 - docstring_lines(node)
                assert kernel or length <= 50, f"{name(path)}: {node.name} has {length} lines"
    assert max(lengths.values()) <= 300, max(lengths, key=lambda path: lengths[path])
    assert median(lengths.values()) < 150


def test_no_word_of_core_has_two_meanings() -> None:
    """A public class or function has one home: its name means one thing wherever it is read."""
    homes: dict[str, list[str]] = {}
    for path in (p for p in sources() if p.is_relative_to(ROOT / "core")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(name(path))
    homes.pop("main", None)  # of the programs
    assert {word: places for word, places in homes.items() if len(places) > 1} == {}


def is_numbering(value: ast.expr) -> bool:
    """Whether names are given to 0, 1, 2, ...: to the rows of an array, each layout with its own."""
    if isinstance(value, ast.Tuple):
        numbers = [entry.value for entry in value.elts if isinstance(entry, ast.Constant)]
        return numbers == list(range(len(value.elts)))
    return isinstance(value, ast.Call) and ast.unparse(value.func) == "range"


def test_no_constant_of_core_has_two_meanings() -> None:
    """The same of the constants of the numerics; METHOD is what each method calls its class."""
    homes: dict[str, list[str]] = {}
    numbered: dict[str, list[str]] = {}
    for path in (p for p in sources() if p.is_relative_to(ROOT / "core")):
        if path.is_relative_to(ROOT / "core/service"):
            continue
        for node in ast.parse(path.read_text()).body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            if isinstance(node, ast.AnnAssign):
                targets = [node.target]
            for name_node in (each for target in targets for each in ast.walk(target)):
                if isinstance(name_node, ast.Name) and re.fullmatch("[A-Z][A-Z0-9_]*", name_node.id):
                    assert isinstance(node, ast.Assign | ast.AnnAssign)
                    is_row = node.value is not None and is_numbering(node.value)
                    (numbered if is_row else homes).setdefault(name_node.id, []).append(name(path))
    homes.pop("METHOD")
    both = {word: places + numbered.get(word, []) for word, places in homes.items()}
    assert {word: places for word, places in both.items() if len(places) > 1} == {}


@pytest.mark.parametrize("folder", ["core/methods", "core/rivals", "components/panels"])
def test_siblings_do_not_know_each_other(folder: str) -> None:
    package = folder.replace("/", ".")
    for path in sorted((ROOT / folder).glob("*.py")):
        if path.stem in SHARED | {"__init__"}:
            continue
        siblings = {m.split(".")[2] for m in imported_modules(path) if m.startswith(package + ".")}
        known = SHARED | BUILDS_ON.get(path.stem, set())
        assert siblings <= known, f"{name(path)} imports {sorted(siblings - known)}"


def test_one_file_and_one_line_for_each_method() -> None:
    for package in ("methods", "rivals"):
        own = {key for key, method in METHODS.items() if method.__module__.split(".")[1] == package}
        folder = (ROOT / "core" / package).iterdir()
        places = {p.stem for p in folder if p.suffix == ".py" or (p / "__init__.py").exists()}
        assert places - SHARED - {"__init__"} == own
    for key, method in METHODS.items():
        assert key == method.name
        assert method.__module__.split(".")[2] == key


def test_one_file_and_one_line_for_each_panel() -> None:
    files = {p.stem for p in (ROOT / "components/panels").glob("*.py")} - SHARED - {"__init__"}
    assert files == set(PANELS)
    for key, panel in PANELS.items():
        assert key == panel.name


@pytest.mark.parametrize(
    ("suite", "registry"),
    [
        ("tests/core/methods/test_contract.py", "METHODS"),
        ("tests/components/test_panels.py", "PANELS"),
        ("tests/core/problem/test_gallery.py", "TARGETS"),
    ],
)
def test_contract_suites_run_over_the_registry(suite: str, registry: str) -> None:
    """A suite parametrised over the registry itself cannot forget an entry."""
    tree = ast.parse((ROOT / suite).read_text())
    parametrised = [
        ast.unparse(decorator)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        if "parametrize" in ast.unparse(decorator)
    ]
    assert any(registry in text for text in parametrised), f"{suite} is not parametrised over {registry}"


def test_core_imports_itself_relatively() -> None:
    """Installed, the package has another name (`.ci/relative-imports` rewrites what a merge brings back)."""
    absolute = re.compile(r"^\s*(?:from core[. ]|import core\b)", re.MULTILINE)
    wrong = [name(p) for p in SOURCES if name(p).startswith("core") and absolute.search(p.read_text())]
    assert not wrong, f"{wrong} import core by name"
