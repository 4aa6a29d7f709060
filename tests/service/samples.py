"""Runs and frames to test with."""

from dataclasses import replace

import numpy as np

from core.config.run_config import RunConfig
from core.frames.frame import Frame
from core.model.pattern.changes import Change
from core.run.train import train
from core.service.records import encode_frame
from core.service.run_record import Record, Request, RunState
from core.service.store import Store

RUN = "0123456789abcdef" * 2
QUERY = "target=five&method=gd&epochs=1e3"


def request(query: str = QUERY, epochs: float = 1e3) -> Request:
    return Request(query=query, epochs=epochs, starter="starter", quota="quota", placed=1.0)


def place(store: Store, run_id: str, asked: Request) -> None:
    """A run that was asked for; of one that is known the request alone is changed."""
    store.change(run_id, lambda old: Record(asked, old.state if old else RunState()))


def put(store: Store, run_id: str, state: RunState) -> None:
    """Whatever was known, the run is in this state now."""
    store.change(run_id, lambda old: replace(old, state=state) if old else None)


def state_of(store: Store, run_id: str) -> RunState:
    """The state of a run that there is."""
    record = store.record(run_id)
    assert record is not None
    return record.state


def request_of(store: Store, run_id: str) -> Request:
    """What was asked of a run that there is."""
    record = store.record(run_id)
    assert record is not None
    return record.request


def frame(index: int, width: int = 3, changes: int = 0, seconds: float = 0.0) -> Frame:
    """A frame whose every number depends on its index."""
    random = np.random.default_rng(index)
    kinds = ("crossed", "pinned", "released", "moved", "relocated")
    return Frame(
        index=index,
        epoch=float(index**2),
        loss=float(random.random()),
        b=random.standard_normal(width),
        c=random.standard_normal(width),
        gap=random.integers(0, 101, width),
        pin=random.integers(-1, 100, width),
        stage=index // 3,
        floor=float(random.random()),
        stationarity=float(random.random()),
        prediction_error=float("nan") if index % 2 else 0.25,
        seconds=seconds,
        gradients=index,
        solves=2 * index,
        changes=tuple(Change(index + 0.5, k, kinds[k % 5], k - 1) for k in range(changes)),  # type: ignore[arg-type]
        points=100,
    )


def payloads(first: int, last: int) -> list[bytes]:
    return [encode_frame(frame(index)) for index in range(first, last)]


def truth(config: RunConfig) -> list[bytes]:
    """The undisturbed run, without its clock."""
    return [timeless(encode_frame(each)) for each in train(config)]


def timeless(payload: bytes) -> bytes:
    """A frame's bytes with the wall-clock column blanked."""
    return payload[:56] + bytes(8) + payload[64:]
