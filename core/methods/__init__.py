"""The training methods, by their query value: thin classes over the algorithms in anls, descent, flow
and squares.

`contract` says what a method is. A new one is one new file of that name and one line here. Methods may import
the algorithms, the theory and what lies below, and never each other (paper, sections 2 and 4).
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
    "adaptive_width",
    "momentum",
    "nesterov",
    "gauss_newton",
    "sggn",
    "varpro",
    "lbfgs",
    "sgd",
)
METHODS: dict[str, type[Method]] = {name: import_module(f"core.methods.{name}").METHOD for name in _NAMES}

__all__ = ["METHODS", "Method"]
