"""`fit` as an estimator of scikit-learn, for pipelines and searches over parameters; needs scikit-learn.

scikit-learn clones an estimator by its constructor's arguments, so each setting that people search over is
one of them; whatever else a link may hold goes into `settings`.
"""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from .fitting import FitResult, fit
from .types import FloatArray


class ReluRegressor(RegressorMixin, BaseEstimator):
    """A piecewise linear function of one feature, fitted by any method of `METHODS`.

    The default, ANLS, fits the points and nothing between them, and may put a spike between two. Let a search
    compare ``method=["anls", "gd"]`` and smaller widths where the score of cross-validation is low.

    Parameters
    ----------
    width
        Number of neurons, hence of bends.
    method
        Name of a method.
    seed
        Of the starting network.
    epochs
        Budget; None is the method's own.
    learning_rate
        Step size; None chooses a stable one.
    settings
        Other keys of a link, by name.

    Attributes
    ----------
    result_ : FitResult
        All that `fit` returns.

    Examples
    --------
    >>> import numpy as np
    >>> from core.sklearn import ReluRegressor
    >>> X = np.linspace(0, 10, 50)[:, None]
    >>> model = ReluRegressor(width=6).fit(X, np.abs(X[:, 0] - 4))
    >>> round(model.score(X, np.abs(X[:, 0] - 4)), 2)
    1.0
    """

    def __init__(
        self,
        width: int = 10,
        method: str = "anls",
        seed: int = 0,
        epochs: float | None = None,
        learning_rate: float | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.width = width
        self.method = method
        self.seed = seed
        self.epochs = epochs
        self.learning_rate = learning_rate
        self.settings = settings

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to one feature; a weight counts as so many equal samples. Ctrl-C raises KeyboardInterrupt."""
        X, y = validate_data(self, X, y, y_numeric=True, dtype=np.float64)
        self._check_feature(X)
        chosen = {"epochs": self.epochs, "learning_rate": self.learning_rate}
        settings = dict(self.settings or {}) | {k: v for k, v in chosen.items() if v is not None}
        self.result_: FitResult = fit(
            X[:, 0], y, weights=sample_weight, on_interrupt="raise",
            width=self.width, method=self.method, seed=self.seed, **settings,
        )  # fmt: skip
        return self

    def predict(self, X: Any) -> FloatArray:
        """The network's values."""
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        return self.result_.predict(X[:, 0])

    def _check_feature(self, X: FloatArray) -> None:
        if X.shape[1] != 1:
            raise ValueError(f"X has {X.shape[1]} features; this network has one")
