"""Statements that need no training, or hardly any: one evaluation decides."""

from dataclasses import replace

import numpy as np

from core.config import RunConfig
from core.least_squares import least_loss, solve
from core.methods.anls import candidate_table
from core.model import evaluate, unit_weights
from core.types import FloatArray
from reproduction.criteria import setting
from reproduction.measures import Numbers, cod

DIFFERENT = setting("different")
"""Losses further apart than this part of them differ."""


def same_functions(config: RunConfig) -> Numbers:
    """Prop. w=1 on a random network: its unit-weight form, and the identity that the proof prints."""
    b, c = config.initial()
    w = replace(config, seed=config.seed + 1).initial()[0]
    x = np.linspace(-1.0, 1.0, 1001)
    true = _sum(c, w[:, None] * x - b[:, None])
    unit_b, unit_c = unit_weights.from_general(w, b, c, (-1.0, 1.0))
    scale = float(np.max(np.abs(true)))
    # the proof writes w x + b; our biases have the other sign
    printed = _sum(c * np.abs(w), np.sign(w)[:, None] * (x - (b / np.abs(w))[:, None]))
    return {
        "converted": float(np.max(np.abs(evaluate(unit_b, unit_c, x) - true))) / scale,
        "printed": float(np.max(np.abs(printed - true))) / scale,
    }


def _sum(c: FloatArray, inner: FloatArray) -> FloatArray:
    """sum_j c_j max(inner_j, 0), added neuron by neuron."""
    total = np.zeros(inner.shape[1])
    for coefficient, row in zip(c, inner, strict=True):
        total = total + coefficient * np.maximum(row, 0.0)
    return total


def caption_sets(config: RunConfig) -> Numbers:
    """The sets U_l of the starting biases by definition, and between the l-th and next largest biases."""
    data, b = config.training_data(), config.initial()[0]
    active = np.count_nonzero(b[:, None] < data.x[None, :], axis=0)
    smallest, largest = np.sort(b), -np.sort(-b)
    by_smallest = by_largest = True
    for level in range(1, len(b)):
        inside = set(np.flatnonzero(active == level).tolist())
        low, high = smallest[level - 1], smallest[level]
        by_smallest &= inside == set(np.flatnonzero((data.x > low) & (data.x <= high)).tolist())
        high, low = largest[level - 1], largest[level]
        by_largest &= inside == set(np.flatnonzero((data.x > low) & (data.x <= high)).tolist())
    counted = [int(np.count_nonzero(active == level)) for level in range(len(b) + 1)]
    return {
        "caption": float(by_largest),
        "mended": float(by_smallest),
        "partition": float(sum(counted) == data.m),
    }


def candidate_counts(config: RunConfig) -> Numbers:
    """The candidates of the starting biases, neuron by neuron; `literal` are those by rules 6(i) and 6(iii).

    Rule 6(ii) as printed, the midpoint with the neuron's own bias, crosses no datum and gives none.
    """
    data = config.training_data()
    table = candidate_table(data, config.initial()[0])
    each = np.bincount(np.asarray(table.neuron, dtype=np.int64), minlength=config.width)
    between = 0.5 * (data.x[1:] + data.x[:-1])
    literal = np.isin(table.position, between) | (table.position < data.x[0])
    return {f"neuron_{j + 1}": float(count) for j, count in enumerate(each)} | {
        "literal": float(np.count_nonzero(literal))
    }


def silent_eigenvalue() -> Numbers:
    """The largest eigenvalue of the linearised flow at two equilibria, of a silent neuron and of a live one.

    x = 0, 1, 2, 3, b = -1. Silent: y = 4, -2, 0, 0, c = 0, r = -y, G = sum r = -2 and
    H - b G = sum r (x - b) = 0, so that both equations of the flow of (1/2) sum r^2 hold. Live: y = x - b,
    c = 1, r = 0. The Jacobian is -[[c^2 m, -G - c S], [-G - c S, A]], S = sum (x - b), A = sum (x - b)^2.
    """
    x, b = np.array([0.0, 1.0, 2.0, 3.0]), -1.0
    silent, gradient = _largest_eigenvalue(x, np.array([4.0, -2.0, 0.0, 0.0]), b, 0.0)
    live, rest = _largest_eigenvalue(x, x - b, b, 1.0)
    return {"gradient": max(gradient, rest), "eigenvalue": silent, "live_eigenvalue": live}


def _largest_eigenvalue(x: FloatArray, y: FloatArray, b: float, c: float) -> tuple[float, float]:
    """Of the linearised flow of one neuron that sees all data, and how far it is from an equilibrium."""
    pull = moment = reach = curvature = 0.0
    for place, value in zip(x.tolist(), y.tolist(), strict=True):
        r = c * (place - b) - value
        pull += r
        moment += r * (place - b)
        reach += place - b
        curvature += (place - b) * (place - b)
    first, beside = c * c * len(x), -pull - c * reach
    half = 0.5 * (first - curvature)
    root = float(np.sqrt(half * half + beside * beside))
    return root - 0.5 * (first + curvature), max(abs(c * pull), abs(moment))


def candidate_losses(config: RunConfig) -> Numbers:
    """Candidates whose loss by Theorem LSQ, corrected, differs from that of a direct solution.

    `circular` counts those for which the printed d* refers to itself. Only counts are kept: the
    dense decomposition rounds as its library likes.
    """
    data, b = config.training_data(), np.array(config.initial()[0])
    matrix = cod.design(data.x, b)
    table = candidate_table(data, b)
    factors = cod.decompose(matrix, solve(data, b).rank)
    wrong = circular = 0
    for neuron, place in zip(table.neuron.tolist(), table.position.tolist(), strict=True):
        moved = b.copy()
        moved[neuron] = place
        true = least_loss(data, moved)
        change = np.maximum(data.x - place, 0.0) - matrix[:, neuron]
        found = cod.solve_replaced(factors, data.y, neuron, change)[1] / data.m
        wrong += abs(found - true) > DIFFERENT * true
        beside = factors.project_out(change)
        free = float(np.max(np.abs(factors.z_tilde[neuron]), initial=0.0)) > cod.NEGLIGIBLE
        circular += free and float(np.max(np.abs(beside))) <= cod.NEGLIGIBLE * float(np.max(np.abs(change)))
    return {"candidates": float(len(table)), "wrong": float(wrong), "circular": float(circular)}
