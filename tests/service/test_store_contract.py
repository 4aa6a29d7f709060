"""What every store promises."""

from dataclasses import asdict, replace

import numpy as np
import orjson
import pytest

from core.limits import LIMITS
from core.service.files.uploads import LEAST_BYTES
from core.service.records import frame_index
from core.service.store import Checkpoint, ClaimedError, Order, RunState, Store, StoreError
from tests.service.samples import RUN, order, payloads


def checkpoint(frames: int) -> Checkpoint:
    return Checkpoint({"b": np.arange(frames, dtype=np.float64), "epoch": np.array(float(frames))}, frames)


def test_an_unknown_run_is_unknown(store: Store) -> None:
    assert store.order(RUN) is None
    assert store.state(RUN) == RunState()
    assert store.count(RUN) == 0 and store.payloads(RUN, 0, 10) == []
    assert store.runs() == [] and store.sizes() == {}
    with pytest.raises(StoreError):
        store.claim(RUN)


@pytest.mark.parametrize(
    "name", ["", "..", "../" * 10 + "ab", RUN.upper(), RUN + "0", RUN[:-1] + "/", RUN + "\n"]
)
def test_only_names_are_names(store: Store, name: str) -> None:
    with pytest.raises(StoreError):
        store.place(name, order())


def test_orders_and_states_come_back(store: Store) -> None:
    store.place(RUN, order())
    assert store.order(RUN) == order() and store.runs() == [RUN]
    longer = order(epochs=1e6)
    store.place(RUN, longer)
    assert store.order(RUN) == longer
    state = RunState(
        status="failed", reason="Straße → ∞", loss=0.1, epoch=1e9, frames=3, deaths=2, updated=5.0
    )
    with store.claim(RUN) as claim:
        claim.write(state)
        assert store.state(RUN) == state


def of_another_version(monkeypatch: pytest.MonkeyPatch, **more: object) -> None:
    """From now on orders and states are written with a key more, and without those that are None here."""

    def written(document: Order | RunState) -> bytes:
        fields = asdict(document) | more
        return orjson.dumps({name: value for name, value in fields.items() if value is not None})

    for module in ("files.file_store", "files.file_claim", "cluster.redis_store", "cluster.redis_claim"):
        monkeypatch.setattr(f"core.service.{module}.to_json", written)


def test_what_a_later_version_adds_is_passed_over(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    of_another_version(monkeypatch, later=1)
    store.place(RUN, order())
    state = RunState(status="finished", loss=0.5)
    with store.claim(RUN) as claim:
        claim.write(state)
    assert store.order(RUN) == order() and store.state(RUN) == state


def test_an_order_that_lacks_something_is_an_unknown_run_or_an_error(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_another_version(monkeypatch, query=None)
    store.place(RUN, order())
    try:
        assert store.order(RUN) is None
    except StoreError as error:
        assert "damaged" in str(error)


def test_frames_are_seen_as_soon_as_they_are_appended(store: Store) -> None:
    store.place(RUN, order())
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
    store.place(RUN, order())
    written = payloads(0, 5)
    with store.claim(RUN) as claim:
        claim.append(written[:2])
        for wrong in (written[1:3], written[3:4], [written[2], written[2]]):
            with pytest.raises(ValueError, match="does not follow"):
                claim.append(wrong)
    assert [frame_index(payload) for payload in store.payloads(RUN, 0, 9)] == [0, 1]


def test_there_is_one_writer(store: Store) -> None:
    store.place(RUN, order())
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
            claim.write(RunState(status="finished"))
        with pytest.raises(ClaimedError):
            claim.save(checkpoint(1))
        with pytest.raises(ClaimedError):
            claim.clear()
        second.append(payloads(1, 2))
    assert store.payloads(RUN, 0, 9) == payloads(0, 2) and store.state(RUN) == RunState()


def test_the_last_two_checkpoints_are_kept_newest_first(store: Store) -> None:
    store.place(RUN, order())
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


def test_a_cleared_run_starts_from_nothing(store: Store) -> None:
    store.place(RUN, order())
    with store.claim(RUN) as claim:
        claim.append(payloads(0, 4))
        claim.save(checkpoint(2))
        claim.clear()
        assert claim.frames == 0 and claim.checkpoints() == [] and store.count(RUN) == 0
        claim.append(payloads(0, 1))
    assert store.payloads(RUN, 0, 9) == payloads(0, 1)


def test_a_deleted_run_is_gone_and_can_come_back(store: Store) -> None:
    store.place(RUN, order())
    with store.claim(RUN) as claim:
        claim.append(payloads(0, 4))
        claim.write(RunState(status="finished"))
    store.delete(RUN)
    assert store.order(RUN) is None and store.runs() == [] and store.count(RUN) == 0 and store.sizes() == {}
    store.place(RUN, order())
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
    store.place(RUN, order(f"data=@{held}&epochs=1e3"))
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
