"""What a panel that Python draws is asked, and the drawing of it by a query worker: it may take seconds."""

from collections.abc import Mapping
from typing import Any

import orjson

from components.panels import SERVED
from components.panels.base import ServedPanel
from components.panels.shown import head_of, request_of, sized
from core.service import TABLES, BackgroundQuery, Reader, RunService


def register_panels() -> None:
    """Let query workers draw them."""
    TABLES.update(panel=_drawn)


def panel_question(
    service: RunService, panel: ServedPanel, moment: Mapping[str, Any]
) -> BackgroundQuery | None:
    """What to ask for a figure at a told moment; None for one that means nothing here."""
    told = {key: moment.get(key) for key in ("run", "head", "frame", "neuron", "theme", "size")}
    request = request_of(service, told)
    if request is None:
        return None
    run, more = str(told["run"]), orjson.dumps({"panel": panel.name, "moment": told}).decode()
    return BackgroundQuery("panel", run, request.frame.index, head_of(service, told), more=more)


def _drawn(reader: Reader, question: BackgroundQuery) -> object:
    asked = orjson.loads(question.more)
    request = request_of(reader, asked["moment"])
    if request is None:
        return None
    return sized(SERVED[asked["panel"]].build(request), asked["moment"])
