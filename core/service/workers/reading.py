"""What is stored of runs, as configs and frames: for the web process and for those that answer for it.

A run that rests shows one frame more than its sequence has: the present one, which is its state at the end of
its budget or where it was stopped. It is gone when the run goes on, so what is made of it is named by its
epoch too.
"""

from collections.abc import Mapping

from ...config.codec import scale_in
from ...config.run_config import RunConfig
from ...frames.frame import Frame
from ...limits import Limits
from ...problem.scale import PLAIN, Scale
from ..records import decode_frame, frame_point
from ..run_record import RunStatus
from ..store import Store
from .compute import config_of


class Reader:
    """Reads runs; starts and changes none."""

    def __init__(self, store: Store, limits: Limits) -> None:
        self._store, self.limits = store, limits

    @property
    def datasets(self) -> Mapping[str, str]:
        """Uploaded data by name."""
        return self._store.datasets

    def config(self, run_id: str) -> RunConfig | None:
        """The question that a run answers."""
        record = self._store.record(run_id)
        return config_of(record.request, self._store) if record else None

    def query(self, run_id: str) -> str:
        """The query of a run; empty for an unknown one."""
        record = self._store.record(run_id)
        return record.request.query if record else ""

    def scale(self, run_id: str) -> Scale:
        """How the numbers of a run are told."""
        record = self._store.record(run_id)
        return scale_in(record.request.query) if record else PLAIN

    def status(self, run_id: str) -> RunStatus | None:
        """The status that was stored last; None for an unknown run."""
        record = self._store.record(run_id)
        return record.status if record else None

    def recorded(self, run_id: str) -> int:
        """Number of frames of the sequence. Ask for the status before, not after: then a finished run has all
        of them."""
        return self._store.count(run_id)

    def present(self, run_id: str) -> Frame | None:
        """The present frame of a run that rests."""
        payload = None if self.status(run_id) in ("queued", "running") else self._store.present(run_id)
        return decode_frame(payload) if payload else None

    def presents(self, *run_ids: str) -> str:
        """The epochs of the present frames of some runs, for the names of what is made of them."""
        found = [(run_id, self.present(run_id)) for run_id in run_ids]
        return ",".join(f"{run_id}:{frame.epoch!r}" for run_id, frame in found if frame)

    def count(self, run_id: str) -> int:
        """Number of frames to show, the present one included."""
        present = self.present(run_id)
        return self.recorded(run_id) if present is None else present.index + 1

    def losses(self, run_id: str, first: int, last: int) -> list[tuple[float, float]]:
        """Epochs and losses of the frames first <= index < last."""
        return [frame_point(payload) for payload in self._payloads(run_id, first, last)]

    def frames(self, run_id: str, after: int = -1, last: int | None = None) -> list[Frame]:
        """The frames after index `after`, up to index `last` when given."""
        end = self.count(run_id) if last is None else last + 1
        return [decode_frame(payload) for payload in self._payloads(run_id, after + 1, end)]

    def _payloads(self, run_id: str, first: int, last: int) -> list[bytes]:
        found = self._store.payloads(run_id, first, last)
        if max(first, 0) + len(found) < last:
            present = self._store.present(run_id)
            if present is not None and decode_frame(present).index == max(first, 0) + len(found):
                found.append(present)
        return found


def curve_of_run(reader: Reader, run_id: str, most: int) -> list[tuple[float, float]]:
    """Epochs and losses of about so many frames, the first and the last among them."""
    count = reader.count(run_id)
    chosen = {*range(0, count, max(1, -(-count // most))), count - 1} if count else set()
    points = [point for index in sorted(chosen) for point in reader.losses(run_id, index, index + 1)]
    scaled = reader.scale(run_id).loss
    return [(epoch, scaled(loss)) for epoch, loss in points]
