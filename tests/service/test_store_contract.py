"""What every store promises."""

from dataclasses import asdict, replace

import numpy as np
import orjson
import pytest

from core.limits import LIMITS
from core.service.files.file_store import FileStore
from core.service.files.uploads import LEAST_BYTES
from core.service.files.version_2 import take_over
from core.service.lifecycle import LateError, end_attempt, start_attempt, stop, submit
from core.service.records import DOCUMENT, encode_frame, frame_index, frame_record
from core.service.run_record import Record, Request, RunState
from core.service.store import Checkpoint, ClaimedError, Store, StoreError
from tests.service.samples import RUN, frame, payloads, place, put, request, state_of


def checkpoint(frames: int) -> Checkpoint:
    return Checkpoint({"b": np.arange(frames, dtype=np.float64), "epoch": np.array(float(frames))}, frames)


def test_an_unknown_run_is_unknown(store: Store) -> None:
    assert store.record(RUN) is None
    assert store.count(RUN) == 0 and store.payloads(RUN, 0, 10) == []
    assert store.runs() == [] and store.sizes() == {}
    with pytest.raises(StoreError):
        store.claim(RUN)


@pytest.mark.parametrize(
    "name", ["", "..", "../" * 10 + "ab", RUN.upper(), RUN + "0", RUN[:-1] + "/", RUN + "\n"]
)
def test_only_names_are_names(store: Store, name: str) -> None:
    with pytest.raises(StoreError):
        place(store, name, request())


def test_a_record_comes_back_with_a_version_more_for_each_change(store: Store) -> None:
    place(store, RUN, request())
    first = store.record(RUN)
    assert first is not None and first.request == request() and first.version == 1 and store.runs() == [RUN]
    assert first.state.updated > 0
    place(store, RUN, request(epochs=1e6))
    state = RunState(status="failed", reason="Straße → ∞", loss=0.1, epoch=1e9, frames=3, deaths=2)
    put(store, RUN, state)
    found = FileStore(store.home).record(RUN) if isinstance(store, FileStore) else store.record(RUN)
    assert found is not None and found.request == request(epochs=1e6) and found.version == 3
    assert found.state == state.but(updated=found.state.updated)


def test_what_changes_nothing_is_not_written(store: Store) -> None:
    place(store, RUN, request())
    before = store.record(RUN)
    for unchanged in (lambda known: known, lambda _: None, lambda known: replace(known)):
        assert store.change(RUN, unchanged) == (before, before)
    assert store.record(RUN) == before
    assert store.change("f" * 32, lambda known: known) == (None, None) and store.runs() == [RUN]


def test_what_a_transition_raises_leaves_the_record_alone(store: Store) -> None:
    def refused(_: Record | None) -> Record | None:
        raise PermissionError("not you")

    place(store, RUN, request())
    before = store.record(RUN)
    with pytest.raises(PermissionError):
        store.change(RUN, refused)
    place(store, RUN, request(epochs=2e3))
    assert before is not None and store.record(RUN) != before, "and holds up nobody"


def test_the_claim_changes_the_record_too_and_an_attempt_that_is_over_does_not(store: Store) -> None:
    place(store, RUN, request())
    with store.claim(RUN) as claim:
        assert claim.change(start_attempt).status == "running"
        store.change(RUN, lambda known: stop(known) if known else None)
        ended = claim.change(lambda known: end_attempt(known, 1, RunState("running", epoch=3.0)))
        assert ended.status == "stopped" and ended == store.record(RUN)
        store.change(RUN, lambda known: submit(known, request(epochs=2e3)))
        with pytest.raises(LateError):
            claim.change(lambda known: end_attempt(known, 1, RunState("running")))
    assert state_of(store, RUN).status == "queued" and state_of(store, RUN).attempt == 2


def kept_by_version_2(store: Store, order: dict[str, object], state: dict[str, object] | None) -> None:
    """A run as version 2 has left it, and taken over."""
    documents = {"order": order} | ({"state": state} if state else {})
    for name, document in documents.items():
        record = frame_record(DOCUMENT, orjson.dumps(document))
        if isinstance(store, FileStore):
            folder = store.home / "runs" / RUN
            folder.mkdir(exist_ok=True)
            (folder / f"{name}.rec").write_bytes(record)
            (store.home / "open").mkdir(exist_ok=True)
        else:
            store.client.set(f"plateau:run:{RUN}:{name}", record)  # type: ignore[attr-defined]
            store.client.sadd("plateau:runs", RUN)  # type: ignore[attr-defined]
    if isinstance(store, FileStore):
        take_over(store)


OLD_STATE: dict[str, object] = {
    "status": "finished",
    "reason": "Done.",
    "outcome": "budget",
    "epochs": 1e3,
    "epoch": 1e3,
    "loss": 0.5,
    "frames": 0,
    "seconds": 2.0,
    "deaths": 1,
    "spoilt": True,
    "updated": 7.0,
}


@pytest.mark.parametrize(
    ("wanted", "epochs", "state", "status"),
    [
        ("run", 1e3, None, "queued"),
        ("stop", 1e3, None, "stopped"),
        ("run", 1e3, OLD_STATE, "finished"),
        ("run", 5e3, OLD_STATE, "queued"),
        ("stop", 5e3, OLD_STATE, "finished"),
        ("run", 1e3, OLD_STATE | {"status": "running", "outcome": ""}, "running"),
        ("stop", 1e3, OLD_STATE | {"status": "running", "outcome": ""}, "stopped"),
        ("run", 1e3, OLD_STATE | {"status": "paused", "outcome": ""}, "paused"),
    ],
)
def test_runs_of_version_2_are_taken_over(
    store: Store, wanted: str, epochs: float, state: dict[str, object] | None, status: str
) -> None:
    asked = request(epochs=epochs)
    kept_by_version_2(store, asdict(asked) | {"wanted": wanted}, state)
    found = store.record(RUN)
    assert found is not None and found.request == asked and found.status == status and found.version == 0
    assert found.state.loss == (0.5 if state else None)
    # The end of a budget may be among the frames of version 2: what goes on begins anew.
    assert found.state.replay_mismatch == (isinstance(store, FileStore) or bool(state))
    assert store.runs() == [RUN]
    with store.claim(RUN) as claim:
        claim.append(payloads(0, 2))
    place(store, RUN, request(epochs=9e3))
    taken = store.record(RUN)
    assert taken is not None and taken.version == 1 and taken.status == status
    assert taken.request.epochs == 9e3
    # What version 2 has left is gone with the first change: it cannot come back when the record is damaged.
    if isinstance(store, FileStore):
        assert {path.name for path in (store.home / "runs" / RUN).iterdir()} == {"frames.rec"}
    else:
        assert not store.client.exists(f"plateau:run:{RUN}:order", f"plateau:run:{RUN}:state")  # type: ignore[attr-defined]


def of_another_version(monkeypatch: pytest.MonkeyPatch, **more: object) -> None:
    """From now on records are written with a key more in each part, and without those that are None here."""

    def part(fields: dict[str, object]) -> dict[str, object]:
        return {name: value for name, value in (fields | more).items() if value is not None}

    def written(document: Record | Request) -> bytes:
        fields = asdict(document)
        if isinstance(document, Record):
            fields |= {"request": part(fields["request"]), "state": part(fields["state"]), **more}
        return orjson.dumps(fields)

    for module in ("files.file_store", "cluster.redis_store"):
        monkeypatch.setattr(f"core.service.{module}.to_json", written)


def test_what_a_later_version_adds_is_passed_over(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    of_another_version(monkeypatch, later=1)
    place(store, RUN, request())
    put(store, RUN, RunState(status="finished", loss=0.5))
    found = store.record(RUN)
    assert found is not None and found.request == request() and found.state.loss == 0.5


def test_a_record_that_lacks_something_is_an_unknown_run_or_an_error(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_another_version(monkeypatch, query=None)
    place(store, RUN, request())
    try:
        assert store.record(RUN) is None
    except StoreError as error:
        assert "damaged" in str(error)


def test_frames_are_seen_as_soon_as_they_are_appended(store: Store) -> None:
    place(store, RUN, request())
    written = payloads(0, 12)
    with store.claim(RUN) as claim:
        assert claim.frames == 0
        for first, last in ((0, 1), (1, 1), (1, 5), (5, 12)):
            claim.append(written[first:last])
            assert claim.frames == store.count(RUN) == last
            assert store.payloads(RUN, 0, 99) == written[:last]
        assert claim.payload(7) == written[7]
    assert store.payloads(RUN, 3, 6) == written[3:6]
    assert store.payloads(RUN, -5, 2) == written[:2]
    assert store.payloads(RUN, 12, 20) == [] and store.payloads(RUN, 5, 5) == []
    assert store.sizes()[RUN][0] > sum(map(len, written))


def test_a_frame_is_neither_repeated_nor_left_out(store: Store) -> None:
    place(store, RUN, request())
    written = payloads(0, 5)
    with store.claim(RUN) as claim:
        claim.append(written[:2])
        for wrong in (written[1:3], written[3:4], [written[2], written[2]]):
            with pytest.raises(ValueError, match="does not follow"):
                claim.append(wrong)
    assert [frame_index(payload) for payload in store.payloads(RUN, 0, 9)] == [0, 1]


def test_there_is_one_writer(store: Store) -> None:
    place(store, RUN, request())
    with store.claim(RUN) as claim:
        with pytest.raises(ClaimedError):
            store.claim(RUN)
        with pytest.raises(ClaimedError):
            store.delete(RUN)
        claim.append(payloads(0, 1))
    with store.claim(RUN) as second:
        assert second.frames == 1
        with pytest.raises(ClaimedError):
            claim.append(payloads(1, 2))
        with pytest.raises(ClaimedError):
            claim.change(start_attempt)
        with pytest.raises(ClaimedError):
            claim.save(checkpoint(1))
        with pytest.raises(ClaimedError):
            claim.clear()
        second.append(payloads(1, 2))
    assert store.payloads(RUN, 0, 9) == payloads(0, 2)
    assert state_of(store, RUN).status == "queued"


def test_the_last_two_checkpoints_are_kept_newest_first(store: Store) -> None:
    place(store, RUN, request())
    with store.claim(RUN) as claim:
        assert claim.checkpoints() == []
        claim.append(payloads(0, 4))
        for frames in (1, 2, 3):
            claim.save(checkpoint(frames))
        claim.save(checkpoint(9))
    with store.claim(RUN) as claim:
        # One that is ahead of the frames cannot be gone on from.
        (kept,) = claim.checkpoints()
        assert kept.frames == 3
        assert np.array_equal(kept.arrays["b"], [0.0, 1.0, 2.0]) and kept.arrays["epoch"].shape == ()
        claim.save(checkpoint(4))
        claim.save(checkpoint(4))
        assert [each.frames for each in claim.checkpoints()] == [4, 4]


def test_the_present_frame_counts_until_the_next_one_is_there(store: Store) -> None:
    place(store, RUN, request())
    earlier, between = (encode_frame(replace(frame(4), epoch=epoch)) for epoch in (9.5, 10.5))
    (later,) = payloads(7, 8)
    assert store.present(RUN) is None
    with store.claim(RUN) as claim:
        claim.append(payloads(0, 4))
        claim.keep_present(earlier)
        assert store.present(RUN) == earlier and store.count(RUN) == 4
        claim.keep_present(between)
        assert store.present(RUN) == between
        claim.append(payloads(4, 7))
        assert store.present(RUN) is None
        claim.keep_present(later)
        assert store.present(RUN) == later
    with pytest.raises(ClaimedError):
        claim.keep_present(later)
    with store.claim(RUN) as claim:
        claim.clear()
        assert store.present(RUN) is None
        claim.append(payloads(0, 7))
        assert store.present(RUN) is None
    store.delete(RUN)
    assert store.present(RUN) is None


def test_a_cleared_run_starts_from_nothing(store: Store) -> None:
    place(store, RUN, request())
    with store.claim(RUN) as claim:
        claim.append(payloads(0, 4))
        claim.save(checkpoint(2))
        claim.clear()
        assert claim.frames == 0 and claim.checkpoints() == [] and store.count(RUN) == 0
        claim.append(payloads(0, 1))
    assert store.payloads(RUN, 0, 9) == payloads(0, 1)


def test_a_deleted_run_is_gone_and_can_come_back(store: Store) -> None:
    place(store, RUN, request())
    with store.claim(RUN) as claim:
        claim.append(payloads(0, 4))
    record = store.record(RUN)
    assert record is not None
    place(store, RUN, request(epochs=2e3))
    with pytest.raises(ClaimedError):
        store.delete(RUN, record.version)
    assert store.record(RUN) is not None, "somebody has asked for it in the meantime"
    store.delete(RUN, record.version + 1)
    assert store.record(RUN) is None and store.runs() == [] and store.count(RUN) == 0 and store.sizes() == {}
    place(store, RUN, request())
    with store.claim(RUN) as claim:
        assert claim.frames == 0
    store.delete("f" * 32)


def test_uploads_are_named_by_content(store: Store) -> None:
    name = store.datasets.keep("0,1\n1,2\n")
    assert store.datasets.keep("0,1\n1,2\n") == name != store.datasets.keep("0,1\n")
    assert store.datasets[name] == "0,1\n1,2\n" and len(store.datasets) == 2 and name in set(store.datasets)
    for wrong in ("0" * 32, "../secret", ""):
        with pytest.raises(KeyError):
            store.datasets[wrong]


def test_what_a_run_holds_stays_whatever_others_upload(store: Store) -> None:
    store.datasets._limits = replace(LIMITS, uploads_bytes=20 * LEAST_BYTES)  # type: ignore[attr-defined]
    held, loose = store.datasets.keep("0,1\n1,2\n"), store.datasets.keep("0,1\n")
    place(store, RUN, request(f"data=@{held}&epochs=1e3"))
    store.datasets.hold("f" * 32, f"data=%40{held}")
    flood = [store.datasets.keep(f"0,{number}\n") for number in range(2, 40)]
    assert held in store.datasets and loose not in store.datasets
    assert flood[-1] in store.datasets and len(store.datasets) <= 22
    store.datasets.discard(held)
    store.delete(RUN)
    store.datasets.discard(held)
    assert held in store.datasets, "a study holds it still"
    store.datasets.let_go("f" * 32)
    store.datasets.discard(held)
    assert held not in store.datasets
