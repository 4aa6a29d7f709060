"""A power cut after any step of anything that is acknowledged: nothing is lost, and nothing is damaged."""

import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from core.config.run_config import RunConfig
from core.service.files.browser_documents import DatabaseDocuments
from core.service.files.database import FILE, Database
from core.service.files.durable import make_folder, replace_file
from core.service.files.file_store import FileStore
from core.service.files.frame_file import FrameWriter
from core.service.files.run_history import RunHistory
from core.service.lifecycle import end_attempt, recover, start_attempt
from core.service.run_record import RunState
from core.service.settings import Settings
from core.service.store import Checkpoint
from core.service.studies.store import RequestedStudy, pack_record, record_place
from core.service.studies.table import DatabaseStudies
from tests.effort import cases
from tests.service.power import KEEPS, Disk, recording
from tests.service.samples import payloads, request_of, state_of
from tests.service.services import ALICE, at_once

RUN, OTHER = (RunConfig.from_query(f"target=five&method=gd&epochs=1000&seed={seed}") for seed in (1, 2))
STUDY, HOLDER, HANDLE = "ab" * 16, "cd" * 16, "0123abcd"
SEEDS = cases(1, of=10)
"""Of the cuts that keep some of what was not synced."""
Check = Callable[[Path], None]


class Scene:
    """A server's home, what was acknowledged there, and how each of it is found again."""

    def __init__(self, home: Path) -> None:
        self.disk = Disk(home)
        self.checks: dict[str, Check] = {}
        self.void: dict[str, str] = {}
        """What an acknowledgement is true until: the next change of the same thing has begun."""

    def acknowledge(self, label: str, check: Check) -> None:
        self.checks[label] = check
        self.disk.acknowledge(label)

    def retract(self, label: str) -> None:
        """From here on the old is as good as the new."""
        self.disk.acknowledge(f"not {label}")

    def standing(self, cut: int) -> list[str]:
        told = [step.label for step in self.disk.steps[:cut] if step.kind == "ack"]
        return [label for label in told if not label.startswith("not ") and f"not {label}" not in told]


def a_life(home: Path, scene: Scene) -> None:
    """Everything that the files of a server are used for, one after the other."""
    home.mkdir(exist_ok=True)
    settings = Settings(home=home, library=home / "library")
    secret = settings.with_secret().secret
    scene.acknowledge(
        "secret", lambda found: equal(replace(settings, home=found).with_secret().secret, secret)
    )
    service, scheduler, store = at_once(home, settings)
    scheduler.holding = True

    service.submit(RUN, ALICE)
    scene.acknowledge("submitted", lambda found: accepted(found, RUN, 1_000))
    service.submit(RUN.with_epochs(5_000), ALICE)
    scene.acknowledge("raised", lambda found: accepted(found, RUN, 5_000))

    with store.claim(RUN.run_id) as claim:
        claim.change(start_attempt)
        for first, last in ((0, 5), (5, 8), (8, 30)):
            claim.append(payloads(first, (first + last) // 2))
            claim.append(payloads((first + last) // 2, last))
            claim.save(Checkpoint({"state": np.arange(last)}, last))
            scene.acknowledge(f"{last} frames", partial(resumes, frames=last))
        claim.append(payloads(30, 33))
    with store.claim(RUN.run_id) as claim:  # another worker, after a death
        claim.change(recover)
        attempt = claim.change(start_attempt).state.attempt
        claim.append(payloads(claim.frames, 40))
        claim.save(Checkpoint({"state": np.arange(40)}, 40))
        done = RunState("finished", outcome="budget", epochs=5_000, frames=40)
        claim.change(lambda record: end_attempt(record, attempt, done))
        scene.acknowledge("finished", lambda found: finished(found, 40))

    service.submit(OTHER, ALICE)
    service.stop(OTHER.run_id, ALICE)
    scene.acknowledge("stopped", stopped)

    name, _ = service.upload("0,0\n0.5,1\n1,0\n", ALICE)
    scene.acknowledge("upload", lambda found: equal(name in FileStore(found).datasets, True))
    store.datasets.hold(HOLDER, f"data=@{name}")
    scene.acknowledge("held", lambda found: is_held(found, name))

    studies_of(home, scene)
    kept = RunHistory(DatabaseDocuments(Database(home)))
    kept.add(HANDLE, RUN.run_id, "seed=1")
    scene.acknowledge("history", lambda found: equal(history(found)[0], RUN.run_id))
    kept.change(HANDLE, RUN.run_id, name="the first", pinned=True)
    scene.acknowledge("history changed", lambda found: equal(history(found)[1], "the first"))
    kept.add(HANDLE, OTHER.run_id, "seed=2")
    scene.acknowledge("history added", lambda found: equal(history(found)[2], 2))

    for label in ("5 frames", "8 frames", "30 frames", "finished"):
        scene.retract(label)
    with store.claim(RUN.run_id) as claim:
        claim.clear()
        claim.append(payloads(0, 6))
        claim.save(Checkpoint({"state": np.arange(6)}, 6))
        scene.acknowledge("begun anew", lambda found: resumes(found, 6))
    scene.retract("stopped")
    store.delete(OTHER.run_id)
    scene.acknowledge("removed", lambda found: equal(FileStore(found).record(OTHER.run_id), None))


def studies_of(home: Path, scene: Scene) -> None:
    studies = DatabaseStudies(Database(home))
    order = RequestedStudy("seed=0..9", "starter", "alice", 1.0, 10, ("seed",), 1.5)
    studies.place(STUDY, order)
    scene.acknowledge("study", lambda found: equal(DatabaseStudies(Database(found)).request(STUDY), order))
    for portion in (range(4), range(4, 10)):
        for place in portion:
            studies.add(STUDY, pack_record(place, {"seed": place}, np.ones(3, dtype=np.float32)))
        studies.sync(STUDY)
        scene.acknowledge(f"rows to {portion[-1]}", partial(rows, last=portion[-1]))


def equal(found: object, expected: object) -> None:
    assert found == expected


def accepted(home: Path, config: RunConfig, epochs: float) -> None:
    """A start looks at the run, and finds what was asked for."""
    store = FileStore(home)
    assert request_of(store, config.run_id).epochs >= epochs
    if state_of(store, config.run_id).status in ("queued", "running"):
        assert config.run_id in store.unfinished()


def resumes(home: Path, frames: int) -> None:
    with FileStore(home).claim(RUN.run_id) as claim:
        found = claim.checkpoints()[0]
        assert frames <= found.frames <= claim.frames
        assert np.array_equal(found.arrays["state"], np.arange(found.frames))


def finished(home: Path, frames: int) -> None:
    store = FileStore(home)
    state = state_of(store, RUN.run_id)
    assert state.status == "finished" and state.frames == frames == store.count(RUN.run_id)


def stopped(home: Path) -> None:
    assert state_of(FileStore(home), OTHER.run_id).status == "stopped"


def is_held(home: Path, name: str) -> None:
    uploads = FileStore(home).datasets
    uploads.discard(name)
    assert name in uploads


def rows(home: Path, last: int) -> None:
    studies = DatabaseStudies(Database(home))
    assert studies.missing(STUDY, range(last + 1)) == []
    assert {record_place(record) for record in studies.records(STUDY, 0, 99)} >= set(range(last + 1))


def history(home: Path) -> tuple[str, str, int]:
    entries = RunHistory(DatabaseDocuments(Database(home))).entries(HANDLE)
    first = next(entry for entry in entries if entry.id == RUN.run_id)
    return first.id, first.name, len(entries)


def nothing_is_damaged(home: Path) -> None:
    """Whatever is there can be read, and is what was written."""
    store = FileStore(home)
    store.tidy()
    for run_id in store.runs():
        record = store.record(run_id)
        found = store.payloads(run_id, 0, 99)
        assert found == payloads(0, len(found))
        if record is not None:
            with store.claim(run_id) as claim:
                assert all(one.frames <= claim.frames for one in claim.checkpoints())


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    home = tmp_path_factory.mktemp("life") / "home"
    home.mkdir()
    made = Scene(home)
    with pytest.MonkeyPatch.context() as monkeypatch, recording(home, monkeypatch, FILE) as made.disk:
        a_life(home, made)
    return made


def losses(scene: Scene, folder: Path, ignore: Callable[[int], bool] = lambda _: False) -> list[str]:
    """What a cut after any step loses; `ignore` says which syncs the disk does not do."""
    disk = Disk(scene.disk.root, list(scene.disk.steps), _folders=scene.disk._folders)
    disk.steps = [step for n, step in enumerate(disk.steps) if not (step.kind == "fsync" and ignore(n))]
    told = Scene(disk.root)
    told.disk, told.checks = disk, scene.checks
    found, number = [], 0
    for cut in range(1, len(disk.steps) + 1):
        if cut < len(disk.steps) and disk.steps[cut].kind == "ack":
            continue
        for keep in KEEPS:
            for seed in range(SEEDS if keep == "some" else 1):
                number += 1
                home = folder / str(number)
                disk.after_cut(cut, keep, random.Random(1_000 * cut + seed), home)
                for label in ("", *told.standing(cut)):
                    check = told.checks[label] if label else nothing_is_damaged
                    try:
                        check(home)
                    except Exception as error:
                        found.append(f"{label or 'damaged'} (step {cut}, {keep}): {error!r}")
    print(f"\n{number} power cuts after {len(disk.steps)} steps: {len(found)} losses")
    return found


@pytest.mark.slow
def test_a_power_cut_after_any_step_loses_nothing_that_was_acknowledged(scene: Scene, tmp_path: Path) -> None:
    assert losses(scene, tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("what", ["files", "folders"])
def test_a_disk_that_does_not_sync_is_found_out(scene: Scene, tmp_path: Path, what: str) -> None:
    folders = scene.disk._folders
    steps = scene.disk.steps
    found = losses(scene, tmp_path, lambda n: (steps[n].node in folders) == (what == "folders"))
    # What the database has, SQLite syncs by itself.
    in_files = {"secret", "5 frames", "8 frames", "30 frames", "finished", "begun anew"}
    assert {loss.partition(" (")[0] for loss in found} >= in_files


OPERATIONS: dict[str, tuple[Callable[[Path], None], list[str]]] = {
    "replace a file": (
        lambda home: replace_file(home / "a", b"new"),
        ["link", "write", "fsync", "rename", "fsync folder"],
    ),
    "make folders": (
        lambda home: make_folder(home / "a" / "b"),
        ["mkdir", "fsync folder", "mkdir", "fsync folder"],
    ),
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_bytes_are_synced_before_names_and_names_before_it_is_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, operation: str
) -> None:
    do, expected = OPERATIONS[operation]
    with recording(tmp_path, monkeypatch) as disk:
        do(tmp_path)
    assert disk.kinds() == expected


def test_frames_are_synced_before_the_checkpoint_that_counts_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with recording(tmp_path, monkeypatch) as disk:
        writer = FrameWriter(tmp_path / "frames.rec", b"", 10**6)
        begun = len(disk.steps)
        writer.append(payloads(0, 2))
        writer.sync()
        writer.append(payloads(2, 3))
        writer.sync()
        writer.close()
    assert disk.kinds(begun) == ["write", "fsync", "fsync folder", "write", "fsync"]


def test_the_whole_drive_is_synced_where_the_system_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr("core.service.files.durable._WHOLE", 51)
    monkeypatch.setattr("core.service.files.durable.fcntl.fcntl", lambda _, what: asked.append(what))
    replace_file(tmp_path / "a", b"new")
    assert asked == [51, 51]
