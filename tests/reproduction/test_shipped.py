"""The data that ship with the app are those that this code gives."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from core.config.run_config import NUMERICS_VERSION, RunConfig
from core.run.train import train
from core.service.files.library import read_volume
from core.service.records import decode_frame, encode_frame, same_frame
from reproduction.__main__ import referee
from reproduction.ablations import ablation_rows
from reproduction.claims import judge, judge_all
from reproduction.criteria import criteria
from reproduction.figures import FIGURES
from reproduction.measures import Numbers
from reproduction.registry import CLAIMS
from reproduction.runs import Tables, all_samples, read_runs, read_runtimes, write_runs
from reproduction.samples import SAMPLES
from reproduction.shelf import DATA, LIBRARY, RUNS, RUNTIMES, Wanted, wanted
from reproduction.version import package_version
from reproduction.work import Results

LARGEST_SHIPMENT = 9_000_000
"""Three of them are one run of sin 5πx over 10⁸ epochs, and the curves of the seed that nobody picked."""


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((DATA / "results.json").read_text(encoding="utf-8"))
    return document


@pytest.fixture(scope="module")
def tables() -> Tables:
    return read_runs(RUNS)


def test_stamp_is_that_of_this_code(results: dict[str, Any]) -> None:
    assert results["stamp"]["numerics"] == NUMERICS_VERSION
    assert results["stamp"]["version"] == package_version()


def test_every_claim_and_figure_is_there(results: dict[str, Any]) -> None:
    assert set(results["claims"]) == set(CLAIMS)
    assert set(results["figures"]) == set(FIGURES)
    for name, figure in FIGURES.items():
        assert set(results["figures"][name]) == {config.run_id for config in figure.race()}


def test_every_run_has_its_row(tables: Tables) -> None:
    for which, samples in all_samples().items():
        table = tables.by_set()[which]
        assert set(table) == {sample.name for sample in samples}
        for sample in samples:
            assert set(table[sample.name]) == set(range(sample.first, sample.first + sample.seeds))
    times = read_runtimes(RUNTIMES)
    assert sum(map(len, times.values())) == tables.runs()


@pytest.mark.slow
def test_the_file_of_runs_is_written_as_it_was_read(tables: Tables, tmp_path: Path) -> None:
    write_runs(tmp_path / "runs.csv.gz", tables)
    assert (tmp_path / "runs.csv.gz").read_bytes() == RUNS.read_bytes()


def test_verdicts_follow_from_the_shipped_numbers(results: dict[str, Any], tables: Tables) -> None:
    for name, finding in judge_all(tables.first, tables.second).items():
        shown = results["claims"][name]
        assert (finding.ours, finding.verdict, finding.why) == (shown["ours"], shown["verdict"], shown["why"])
        assert [asdict(trial) for trial in finding.trials] == shown["trials"]
    rows = ablation_rows(tables.first, tables.varied, criteria())
    assert [asdict(row) for row in rows] == results["ablations"]


def test_the_referee_tells_where_other_seeds_differ(
    results: dict[str, Any], tables: Tables, capsys: pytest.CaptureFixture[str]
) -> None:
    apart = [name for name, found in results["claims"].items() if found["again"] != found["verdict"]]
    assert referee(tables.second) == (1 if apart else 0)
    printed = capsys.readouterr()
    assert [
        line.split(":")[0].split()[-1] for line in printed.out.splitlines() if "(shipped: " in line
    ] == apart
    assert f"{len(apart)} of {len(CLAIMS)} verdicts differ" in printed.err


CHEAP = {"seven", "silent", "dead", "unit_weights", "cod", "f1_lsq", "f1_anls", "f2_lsq", "sin5_explicit"}
RECOMPUTED = sorted(name for name, claim in CLAIMS.items() if set(claim.samples) <= CHEAP)


@pytest.mark.slow
def test_claims_recomputed_from_training_to_verdict(results: dict[str, Any]) -> None:
    """Every seed of both sets of all claims whose runs are cheap: the verdict of the shipped numbers."""
    assert len(RECOMPUTED) >= 10
    samples = [SAMPLES[name] for name in sorted(CHEAP)]
    fresh: list[Results] = [
        {
            one.name: {seed: one.run(seed) for seed in range(one.first, one.first + one.seeds)}
            for one in chosen
        }
        for chosen in (samples, [sample.confirming() for sample in samples])
    ]
    by = criteria()
    for name in RECOMPUTED:
        found = judge(by.claims[name], fresh[0], fresh[1], by)
        shown = results["claims"][name]
        assert (found.verdict, found.ours, found.ours_again) == (
            shown["verdict"],
            shown["ours"],
            shown["ours_again"],
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(name for name, sample in SAMPLES.items() if sample.seconds <= 6))
def test_a_run_of_the_sample_is_what_is_computed_now(name: str, tables: Tables) -> None:
    """To the last bit, of every sample whose runs take no more than a few seconds."""
    sample = SAMPLES[name]
    assert same(sample.run(sample.first), tables.first[name][sample.first])


def same(found: Numbers, shipped: Numbers) -> bool:
    """Bit by bit, nan included."""
    return {name: repr(value) for name, value in found.items()} == {
        name: repr(value) for name, value in shipped.items()
    }


@pytest.mark.parametrize(
    "entry", wanted(), ids=lambda entry: f"{entry.config.target}-{entry.config.method.name}"
)
def test_every_run_ships(entry: Wanted, results: dict[str, Any]) -> None:
    config = entry.config
    ended = results["runs"][config.run_id]
    if entry.whole:
        volume = read_volume(entry.path)
        assert RunConfig.from_query(volume.record.request.query).run_id == config.run_id
        assert volume.record.state.frames == len(volume.payloads) == volume.checkpoint.frames
        assert decode_frame(volume.payloads[-1]).loss == ended["loss"] == volume.record.state.loss
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
    assert files == {entry.path for entry in wanted()} | {DATA / "results.json", RUNS, RUNTIMES}
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
