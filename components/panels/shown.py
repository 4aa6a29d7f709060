"""What a panel tells of the moment on screen, and what it stands for: settings, frame, history."""

from collections import OrderedDict
from collections.abc import Mapping
from functools import partial
from threading import Lock
from typing import Any

from flask import current_app
from plotly.basedatatypes import BaseFigure

from components.common.callback_guard import mapping
from components.common.ids import RUN_ID
from components.common.theme import THEME_NAMES
from components.panels.base import Figure, PanelRequest, presented
from core.frames import Frame
from core.service import Reader, RunService

MOST = 300
"""Frames of a history."""
MAX_CACHED_BYTES = 32 << 20
"""Of the frames that are kept for the next picture: a dozen histories of width 100, one of width 1,000."""
_FRAME_BYTES = 1_000
"""What a frame takes beside its arrays, about."""


def thinned(count: int) -> list[int]:
    """Which of so many frames make a history: every 2^k-th and the last, so that a longer run has the same
    ones or half of them."""
    stride = 1
    while count > stride * (MOST - 1):
        stride *= 2
    return sorted({*range(0, count, stride), max(count - 1, 0)})


class FrameCache:
    """Frames of sequences, which never change; those that were not asked for the longest go first."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._lock = Lock()
        self._frames: OrderedDict[tuple[Reader, str, int], Frame] = OrderedDict()
        self.bytes = 0

    def frame(self, reader: Reader, run: str, index: int) -> Frame:
        """One frame; an IndexError if there is none."""
        key = (reader, run, index)
        with self._lock:
            if key in self._frames:
                self._frames.move_to_end(key)
                return self._frames[key]
        found = reader.frames(run, index - 1, index)[0]
        with self._lock:
            if key not in self._frames:
                self._frames[key] = found
                self.bytes += bytes_of(found)
            while self.bytes > self._max_bytes and len(self._frames) > 1:
                self.bytes -= bytes_of(self._frames.popitem(last=False)[1])
        return found


def bytes_of(frame: Frame) -> int:
    """What a frame takes in memory, about."""
    return _FRAME_BYTES + sum(array.nbytes for array in (frame.b, frame.c, frame.gap, frame.pin))


_CACHE = FrameCache(MAX_CACHED_BYTES)


def head_of(reader: Reader, told: Mapping[str, Any]) -> int:
    """How many frames of a told run are shown: all, or as many as the budget of the link leaves."""
    count, head = reader.count(str(told.get("run"))), told.get("head")
    return min(head, count) if isinstance(head, int) and head > 0 else count


def history_of(reader: Reader, run: str, head: int) -> tuple[Frame, ...]:
    """The first frames of a run, thinned; none of a run that is being deleted."""
    try:
        recorded = reader.recorded(run)
        kept = tuple(_CACHE.frame(reader, run, index) for index in thinned(head) if index < recorded)
        return kept if head <= recorded else (*kept, *reader.frames(run, recorded - 1, recorded))
    except IndexError:
        return ()


def request_of(reader: Reader, moment: Mapping[str, Any]) -> PanelRequest | None:
    """What a told moment means; None for one that means nothing here, such as a run that was deleted."""
    run, index, neuron = moment.get("run"), moment.get("frame"), moment.get("neuron")
    if not isinstance(run, str) or not RUN_ID.fullmatch(run) or not isinstance(index, int) or index < 0:
        return None
    config = reader.config(run)
    frames = reader.frames(run, index - 1, index) if config else []
    if config is None or not frames:
        return None
    theme = moment.get("theme")
    return PanelRequest(
        config=config,
        frame=frames[0],
        neuron=neuron - 1 if isinstance(neuron, int) and neuron > 0 else None,
        theme=theme if theme in THEME_NAMES else THEME_NAMES[0],
        history=partial(history_of, reader, run, head_of(reader, moment)),
    )


def shown(moment: object) -> PanelRequest | None:
    """What a callback with `Input("plot-<panel>", "moment")` is to draw; None for a moment that is gone."""
    service: RunService = current_app.extensions["runs"]
    return request_of(service, mapping(moment))


def sized(figure: Figure | BaseFigure, moment: object) -> Figure:
    """A figure as large as the page shows its panels: in present mode for the last row of a lecture hall."""
    told = mapping(moment)
    plain: Figure = figure.to_plotly_json() if isinstance(figure, BaseFigure) else figure
    return presented(plain, str(told.get("theme"))) if told.get("size") == "present" else plain
