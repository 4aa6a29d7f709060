"""Shipped runs behind the store: there from the start, continued in the store, harmless when damaged."""

from pathlib import Path

import pytest

from core.config.run_config import RunConfig
from core.frames.frame import Frame
from core.run.train import Training, train
from core.service.files.file_store import FileStore
from core.service.files.library import StoreWithLibrary, read_volume, write_volume
from core.service.files.shipped import Shipped
from core.service.records import DamageError, encode_frame, same_frame
from core.service.run_record import Request, RunState
from core.service.store import Checkpoint
from tests.service.samples import place, request_of, state_of

QUERY = "target=f1&width=4&points=20&method=gd&epochs="


def ship(folder: Path, epochs: float = 1000.0) -> RunConfig:
    """Train a small run and put it into a library."""
    folder.mkdir(exist_ok=True)
    config = RunConfig.from_query(f"{QUERY}{epochs:g}")
    training = Training(config)
    frames: list[Frame] = []
    while training.outcome is None:
        frames += training.step()
    state = RunState(status="finished", outcome="budget", epochs=epochs, epoch=epochs, frames=len(frames))
    asked = Request(config.to_query(), epochs, "", "", 0.0)
    path = folder / f"{config.run_id}.xz"
    write_volume(path, asked, state, Checkpoint(training.checkpoint(), len(frames)), frames)
    return config


@pytest.fixture
def library(tmp_path: Path) -> Path:
    return tmp_path / "library"


def opened(tmp_path: Path, library: Path) -> tuple[StoreWithLibrary, FileStore]:
    own = FileStore(tmp_path / "home")
    return StoreWithLibrary(own, library), own


def test_a_shipped_run_looks_like_a_finished_one(tmp_path: Path, library: Path) -> None:
    config = ship(library)
    store, own = opened(tmp_path, library)
    frames = [encode_frame(frame) for frame in train(config)]
    assert state_of(store, config.run_id).status == "finished"
    assert store.count(config.run_id) == len(frames)
    read = store.payloads(config.run_id, 3, 7)
    assert all(same_frame(a, b) for a, b in zip(read, frames[3:7], strict=True))
    asked = request_of(store, config.run_id)
    assert RunConfig.from_query(asked.query).run_id == config.run_id
    assert own.runs() == store.runs() == []


def test_asking_for_more_copies_it_into_the_store_and_goes_on(tmp_path: Path, library: Path) -> None:
    config = ship(library)
    store, own = opened(tmp_path, library)
    longer = config.with_epochs(3000.0)
    place(store, config.run_id, Request(longer.to_query(), 3000.0, "me", "me", 1.0))
    assert own.runs() == [config.run_id]
    assert state_of(own, config.run_id).status == "finished"
    with own.claim(config.run_id) as claim:
        (checkpoint,) = claim.checkpoints()
        training = Training(longer, checkpoint.arrays)
        added: list[Frame] = []
        while training.outcome is None:
            added += training.step()
        claim.append([encode_frame(frame) for frame in added])
    # 1,000 is on the grid of frames: what was stored and what came after are one uninterrupted run.
    whole = [encode_frame(frame) for frame in train(longer)]
    stored = own.payloads(config.run_id, 0, own.count(config.run_id))
    assert len(stored) == len(whole)
    assert all(same_frame(a, b) for a, b in zip(stored, whole, strict=True))


def test_the_store_s_own_version_counts(tmp_path: Path, library: Path) -> None:
    config = ship(library)
    store, own = opened(tmp_path, library)
    place(own, config.run_id, Request(config.to_query(), 10.0, "me", "me", 1.0))
    assert store.count(config.run_id) == 0
    asked = request_of(store, config.run_id)
    assert asked.starter == "me"
    store.delete(config.run_id)
    assert store.count(config.run_id) > 0


def test_runs_that_nobody_ships_are_the_store_s(tmp_path: Path, library: Path) -> None:
    ship(library)
    store, _ = opened(tmp_path, library)
    assert store.record("0" * 32) is None
    assert store.count("0" * 32) == 0
    assert store.payloads("0" * 32, 0, 5) == []


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-20], lambda data: data[:0], lambda data: data[:60] + b"?" + data[61:]]
)
def test_a_damaged_volume_is_missing(tmp_path: Path, library: Path, damage: "object") -> None:
    config = ship(library)
    path = library / f"{config.run_id}.xz"
    path.write_bytes(damage(path.read_bytes()))  # type: ignore[operator]
    with pytest.raises(DamageError):
        read_volume(path)
    store, _ = opened(tmp_path, library)
    assert store.record(config.run_id) is None
    assert store.count(config.run_id) == 0


def test_other_files_and_no_folder_are_no_runs(tmp_path: Path, library: Path) -> None:
    assert len(Shipped(library, read_volume)) == 0
    library.mkdir()
    (library / "README.xz").write_bytes(b"x")
    assert len(Shipped(library, read_volume)) == 0
    assert "README" not in Shipped(library, read_volume)
    assert Shipped(library, read_volume).get("0" * 32) is None
