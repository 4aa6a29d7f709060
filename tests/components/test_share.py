"""The texts that share a moment."""

import re
from html import unescape

from components.callbacks.share import share_texts
from components.view import split_query
from core.config.run_config import RunConfig
from core.run.train import train

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


def test_the_python_code_runs_the_same_runs() -> None:
    code = share_texts(TOLD)["python"]
    queries = re.findall(r'"(.*)"', code)
    assert queries == TOLD["runs"]
    assert [len(list(train(RunConfig.from_query(query)))) > 1 for query in queries] == [True, True]
    compile(code, "shared", "exec")


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
