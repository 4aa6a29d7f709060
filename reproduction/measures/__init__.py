"""Numbers read off runs. Pure functions; each says what it counts and why so.

    curves      loss and error over epochs: plateaus, rises, when a level is reached
    rest        how near to rest a run has come: stationarity, settled parameters, regression lines
    theorems    the theorems of section 3, stage by stage
    iterations  a run at every single iteration, where frames are too few
    plain       gradient descent as the paper writes it, with its own counting of patterns
    cut_off     LS/GD whose least-squares solver drops small columns
    exact       statements that need no training

Training is slow by nature, so durations are measured in decades of epochs: a plateau
from 1e5 to 2e5 and one from 1e7 to 2e7 look equally long on the paper's axes.
"""

Numbers = dict[str, float]
"""What is kept of one run, by name."""


def at(name: str, *values: float) -> str:
    """The name of a number measured at given thresholds, such as plateaus_0.1_0.2."""
    return "_".join((name, *(f"{value:g}" for value in values)))
