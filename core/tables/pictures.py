"""What panels show besides the frames, in columns: the data, the decay of one stage, ANLS's candidates,
forecasts.

Each depends on the run's question and on frames that never change, so an answer can
be kept and shared by all viewers.

    forecast    frame, frame_epoch, kind, epoch (of the event), neuron, datum, sentence, certified,
                certificate (in words; empty where not certified), rests, reached,
                events [{epoch, neuron, kind, datum}], future {epoch, loss, b, c}; b and c one row per neuron
    forecasts   rows [{stage, from_frame, from_epoch, kind, at, neuron, datum, happened_kind, happened_at,
                happened_neuron, happened_datum}], one for each of the longest stages that have ended,
                in the order of time; left, how many later ones there was no time for

Neurons and data are counted from 0. Positions, coefficients and losses are told in the units of the data
that people brought (core.problem.scale), whatever units the run is trained in.
"""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import accumulate, pairwise
from time import monotonic
from typing import Any

import numpy as np

from ..analysis.best_known import LARGE, best_known
from ..analysis.forecast.track_record import track_record
from ..config.run_config import RunConfig
from ..frames.frame import Frame
from ..methods.anls.table import candidate_table
from ..methods.parameters import OFFSET
from ..model.pattern import Pattern
from ..narrative import forecast
from ..narrative.candidates import best_known_origin, candidate_reason
from ..portable import functions as portable
from ..theory.rates import rates
from ..types import FloatArray

TRUTH_POINTS = 1_001
RECORD_SECONDS = 8.0
"""After this no further stage of a track record is forecast; one takes a second or two at most."""


def data_columns(config: RunConfig) -> dict[str, Any]:
    """The training data, and the function behind them where there is one."""
    data, scale = config.training_data(), config.scale
    truth = None
    if data.truth is not None:
        x = np.linspace(*data.domain, TRUTH_POINTS)
        with np.errstate(all="ignore"):
            truth = {"x": scale.x(x), "y": scale.y(data.truth(x))}
    named = {"title": scale.title, "x_name": scale.x_name, "y_name": scale.y_name}
    return {
        "x": scale.x(data.x),
        "y": scale.y(data.y),
        "domain": tuple(map(scale.x, data.domain)),
        # the height of a network left of all its biases
        **({"base": scale.y_origin} if scale.y_origin else {}),
        **{key: name for key, name in named.items() if name},
        **({"dates": True} if scale.dates else {}),
        "notes": data.notes,
        "truth": truth,
        "learning_rate": getattr(config.method, "learning_rate", None),
        **({"w": data.w} if (data.w != 1.0).any() else {}),
    }


def rate_columns(config: RunConfig, frames: Sequence[Frame]) -> dict[str, Any]:
    """The excess over the floor in one stage, between the envelopes of Theorem 3.1 (thm:conti-loss-n).

    The envelopes are (L - Q_0)(t_s) exp(-2 s int r dt) with t = epochs x learning rate and
    s = 2/W; the integral is taken by the trapezoidal rule over the frames. An exact rate
    costs a singular value decomposition, so a wide network gets fewer frames.
    """
    if not config.method.decays or len(frames) < 2:
        return {"epoch": []}
    most = int(np.clip(6_000 / config.width, 12, 100))
    chosen = np.unique(np.linspace(0, len(frames) - 1, most).round().astype(int))
    frames = [frames[i] for i in chosen]
    data = config.training_data()
    found = [rates(data, Pattern(frame.gap, frame.pin), frame.b, frame.c) for frame in frames]
    epoch = np.array([frame.epoch for frame in frames])
    excess = np.array([max(frame.loss - frame.floor, 0.0) for frame in frames])
    scaled = config.scale.loss
    step = data.s * float(getattr(config.method, "learning_rate", 1.0))

    def envelope(name: str) -> FloatArray:
        rate = [getattr(entry, name) for entry in found]
        areas = [0.5 * (a + b) * gap for (a, b), gap in zip(pairwise(rate), np.diff(epoch), strict=True)]
        return scaled(excess[0]) * portable.exp(
            [-2.0 * step * area for area in accumulate(areas, initial=0.0)]
        )

    return {
        "epoch": epoch,
        "excess": scaled(excess),
        "lower": envelope("r_max"),
        "upper": envelope("r_min"),
        "bound_lower": envelope("bound_max"),
        "bound_upper": envelope("bound_min"),
    }


def best_known_columns(config: RunConfig) -> dict[str, Any]:
    """The smallest loss known for this width on these data, as a reference line.

    Searched for where that takes about a second at most; beyond, there is none to show.
    """
    data = config.training_data()
    if config.width * (config.width + data.m) > LARGE:
        return {"loss": None, "how": "not searched for: the problem is too large", "proven": False}
    found = best_known(data, config.width)
    how = best_known_origin(found, config.width, data.m)
    return {"loss": config.scale.loss(found.loss), "how": how, "proven": found.proven}


def candidate_columns(config: RunConfig, frame: Frame) -> dict[str, Any]:
    """Every move that ANLS would weigh from the biases of a frame; `chosen` is the one it would make."""
    offset = float(getattr(config.method, "offset", OFFSET))
    data, scale = config.training_data(), config.scale
    found = candidate_table(data, frame.b, offset)
    scaled = {"position": scale.x(found.position), "loss": scale.loss(found.loss)}
    scaled["candidate_loss"] = scale.loss(found.candidate_loss)
    return {"frame": frame.index, **asdict(found), **scaled, "reason": candidate_reason(data, found)}


def record_columns(config: RunConfig, frames: Sequence[Frame]) -> dict[str, Any]:
    """A track record as JSON has it."""
    end = monotonic() + RECORD_SECONDS
    record = track_record(config, frames, has_time=lambda: monotonic() < end)
    return {"rows": [asdict(row) for row in record.rows], "left": record.left}


def forecast_columns(config: RunConfig, frame: Frame) -> dict[str, Any]:
    """A forecast as JSON has it."""
    found, scale = forecast(config, frame), config.scale
    return {
        "frame": frame.index,
        "frame_epoch": frame.epoch,
        "kind": found.kind,
        "epoch": found.epoch,
        "neuron": found.neuron,
        "datum": found.datum,
        "certified": found.certified,
        "sentence": found.sentence,
        "certificate": found.certificate,
        "rests": found.rests,
        "reached": found.reached,
        "events": [asdict(event) for event in found.events],
        # seven digits are more than a picture shows, and a third of the bytes
        "future": {
            "epoch": found.future.epoch,
            "loss": scale.loss(found.future.loss).astype(np.float32),
            "b": np.ascontiguousarray(
                scale.x(found.future.b).T, dtype=np.float32 if scale.is_plain else np.float64
            ),
            "c": np.ascontiguousarray(scale.slope(found.future.c).T, dtype=np.float32),
        },
    }
