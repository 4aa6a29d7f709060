"""What a run store promises, whatever it is made of.

A run has two documents and two streams:

* its **order** says what is wanted: the question, the budget, who asked first,
  whether it shall stop. Web processes write it.
* its **state** says what is: status, reason, how far. Only the holder of the run's
  claim writes it.
* its **frames**, appended by the holder of the claim, each shown to readers only
  when it is whole, never changed afterwards.
* its **checkpoints**, the last two, each naming the number of frames it belongs to.

A claim is exclusive: the embedded store locks a file, so that the operating system
ends the claim with the process; the Redis store numbers its claims and refuses a
write that carries an older number. A worker that was believed dead and comes back
can therefore do no harm. Both stores pass one suite of tests.
"""

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from types import TracebackType
from typing import Any, Literal, Protocol, Self, TypeVar

import orjson
from numpy.typing import NDArray

from core.service.records import DamageError, decode_arrays

RunStatus = Literal["queued", "running", "paused", "finished", "stopped", "failed"]
NAME = re.compile(r"[0-9a-f]{32}", re.ASCII)
"""What a run or an upload is called."""
ENDED: tuple[RunStatus, ...] = ("finished", "stopped", "failed")


class ClaimedError(Exception):
    """Another worker holds the run, or held it after this one."""


class StoreError(Exception):
    """The store cannot do its work; the message says why, for people."""


class NoRoomError(StoreError):
    """Nothing can be written for the time being: the disk is full or gone, or Redis has no memory left."""


@dataclass(frozen=True)
class Order:
    """What is wanted of a run."""

    query: str
    """Canonical query without the budget."""
    epochs: float
    """The largest budget asked for so far."""
    starter: str
    """Public handle of the browser that asked first; only it may stop the run."""
    quota: str
    """Whose quota the run counts against."""
    placed: float
    """When, in seconds since 1970."""
    wanted: Literal["run", "stop"] = "run"


@dataclass(frozen=True)
class RunState:
    """What has become of a run so far."""

    status: RunStatus = "queued"
    reason: str = ""
    outcome: str = ""
    """Kind of the outcome of a finished run: budget, trained, settled, diverged."""
    epochs: float = 0.0
    """The budget that a finished run has worked off."""
    epoch: float = 0.0
    loss: float | None = None
    frames: int = 0
    """Whole frames when this was written; fewer in the store means damage."""
    seconds: float = 0.0
    """Computing time so far."""
    deaths: int = 0
    """Workers that died over this run since it was last asked for."""
    spoilt: bool = False
    """The stored frames contradict a recomputation: start from nothing next time."""
    updated: float = 0.0

    def but(self, **changes: Any) -> "RunState":
        """A copy with some fields changed."""
        return replace(self, **changes)


def wants_more(order: Order, state: RunState) -> bool:
    """Whether a run has used up its budget, and a larger one has been asked for meanwhile."""
    return order.wanted == "run" and state.outcome == "budget" and order.epochs > state.epochs


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


Document = TypeVar("Document", Order, RunState)


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

    def write(self, state: RunState) -> None:
        """Replace the state."""

    def clear(self) -> None:
        """Forget frames and checkpoints."""

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

    def place(self, run_id: str, order: Order) -> None:
        """Create or replace the order of a run; the data that it names are held by the run."""

    def order(self, run_id: str) -> Order | None:
        """What is wanted, or None for an unknown run."""

    def state(self, run_id: str) -> RunState:
        """What is; a queued state when nothing has been written."""

    def claim(self, run_id: str) -> Claim:
        """Take the exclusive right to write; ClaimedError when somebody has it."""

    def count(self, run_id: str) -> int:
        """Number of whole frames."""

    def payloads(self, run_id: str, first: int, last: int) -> list[bytes]:
        """Payloads of frames first <= index < last, as far as they are whole."""

    def runs(self) -> list[str]:
        """Every stored run."""

    def sizes(self) -> dict[str, tuple[int, float]]:
        """Bytes that each run occupies, and when it last changed."""

    def delete(self, run_id: str) -> None:
        """Remove a run; ClaimedError when it is being written."""

    def close(self) -> None:
        """Let go of files and connections."""


def to_json(document: Order | RunState) -> bytes:
    """A document as JSON bytes (infinities and NaN become null)."""
    return orjson.dumps(asdict(document))


def from_json(kind: type[Document], data: bytes) -> Document:
    """The document of `to_json`; what a later version has added is passed over. DamageError for a gap."""
    known = {field.name for field in fields(kind)}
    try:
        return kind(**{name: value for name, value in orjson.loads(data).items() if name in known})
    except (TypeError, ValueError, AttributeError) as error:
        raise DamageError(f"a stored document is of another version: {error}") from error
