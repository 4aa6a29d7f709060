"""What a run waits for while its kernels are compiled."""

from pathlib import Path

import pytest

from core import kernel_cache
from core.config.run_config import RunConfig
from core.service.workers import kernels
from core.service.workers.kernels import COMPILING, awaited, note_compiled
from tests.service.services import ALICE, at_once

CONFIG = RunConfig.from_query("epochs=100&target=five")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where kernels are kept, empty as after an installation."""
    monkeypatch.setattr(kernel_cache, "CACHE_DIR", tmp_path / "kernels")
    (tmp_path / "kernels").mkdir()
    return tmp_path / "kernels"


@pytest.mark.usefixtures("place")
def test_the_first_run_of_a_method_waits_for_its_kernels_and_the_next_does_not() -> None:
    assert awaited("target=five", placed=0.0) == COMPILING
    note_compiled("gd")
    assert awaited("target=five", placed=0.0) == "" and awaited("method=adam", placed=0.0) == COMPILING


@pytest.mark.usefixtures("place")
def test_nothing_is_said_at_once_nor_where_kernels_have_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    assert awaited("target=five", placed=4e9) == ""
    monkeypatch.setattr(kernel_cache, "CACHE_DIR", None)
    note_compiled("gd")
    assert awaited("target=five", placed=0.0) == ""


def test_a_run_says_what_it_waits_for_until_it_is_computed(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "LOADED_AFTER", -1.0)
    service, scheduler, _ = at_once(tmp_path / "home")
    scheduler.holding = True
    info, _ = service.submit(CONFIG, ALICE)
    assert (info.status, info.reason) == ("queued", COMPILING)
    scheduler.holding = False
    other, _ = service.submit(RunConfig.from_query("epochs=200&target=five&seed=2"), ALICE)
    assert other.status == "finished" and other.reason != COMPILING and (place / "gd.compiled").exists()
    waiting = service.info(info.id)
    assert waiting is not None and waiting.reason == ""
    service.close()
