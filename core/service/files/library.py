"""Runs that ship with the product: read-only, behind the store, there before any worker is.

A folder holds one file a run, `<run id>.xz`: the store's own records, compressed,

    HEADER      the request
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

from ...frames.frame import Frame
from ..records import (
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
from ..run_record import Record, Request, RunState
from ..store import (
    Changed,
    Checkpoint,
    Claim,
    Store,
    Transition,
    from_json,
    to_json,
)
from .shipped import Shipped, read_records, write_records


@dataclass(frozen=True)
class Volume:
    """One shipped run."""

    record: Record
    checkpoint: Checkpoint
    payloads: tuple[bytes, ...]


def write_volume(
    path: Path, request: Request, state: RunState, checkpoint: Checkpoint, frames: Iterable[Frame]
) -> None:
    """Write a finished run as one of the files."""
    write_records(
        path,
        (
            frame_record(HEADER, to_json(request)),
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
    record = Record(from_json(Request, bodies[0]), from_json(RunState, bodies[1]))
    return Volume(record, checkpoint, frames)


class StoreWithLibrary(Store):
    """A `Store` that falls back on a library for the runs that it does not have itself."""

    def __init__(self, store: Store, folder: Path) -> None:
        self._store, self._library = store, Shipped(folder, read_volume)
        self.datasets = store.datasets

    def _shipped(self, run_id: str) -> Volume | None:
        """The library's version, unless the store has its own."""
        if run_id not in self._library or self._store.record(run_id) is not None:
            return None
        return self._library.get(run_id)

    def record(self, run_id: str) -> Record | None:
        volume = self._shipped(run_id)
        return volume.record if volume else self._store.record(run_id)

    def change(self, run_id: str, transition: Transition) -> Changed:
        """See Store. A shipped run is copied before it is changed, so that it goes on where it ends."""
        unchanged = self._copied(run_id, transition)
        return unchanged or self._store.change(run_id, transition)

    def insist(self, run_id: str, transition: Transition) -> Changed:
        unchanged = self._copied(run_id, transition)
        return unchanged or self._store.insist(run_id, transition)

    def _copied(self, run_id: str, transition: Transition) -> Changed | None:
        """Copy a shipped run if the transition changes it; else what comes of it."""
        volume = self._shipped(run_id)
        if volume is None:
            return None
        if transition(volume.record) in (None, volume.record):
            return volume.record, volume.record
        old, _ = self._store.change(run_id, lambda known: known or volume.record)
        if old is None:
            # Until its frames are there it is seen as damaged; asked for again, it is computed.
            with self._store.claim(run_id) as claim:
                claim.append(volume.payloads)
                claim.save(volume.checkpoint)
        return None

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

    def present(self, run_id: str) -> bytes | None:
        """See Store. A shipped run ends with a frame of its sequence."""
        return None if self._shipped(run_id) else self._store.present(run_id)

    def runs(self) -> list[str]:
        """See Store: the store's own, which alone take up space."""
        return self._store.runs()

    def sizes(self) -> dict[str, tuple[int, float]]:
        return self._store.sizes()

    def delete(self, run_id: str, version: int | None = None) -> None:
        """See Store: a shipped run comes to light again."""
        self._store.delete(run_id, version)

    def close(self) -> None:
        self._store.close()
