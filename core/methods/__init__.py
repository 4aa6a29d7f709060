"""The training methods, by their query value: contract and one thin class each (paper, sections 2 and 4).

A new method is one new file of that name and one line here. Methods may import the algorithms (squares, ANLS,
descent, flow), the theory and what lies below, and never each other.
"""

from importlib import import_module

from core.methods.contract import Method

_NAMES = (
    "gd",
    "adam",
    "flow",
    "lsq",
    "ls_gd",
    "ls_adam",
    "anls",
    "anls_plus",
)
METHODS: dict[str, type[Method]] = {name: import_module(f"core.methods.{name}").METHOD for name in _NAMES}
