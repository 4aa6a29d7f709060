"""What a panel that Python draws is asked, and the drawing of itby a query worker: it may take seconds."""

from collections.abc import Mapping
from functools import lru_cache, partial
from typing import Any

import orjson

from components.common.ids import RUN_ID
from components.common.theme import THEME_NAMES
from components.panels import SERVED, presented
from components.panels.base import Occasion, ServedPanel
from core.frames import Frame
from core.service import TABLES, BackgroundQuery, Reader, RunService

MOST = 300
"""Frames of a history."""
KEPT = 4096
"""Frames that are kept for the next picture: those of a dozen histories."""


def register_panels() -> None:
    """Let query workers draw them."""
    TABLES.update(panel=_drawn)


def panel_question(
    service: RunService, panel: ServedPanel, moment: Mapping[str, Any]
) -> BackgroundQuery | None:
    """What to ask for a figure at a told moment; None for one that means nothing here."""
    told = {key: moment.get(key) for key in ("run", "head", "frame", "neuron", "theme", "size")}
    occasion = occasion_of(service, told)
    if occasion is None:
        return None
    run, more = str(told["run"]), orjson.dumps({"panel": panel.name, "moment": told}).decode()
    return BackgroundQuery("panel", run, occasion.frame.index, head_of(service, told), more=more)


def _drawn(reader: Reader, question: BackgroundQuery) -> object:
    asked = orjson.loads(question.more)
    occasion = occasion_of(reader, asked["moment"])
    if occasion is None:
        return None
    figure = SERVED[asked["panel"]].build(occasion)
    return presented(figure, occasion.theme) if asked["moment"].get("size") == "present" else figure


def thinned(count: int) -> list[int]:
    """Which of so many frames make a history: every 2^k-th and the last, so that a longer run has the same
    ones or half of them."""
    stride = 1
    while count > stride * (MOST - 1):
        stride *= 2
    return sorted({*range(0, count, stride), max(count - 1, 0)})


@lru_cache(maxsize=KEPT)
def _frame(reader: Reader, run: str, index: int) -> Frame:
    """One frame of the sequence, which never changes."""
    return reader.frames(run, index - 1, index)[0]


def head_of(reader: Reader, told: Mapping[str, Any]) -> int:
    """How many frames of a told run are shown: all, or as many as the budget of the link leaves."""
    count, head = reader.count(str(told.get("run"))), told.get("head")
    return min(head, count) if isinstance(head, int) and head > 0 else count


def history_of(reader: Reader, run: str, head: int) -> tuple[Frame, ...]:
    """The first frames of a run, thinned; none of a run that is being deleted."""
    try:
        recorded = reader.recorded(run)
        kept = tuple(_frame(reader, run, index) for index in thinned(head) if index < recorded)
        return kept if head <= recorded else (*kept, *reader.frames(run, recorded - 1, recorded))
    except IndexError:
        return ()


def occasion_of(reader: Reader, moment: Mapping[str, Any]) -> Occasion | None:
    """What a told moment means; None for one that means nothing here, such as a run that was deleted."""
    run, index, neuron = moment.get("run"), moment.get("frame"), moment.get("neuron")
    if not isinstance(run, str) or not RUN_ID.fullmatch(run) or not isinstance(index, int) or index < 0:
        return None
    config = reader.config(run)
    frames = reader.frames(run, index - 1, index) if config else []
    if config is None or not frames:
        return None
    theme = moment.get("theme")
    return Occasion(
        config=config,
        frame=frames[0],
        neuron=neuron - 1 if isinstance(neuron, int) and neuron > 0 else None,
        theme=theme if theme in THEME_NAMES else THEME_NAMES[0],
        history=partial(history_of, reader, run, head_of(reader, moment)),
    )
