"""The texts that share a moment."""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from components.common.view import split_query
from components.pages.lab.callbacks.share import reach, share_texts

MINE = "0" * 32
ROOT = Path(__file__).resolve().parents[2]

ADDRESS = "http://lab.example/?epochs=50&method=gd,anls&at=7"
TOLD = {
    "address": ADDRESS,
    "query": "epochs=50&method=gd,anls&at=7&panels=loss,fit&present=1&stages=1&follow=0123456789abcdef",
    "sentence": "It rests.",
    "runs": ["epochs=50", "epochs=50&method=anls"],
}


def source(code: str) -> str:
    found = re.search(r'src="([^"]*)"', code)
    assert found is not None
    return unescape(found[1])


def test_the_text_names_methods_target_and_moment() -> None:
    texts = share_texts(TOLD)
    assert texts["link"] == ADDRESS
    assert texts["text"] == f"GD and ANLS on sin πx, width 10. It rests.\n{ADDRESS}"
    assert share_texts({**TOLD, "query": "data=0:1;1:2"})["text"].startswith("GD on own data")


@pytest.mark.slow
def test_the_python_code_runs_where_it_says_and_plots(tmp_path: Path) -> None:
    code = share_texts(
        {**TOLD, "runs": [f"epochs=50&data=@{MINE}", "epochs=50&method=anls"]}, {MINE: "0,1\n1,2\n"}
    )["python"]
    code = code.replace('"plateau.html"', repr(str(tmp_path / "plateau.html")))
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert re.match(r"GD: loss \S+ at epoch 50, stage \d+, epochs=50&data=@0+\nANLS: loss ", done.stdout)
    assert "mean squared loss" in (tmp_path / "plateau.html").read_text("utf-8")


def test_a_link_that_others_cannot_open_says_so() -> None:
    assert not reach(ADDRESS)
    for host in ("127.0.0.1:8050", "localhost", "[::1]:80"):
        assert "--host 0.0.0.0" in reach(f"http://{host}/?x=1")


def test_the_embedded_page_shows_the_panels_and_the_moment_alone() -> None:
    code = share_texts(TOLD)["embed"]
    config, view = split_query(source(code).partition("?")[2])
    assert config == "epochs=50&method=gd,anls" and view.embed and view.at == 7
    assert view.panels == ("loss", "fit") and 'height="480"' in code
    assert not (view.stages or view.present or view.follow)


def test_one_panel_can_be_embedded_alone() -> None:
    code = share_texts({**TOLD, "panel": "biases"})["embed"]
    assert split_query(source(code).partition("?")[2])[1].panels == ("biases",) and 'height="360"' in code
    unknown = share_texts({**TOLD, "panel": '"><script>', "address": 'http://x/"><script>?'})["embed"]
    assert "<script" not in unknown and split_query(source(unknown).partition("?")[2])[1].panels == (
        "loss",
        "fit",
    )
