"""`fit`: from data to a trained network, in one call."""

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal

from ..config import RunConfig, parameter_fields
from ..narrative import caution
from ..spelling import FieldError
from .arguments import is_link, linked_config, run_config
from .result import FitResult, trained

RATES = (
    1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5, 5e-6, 2e-6,
    1e-6, 5e-7, 2e-7, 1e-7, 5e-8, 2e-8, 1e-8, 5e-9, 2e-9,
)  # fmt: skip
"""Learning rates that are tried in turn where none is told: 0.001, 0.0005, 0.0002, …"""


def fit(
    x: Any,
    y: Any = None,
    *,
    weights: Any = None,
    progress: bool = False,
    on_interrupt: Literal["return", "raise"] = "return",
    datasets: Mapping[str, str] | None = None,
    **settings: Any,
) -> FitResult:
    """Fit a ReLU network with one hidden layer, a piecewise linear function, to data.

    Data may come in any order and in any units in which they lie between -1e9 and 1e9: they are sorted and
    scaled for training, and everything comes back in their own units. Points that share an x, or lie within
    1e-9 of the span of each other, become one with their mean and weight; the loss is that of the means.

    Ctrl-C returns what there is; `resume` goes on.

    Parameters
    ----------
    x
        Positions: an array, a list, a Series, dates; or a formula in x such as ``"sin(pi*x)"``; or the name
        of a target (`TARGETS`); or a function of x, together with ``domain=(low, high)``; or the link of a
        run, as copied from the Lab, which is then trained as it says.
    y
        Values, one for each x; left out with all others. Two Series with the same labels, each once, are
        paired by label, everything else by position.
    weights
        One positive number for each x: how many measurements it stands for.
    progress
        Whether to show a bar (needs tqdm).
    on_interrupt
        What Ctrl-C does: ``"return"`` what there is (`outcome.kind` is ``"interrupted"``), or ``"raise"``
        KeyboardInterrupt, for scripts that must not go on with a network that is half trained.
    datasets
        Texts of own data by the names that a link calls them by (`FitResult.dataset`).
    **settings
        The keys of a link: ``width``, ``method`` (`METHODS`), ``seed``, ``epochs``, ``learning_rate``,
        ``init``, ``noise``, ``points``, ``domain``, …; None leaves one out. Without ``learning_rate`` a
        stable one is chosen, unless x is a link; it belongs to the scaled data. ``biases`` and
        ``coefficients`` are in the data's own units. With a link they replace what it says.

    Returns
    -------
    FitResult
        With `loss`, `y0`, `b`, `c`, `outcome`, `predict`, `history`, `stages`, `plateaus`, `forecast`,
        `resume`.

    Raises
    ------
    ValueError
        If data or a setting is wrong; it names the setting, the value and what is allowed.

    Warns
    -----
    RuntimeWarning
        If the run diverges; it names the largest stable learning rate.

    Examples
    --------
    >>> import numpy as np
    >>> from core import fit
    >>> x = np.linspace(0, 60, 200)
    >>> result = fit(x, 40 * np.sin(x / 9), width=12, method="anls", seed=0)
    >>> bool(result.loss < 2), result.predict([0.0, 30.0]).shape
    (True, (2,))
    >>> result = fit("sin(pi*x)", points=100, method="gd", epochs=1000)
    >>> result.outcome.kind
    'budget'
    >>> fit("http://127.0.0.1:8050/?target=five&method=anls&at=3", seed=2).query
    'method=anls&seed=2&target=five'
    """
    if on_interrupt not in ("return", "raise"):
        raise FieldError("on_interrupt", f"{on_interrupt!r} is not allowed; allowed are return, raise")
    given = {key: value for key, value in settings.items() if value is not None}
    if is_link(x):
        config, chooses = linked_config(x, y, weights, settings, datasets), False
    else:
        config = run_config(x, y, weights, given)
        chooses = "learning_rate" not in given and "learning_rate" in parameter_fields(type(config.method))
    rates = _lower_rates(config) if chooses else iter(())
    if chooses and config.method.step_limited_by != "spacing":  # there a large step is rough, not unstable
        while caution(config) and (slower := next(rates, None)) is not None:
            config = slower
    result = trained(config, progress)
    while result.outcome.kind == "diverged" and (slower := next(rates, None)) is not None:
        result = trained(slower, progress)
    if result.outcome.kind == "interrupted" and on_interrupt == "raise":
        raise KeyboardInterrupt(result.outcome.sentence)
    if result.outcome.kind == "diverged":
        warnings.warn(result.outcome.sentence, RuntimeWarning, stacklevel=2)
    return result


def _lower_rates(config: RunConfig) -> Iterator[RunConfig]:
    """The same run with smaller and smaller steps."""
    default = parameter_fields(type(config.method))["learning_rate"].default
    for rate in RATES:
        if rate < default:
            yield replace(config, method=replace(config.method, learning_rate=rate))  # type: ignore[call-arg]
