"""What is stored of runs, as configs and frames: for the web process and for those that answer for it."""

from collections.abc import Mapping

from core.config.run_config import RunConfig
from core.limits import Limits
from core.run.frames import Frame
from core.service.records import decode_frame, frame_point
from core.service.store import Store
from core.service.workers.compute import config_of


class Reader:
    """Reads runs; starts and changes none."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store, self._limits = store, limits

    @property
    def datasets(self) -> Mapping[str, str]:
        """Uploaded data by name."""
        return self._store.datasets

    def config(self, run_id: str) -> RunConfig | None:
        """The question that a run answers."""
        order = self._store.order(run_id)
        return config_of(order, self._store) if order else None

    def count(self, run_id: str) -> int:
        """Number of frames. Ask for the status before, not after: then a finished run has them all."""
        return self._store.count(run_id)

    def losses(self, run_id: str, first: int, last: int) -> list[tuple[float, float]]:
        """Epochs and losses of the frames first <= index < last."""
        return [frame_point(payload) for payload in self._store.payloads(run_id, first, last)]

    def frames(self, run_id: str, after: int = -1, last: int | None = None) -> list[Frame]:
        """The frames after index `after`, up to index `last` when given."""
        end = self._store.count(run_id) if last is None else last + 1
        return [decode_frame(payload) for payload in self._store.payloads(run_id, after + 1, end)]
