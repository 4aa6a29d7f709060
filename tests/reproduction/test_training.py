"""A run is computed once for all that is made of it, and a shorter one is cut out of a longer one."""

from pathlib import Path

import pytest

from core.config import RunConfig
from core.frames import Frame
from core.run import train
from reproduction import training
from reproduction.measures import Numbers
from reproduction.study_work import Entry, keep_record, record_of
from reproduction.training import frames_of, trained
from reproduction.work import Job, together

LONG = "target=f1&method={}&epochs=20000&seed=3"
SHORT = "target=f1&method={}&epochs=2000&seed=3"


def plain(frames: "list[Frame]") -> list[tuple[float, float, float, float, int, bytes, bytes]]:
    return [
        (f.epoch, f.loss, f.floor, f.prediction_error, f.stage, f.b.tobytes(), f.c.tobytes()) for f in frames
    ]


@pytest.mark.parametrize("method", ["gd", "adam", "flow", "ls_adam", "anls"])
def test_a_shorter_run_is_cut_out_of_a_longer_one(method: str) -> None:
    short = RunConfig.from_query(SHORT.format(method))
    trained(RunConfig.from_query(LONG.format(method)))
    assert plain(list(frames_of(short))) == plain(list(train(short)))


def test_a_budget_between_frames_is_trained_anew() -> None:
    between = RunConfig.from_query("target=f1&method=gd&epochs=1234&seed=3")
    trained(RunConfig.from_query(LONG.format("gd")))
    assert frames_of(between)[-1].epoch == 1234


def test_a_run_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    config = RunConfig.from_query(SHORT.format("gd"))
    first = trained(config)
    monkeypatch.setattr(training, "Training", None)
    assert trained(RunConfig.from_query(SHORT.format("gd"))) is first
    assert frames_of(config) is first.frames


def test_a_study_finds_the_run_of_a_sample(tmp_path: Path) -> None:
    config = RunConfig.from_query(SHORT.format("adam"))
    alone = record_of(4, config)
    training._last.clear()
    frames_of(config)
    entry = Entry(4, config.to_query(), tmp_path / "study" / "4.record")
    assert keep_record(entry) == {}
    assert entry.path.read_bytes() == alone


def nothing(_: None) -> Numbers:
    return {}


def test_pieces_of_a_run_stand_together_and_the_dearest_run_comes_first() -> None:
    jobs = [
        Job("short", "", 1.0, nothing, None, run="a", length=1e7),
        Job("other", "", 5.0, nothing, None, run="b", length=1e6),
        Job("long", "", 30.0, nothing, None, run="a", length=1e8),
        Job("alone", "", 2.0, nothing, None),
    ]
    assert [[job.name for job in group] for group in together(jobs)] == [
        ["long", "short"],
        ["other"],
        ["alone"],
    ]
