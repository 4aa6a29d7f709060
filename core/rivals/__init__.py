"""Methods that the paper does not have, to compare its own with: descent with momentum, mini-batches,
curvature (Gauss-Newton in three forms, L-BFGS), and ours, ANLS+ and adaptive width.

Each is one file of that name, or a package, and one line here; nothing in `core.methods` knows them.
`damped` and `rolling` are what several have in common, `newton` the linear algebra of those that use
curvature. They may import the methods and what lies below.
"""

from importlib import import_module

from ..methods import METHODS

_NAMES = (
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
METHODS.update({name: import_module(f".{name}", __package__).METHOD for name in _NAMES})
