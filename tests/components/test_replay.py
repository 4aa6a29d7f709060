"""The file to take away: complete, escaped, and bounded in size."""

import re
from dataclasses import replace

import orjson
import pytest

from components.pages.lab.replay import _json, _script, replay_page, run_answers, thinned
from core.config.run_config import RunConfig
from core.frames.frame import Frame
from core.run.train import train
from core.service.service import RunInfo
from core.service.workers.reading import Reader

CONFIG = RunConfig.from_query("epochs=2000&target=five&width=5")
FRAMES = list(train(CONFIG))
INFO = RunInfo(
    id=CONFIG.run_id,
    query=CONFIG.to_query(),
    status="running",
    reason="",
    outcome="",
    epoch=2000.0,
    loss=FRAMES[-1].loss,
    frames=len(FRAMES),
    epochs=2000.0,
    rate=1e6,
    seconds=0.1,
    position=None,
    watching=3,
    starter="nobody",
    placed=0.0,
)


class OneRun:
    """See Reader: one that has a single run."""

    def config(self, run_id: str) -> RunConfig | None:
        return CONFIG if run_id == INFO.id else None

    def frames(self, run_id: str) -> list[Frame]:
        return FRAMES if run_id == INFO.id else []


def page(run_id: str = INFO.id) -> str:
    reader: Reader = OneRun()  # type: ignore[assignment]
    return replay_page(
        reader, [replace(INFO, id=run_id)], styles="", link="http://127.0.0.1/?a=1&b=<", moment=7.0
    )


def test_it_holds_every_answer_that_the_player_asks_for() -> None:
    answers = run_answers(INFO, CONFIG, FRAMES)
    path = f"/api/runs/{INFO.id}"
    assert answers[path]["status"] == "finished"
    assert answers[f"{path}/frames"]["loss"] == [frame.loss for frame in FRAMES]
    assert len(answers[f"{path}/data"]["x"]) == 5
    assert len(answers[f"{path}/stages"]["stages"]) == len({frame.stage for frame in FRAMES})
    assert all(f"{path}/candidates?frame={frame.index}" in answers for frame in FRAMES)
    assert all(f"{path}/rates?stage={frame.stage}" in answers for frame in FRAMES)


def test_the_file_stands_alone() -> None:
    text = page()
    assert not re.search(r'<(script|link|img)[^>]+(src|href)="', text)
    assert text.count("<script") == text.count("</script>")
    found = re.search(r'<script type="application/json" id="replay-opening">(.*?)</script>', text, re.S)
    assert found and orjson.loads(found[1])["moment"] == 7.0
    assert "http://127.0.0.1/?a=1&amp;b=&lt;" in text


def test_an_unknown_run_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        page("0" * 32)


def test_no_text_ends_the_script_that_holds_it() -> None:
    hostile = "</script><script>alert(1)</script><!--"
    assert "<" not in _json({"query": hostile})
    assert orjson.loads(_json({"query": hostile})) == {"query": hostile}
    assert "</script" not in _script(f"'{hostile}'")


def test_thinning_keeps_every_stage_and_counts_anew() -> None:
    stages = {frame.stage for frame in FRAMES}
    most = len(stages) + 20
    kept = thinned(FRAMES, most)
    assert len(kept) <= most < len(FRAMES)
    assert {frame.stage for frame in kept} == stages
    assert [frame.index for frame in kept] == list(range(len(kept)))
    assert kept[-1].epoch == FRAMES[-1].epoch
    assert thinned(FRAMES, len(FRAMES)) == FRAMES


def test_thinning_is_bounded_even_when_there_are_too_many_stages() -> None:
    restless = [replace(frame, stage=frame.index) for frame in FRAMES]
    assert len(thinned(restless, 50)) == 50
