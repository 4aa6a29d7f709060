"""Methods that the paper does not have, to compare its own with: descent with momentum, mini-batches,
curvature (Gauss-Newton in three forms, L-BFGS), and ours, ANLS+ and adaptive width.

A rival is a file of its name, or a package, and one line in _NAMES below, which registers it in METHODS;
nothing in `core.methods` knows it. What several share has a package: `with_momentum` is the loop of momentum
and nesterov, `damped` that of gauss_newton, sggn and varpro; `data_scan` is the gradient of lbfgs and sgd.
They may import the methods and what lies below.
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
