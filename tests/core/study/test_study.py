"""A study's rows are what the single runs say."""

import numpy as np
import pytest

from core import RunConfig, fit, study, train
from core.config import NUMERICS_VERSION
from core.narrative.plateaus import plateaus_of
from core.spelling import format_number
from core.study import LEVELS

QUERY = "target=f1&points=30&seed=0..2&width=3,5&method=anls,gd&epochs=100"


def test_rows_equal_the_single_runs() -> None:
    rows = study(QUERY)
    assert len(rows) == 12
    assert len({row["id"] for row in rows}) == 12
    assert {(row["seed"], row["width"], row["method"]) for row in rows} == {
        (seed, width, method) for seed in range(3) for width in (3, 5) for method in ("anls", "gd")
    }
    for row in rows:
        config = RunConfig.from_query(row["query"])
        frames = list(train(config))
        last = frames[-1]
        assert (row["id"], row["loss"], row["epochs"]) == (config.run_id, last.loss, last.epoch)
        assert row["prediction_error"] == last.prediction_error
        assert row["dead"] == np.count_nonzero(last.b >= config.training_data().x[-1])
        assert row["outcome"] in ("budget", "trained", "settled")
        assert row["numerics"] == NUMERICS_VERSION
        plateaus = plateaus_of(config, frames)
        assert row["plateaus"] == len(plateaus)
        lengths = [np.log10((1 + plateau.end) / (1 + plateau.begin)) for plateau in plateaus]
        assert row["plateau_share"] == pytest.approx(sum(lengths) / np.log10(1 + last.epoch), abs=1e-12)
        assert row["longest_plateau"] == pytest.approx(max(lengths, default=0.0))
        losses, epochs = np.array([f.loss for f in frames]), np.array([f.epoch for f in frames])
        for level in LEVELS:
            below = epochs[losses <= level]
            assert row[f"epochs_to_{format_number(level)}"] == (below[0] if below.size else None)


def test_every_row_has_the_same_columns() -> None:
    rows = study("target=five,step&method=lsq,anls_plus&epochs=5")
    assert len({tuple(row) for row in rows}) == 1


X = np.linspace(0.0, 60.0, 25)
Y = 40.0 * np.sin(X / 9.0)


def test_own_data_with_lists_by_name() -> None:
    rows = study(X, Y, seed=range(2), width=[4, 8], method=["anls", "lsq"], epochs=20)
    assert {(row["seed"], row["width"], row["method"]) for row in rows} == {
        (seed, width, method) for seed in range(2) for width in (4, 8) for method in ("anls", "lsq")
    }
    row = rows[-1]
    alone = fit(X, Y, seed=row["seed"], width=row["width"], method=row["method"], epochs=20)
    assert (row["id"], row["loss"]) == (alone.config.run_id, alone.loss)
    last = alone.frames[-1]
    assert row["epochs_to_0.1"] == next((f.epoch for f in alone.frames if f.loss <= 0.1), None)
    assert (row["floor"], row["prediction_error"]) == pytest.approx(
        (last.floor, last.prediction_error), nan_ok=True
    )


def test_losses_are_those_of_fit_in_one_process_or_two() -> None:
    alone = fit(X, Y, method="anls", width=6, epochs=20)
    for workers in (1, 2):
        rows = study(f"{alone.query}&seed=0,1", datasets=alone.dataset, workers=workers)
        assert rows[0]["loss"] == alone.loss > 0.01
        assert rows.resume() == rows


def test_a_query_may_be_completed_by_name() -> None:
    by_name = study("target=f1&points=20", method=["lsq", "anls"], seed=[2, 0], epochs=3)
    assert [row["id"] for row in by_name] == [
        row["id"] for row in study("target=f1&points=20&method=lsq,anls&seed=0,2&epochs=3")
    ]


def test_a_target_or_a_formula_stands_alone() -> None:
    for formula in ("f1", "sin(2*x)+1"):
        (row,) = study(formula, method="lsq", points=20)
        assert row["id"] == fit(formula, method="lsq", points=20).config.run_id


def test_starts_of_own_data_are_in_its_own_units() -> None:
    (row,) = study(X, Y, biases=[0.0, 20.0, 40.0], coefficients=[1.0, -2.0, 1.0], method="gd", epochs=0)
    alone = fit(X, Y, biases=[0.0, 20.0, 40.0], coefficients=[1.0, -2.0, 1.0], method="gd", epochs=0)
    assert (row["id"], row["loss"]) == (alone.config.run_id, alone.loss)


def test_what_is_wrong_is_named() -> None:
    missing = f"data=@{'0' * 32}&seed=0,1"
    with pytest.raises(ValueError, match=r"no data set.*datasets=result\.dataset"):
        study(missing)
    with pytest.raises(ValueError, match="target: it is the first argument"):
        study(X, Y, target="f1")
    with pytest.raises(ValueError, match=r"widht.*did you mean width"):
        study(X, Y, widht=[3, 4])
    with pytest.raises(ValueError, match=r"seed.*given more than once"):
        study("seed=0..2", seed=[1])
    with pytest.raises(ValueError, match=r"noise.*leave it out"):
        study(X, Y, noise=[0.1, 0.2])
