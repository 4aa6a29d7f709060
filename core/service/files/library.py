"""Runs that ship with the product: read-only, behind the store, there before any worker is.

A folder holds one file a run, `<run id>.xz`: the store's own records, compressed,

    HEADER      the order
    DOCUMENT    the state it ended in
    CHECKPOINT  from which a longer budget goes on
    FRAME ...

A run of the library looks like any other finished run. As soon as somebody asks
for more of it than there is, it is copied into the store and goes on from there;
from then on the store's version counts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from core.run.frames import Frame
from core.service.files.shipped import Shipped, read_records, write_records
from core.service.records import (
    CHECKPOINT,
    DOCUMENT,
    FRAME,
    HEADER,
    DamageError,
    decode_arrays,
    encode_arrays,
    encode_frame,
    frame_index,
    frame_record,
    join_frames,
)
from core.service.store import (
    Checkpoint,
    Claim,
    Order,
    RunState,
    Store,
    from_json,
    to_json,
)


@dataclass(frozen=True)
class Volume:
    """One shipped run."""

    order: Order
    state: RunState
    checkpoint: Checkpoint
    payloads: tuple[bytes, ...]


def write_volume(
    path: Path, order: Order, state: RunState, checkpoint: Checkpoint, frames: Iterable[Frame]
) -> None:
    """Put a finished run on the shelf."""
    write_records(
        path,
        (
            frame_record(HEADER, to_json(order)),
            frame_record(DOCUMENT, to_json(state)),
            encode_arrays(checkpoint.arrays, checkpoint.frames),
            join_frames([encode_frame(frame) for frame in frames]),
        ),
    )


def read_volume(path: Path) -> Volume:
    """A shipped run; DamageError when the file is not whole."""
    kinds, bodies = zip(*read_records(path), strict=True)
    frames = bodies[3:]
    if kinds[:3] != (HEADER, DOCUMENT, CHECKPOINT) or set(kinds[3:]) - {FRAME}:
        raise DamageError(f"{path.name} is incomplete or altered")
    if [frame_index(frame) for frame in frames] != list(range(len(frames))):
        raise DamageError(f"{path.name} lacks frames")
    checkpoint = Checkpoint(*decode_arrays(frame_record(CHECKPOINT, bodies[2])))
    return Volume(from_json(Order, bodies[0]), from_json(RunState, bodies[1]), checkpoint, frames)


class StoreWithLibrary(Store):
    """A `Store` that falls back on a library for the runs that it does not have itself."""

    def __init__(self, store: Store, folder: Path) -> None:
        self._store, self._library = store, Shipped(folder, read_volume)
        self.datasets = store.datasets

    def _shipped(self, run_id: str) -> Volume | None:
        """The library's version, unless the store has its own."""
        if run_id not in self._library or self._store.order(run_id) is not None:
            return None
        return self._library.get(run_id)

    def place(self, run_id: str, order: Order) -> None:
        """See Store. A shipped run is copied first, so that it goes on where it ends."""
        volume = self._shipped(run_id)
        self._store.place(run_id, order)
        if volume is not None:
            with self._store.claim(run_id) as claim:
                claim.append(volume.payloads)
                claim.save(volume.checkpoint)
                claim.write(volume.state)

    def order(self, run_id: str) -> Order | None:
        volume = self._shipped(run_id)
        return volume.order if volume else self._store.order(run_id)

    def state(self, run_id: str) -> RunState:
        volume = self._shipped(run_id)
        return volume.state if volume else self._store.state(run_id)

    def claim(self, run_id: str) -> Claim:
        return self._store.claim(run_id)

    def count(self, run_id: str) -> int:
        volume = self._shipped(run_id)
        return len(volume.payloads) if volume else self._store.count(run_id)

    def payloads(self, run_id: str, first: int, last: int) -> list[bytes]:
        volume = self._shipped(run_id)
        if volume is None:
            return self._store.payloads(run_id, first, last)
        return list(volume.payloads[max(first, 0) : max(last, 0)])

    def runs(self) -> list[str]:
        """See Store: the store's own, which alone take up its room."""
        return self._store.runs()

    def sizes(self) -> dict[str, tuple[int, float]]:
        return self._store.sizes()

    def delete(self, run_id: str) -> None:
        """See Store: a shipped run comes to light again."""
        self._store.delete(run_id)

    def close(self) -> None:
        self._store.close()
