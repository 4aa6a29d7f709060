"""The documentation: its site builds without a broken link, its notebooks execute, the app serves it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask

from core.service.documentation import MISSING, documentation_routes

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "docs/tutorials").glob("*.ipynb"))


@pytest.mark.slow
def test_the_site_builds_without_a_broken_link_and_asks_no_other_server(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for page in tmp_path.rglob("*.html"):
        loaded = re.findall(r"<(?:script|link|img)[^>]*(?:src|href)=\"(https?://[^\"]+)\"", page.read_text())
        assert not loaded, f"{page.name} loads {loaded}"


def test_the_app_serves_it(tmp_path: Path) -> None:
    server = Flask(__name__)
    server.register_blueprint(documentation_routes(tmp_path))
    (tmp_path / "index.html").write_text("<h1>Start</h1>")
    client = server.test_client()
    assert client.get("/docs").headers["Location"] == "/docs/index.html"
    assert client.get("/docs/", buffered=True).data == b"<h1>Start</h1>"
    assert client.get("/docs/../app.py").status_code == 404


def test_where_it_is_not_built_its_pages_are_shown_as_they_are_written(tmp_path: Path) -> None:
    bare = Flask("bare")
    bare.register_blueprint(documentation_routes(tmp_path / "none"))
    client = bare.test_client()
    answer = client.get("/docs/reference/http.html", buffered=True)
    assert answer.text == (ROOT / "docs/reference/http.md").read_text()
    assert answer.mimetype == "text/plain" and client.get("/docs/", buffered=True).text.startswith("# Start")
    too_long = f"/docs/{'x' * 5_000}.html"
    for missing in ("/docs/no.html", "/docs/../README.html", "/docs/tutorials/many_runs.html", too_long):
        assert client.get(missing).status_code == 404, missing
    assert client.get("/docs/no.html").text == MISSING


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_executes(path: Path) -> None:
    """Cell by cell, pictures not drawn: that takes a browser. What it prints is what it ships with.

    Values of a cell's last line are not compared: a script shows none, and some of them hold seconds.
    """
    cells = json.loads(path.read_text())["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    quiet = "import plotly.graph_objects as go; go.Figure.show = lambda self: None\n"
    done = subprocess.run(
        [sys.executable, "-c", quiet + code], cwd=ROOT, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    kept = ["".join(output["text"]) for output in outputs if output.get("name") == "stdout"]
    assert done.stdout == "".join(kept), "make tutorials"


def test_each_of_the_seven_things_takes_ten_lines_at_most() -> None:
    cells = json.loads((ROOT / "docs/tutorials/seven_things_to_do.ipynb").read_text())["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    headings = [line for cell in cells for line in cell["source"] if line.startswith("## ")]
    assert len(code) == len(headings) == 7
    assert max(len([line for line in task.splitlines() if line.strip()]) for task in code) <= 10


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_ships_with_what_it_prints(path: Path) -> None:
    """`make tutorials` executes them."""
    cells = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "code"]
    assert all(cell["execution_count"] for cell in cells)
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert outputs and not [output for output in outputs if output["output_type"] == "error"]
