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

import logging
import lzma
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from core.run.frames import Frame
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
    scan,
)
from core.service.store import (
    NAME,
    Checkpoint,
    Claim,
    Order,
    RunState,
    Store,
    order_from_json,
    state_from_json,
    to_json,
)

_OPEN = 24
"""Volumes kept in memory."""

log = logging.getLogger(__name__)


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
    records = b"".join(
        (
            frame_record(HEADER, to_json(order)),
            frame_record(DOCUMENT, to_json(state)),
            encode_arrays(checkpoint.arrays, checkpoint.frames),
            join_frames([encode_frame(frame) for frame in frames]),
        )
    )
    path.write_bytes(lzma.compress(records, preset=9))


def read_volume(path: Path) -> Volume:
    """A shipped run; DamageError when the file is not whole."""
    try:
        data = lzma.decompress(path.read_bytes())
    except (OSError, lzma.LZMAError) as error:
        raise DamageError(f"{path.name} cannot be read: {error}") from error
    found = list(scan(data))
    kinds = [kind for _, kind, _ in found]
    bodies = [bytes(payload) for _, _, payload in found]
    if not found or found[-1][0] != len(data) or kinds[:3] != [HEADER, DOCUMENT, CHECKPOINT]:
        raise DamageError(f"{path.name} is incomplete or altered")
    frames = tuple(bodies[3:])
    if set(kinds[3:]) - {FRAME} or [frame_index(frame) for frame in frames] != list(range(len(frames))):
        raise DamageError(f"{path.name} lacks frames")
    checkpoint = Checkpoint(*decode_arrays(frame_record(CHECKPOINT, bodies[2])))
    return Volume(order_from_json(bodies[0]), state_from_json(bodies[1]), checkpoint, frames)


class Library:
    """The shipped runs of a folder, read when asked for. A damaged one counts as missing."""

    def __init__(self, folder: Path) -> None:
        self._files = {path.stem: path for path in folder.glob("*.xz") if NAME.fullmatch(path.stem)}
        self._open: dict[str, Volume] = {}
        self._guard = threading.Lock()

    def __contains__(self, run_id: str) -> bool:
        return run_id in self._files

    def runs(self) -> list[str]:
        """Every run on the shelves."""
        return sorted(self._files)

    def volume(self, run_id: str) -> Volume | None:
        """A run, or None."""
        with self._guard:
            if run_id not in self._open and run_id in self._files:
                try:
                    volume = read_volume(self._files[run_id])
                except DamageError as error:
                    log.warning("%s", error)
                    del self._files[run_id]
                    return None
                if len(self._open) >= _OPEN:
                    self._open.pop(next(iter(self._open)))
                self._open[run_id] = volume
            return self._open.get(run_id)


class StoreWithLibrary:
    """A `Store` that falls back on a library for the runs that it does not have itself."""

    def __init__(self, store: Store, library: Library) -> None:
        self._store, self._library = store, library
        self.datasets = store.datasets

    def _shipped(self, run_id: str) -> Volume | None:
        """The library's version, unless the store has its own."""
        if run_id not in self._library or self._store.order(run_id) is not None:
            return None
        return self._library.volume(run_id)

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
        """See Store."""
        volume = self._shipped(run_id)
        return volume.order if volume else self._store.order(run_id)

    def state(self, run_id: str) -> RunState:
        """See Store."""
        volume = self._shipped(run_id)
        return volume.state if volume else self._store.state(run_id)

    def claim(self, run_id: str) -> Claim:
        """See Store."""
        return self._store.claim(run_id)

    def count(self, run_id: str) -> int:
        """See Store."""
        volume = self._shipped(run_id)
        return len(volume.payloads) if volume else self._store.count(run_id)

    def payloads(self, run_id: str, first: int, last: int) -> list[bytes]:
        """See Store."""
        volume = self._shipped(run_id)
        if volume is None:
            return self._store.payloads(run_id, first, last)
        return list(volume.payloads[max(first, 0) : max(last, 0)])

    def runs(self) -> list[str]:
        """See Store: the store's own, which alone take up its room."""
        return self._store.runs()

    def size(self, run_id: str) -> int:
        """See Store."""
        return self._store.size(run_id)

    def delete(self, run_id: str) -> None:
        """See Store: a shipped run comes to light again."""
        self._store.delete(run_id)

    def close(self) -> None:
        """See Store."""
        self._store.close()
