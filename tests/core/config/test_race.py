"""Methods in a query: their settings as keys, races, budgets, costs, and the one declaration per key."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from core import RunConfig
from core.config.fields import FIELDS, collect_fields
from core.config.run_config import race_from_query, race_to_query
from core.config.run_list import check_cost
from core.limits import LIMITS, Limits
from core.methods import METHODS
from core.methods.contract import Advance, Method, State, common_state, parameter
from core.problem.data import TrainingData
from core.spelling import format_number
from core.types import FloatArray


@dataclass(frozen=True, kw_only=True)
class Idle(Method):
    """A method that does nothing, with one setting that it shares with GD and two of its own."""

    name: ClassVar[str] = "idle"
    title: ClassVar[str] = "Idle"
    summary: ClassVar[str] = "Does nothing."
    default_epochs: ClassVar[float] = 50.0
    largest_epochs: ClassVar = "flow_epochs"
    learning_rate: float = parameter(0.5, low=0.1, high=2.0, label="Step", symbol="η", help="Step.")
    patience: int = parameter(3, low=1, high=9, label="Patience", symbol="p", help="Patience.")
    drift: float = parameter(0.0, low=-1.0, high=1.0, label="Drift", symbol="d", help="Drift.")

    def init(self, data: TrainingData, b: FloatArray, c: FloatArray) -> State:
        return common_state(b, c, np.searchsorted(data.x, b, side="right"))

    def advance(self, data: TrainingData, state: State, until: float, *, stop_at_change: bool) -> Advance:
        del data, until, stop_at_change
        return Advance(state)

    def seconds_per_epoch(self, width: int, points: int) -> float:
        return width * points * 1e-3


@pytest.fixture
def idle() -> Iterator[None]:
    METHODS["idle"] = Idle
    yield
    del METHODS["idle"]


def read(query: str) -> RunConfig:
    return RunConfig.from_query(query)


def test_methods_start_from_the_same_point(idle: None) -> None:
    first, second = race_from_query("target=step&sampling=uniform&noise=0.1&seed=5&method=gd,idle")
    np.testing.assert_array_equal(first.training_data().x, second.training_data().x)
    np.testing.assert_array_equal(first.training_data().y, second.training_data().y)
    np.testing.assert_array_equal(first.initial()[0], second.initial()[0])
    np.testing.assert_array_equal(first.initial()[1], second.initial()[1])


def test_race(idle: None) -> None:
    query = "epochs=1000,2e10&learning_rate=0.5&method=gd,idle&patience=4&width=3"
    first, second = race_from_query(query)
    assert (first.method.name, first.epochs) == ("gd", 1000.0)
    assert second.method == Idle(learning_rate=0.5, patience=4)
    assert second.epochs == 2e10
    assert race_to_query((first, second)) == query
    with pytest.raises(ValueError, match="method: gd,idle is a race of 2 runs"):
        read(query)


def test_race_budgets(idle: None) -> None:
    default = race_from_query("method=gd,idle")
    assert [config.epochs for config in default] == [METHODS["gd"].default_epochs, 50.0]
    assert race_to_query(default) == "method=gd,idle"
    same = race_from_query("method=gd,idle&epochs=7")
    assert [config.epochs for config in same] == [7.0, 7.0]
    assert race_to_query(same) == "epochs=7&method=gd,idle"
    with pytest.raises(ValueError, match=r"epochs: '1e10' .* 0 to 1e9"):
        race_from_query("method=gd,idle&epochs=1e10")
    with pytest.raises(ValueError, match="epochs: 3 values for 2 methods"):
        race_from_query("method=gd,idle&epochs=1,2,3")


def test_a_race_is_one_problem_with_one_value_a_key(idle: None) -> None:
    with pytest.raises(ValueError, match="same problem"):
        race_to_query((read("seed=1"), read("method=idle")))
    with pytest.raises(ValueError, match=r"learning_rate: a race has one value, not both 0.25 and 0.5"):
        race_to_query((read("learning_rate=0.25"), read("method=idle")))


def test_a_foreign_setting_is_refused_naming_its_owners(idle: None) -> None:
    with pytest.raises(ValueError, match="patience: gd does not use it; it belongs to idle"):
        read("patience=4")
    assert race_from_query("method=gd,idle&patience=4")[1].method == Idle(patience=4)


def test_each_method_checks_its_own_range(idle: None) -> None:
    with pytest.raises(ValueError, match=r"learning_rate: '1e-3' .*from 0\.1 to 2"):
        read("method=idle&learning_rate=1e-3")
    with pytest.raises(ValueError, match=r"patience: '2\.5' .*whole numbers from 1 to 9"):
        read("method=idle&patience=2.5")
    assert read("method=idle&epochs=0.5").epochs == 0.5


def test_with_epochs_is_the_same_run() -> None:
    config = read("epochs=10")
    longer = config.with_epochs(1e8)
    assert longer.epochs == 1e8
    assert longer.run_id == config.run_id
    assert longer != config
    for wrong in (-1.0, 1e10, float("nan"), float("inf"), 1.5):
        with pytest.raises(ValueError, match=r"^epochs: "):
            config.with_epochs(wrong)


def test_cost(idle: None) -> None:
    config = read("method=idle&width=10&points=100&epochs=600")
    assert config.estimated_seconds() == pytest.approx(600.0)
    check_cost(config, Limits(cpu_seconds=601.0))
    with pytest.raises(
        ValueError,
        match=r"^epochs: 600 epochs of Idle .* 600 s of computing here; allowed are 60 s, about 6e",
    ):
        check_cost(config, Limits(cpu_seconds=60.0))


def test_fields_are_complete_and_explained() -> None:
    names = [spec.name for spec in FIELDS]
    assert len(set(names)) == len(names)
    keys = {name for name in RunConfig.__dataclass_fields__ if name != "notes"}
    parameters = {entry.name for method in METHODS.values() for entry in method.parameters()}
    assert set(names) == keys | parameters
    for spec in FIELDS:
        assert spec.label
        assert spec.help.endswith(".")
        assert spec.group in ("Target", "Data", "Network", "Method", "Budget")
        assert not (spec.limit and not hasattr(LIMITS, spec.limit))


def test_shared_settings_are_one_field(idle: None) -> None:
    (spec,) = (spec for spec in collect_fields() if spec.name == "learning_rate")
    assert {"gd", "idle"} <= set(spec.methods)
    assert spec.low <= 0.1
    assert spec.high >= 2.0


@pytest.mark.parametrize("name", METHODS)
def test_every_method_reads_and_writes_its_settings(name: str) -> None:
    config = read(f"method={name}")
    assert config.method == METHODS[name]()
    assert read(config.to_query()) == config
    assert config.estimated_seconds() >= 0.0
    for entry in METHODS[name].parameters():
        for bound in ("low", "high"):
            value = entry.metadata[bound]
            changed = read(f"method={name}&{entry.name}={format_number(value)}")
            assert getattr(changed.method, entry.name) == value
            assert read(changed.to_query()) == changed
