"""The contract that every training method fulfils.

A method is a frozen dataclass whose fields are its hyper-parameters. It turns
data and a starting point into a *state*, and a state into a later state. The
state is a dictionary of plain arrays that holds only what the next step needs:
writing it to disk and reading it back is a checkpoint.

Every state has the keys

    epoch      float64 scalar   epochs (or iterations) done so far
    b, c       float64 (n,)     the network, in a fixed neuron order
    gap        int64 (n,)       number of data points left of or on each bias
    pin        int64 (n,)       datum that a neuron is pinned to, -1 when free
    gradients  int64 scalar     gradient evaluations so far
    solves     int64 scalar     least-squares solves so far

and whatever else a method adds. A pinned neuron's gap is canonical: pinned to
datum k it is k + 1, as if its bias stood exactly on the datum, so that a bias
which hops to and fro over a datum does not change the pattern.

A method is one file, so its title, its summary and the labels of its hyper-parameters stand with it, as the
metadata of a field do: they name what a link may say. What is told of its runs is made in core.narrative.
"""

from abc import ABC, abstractmethod
from dataclasses import Field, dataclass, field, fields
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model.loss import rounding_of
from ..model.pattern.changes import Change
from ..problem.data import TrainingData
from ..types import FloatArray

State = dict[str, NDArray[Any]]

CHUNK_SECONDS = 0.05
"""Estimated work of one `advance`; the estimate may be off by a factor of two or three."""


EndKind = Literal["budget", "trained", "settled", "diverged", "interrupted"]
ForecastBy = Literal["flow", "steps", "nothing"]
StepLimit = Literal["curvature", "momentum", "spacing", "first_step", "unknown", "nothing"]


class End(NamedTuple):
    """That a run has ended, as codes; an `Outcome` (core.narrative.endings) is the same in words.

    budget    the budget is used up: what a longer budget continues
    trained   a stationary point: no further step of the method would help
    settled   a least-squares method has no improving candidate left
    diverged  the loss exploded

    `interrupted` is never an end of training: core.fitting says so of a result that was cut short.
    """

    kind: EndKind
    reason: str
    """Such as "at_rest"; core.narrative.endings lists them."""


class Outlook(NamedTuple):
    """What a method that weighs candidates says of its next step."""

    better: int
    """Candidates that would lower the loss."""
    candidates: int
    best_loss: float


@dataclass(frozen=True)
class Advance:
    """What `Method.advance` returns.

    `state.epoch` may be short of the requested epoch: because a stage changed
    and `stop_at_change` was set, because the chunk was full, or because the run has
    ended. `stages` counts the epochs at which the pattern changed; `changes`
    lists what happened at the last of them (and may leave out the earlier).

    `met` is an end that was met on the way, at the same epoch however the way
    is cut. `judged` is an end that the method looks for only where it was asked to
    go, at `until`: whoever cuts the way elsewhere would see it elsewhere, so the
    driver heeds it at epochs of the frame schedule alone.
    """

    state: State
    stages: int = 0
    changes: tuple[Change, ...] = ()
    met: End | None = None
    judged: End | None = None

    @property
    def end(self) -> End | None:
        """Either of the two, for who goes no further anyway."""
        return self.met or self.judged


def parameter(
    default: float,
    *,
    low: float,
    high: float,
    label: str,
    symbol: str,
    help: str,
    log: bool = False,
) -> Any:
    """Declare a hyper-parameter: a dataclass field that is a query key and a control too."""
    return field(
        default=default,
        metadata={"low": low, "high": high, "label": label, "symbol": symbol, "help": help, "log": log},
    )


@dataclass(frozen=True, kw_only=True)
class Method(ABC):
    """A training method and its hyper-parameters."""

    name: ClassVar[str]
    """Query value, such as `gd`."""
    title: ClassVar[str]
    """What people call it, such as `GD`."""
    summary: ClassVar[str]
    """One sentence for the control's tooltip."""
    default_epochs: ClassVar[float]
    """Budget when the query names none."""
    solves_least_squares: ClassVar[bool] = False
    """Frame 0 is then the state after the first least-squares solve."""
    frame_every_epoch: ClassVar[bool] = False
    """A frame for each iteration instead of log-spaced ones."""
    largest_epochs: ClassVar[Literal["epochs", "flow_epochs"]] = "epochs"
    """Which of the limits bounds the budget."""
    rival: ClassVar[bool] = False
    """Neither the paper's nor ours: a method from elsewhere, to be compared with."""
    forecast_by: ClassVar[ForecastBy] = "nothing"
    """What predicts its next events (core.analysis.forecast).

    flow      the gradient flow, which it follows at the pace of `epochs_ahead`
    steps     its own next steps, tried out: a state made by `init` from b and c goes on as the run does
    nothing   neither tells
    """
    step_limited_by: ClassVar[StepLimit] = "nothing"
    """What the largest sensible step at a start depends on (`step_limit`)."""
    counts: ClassVar[str] = "epoch"
    """What an epoch of this method is called, in the singular."""
    decays: ClassVar[bool] = False
    """Whether b and c follow the gradient itself, so that the theorem on decay speaks of it."""

    @classmethod
    def parameters(cls) -> tuple[Field[Any], ...]:
        """The hyper-parameters, in declaration order."""
        return fields(cls)

    @abstractmethod
    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:
        """The state at epoch 0. Must copy b and c."""

    @abstractmethod
    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        """Advance towards epoch `until`, for at most about 0.1 s of work.

        The iterates, the stages, their epochs and `Advance.met` do not depend on how the
        way is cut into calls; `judged` does. With `stop_at_change` the call
        returns at the first epoch at which the pattern changes. The argument `state` is left untouched.
        """

    @abstractmethod
    def seconds_per_epoch(self, width: int, points: int) -> float:
        """A rough cost estimate, shown before a run and used for limits."""

    def step_limit(self, data: TrainingData, b: FloatArray, c: FloatArray) -> float:  # noqa: ARG002
        """The largest learning rate that suits a start; nan where that is not known, inf where all do."""
        return float("inf")

    def is_step_too_large(self, data: TrainingData, b: FloatArray, c: FloatArray) -> bool:
        """Whether the learning rate is beyond `step_limit`, or may be."""
        return not float(getattr(self, "learning_rate", 0.0)) <= self.step_limit(data, b, c)

    def guessed_state(self, data: TrainingData, state: State) -> State | None:  # noqa: ARG002
        """A state that goes on as the run does, from the common keys alone; None where they do not tell
        enough. Only asked where `forecast_by` is the flow."""
        return None

    def outlook(self, data: TrainingData, state: State) -> Outlook | None:  # noqa: ARG002
        """What its rules say of the next step from this state; None where it weighs nothing, or it ends."""
        return None

    def epochs_ahead(self, epoch: float, time: float) -> float:  # noqa: ARG002
        """How many epochs, from `epoch` on, take so much time of the flow; only asked where `forecast_by` is
        that."""
        return float("inf")

    def step(self, epoch: float) -> float | None:  # noqa: ARG002
        """The step against the gradient at an epoch; None where a step is anything else."""
        return None

    def exact_loss(self, data: TrainingData) -> float:
        """The largest loss that is an exact fit, as exactly as the method computes."""
        return rounding_of(data)

    def epochs_in_chunk(self, width: int, points: int, wanted: float) -> int:
        """How many of the wanted epochs one `advance` does: one at least."""
        return max(1, min(int(wanted), int(CHUNK_SECONDS / self.seconds_per_epoch(width, points))))

    def seconds(self, width: int, points: int, epochs: float) -> float:
        """The same for a whole budget; a method whose cost does not grow with the epochs says so here."""
        return epochs * self.seconds_per_epoch(width, points)


def common_state(b: FloatArray, c: FloatArray, gap: NDArray[np.int64]) -> State:
    """The keys that every state has, at epoch 0 with every neuron free."""
    return {
        "epoch": np.array(0.0),
        "b": np.array(b, dtype=np.float64),
        "c": np.array(c, dtype=np.float64),
        "gap": np.array(gap, dtype=np.int64),
        "pin": np.full(len(b), -1, dtype=np.int64),
        "gradients": np.array(0, dtype=np.int64),
        "solves": np.array(0, dtype=np.int64),
    }
