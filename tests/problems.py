"""Small problems with known answers or known difficulties, in one place for all suites."""

from dataclasses import dataclass

import numpy as np

from core.config.run_config import RunConfig
from core.problem.data import TrainingData
from core.types import FloatArray


@dataclass(frozen=True, eq=False)
class Problem:
    """Data and a starting network."""

    x: FloatArray
    y: FloatArray
    b: FloatArray
    c: FloatArray
    w: FloatArray | None = None

    @property
    def data(self) -> TrainingData:
        return TrainingData(self.x, self.y, w=np.ones(self.x.size) if self.w is None else self.w)

    @property
    def points(self) -> str:
        """The data as they stand in a link."""
        columns = [self.x, self.y] if self.w is None else [self.x, self.y, self.w]
        return ";".join(":".join(map(repr, row)) for row in np.stack(columns, axis=1).tolist())

    def config(self, method: str, epochs: float, **parameters: float) -> RunConfig:
        """The run of a method on this problem, by way of its query."""
        given = {
            "data": self.points,
            "biases": ",".join(map(repr, self.b.tolist())),
            "coefficients": ",".join(map(repr, self.c.tolist())),
            "method": method,
            "epochs": repr(float(epochs)),
        } | {name: repr(value) for name, value in parameters.items()}
        return RunConfig.from_query("&".join(f"{key}={value}" for key, value in given.items()))


def problem(x: list[float], y: list[float], b: list[float], c: list[float]) -> Problem:
    return Problem(*(np.array(values, dtype=np.float64) for values in (x, y, b, c)))


def random_problem(
    seed: int, m: int, n: int, middle: float = 0.0, sampling: str = "uniform", weighted: bool = False
) -> Problem:
    """m points of a wave on [middle - 1, middle + 1] and a He start; weights are small whole numbers."""
    rng = np.random.default_rng([seed, m, n])
    x = np.linspace(-1.0, 1.0, m) if sampling == "equidistant" else np.sort(rng.uniform(-1.0, 1.0, m))
    y = np.sin((2.0 + seed % 4) * np.pi * x) + rng.normal(0.0, 0.1, m)
    b, c = rng.normal(0.0, np.sqrt(2.0), n) + middle, rng.normal(0.0, np.sqrt(2.0 / n), n)
    return Problem(x + middle, y, b, c, rng.integers(1, 5, m).astype(float) if weighted else None)


DEGENERATE: dict[str, Problem] = {
    "two points": problem([0.0, 1.0], [1.0, -1.0], [-0.5, 0.3], [0.5, 0.5]),
    "one neuron": problem([-1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-0.5], [1.0]),
    "biases on data": problem([0.0, 0.5, 1.0, 1.5], [1.0, 0.0, 1.0, 2.0], [0.0, 0.5, 1.0], [1.0, -1.0, 0.5]),
    "several biases in one gap": problem(
        [0.0, 1.0, 2.0], [0.0, 1.0, -1.0], [0.2, 0.4, 0.4, 0.9, 0.5], [1.0, -0.5, 0.3, 0.2, -0.1]
    ),
    "equal neurons": problem([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 0.0, 1.0], [0.5, 0.5, 0.5], [0.3, 0.3, 0.3]),
    "all dead": problem([0.0, 1.0, 2.0], [1.0, 2.0, 3.0], [2.0, 5.0], [1.0, 1.0]),
    "some dead": problem([0.0, 1.0, 2.0], [1.0, 2.0, 3.0], [-1.0, 2.0, 4.0], [1.0, 1.0, -1.0]),
    "all left": problem([0.0, 1.0, 2.0], [1.0, 2.0, -3.0], [-1.0, -2.0, -0.1], [0.1, 0.1, 0.1]),
    "wider than data": problem(
        [0.0, 1.0, 2.0],
        [1.0, -1.0, 1.0],
        [-1.0, -0.5, 0.1, 0.6, 1.1, 1.7, 2.5],
        [0.1, -0.2, 0.3, 0.1, -0.4, 0.2, 0.1],
    ),
    "constant y": problem([-1.0, 0.0, 1.0, 2.0], [0.5, 0.5, 0.5, 0.5], [-2.0, -0.5, 0.5], [0.1, 0.2, -0.1]),
    "zero y": problem([-1.0, 0.0, 1.0], [0.0, 0.0, 0.0], [-2.0, 0.5], [0.1, 0.2]),
    "zero coefficients": problem([0.0, 1.0, 2.0], [1.0, 2.0, 0.0], [-0.5, 0.5, 1.5], [0.0, 0.0, 0.0]),
    "far from zero": problem(
        [1000.0, 1000.5, 1001.0, 1001.5], [1.0, 0.0, 1.0, 0.0], [999.5, 1000.2, 1000.7], [0.5, -0.5, 0.5]
    ),
    "clustered": problem(
        [0.0, 1e-7, 2e-7, 1.0, 1.0 + 1e-9, 2.0],
        [0.0, 1.0, 0.0, 1.0, 1.0, 0.0],
        [-0.5, 0.5, 1.5],
        [0.5, 0.5, -1.0],
    ),
}

FIVE = problem(
    [-1.0, -0.5, 0.0, 0.5, 1.0],
    [0.0, 1.0, -1.0, 1.0, 0.0],
    [-1.5, -0.8, -0.4, 0.1, 0.3, 0.6, -2.0, 0.9],
    [0.5, 0.2, -0.4, 0.3, -0.2, 0.1, 0.2, 0.3],
)
"""Five points, eight neurons: biases get pinned to the inner data early on."""
