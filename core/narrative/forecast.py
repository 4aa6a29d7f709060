"""Forecasts in words: `forecast` is what scripts and the page ask for."""

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np

from ..analysis.forecast import Forecast, predict
from ..analysis.forecast.result import EVENTS, LATEST
from ..config.run_config import RunConfig
from ..frames.frame import Frame
from .candidates import RELOCATION_WORDS
from .endings import sentence_of
from .methods import words_of
from .numbers import hoppers, number, place_of_bias, position

IN_FULL = 1e12
"""Epochs up to this are written with all of their digits."""
CERTAIN = "This stage is guaranteed to end: the lines it heads for do not fit its pattern."
"""Theorem 3.3 (thm:convergence) as a certificate."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ForecastReport(Forecast):
    """A forecast and its words.

    Examples
    --------
    >>> from core import fit
    >>> coming = fit("f1", method="gd", epochs=3000).forecast()
    >>> coming.kind, coming.neuron, round(coming.epoch)
    ('crossed', 8, 3278)
    """

    sentence: str
    """One or two short sentences; neurons are counted from 1."""

    @property
    def certificate(self) -> str:
        """Why the stage must end; empty where that is not known."""
        return CERTAIN if self.certified else ""

    def __repr__(self) -> str:
        parts = {"epoch": self.epoch, "neuron": self.neuron, "datum": self.datum}
        shown = "".join(f", {name} {value:.10g}" for name, value in parts.items() if value is not None)
        return f"<Forecast: {self.kind}{shown}\n {self.sentence}>"


def forecast(config: RunConfig, frame: Frame, events: int = EVENTS) -> ForecastReport:
    """What ends the stage that a frame lies in, when, and what follows: the next few changes of the pattern.

    Parameters
    ----------
    config
        The run.
    frame
        A frame of it.
    events
        How many changes are looked for.

    Returns
    -------
    ForecastReport
        Among others `kind`, `epoch`, `neuron`, `datum`, `certified` and `sentence`.

    Examples
    --------
    >>> from core import train
    >>> config = RunConfig.from_query("target=five&method=anls&epochs=1")
    >>> forecast(config, next(train(config))).kind
    'trained'
    """
    found = predict(config, frame, events)
    parts = {part.name: getattr(found, part.name) for part in fields(Forecast)}
    return ForecastReport(**parts, sentence=SENTENCES[found.reason](config, frame, found))


def epoch_text(epoch: float) -> str:
    """An epoch in words, up to the next whole one: the one at whose end the event has happened."""
    return f"{np.ceil(epoch):,.0f}" if epoch < IN_FULL else number(epoch)


def _event(config: RunConfig, frame: Frame, found: Forecast) -> str:
    data, change = config.training_data(), found.events[0]
    who, when = f"Neuron {change.neuron + 1}", f"at about epoch {epoch_text(change.epoch)}"
    where = position(data, change.datum)
    if change.kind == "pinned":
        return f"{who} reaches {where} {when} and is pinned there."
    if change.kind == "released":
        return f"{who} comes free from {where} {when}."
    if change.datum == data.m - 1 and frame.gap[change.neuron] < data.m:
        return f"{who} crosses {where}, the last data point, {when} and is dead from then on."
    return f"{who} crosses {where} {when}."


def _move(config: RunConfig, frame: Frame, found: Forecast) -> str:  # noqa: ARG001
    data, change, outlook = config.training_data(), found.events[0], found.outlook
    weighed = ""
    if outlook is not None:
        best = float(data.scale.loss(outlook.best_loss))
        weighed = (
            f"{outlook.better} of {outlook.candidates} candidates lower the loss, the best to {best:.3g}. "
        )
    who, when = f"neuron {change.neuron + 1}", f"Iteration {epoch_text(change.epoch)}"
    if change.kind == "relocated":
        why = RELOCATION_WORDS[change.reason] if change.reason else ""
        then = found.future.b[found.future.epoch == change.epoch]
        place = place_of_bias(data, float(then[0, change.neuron]))
        return f"{weighed}{when} takes {who}, {why}, to b = {place}."
    where = position(data, change.datum) if change.datum >= 0 else "a data point"
    return f"{weighed}{when} moves {who} over {where}."


def _ended(config: RunConfig, frame: Frame, found: Forecast) -> str:  # noqa: ARG001
    assert found.ended is not None
    return sentence_of(config, *found.ended)


def _hopping(config: RunConfig, frame: Frame, found: Forecast) -> str:
    """Who hops, and below which step descent would be stable where the run is now."""
    who = hoppers(config.training_data(), frame.pin)
    sentence = f"{who[0].upper()}{who[1:]}: the step is too large here."
    if "stable" not in found.numbers:
        return sentence
    return f"{sentence} A learning rate below {number(found.numbers['stable'], 2)} is stable."


def _off_course(config: RunConfig, frame: Frame, found: Forecast) -> str:  # noqa: ARG001
    step, stable = found.numbers["step"], found.numbers["stable"]
    return (
        "Unknown: descent does not follow the flow here. "
        f"The step {step:.2g} is beyond the largest stable one, {stable:.2g}."
    )


Sentence = Callable[[RunConfig, Frame, Forecast], str]


def _plainly(template: str) -> Sentence:
    """A sentence with {reached} or {steps} in it."""

    def sentence(config: RunConfig, frame: Frame, found: Forecast) -> str:  # noqa: ARG001
        return template.format(
            reached=epoch_text(found.reached), steps=f"{found.numbers.get('steps', 0):.0f}"
        )

    return sentence


SENTENCES: dict[str, Sentence] = {
    "event": _event,
    "move": _move,
    "rests": _plainly("No further crossing is predicted: the flow comes to rest."),
    "ended": _ended,
    "hopping": _hopping,
    "off_course": _off_course,
    "pin_held": _plainly("Unknown: the flow releases a pinned neuron that descent still holds."),
    "too_fast": _plainly("Unknown: from epoch {reached} on the flow is too fast to be followed."),
    "too_late": _plainly(f"Unknown: nothing happens before epoch {number(LATEST)}."),
    "no_event": _plainly(
        "Unknown: the flow has no event up to epoch {reached}, where the calculation stops."
    ),
    "no_move": _plainly("Unknown: the next {steps} iterations move no neuron to another gap."),
    "no_theory": lambda config, frame, found: f"Unknown. {words_of(config.method).no_forecast}",  # noqa: ARG005
}
