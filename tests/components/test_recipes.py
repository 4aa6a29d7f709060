"""The recipes of CONTRIBUTING.md, followed in a copy of the sources.

A setting, a panel from columns, a panel in Python, a method and a page are one declaration or one file and at
most one line each; the page, the link and the run have them, and nothing of the browser's half is touched.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest

from components.common.view import split_query
from components.pages.lessons.folder import LessonFolder
from components.pages.lessons.parser import shown_queries
from core.config.run_config import RunConfig, race_from_query

ROOT = Path(__file__).resolve().parents[2]
RECIPES = Path(__file__).parent / "recipes"
SUITES = (
    *("components/test_controls.py", "components/test_layout.py", "components/test_pages.py"),
    *(
        "components/test_lab_fixtures.py::test_the_fixture_is_what_the_core_says[panels]",
        "test_architecture.py",
    ),
    *(
        "components/test_panels.py",
        "components/test_study.py::test_every_method_has_its_line_in_the_studies_of_all_methods",
    ),
)
"""What knows of settings, panels, pages and methods, and asks for no long run."""
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
REGISTRIES = {
    "dead": "components/panels",
    "phase": "components/panels",
    "spread": "components/panels",
    "sign": "core/rivals",
}
MOVED = '''def _moved(data: TrainingData, outlier: float) -> TrainingData:
    """The data with another middle point."""
    return replace(data, y=data.y + outlier * (np.arange(data.m) == data.m // 2))
'''
"""What the setting does to the data, of which no declaration can know."""
FIELD = """FieldSpec(
    "outlier",
    "float",
    0.0,
    "Outlier",
    "δ",
    "How far the middle point is moved up or down: a single wrong measurement.",
    "Data",
    low=-100.0,
    high=100.0,
    later=True,
    changed_data=_moved,
),
"""


def _change(path: Path, old: str, new: str) -> None:
    source = path.read_text("utf-8")
    assert source.count(old) == 1, f"{old!r} in {path.name}"
    path.write_text(source.replace(old, new), "utf-8")


def _follow(copy: Path) -> None:
    """Add a setting, three panels, a method and a page."""
    field = '    FieldSpec(\n        "domain",'
    fields = copy / "core/config/fields.py"
    _change(fields, field, indent(FIELD, "    ") + field)
    _change(fields, "PROBLEM_FIELDS = (\n", f"{MOVED}\n\nPROBLEM_FIELDS = (\n")
    _change(fields, "from typing import Any\n", "from typing import Any\n\nimport numpy as np\n")
    _change(
        copy / "core/config/run_config.py", "    domain: Domain\n", "    domain: Domain\n    outlier: float\n"
    )
    shutil.copy(RECIPES / "about.py", copy / "components/pages")
    for name, registry in REGISTRIES.items():
        shutil.copy(RECIPES / f"{name}.py", copy / registry)
        _change(copy / registry / "__init__.py", "_NAMES = (\n", f'_NAMES = (\n    "{name}",\n')


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources with the newcomers."""
    copy = tmp_path_factory.mktemp("recipes")
    leave = shutil.ignore_patterns("__pycache__", "node_modules")
    copied = ("core", "components", "tests")
    for name in copied:
        shutil.copytree(ROOT / name, copy / name, ignore=leave)
    for path in ROOT.iterdir():
        if path.name not in copied and not path.name.startswith("."):
            (copy / path.name).symlink_to(path)
    _follow(copy)
    return copy


def _run(copy: Path, *command: str | Path) -> str:
    """What Python prints there; its kernels are not worth compiling."""
    environment = {**os.environ, "PYTHONPATH": str(copy), "NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run(
        [sys.executable, *command], cwd=copy, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, (ran.stdout + ran.stderr)[-5000:]
    return ran.stdout


@pytest.fixture(scope="module")
def told(copy: Path) -> dict[str, Any]:
    """What the app with the newcomers says of itself."""
    found: dict[str, Any] = json.loads(_run(copy, RECIPES / "look.py", copy / "home").splitlines()[-1])
    return found


@pytest.mark.slow
def test_the_other_tests_accept_the_newcomers(copy: Path) -> None:
    _run(
        copy,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow",
        *(f"tests/{suite}" for suite in SUITES),
    )


def test_the_page_has_their_controls_and_places(told: dict[str, Any]) -> None:
    assert told["controls"] == ["outlier", "sign", "dead", "phase", "spread"]
    assert "dead" in told["panels"], "the browser fills it"


def test_the_link_knows_the_setting(told: dict[str, Any]) -> None:
    assert told["query"] == "epochs=20&method=sign&outlier=0.5&width=3"
    assert told["refusal"] == "outlier: '500' is not allowed; allowed are numbers from -100 to 100"
    assert told["moved"] == pytest.approx(0.5)


def test_runs_keep_their_names(told: dict[str, Any]) -> None:
    assert told["run_id"] == RunConfig.from_query("").run_id


def test_the_method_trains_and_the_panel_in_python_draws_it(told: dict[str, Any]) -> None:
    assert told["epochs"][-1] == 20
    assert told["losses"][-1] < told["losses"][0]
    assert told["portrait"] == [len(told["epochs"]) + 1, 1]


def test_the_panel_with_a_callback_draws_the_shown_moment(told: dict[str, Any]) -> None:
    spread = told["spread"]
    assert spread["kind"] == "histogram"
    assert spread["larger"] == 1.5, "in present mode"
    assert spread["gone"] == 204, "a moment that the server does not have leaves the picture as it is"
    assert spread["failed"] == {
        "asked": 2,
        "error": "This panel could not be drawn. The server's log says why.",
    }


def test_the_page_is_listed_shown_and_answers(told: dict[str, Any]) -> None:
    page = told["page"]
    assert page["listed"], "in the navigation of every page"
    assert page["status"] == 200
    assert page["title"] == "About · Plateau Lab"
    assert page["said"] == "10 runs in at most 5 bins"
    assert not page["slim"], "so that Dash loads the whole Plotly, which knows every kind of trace"


def test_the_lesson_is_read_and_its_steps_open(tmp_path: Path) -> None:
    shutil.copy(RECIPES / "waves.md", tmp_path)
    folder = LessonFolder(tmp_path)
    assert (folder.errors, list(folder.lessons())) == ((), ["waves"])
    for query in shown_queries(folder.lessons()["waves"]):
        assert race_from_query(split_query(query)[0])


@pytest.mark.parametrize("name", ["about.py", "dead.py", "run_choice.py", "spread.py", "waves.md"])
def test_contributing_shows_the_files_that_are_followed_here(name: str) -> None:
    assert (RECIPES / name).read_text("utf-8").rstrip() in CONTRIBUTING


def test_contributing_shows_the_setting_and_the_method() -> None:
    assert FIELD.rstrip(",\n") in CONTRIBUTING and MOVED in CONTRIBUTING
    method = (RECIPES / "sign.py").read_text("utf-8")
    begin, end = method.index("@dataclass"), method.index("    def init")
    assert indent(method[begin:end].rstrip(), "   ") in CONTRIBUTING
    assert "(tests/components/recipes/sign.py)" in CONTRIBUTING
