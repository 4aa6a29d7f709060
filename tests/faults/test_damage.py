"""Damaged and full disks: a prefix of the truth, or an error; never other numbers."""

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import core.service.lifecycle as lifecycle
from core.config.run_config import RunConfig
from core.limits import LIMITS
from core.service.files.file_store import FileStore
from core.service.run_record import RunState
from core.service.store import StorageFullError
from tests.service.samples import RUN, frame, payloads, place, put, request, state_of, timeless, truth
from tests.service.services import ALICE, at_once, compute
from tests.service.test_compute import Interruption

FRAMES = 12
Reading = list[bytes]


@pytest.fixture
def sample(tmp_path: Path) -> tuple[Path, bytes, Reading]:
    """A stored run: where, its bytes, its frames."""
    store = FileStore(tmp_path)
    place(store, RUN, request())
    written = payloads(0, FRAMES)
    with store.claim(RUN) as claim:
        claim.append(written)
    path = tmp_path / "runs" / RUN / "frames.rec"
    return path, path.read_bytes(), written


def read(home: Path) -> Reading:
    return FileStore(home).payloads(RUN, 0, 10**6)


def test_truncated_at_every_offset(sample: tuple[Path, bytes, Reading], tmp_path: Path) -> None:
    path, data, written = sample
    whole = 0
    for length in range(len(data) + 1):
        path.write_bytes(data[:length])
        found = read(tmp_path)
        assert found == written[: len(found)] and len(found) >= whole
        whole = len(found)
    print(f"\n{len(data) + 1} truncations: always a prefix")
    assert whole == FRAMES


def test_every_byte_flipped(sample: tuple[Path, bytes, Reading], tmp_path: Path) -> None:
    path, data, written = sample
    for position in range(len(data)):
        damaged = bytearray(data)
        damaged[position] ^= 0xFF
        path.write_bytes(damaged)
        found = read(tmp_path)
        assert found == written[: len(found)] and len(found) < FRAMES
    print(f"\n{len(data)} flipped bytes: none passed on")


def test_bytes_that_change_under_a_reader_are_not_passed_on(
    sample: tuple[Path, bytes, Reading], tmp_path: Path
) -> None:
    path, data, written = sample
    store = FileStore(tmp_path)
    assert store.count(RUN) == FRAMES
    damaged = bytearray(data)
    damaged[len(data) // 2] ^= 1
    path.write_bytes(damaged)
    found = store.payloads(RUN, 0, FRAMES)
    assert found == written[: len(found)] and len(found) < FRAMES


def test_a_writer_goes_on_behind_the_last_whole_record(
    sample: tuple[Path, bytes, Reading], tmp_path: Path
) -> None:
    path, data, written = sample
    for cut in (1, 10, 200, len(data) - 5):
        path.write_bytes(data[:-cut] + b"garbage" * (cut % 3))
        store = FileStore(tmp_path)
        with store.claim(RUN) as claim:
            claim.append(written[claim.frames :])
        assert store.payloads(RUN, 0, 99) == written == read(tmp_path)


def test_a_damaged_record_never_tells_other_numbers(tmp_path: Path) -> None:
    store = FileStore(tmp_path)
    place(store, RUN, request())
    state = RunState(status="finished", loss=0.125, epoch=7.0, frames=FRAMES)
    with store.claim(RUN) as claim:
        claim.append(payloads(0, FRAMES))
    put(store, RUN, state)
    path = tmp_path / "runs" / RUN / "record.rec"
    data = path.read_bytes()
    last = frame(FRAMES - 1)
    for position in range(len(data)):
        damaged = bytearray(data)
        damaged[position] ^= 0x41
        path.write_bytes(damaged)
        found = FileStore(tmp_path).record(RUN)
        assert found is not None and found.request == request()
        told = found.state
        assert (told.status, told.loss, told.epoch) == ("paused", last.loss, last.epoch)


def test_damaged_checkpoints_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["core.run.train"], "STEP_SECONDS", 0.0)  # interrupted after one call
    config = RunConfig.from_query("target=five&epochs=1000")
    store = FileStore(tmp_path)
    place(store, config.run_id, request())
    with store.claim(config.run_id) as claim:
        compute(store, claim, config.run_id, Interruption(1), LIMITS)
    for path in (tmp_path / "runs" / config.run_id).glob("checkpoint-*"):
        damaged = bytearray(path.read_bytes())
        damaged[len(damaged) // 2] ^= 1
        path.write_bytes(damaged)
    assert state_of(store, config.run_id).status == "queued"
    with store.claim(config.run_id) as claim:
        assert claim.checkpoints() == []
        assert compute(store, claim, config.run_id, Interruption(), LIMITS).status == "finished"
    assert [timeless(payload) for payload in store.payloads(config.run_id, 0, 10**6)] == truth(config)


def full_after(limit: int, write: Callable[[int, bytes], int]) -> Callable[[int, bytes], int]:
    """os.write on a disk with so many bytes left: first a short write, then an error."""
    left = [limit]

    def scarce(handle: int, data: bytes) -> int:
        if left[0] == 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done = write(handle, data[: left[0]])
        left[0] -= done
        return done

    return scarce


@pytest.mark.parametrize("room", [0, 1, 150, 700, 2_000, 10_000])
def test_a_full_disk_fails_the_run_and_keeps_whole_frames(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    service, _, store = at_once(tmp_path)
    healthy = RunConfig.from_query("target=five&epochs=1000&seed=2")
    service.submit(healthy, ALICE)
    unlucky = RunConfig.from_query("target=five&epochs=1000&seed=3")
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full_after(room, os.write))
        with pytest.raises(StorageFullError, match="No space"):
            service.submit(unlucky, ALICE)
    found = [timeless(payload) for payload in store.payloads(unlucky.run_id, 0, 10**6)]
    assert found == truth(unlucky)[: len(found)] and len(found) < len(truth(unlucky))
    assert [timeless(p) for p in store.payloads(healthy.run_id, 0, 10**6)] == truth(healthy)
    # With room again a start finds that no worker has it, and it can be completed.
    store.change(unlucky.run_id, lambda known: lifecycle.recover(known) if known else None)
    service.submit(unlucky, ALICE)
    assert [timeless(p) for p in store.payloads(unlucky.run_id, 0, 10**6)] == truth(unlucky)
