"""The data that ship with the app are those that this code gives."""

import json
from typing import Any

import pytest

from core.config.run_config import NUMERICS_VERSION, RunConfig
from core.run.train import train
from core.service.library import read_volume
from core.service.records import decode_frame, encode_frame, same_frame
from reproduction.figures import FIGURES
from reproduction.registry import CLAIMS, judge_all
from reproduction.report import shipped_table
from reproduction.samples import SAMPLES
from reproduction.shelf import DATA, LIBRARY, Wanted, wanted
from reproduction.version import package_version

LARGEST_SHIPMENT = 9_000_000
"""Three of them are one run of sin 5πx over 10⁸ epochs, and the curves of the seed that nobody picked."""


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((DATA / "results.json").read_text(encoding="utf-8"))
    return document


def test_stamp_is_that_of_this_code(results: dict[str, Any]) -> None:
    assert results["stamp"]["numerics"] == NUMERICS_VERSION
    assert results["stamp"]["version"] == package_version()


def test_every_claim_and_figure_is_there(results: dict[str, Any]) -> None:
    assert set(results["claims"]) == set(CLAIMS)
    assert set(results["figures"]) == set(FIGURES)
    for name, figure in FIGURES.items():
        assert set(results["figures"][name]) == {config.run_id for config in figure.race()}
    for name, sample in SAMPLES.items():
        assert len(results["samples"][name]) == sample.seeds


def test_verdicts_follow_from_the_shipped_numbers(results: dict[str, Any]) -> None:
    for name, finding in judge_all(shipped_table(results)).items():
        shown = results["claims"][name]
        assert (finding.ours, finding.verdict, finding.why) == (shown["ours"], shown["verdict"], shown["why"])


@pytest.mark.parametrize("claim", ["seven", "f2-lsq", "explicit"])
def test_cheap_claims_recomputed(claim: str, results: dict[str, Any]) -> None:
    """From training to verdict, every seed of three claims."""
    table = shipped_table(results)
    for name in CLAIMS[claim].samples:
        fresh = {seed: SAMPLES[name].run(seed) for seed in table[name]}
        for seed, numbers in fresh.items():
            # what is but rounding (1e-13, 1e-28) may round otherwise elsewhere
            assert numbers == pytest.approx(table[name][seed], rel=1e-6, abs=1e-12), (name, seed)
        table[name] = fresh
    assert CLAIMS[claim].judge(table).verdict == results["claims"][claim]["verdict"]


@pytest.mark.slow
def test_anls_on_a_hundred_seeds_recomputed(results: dict[str, Any]) -> None:
    sample, shipped = SAMPLES["f1_anls"], shipped_table(results)["f1_anls"]
    for seed, numbers in shipped.items():
        assert sample.run(seed)["at_100"] == pytest.approx(numbers["at_100"], rel=1e-6)


@pytest.mark.parametrize(
    "entry", wanted(), ids=lambda entry: f"{entry.config.target}-{entry.config.method.name}"
)
def test_every_run_ships(entry: Wanted, results: dict[str, Any]) -> None:
    config = entry.config
    ended = results["runs"][config.run_id]
    if entry.whole:
        volume = read_volume(entry.path)
        assert RunConfig.from_query(volume.order.query).run_id == config.run_id
        assert volume.state.frames == len(volume.payloads) == volume.checkpoint.frames
        assert decode_frame(volume.payloads[-1]).loss == ended["loss"] == volume.state.loss
    else:
        curve = json.loads(entry.path.read_text())
        assert (curve["id"], curve["numerics"], curve["loss"]) == (
            config.run_id,
            NUMERICS_VERSION,
            ended["loss"],
        )
        assert len(curve["columns"]["epoch"]) <= 400
        assert curve["columns"]["loss"][-1] == pytest.approx(ended["loss"], rel=1e-5)


def test_nothing_else_ships_and_it_is_small() -> None:
    files = {*LIBRARY.iterdir(), *DATA.iterdir()}
    assert files == {entry.path for entry in wanted()} | {DATA / "results.json"}
    assert sum(path.stat().st_size for path in files) < LARGEST_SHIPMENT


@pytest.mark.parametrize(
    "entry",
    [entry for entry in wanted() if entry.whole and entry.config.method.name in ("anls", "lsq")],
    ids=lambda entry: f"{entry.config.target}-{entry.config.method.name}",
)
def test_library_runs_are_those_that_the_lab_would_compute(entry: Wanted) -> None:
    shipped = read_volume(entry.path).payloads
    computed = [encode_frame(frame) for frame in train(entry.config)]
    assert len(computed) == len(shipped)
    assert all(same_frame(a, b) for a, b in zip(computed, shipped, strict=True))


@pytest.mark.parametrize(
    "entry",
    [entry for entry in wanted() if entry.whole and entry.config.method.name not in ("anls", "lsq")],
    ids=lambda entry: f"{entry.config.target}-{entry.config.method.name}",
)
def test_long_library_runs_begin_as_the_lab_would(entry: Wanted) -> None:
    """A library made by other numerics under the same version would show here."""
    short = entry.config.with_epochs(min(entry.config.epochs, 2000.0))
    shipped = read_volume(entry.path).payloads
    computed = [encode_frame(frame) for frame in train(short)]
    assert len(computed) > 10
    assert all(same_frame(a, b) for a, b in zip(computed, shipped, strict=False))
