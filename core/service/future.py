"""The HTTP interface to forecasts (core.foresight).

    forecast    frame, epoch (of the frame), kind, at, neuron, datum, sentence, certified, certificate (in
                words; empty where not certified), rests, reached, events [{epoch, neuron, kind, datum}],
                future {epoch, loss, b, c}; b and c one row a neuron
    forecasts   rows [{stage, from_frame, from_epoch, kind, at, neuron, datum, happened_kind, happened_at,
                happened_neuron, happened_datum}], one for each of the longest stages that have ended,
                in the order of time; left, how many later ones there was no time for

Neurons and data are counted from 0. A forecast depends on a frame alone, and frames never change.
"""

from collections.abc import Sequence
from dataclasses import asdict
from time import monotonic
from typing import Any

import numpy as np
from flask import Response
from werkzeug.exceptions import NotFound

from core.config.run_config import RunConfig
from core.foresight import forecast, track_record
from core.run.frames import Frame
from core.service.arguments import known_config, whole_number
from core.service.cache import Answers
from core.service.service import RunService
from core.service.web import json_response

_JSON = "application/json"
RECORD_SECONDS = 8.0
"""After this no further stage of a track record is foretold; one takes a second or two at most."""


class FutureApi:
    """The views of what is to come, and of how well it was foretold."""

    def __init__(self, service: RunService, answers: Answers) -> None:
        self._service, self._answers = service, answers

    def forecast(self, run_id: str) -> Response:
        """What happens next, seen from one frame."""
        config, _ = known_config(self._service, run_id)
        last = self._service.count(run_id) - 1
        index = whole_number("frame", max(last, 0), 0, 1 << 40)
        frames = self._service.frames(run_id, index - 1, index)
        if not frames:
            raise NotFound(f"The run has no frame {index} yet.")
        return self._answers.respond(
            f"forecast:{run_id}:{index}",
            lambda: json_response({"id": run_id, **forecast_columns(config, frames[0])}).get_data(),
            _JSON,
            final=True,
        )

    def forecasts(self, run_id: str) -> Response:
        """The track record. It grows when a stage ends, not with every frame."""
        config, _ = known_config(self._service, run_id)
        head = self._service.count(run_id)
        latest = self._service.frames(run_id, head - 2, head - 1)
        stage = latest[0].stage if latest else 0

        def make() -> bytes:
            frames = self._service.frames(run_id, -1, head - 1)
            return json_response({"id": run_id, **record_columns(config, frames)}).get_data()

        key = f"forecasts:{run_id}:{stage}"
        # Never final: it may have stopped for lack of time.
        return self._answers.respond(key, make, _JSON, final=False)


def record_columns(config: RunConfig, frames: Sequence[Frame]) -> dict[str, Any]:
    """A track record as JSON has it."""
    end = monotonic() + RECORD_SECONDS
    record = track_record(config, frames, has_time=lambda: monotonic() < end)
    return {"rows": [asdict(row) for row in record.rows], "left": record.left}


def forecast_columns(config: RunConfig, frame: Frame) -> dict[str, Any]:
    """A forecast as JSON has it."""
    said = forecast(config, frame)
    return {
        "frame": frame.index,
        "epoch": frame.epoch,
        "kind": said.kind,
        "at": said.epoch,
        "neuron": said.neuron,
        "datum": said.datum,
        "certified": said.certified,
        "sentence": said.sentence,
        "certificate": said.certificate,
        "rests": said.rests,
        "reached": said.reached,
        "events": [asdict(event) for event in said.events],
        "future": {
            "epoch": said.future.epoch,
            "loss": said.future.loss,
            "b": np.ascontiguousarray(said.future.b.T),
            "c": np.ascontiguousarray(said.future.c.T),
        },
    }
