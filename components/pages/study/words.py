"""What the Study page calls things: the columns of its table, methods, and how runs end."""

from collections.abc import Sequence
from typing import Any

from core.methods import METHODS
from core.problem import TARGETS
from core.study import Row

_TITLES = {
    "longest_plateau": "longest plateau, decades",
    "plateau_share": "share on plateaus",
    "prediction_error": "prediction error",
    "dead": "dead neurons",
    "pinned": "pinned neurons",
}
_HELP = {
    "seed": "Number of the random draw of points, noise and starting network.",
    "method": "How the network is trained.",
    "width": "Number of neurons.",
    "outcome": "How the run ended; the pointer on an entry says what that means.",
    "loss": "Mean of the squared residuals at the end.",
    "epochs": "Epochs, or iterations, until the run ended.",
    "longest_plateau": "The longest time that the loss stood still, in decades of epochs: 1 is from 1,000 "
    "to 10,000.",
    "plateaus": "How often the loss stood still.",
    "plateau_share": "The part of the run that plateaus take up on the Lab's axis of epochs, from 0 to 1.",
    "target": "What the network learns.",
    "points": "Number of data points.",
    "learning_rate": "Step size η; empty for methods without one.",
    "floor": "The loss cannot drop below it during the last stage.",
    "prediction_error": "Distance from the function behind the data at the end; empty where there is none.",
    "seconds": "Seconds of computing.",
    "gradients": "Evaluations of the gradient.",
    "solves": "Least-squares problems solved.",
    "stages": "Stretches of the run during which no neuron crossed a data point.",
    "dead": "Neurons that see no data point at the end.",
    "pinned": "Neurons that are held at a data point at the end.",
    "query": "The run as a link.",
}
OUTCOMES = {
    "budget": ("budget used up", "All requested epochs are done. More epochs continue the run."),
    "trained": ("trained", "A stationary point: no further step of the method helps."),
    "settled": ("settled", "A least-squares method that has no improving candidate left."),
    "diverged": ("diverged", "The loss explodes: the steps are too large."),
    "interrupted": ("interrupted", "Somebody stopped it before its end."),
    "failed": ("not computed", "The run cannot be computed, for example because its data are gone."),
    "": ("not ended", "The run was not computed to its end."),
}


def column_title(column: str) -> str:
    """A column in words, with its unit where it has one."""
    what, _, level = column.partition("_to_")
    return f"{what} to loss {level}" if level else _TITLES.get(column, column.replace("_", " "))


def column_help(column: str) -> str:
    """What a column tells."""
    what, _, level = column.partition("_to_")
    if level:
        unit = "Seconds of computing" if what == "seconds" else "Epochs"
        return f"{unit} until the loss was {level} or less; empty where it never was."
    return _HELP.get(column, "A setting that tells the runs apart.")


def method_title(name: object) -> str:
    """What a method is called."""
    return METHODS[name].title if isinstance(name, str) and name in METHODS else str(name or "")


def group_title(columns: Sequence[str], values: Sequence[Any]) -> str:
    """What the runs with these values of some columns are called together."""
    return ", ".join(map(_value_title, columns, values)) or "all runs"


def _value_title(column: str, value: Any) -> str:
    if column == "method":
        return method_title(value)
    if column == "target" and value in TARGETS:
        return TARGETS[value].title
    return f"{column_title(column)} {'none' if value is None else value}"


def groups_title(key: str) -> str:
    """What groups by some columns, with commas, are called in a list."""
    return " × ".join(map(column_title, key.split(",")))


def run_title(row: Row) -> str:
    """What one run is called under the pointer."""
    return f"{method_title(row['method'])}, seed {row['seed']}, width {row['width']}"


def shown(row: Row, column: str) -> Any:
    """The entry of a row as people read it; filters and sorting go by it too."""
    value = row.get(column)
    if column == "method":
        return method_title(value)
    if column == "target":
        return TARGETS[value].title if value in TARGETS else value
    return OUTCOMES[value][0] if column == "outcome" and value in OUTCOMES else value
