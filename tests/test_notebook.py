"""The notebook's cells run, and its two methods, written apart from the Lab's, agree with them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.config.run_config import RunConfig
from core.run.train import train

NOTEBOOK = Path(__file__).resolve().parent.parent / "docs" / "tutorials" / "from_scratch.ipynb"


@pytest.fixture(scope="module")
def executed() -> dict[str, Any]:
    """What the names of the notebook mean after all of its cells."""
    names: dict[str, Any] = {}
    for number, cell in enumerate(json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
    return names


def test_it_imports_nothing_but_numpy() -> None:
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    lines = [line for cell in cells if cell["cell_type"] == "code" for line in cell["source"]]
    assert [line.strip() for line in lines if "import" in line] == ["import numpy as np"]


@pytest.mark.slow
def test_its_claims_hold(executed: dict[str, Any]) -> None:
    assert executed["checked"] == 303 and executed["lowest"] > -1e-12
    assert len(executed["moves"]) == 7
    assert len(executed["rows"]) == 8


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 11])
def test_its_gradient_descent_is_the_labs(executed: dict[str, Any], seed: int) -> None:
    config = RunConfig.from_query(f"target=f1&method=gd&epochs=2000&seed={seed}")
    data, (b, c) = config.training_data(), config.initial()
    *_, (epoch, own_b, own_c) = executed["gradient_descent"](data.x, data.y, b, c, 2000)
    last = list(train(config))[-1]
    assert (epoch, last.epoch) == (2000, 2000.0)
    assert np.allclose(own_b, last.b, rtol=0, atol=1e-10)
    assert np.allclose(own_c, last.c, rtol=0, atol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2, 3, 11])
def test_its_anls_is_the_labs(executed: dict[str, Any], seed: int) -> None:
    config = RunConfig.from_query(f"target=f1&method=anls&epochs=500&seed={seed}")
    data = config.training_data()
    losses = executed["anls"](data.x, data.y, config.initial()[0])[1]
    theirs = [frame.loss for frame in train(config)]
    assert len(losses) == len(theirs)
    assert np.allclose(losses, theirs, rtol=1e-8, atol=0)
