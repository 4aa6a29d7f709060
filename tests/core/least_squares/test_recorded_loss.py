"""The loss of the coefficients, evaluated as every frame's is, is the least loss for the biases.

Coefficients are doubles. Two biases 1e-8 apart that carry a jump have coefficients
of 1e8, the slope behind them comes in units of 1e-8, and no choice of c is better
than that: the bar adds the square of one rounding of sum |c_j| (x - b_j), which is what evaluating f costs.
"""

from collections.abc import Iterator

import numpy as np
import pytest

from core.config.run_config import RunConfig
from core.least_squares.chain import ascending
from core.least_squares.solve import coefficients, solve
from core.methods import METHODS
from core.methods.anls.iteration import anls
from core.methods.parameters import OFFSET
from core.model.loss import mean_loss
from core.problem.data import TrainingData
from core.problem.gallery import TARGETS
from core.rivals.anls_plus.plus import anls_plus
from core.types import FloatArray
from reproduction.measures.cod import design
from tests.core.exact import exact_least
from tests.effort import cases
from tests.problems import random_problem

OFFSETS = (
    "1%2Bx", "2%2Babs(x)", "x**2-5", "100%2Bsin(pi*x)", "-3", "1e-3*x%2B7", "exp(x)", "1/(1.1-x)",
    "1e4%2Bx**3", "abs(x)-0.5",
)  # fmt: skip
SAMPLED = [name for name in (*TARGETS, *OFFSETS) if name not in TARGETS or not TARGETS[name].fixed]
FIXED = [name for name, target in TARGETS.items() if target.fixed]
QUESTIONS = [
    *(f"target={name}&sampling={kind}" for name in SAMPLED for kind in ("equidistant", "uniform")),
    *(f"target={name}" for name in FIXED),
]
PLACING = ("anls", "anls_plus")


def rounding(data: TrainingData, b: FloatArray, c: FloatArray) -> float:
    """What one rounding of the evaluation's largest sum would cost, and of y."""
    reach = float(np.max(design(data.x, b) @ np.abs(c)))
    return (2.0**-53 * reach) ** 2 + 1e-26 * float(np.mean(data.y**2))


def iterates(data: TrainingData, b: FloatArray, method: str) -> Iterator[FloatArray]:
    """The biases of every iteration of a placing method, and its last ones."""
    b = b.copy()
    while True:
        yield b
        if method == "anls":
            if anls(data.points, b, ascending(b), OFFSET, 1).done == 0:
                return
        elif anls_plus(data.points, b, OFFSET, 1)[0]:
            return


def check_run(query: str, method: str) -> int:
    """Every iterate of a run; how many there were."""
    config = RunConfig.from_query(f"{query}&method={method}")
    data, previous, count = config.training_data(), np.inf, 0
    for b in iterates(data, config.initial()[0], method):
        solution = solve(data, b)
        recorded = mean_loss(data, b, solution.c)
        above = abs(recorded - solution.loss) - 1e-6 * solution.loss
        risen = recorded - previous * (1.0 + 1e-7)
        if max(above, risen) > 0.0:
            assert max(above, risen) <= rounding(data, b, solution.c), (query, count)
        previous = recorded
        count += 1
    check_dense(data, b, recorded)
    return count


def check_dense(data: TrainingData, b: FloatArray, recorded: float) -> None:
    """The loss at the end beside the dense optimum, and beside 60 digits where that is too coarse."""
    matrix, root = design(data.x, b), np.sqrt(data.w)
    c = np.linalg.lstsq(root[:, None] * matrix, root * data.y, rcond=None)[0]
    dense = float(np.sum(data.w * (matrix @ c - data.y) ** 2)) / data.weight
    slack = rounding(data, b, coefficients(data, b))
    if abs(recorded - dense) > 1e-6 * dense + slack:
        assert (data.w == 1.0).all()
        least = exact_least(data.x, data.y, b) / data.m
        assert abs(recorded - least) <= 1e-6 * least + slack, (recorded, dense, least)


@pytest.mark.parametrize("method", PLACING)
@pytest.mark.parametrize(
    "query",
    [
        "target=abs&sampling=uniform&seed=28",
        "target=1%2Bx&sampling=uniform&points=50&seed=14",
        "target=1e4%2Bx**3&sampling=uniform&seed=28",
        "target=1e-3*x%2B7&seed=27",
        "target=five&seed=28",
        "target=sawtooth&sampling=uniform&seed=3",
        "target=w&seed=5",
    ],
)
def test_every_iterate_has_the_least_loss_and_none_rises(method: str, query: str) -> None:
    assert check_run(query, method) > 1


@pytest.mark.slow
@pytest.mark.parametrize("method", PLACING)
@pytest.mark.parametrize("question", QUESTIONS)
def test_every_iterate_of_many_seeds(method: str, question: str) -> None:
    seeds = cases(3 if "target=f2" in question else 8, of=40)
    assert sum(check_run(f"{question}&seed={seed}", method) for seed in range(seeds)) >= seeds


def test_two_biases_at_any_distance() -> None:
    """A pair left of the data that carries a jump of 1, from 1 to 1e-11 apart; 60 digits know the least."""
    x = np.linspace(0.0, 1.0, 12)
    data = TrainingData(x, 1.0 + 0.5 * x + np.where(x > 0.5, 0.3 * (x - 0.5), 0.0) + 1e-3 * np.cos(9.0 * x))
    for distance in 10.0 ** -np.arange(0.0, 11.5, 0.5):
        b = np.array([-1.5 * distance, -0.5 * distance, 0.5])
        c = coefficients(data, b)
        least = exact_least(data.x, data.y, b) / data.m
        recorded = mean_loss(data, b, c)
        assert recorded == pytest.approx(least, rel=1e-6, abs=(2.0**-53 * 2.0 / distance) ** 2), distance
        # the change of slope behind the pair is right to the last unit of its coefficients
        assert (
            abs((c[0] + c[1]) - solve(data, np.array([-1.5, -0.5, 0.5])).c[:2].sum())
            <= 1e-15 / distance + 1e-12
        )


@pytest.mark.parametrize("method", ["lsq", "ls_gd", "ls_adam"])
@pytest.mark.parametrize("seed", range(3))
def test_every_iterate_of_the_hybrids(method: str, seed: int) -> None:
    problem = random_problem(seed, 30, 12)
    data = problem.data
    trained = METHODS[method]()
    state = trained.init(data, problem.b, problem.c)
    for epoch in range(60 if method != "lsq" else 1):
        b, c = state["b"], state["c"]
        least = exact_least(data.x, data.y, b) / data.m if epoch % 20 == 0 else solve(data, b).loss
        assert abs(mean_loss(data, b, c) - least) <= 1e-6 * least + rounding(data, b, c)
        state = trained.advance(data, state, epoch + 1.0, stop_at_change=False).state
