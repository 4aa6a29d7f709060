"""The best known losses: stored ones stand for networks that exist, computed ones are reproducible."""

import numpy as np
import pytest

from core.analysis.best_known import STORED, best_known
from core.config.run_config import RunConfig
from core.least_squares.solve import solve
from core.problem.data import TrainingData

F1_BIASES = [
    -1.0047585665169945, -0.7489164270122223, -0.5675922468928721, -0.40274061712368436, -0.22061717332837488,
    0.20319717536750487, 0.36258651100140216, 0.5049841299309258, 0.644391566088021, 0.790925532791068,
]  # fmt: skip
SIN5_BIASES = [
    -1.00000001, -0.9741038541393304, -0.9541789650798427, -0.9376968304235975, -0.9217469262695974,
    -0.9057941132201806, -0.8897982688372681, -0.8738392218976745, -0.8577747099807697, -0.8422894342660195,
    -0.8249176057226514, -0.7738322421015165, -0.753040237472674, -0.7339322844294537, -0.7173579452952632,
    -0.7013988653388068, -0.6854334889441306, -0.6701112140290421, -0.6568059971711322, -0.6410917357172002,
    -0.622058481688431, -0.5777201581468026, -0.5614896057987804, -0.5489549890344256, -0.5362789082084067,
    -0.520951152133925, -0.5056576690212382, -0.49234452732172673, -0.4770544408774792, -0.4611088238301067,
    -0.44463389081585925, -0.42511847899311955, -0.3732695861843883, -0.3529916185658267,
    -0.33650104391804797, -0.3205521279214125, -0.30458997880232036, -0.2886252721848415,
    -0.2720406292291545, -0.2523236031159241,
    -0.2286739627791409, -0.1727133515861382, -0.1525957499552189, -0.13610236197692901, -0.1201535949676054,
    -0.10485786709674562, -0.09220307845650666, -0.07956274088271631, -0.06429253888185783,
    -0.04780233039669913, -0.027313778580591683, 0.024633975666970818, 0.04383937328099525,
    0.06031125753815053, 0.07625661875339852, 0.09221691316816415, 0.10818253975501121, 0.12414089302618118,
    0.14008887428785835, 0.15654977582068352, 0.17602595215784997, 0.22451242536444851, 0.24423305055583647,
    0.2607111391719886, 0.2766512398888344, 0.2926256578642449, 0.3085753061861206, 0.3245439871700133,
    0.34049477263656514, 0.3569518874471046, 0.37628885012073326, 0.4239336949711621, 0.4412356801790452,
    0.4571302693776414, 0.47305310569752745, 0.4890200331819527, 0.5050126263980548, 0.5209602176058858,
    0.5368623359522835, 0.5533629108069811, 0.5735495847913293, 0.6245285578258312, 0.6416334330251595,
    0.6575237203515379, 0.6734664172235868, 0.6894245294282222, 0.7053877475039946, 0.7213493428163383,
    0.7372975799101402, 0.753783486523081, 0.7738315631986824, 0.8264786629762414, 0.8495627233040357,
    0.8692537470541493, 0.8858318433794458, 0.9017960826294454, 0.9177593393620341, 0.9343280279439761,
    0.9534360196440125, 0.9737334964177068,
]  # fmt: skip


@pytest.mark.parametrize(("target", "biases"), [("f1", F1_BIASES), ("sin5", SIN5_BIASES)])
def test_stored_values_are_reached(target: str, biases: list[float]) -> None:
    data = RunConfig.from_query(f"target={target}").training_data()
    known = best_known(data, len(biases))
    assert known is STORED[target, len(biases)]
    assert solve(data, np.array(biases)).loss == pytest.approx(known.loss, rel=1e-6)


def test_five_points_are_interpolated() -> None:
    assert best_known(RunConfig.from_query("target=five").training_data(), 8).loss == 0.0


def test_more_neurons_than_data_interpolate() -> None:
    data = TrainingData(np.array([0.0, 1.0, 2.0]), np.array([3.0, -1.0, 2.0]))
    known = best_known(data, 3)
    assert known.loss == 0.0
    assert known.origin == "interpolates"


def test_other_data_get_the_best_of_a_few_starts() -> None:
    data = RunConfig.from_query("target=f1&points=50&width=7").training_data()
    known = best_known(data, 7)
    assert known == best_known(data, 7)
    assert (known.origin, known.runs) == ("starts", 4) and not known.proven
    assert 0.0 < known.loss < solve(data, np.linspace(-1.2, 1.0, 7, endpoint=False)).loss
    assert best_known(data, 8).loss < known.loss


def test_few_data_and_neurons_get_a_proof() -> None:
    data = RunConfig.from_query("target=f1&points=50&width=6").training_data()
    known = best_known(data, 6)
    assert known.proven and known == best_known(data, 6)
    assert known.origin == "searched"
    assert best_known(data, 7).loss < known.loss


def test_the_stored_data_are_told_from_others() -> None:
    """The same size and width, but noise: not the paper's problem."""
    data = RunConfig.from_query("target=f1&noise=0.01").training_data()
    assert best_known(data, 10).origin == "starts"


@pytest.mark.parametrize("y", [[1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0]])
def test_constant_data(y: list[float]) -> None:
    data = TrainingData(np.arange(4.0), np.array(y))
    assert best_known(data, 2).loss <= 1e-26
