"""What a run store promises, whatever it is made of.

A run has a document and two streams:

* its **record** says what was asked and what has become of it (core.service.run_record). It is changed by
  transitions (core.service.lifecycle) and by nothing else: `change` reads it, applies a transition, and
  writes the outcome if nobody has written in between, else begins again.
* its **frames**, appended by the holder of the claim, each shown to readers only
  when it is whole, never changed afterwards.
* its **checkpoints**, the last two, each naming the number of frames it belongs to.

Beside the frames there may be one more, the **present frame**: the state in which a run was
left between two frames, at the end of its budget or where it was stopped. It has the index of
the next frame and counts only as long as that is not there, so nothing has to be taken back when
the run goes on.

A claim is exclusive: the embedded store locks a file, so that the operating system
ends the claim with the process; the Redis store numbers its claims and refuses a
write that carries an older number. A worker that was believed dead and comes back
can therefore do no harm. Both stores pass one suite of tests.
"""

import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

import orjson
from numpy.typing import NDArray

from .records import DamageError, decode_arrays
from .run_record import Record, Request, RunState

NAME = re.compile(r"[0-9a-f]{32}", re.ASCII)
"""What a run or an upload is called."""


class ClaimedError(Exception):
    """Another worker holds the run, or held it after this one."""


class StoreError(Exception):
    """The store cannot do its work; the message says why, for people."""


class StorageFullError(StoreError):
    """Nothing can be written for the time being: the disk is full, gone or too slow, or Redis has no memory
    left."""


@dataclass(frozen=True)
class Checkpoint:
    """A method's state, and how many frames had been made by then."""

    arrays: dict[str, NDArray[Any]]
    frames: int


KEPT_CHECKPOINTS = 2
"""One that is whole is left when a worker dies while it writes the other."""


def usable(records: Iterable[bytes], frames: int) -> list[Checkpoint]:
    """The stored checkpoints that are whole and not ahead of the frames."""
    found = []
    for record in records:
        with suppress(DamageError):
            checkpoint = Checkpoint(*decode_arrays(record))
            if checkpoint.frames <= frames:
                found.append(checkpoint)
    return found


def too_many_bytes(largest: int) -> StoreError:
    """What ends a run whose frames take up too much."""
    limit = f"{largest / 1e6:.0f} MB"
    return StoreError(f"The frames of this run reached the limit of {limit}; those recorded are kept.")


Document = TypeVar("Document", Request, RunState)
Transition = Callable[[Record | None], Record | None]
"""From what is known of a run to what shall be; the same record, or None, to change nothing."""
Worked = Callable[[Record], Record]
"""The same for a run that is there."""
Changed = tuple[Record | None, Record | None]
"""What was known of a run when a transition was applied, and what is known now."""


class Claim(Protocol):
    """The exclusive right to write one run. Every method raises ClaimedError when it is lost."""

    @property
    def frames(self) -> int:
        """Whole frames in the store."""

    def append(self, payloads: Sequence[bytes]) -> None:
        """Append frame payloads (see records); all of them or, on an error, a whole number of them."""

    def payload(self, index: int) -> bytes:
        """The payload of one stored frame."""

    def save(self, checkpoint: Checkpoint) -> None:
        """Store a checkpoint durably, after the frames that it belongs to; keep the last two."""

    def checkpoints(self) -> list[Checkpoint]:
        """The stored checkpoints that are whole and not ahead of the frames, newest first."""

    def keep_present(self, payload: bytes) -> None:
        """Store the frame of the present state, durably, in place of the one before."""

    def change(self, transition: Worked) -> Record:
        """As `Store.change`, but refused when the claim is lost."""

    def clear(self) -> None:
        """Forget frames, checkpoints and the present frame."""

    def release(self) -> None:
        """Give the run up. Further writes are refused."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


class Uploads(Mapping[str, str]):
    """Uploaded data by name, as canonical CSV."""

    @abstractmethod
    def keep(self, text: str) -> str:
        """Keep data; their name. Of those that nobody holds the longest unused go when there are too many."""

    @abstractmethod
    def hold(self, holder: str, query: str) -> None:
        """What the query names stays for as long as the holder does."""

    @abstractmethod
    def let_go(self, holder: str) -> None:
        """The holder is no more."""

    @abstractmethod
    def discard(self, name: str) -> None:
        """Forget data, unless somebody holds them."""


class Store(Protocol):
    """Runs and uploaded data sets."""

    datasets: Uploads
    """Uploaded data by name (32 hex digits), as canonical CSV."""

    def record(self, run_id: str) -> Record | None:
        """What is known of a run, or None for an unknown one. Reads, and never waits for a writer."""

    def change(self, run_id: str, transition: Transition) -> Changed:
        """Apply a transition, as often as it takes until nobody else has changed the record meanwhile.

        When this returns, the change is durable, and the data that the query names are held by the run. What
        the transition raises is passed on, and nothing is written.
        """

    def insist(self, run_id: str, transition: Transition) -> Changed:
        """As `change`; but a store that is the only one to change its runs keeps a change in memory while
        nothing can be written, acts by it, and writes it later. For what cannot wait: a stop, a full disk."""
        return self.change(run_id, transition)

    def claim(self, run_id: str) -> Claim:
        """Take the exclusive right to write; ClaimedError when somebody has it."""

    def count(self, run_id: str) -> int:
        """Number of whole frames."""

    def payloads(self, run_id: str, first: int, last: int) -> list[bytes]:
        """Payloads of frames first <= index < last, as far as they are whole."""

    def present(self, run_id: str) -> bytes | None:
        """Payload of the present frame; None if there is none, or the run has gone on since."""

    def runs(self) -> list[str]:
        """Every stored run."""

    def sizes(self) -> dict[str, tuple[int, float]]:
        """Bytes that each run occupies, and when it last changed."""

    def delete(self, run_id: str, version: int | None = None) -> None:
        """Remove a run; ClaimedError when it is being written, or its record has another version."""

    def close(self) -> None:
        """Let go of files and connections."""


def stamped(old: Record | None, new: Record, now: float) -> Record:
    """The record as it is written: one version on, at this time."""
    version = (old.version if old else 0) + 1
    return replace(new, version=version, state=new.state.but(updated=now))


def to_json(document: Request | RunState | Record) -> bytes:
    """A document as JSON bytes (infinities and NaN become null)."""
    return orjson.dumps(asdict(document), option=orjson.OPT_SERIALIZE_NUMPY)


_FORMER_NAMES = {"spoilt": "replay_mismatch"}
"""Fields of documents of version 2."""


def from_json(kind: type[Document], data: bytes) -> Document:
    """The document of `to_json`; what a later version has added is passed over. DamageError for a gap."""
    try:
        return _document(kind, orjson.loads(data))
    except (TypeError, ValueError, AttributeError) as error:
        raise DamageError(f"a stored document is of another version: {error}") from error


def record_from_json(data: bytes) -> Record:
    """The record of `to_json`, read in the same way."""
    try:
        found = orjson.loads(data)
        request, state = _document(Request, found["request"]), _document(RunState, found["state"])
        return Record(request, state, int(found["version"]))
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        raise DamageError(f"a stored record is of another version: {error}") from error


def record_of_version_2(order: bytes, state: RunState | None) -> Record:
    """The record of a run that version 2 has left: its order (a request, and whether it shall stop) and its
    state. A run that was to go on when the server ended is queued, one that was to stop is stopped."""
    request, found = from_json(Request, order), state or RunState()
    raised = found.outcome == "budget" and request.epochs > found.epochs
    if orjson.loads(order).get("wanted") == "stop":
        if found.status in ("queued", "running"):
            found = found.but(status="stopped")
    elif raised:
        found = found.but(status="queued")
    return Record(request, found)


def _document(kind: type[Document], values: dict[str, Any]) -> Document:
    named = {_FORMER_NAMES.get(name, name): value for name, value in values.items()}
    return kind(**{field.name: named[field.name] for field in fields(kind) if field.name in named})
