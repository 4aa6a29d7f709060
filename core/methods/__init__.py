"""The paper's methods, by their query value (sections 2, 4 and 5): gradient descent and its flow, Adam,
least squares and the hybrids, active neuron least squares.

`contract` says what a method is. A method is one file, or one package whose `method` holds the class and
whose other files its algorithm; either exports the class as METHOD. What several methods share is no method:
`stepping` (gd, adam and the hybrids), `hybrid` (ls_gd, ls_adam), `placing` (lsq, anls) and `parameters`.
Methods may import these, the theory and what lies below, and never each other. The methods that the paper
does not have are in `core.rivals`, which adds them to METHODS.
"""

from importlib import import_module

from .contract import Method

_NAMES = ("gd", "adam", "flow", "lsq", "ls_gd", "ls_adam", "anls")
METHODS: dict[str, type[Method]] = {name: import_module(f".{name}", __package__).METHOD for name in _NAMES}

__all__ = ["METHODS", "Method"]
