"""A study's rows are what the single runs say."""

import numpy as np
import pytest

from core import RunConfig, study, train
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
