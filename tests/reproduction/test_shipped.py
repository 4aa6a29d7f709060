"""The data that ship with the app are those that this code gives."""

import csv
import gzip
import json
import re
from collections import Counter
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from core import __version__
from core.config.run_config import NUMERICS_VERSION, RunConfig
from core.methods.flow import RELATIVE
from core.run.train import train
from core.service.files.library import read_volume
from core.service.records import decode_frame, encode_frame, same_frame
from reproduction.__main__ import REPORT, ROOT, referee, referee_samples
from reproduction.ablations import ablation_rows
from reproduction.claims import CLAIMS, Finding, at_words, judge, judge_all
from reproduction.criteria import criteria
from reproduction.figures import FIGURES
from reproduction.measures import Numbers
from reproduction.pictures import PICTURES, unnamed
from reproduction.report import BELOW, RESTATED, SLIPS, SUBJECTS, TABLE, TOLERANCES, report
from reproduction.report import PICTURES as FOLDER
from reproduction.runs import Tables, read_runs, shipped_tables, write_runs
from reproduction.samples import SAMPLES, explored, variants
from reproduction.second import SECOND_RUNS
from reproduction.shipping import (
    DATA,
    KNOWN,
    LIBRARY,
    RUNS,
    RUNTIMES,
    SECOND,
    ShippedRun,
    ship,
    shipped_runs,
)
from reproduction.verdicts import contradictory
from reproduction.work import Results

LARGEST_PICTURE = 300_000
LARGEST_SHIPMENT = 9_000_000
"""Three of them are one run of sin 5πx over 10⁸ epochs, and the curves of the seed that nobody picked."""


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((DATA / "results.json").read_text(encoding="utf-8"))
    return document


@pytest.fixture(scope="module")
def tables() -> Tables:
    return shipped_tables()


def test_stamp_is_that_of_this_code(results: dict[str, Any]) -> None:
    assert results["stamp"]["numerics"] == NUMERICS_VERSION
    assert results["stamp"]["version"] == __version__
    assert results["stamp"]["criteria"] == criteria().digest


def test_runs_of_other_numerics_are_not_counted_as_those_of_this_code(results: dict[str, Any]) -> None:
    """The page names the version that computed the one, and says that the other are kept."""
    made = {path: Counter(row["numerics"] for row in csv_rows(path)) for path in (RUNS, KNOWN)}
    assert made[RUNS] == {NUMERICS_VERSION: results["stamp"]["runs"]}
    assert made[KNOWN] == {"4": results["stamp"]["known_runs"]}


def csv_rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_every_claim_and_figure_is_there(results: dict[str, Any]) -> None:
    assert set(results["claims"]) == set(CLAIMS)
    assert set(results["figures"]) == set(FIGURES)
    for name, figure in FIGURES.items():
        assert set(results["figures"][name]) == {config.run_id for config in figure.race()}


def test_every_run_has_its_row(tables: Tables) -> None:
    for sample in explored():
        assert set(sample.places) <= set(tables.explored[sample.name])
    if not tables.confirmation:
        pytest.skip("the confirmation is not drawn yet, and the report says so")
    varied = [sample for one in variants().values() for sample in one.values()]
    for table, samples in (
        (tables.confirmation, [sample.confirming() for sample in SAMPLES.values()]),
        (tables.varied, varied),
    ):
        assert set(table) == {sample.name for sample in samples}
        for sample in samples:
            assert set(table[sample.name]) == set(sample.places)


@pytest.mark.slow
def test_the_file_of_runs_is_written_as_it_was_read(tmp_path: Path) -> None:
    write_runs(tmp_path / "runs.csv.gz", read_runs(RUNS))
    assert (tmp_path / "runs.csv.gz").read_bytes() == RUNS.read_bytes()


@pytest.fixture(scope="module")
def findings(tables: Tables) -> dict[str, Finding]:
    return judge_all(tables.explored, tables.confirmation)


def test_verdicts_follow_from_the_shipped_numbers(
    results: dict[str, Any], tables: Tables, findings: dict[str, Finding]
) -> None:
    for name, finding in findings.items():
        shown = results["claims"][name]
        assert (finding.ours, finding.verdict, finding.why) == (shown["ours"], shown["verdict"], shown["why"])
        assert (finding.confirmed, finding.explored) == (shown["confirmed"], shown["explored"])
        assert [asdict(trial) for trial in finding.trials] == shown["trials"]
    rows = ablation_rows(tables.base, tables.varied, criteria())
    assert [asdict(row) for row in rows] == results["ablations"]
    assert results["stamp"]["confirmed"] == bool(tables.confirmation)


def test_the_report_is_made_from_the_results(results: dict[str, Any], findings: dict[str, Finding]) -> None:
    captions = {name: caption for name, (caption, _) in PICTURES.items()}
    assert report(findings, results, criteria(), captions) == REPORT.read_text(encoding="utf-8")


def test_the_page_to_be_read_is_short_and_tells_differences_first() -> None:
    page, tables = REPORT.read_text(encoding="utf-8").split(f"\n{TABLE}", 1)
    words = re.sub(r"!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)", "", page).split()
    assert len(words) <= 800
    assert len(PICTURES) == page.count(".svg)") == 6
    heads = re.findall(r"^## (.*)", page, re.MULTILINE)
    assert heads[0] == "What differs" and heads[-2:] == ["What agrees", BELOW.removeprefix("## ")]
    assert len(re.findall(r"^\| `", tables, re.MULTILINE)) >= len(CLAIMS)


def test_reasons_that_replace_those_of_the_criteria_are_what_was_counted(
    tables: Tables, findings: dict[str, Finding]
) -> None:
    text = REPORT.read_text(encoding="utf-8")
    for name in RESTATED:
        assert findings[name].why in text and criteria().claims[name].because not in text
    drawn = tables.confirmation
    seeds = sorted(set(drawn["f2_gd"]) & set(drawn["f2_adam"]) & set(drawn["f2_anls"]))
    risen = [
        sum(drawn[sample][seed]["error_rise"] > criteria().words["rises"].value for seed in seeds)
        for sample in ("f2_gd", "f2_adam", "f2_anls")
    ]
    assert findings["f2-errors-fall"].why.endswith("GD {}, Adam {}, ANLS {}.".format(*risen))


def test_every_tolerance_in_the_code_is_told() -> None:
    """Constants of the measuring and judging code that are small numbers."""
    told = {float(text) for text in re.findall(r"\d+(?:\.\d+)?(?:e-\d+)?", TOLERANCES)}
    for path in (ROOT / "reproduction").glob("**/*.py"):
        found = re.findall(
            r"^[A-Z_]+(?:: \w+)? = ((?:\d+\.?\d*)e-\d+|0\.\d+)$", path.read_text("utf-8"), re.MULTILINE
        )
        assert {float(text) for text in found} <= told, path.name
    assert RELATIVE in told


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_is_there_and_nothing_else(name: str) -> None:
    text = (REPORT.parent / FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    assert ElementTree.fromstring(text).tag.endswith("svg") and len(text) < LARGEST_PICTURE
    assert {path.stem for path in (REPORT.parent / FOLDER).iterdir()} == set(PICTURES)


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_has_the_colours_of_today(name: str, tables: Tables) -> None:
    """A drawing made before a colour changed would tell another neuron than the app."""
    text = (REPORT.parent / FOLDER / f"{name}.svg").read_text(encoding="utf-8")
    traces = PICTURES[name][1](tables).data
    lines = [one.line.color for one in traces if one.type == "scatter" and "lines" in one.mode]
    drawn = [re.findall(COLOUR, path)[0] for path in re.findall(r'<path class="js-line"[^>]*>', text)]
    found = [one for one in dict.fromkeys(drawn) if one != UNSET]
    assert found == list(dict.fromkeys(rgb(one) for one in lines if one))
    points = re.findall(r'<path class="point[^>]*>', text)
    shown = Counter(one for path in points for one in set(re.findall(COLOUR, path)))
    many = [one.marker.color for one in traces if isinstance(one.marker.color, tuple | list)]
    assert Counter(rgb(one) for colours in many for one in colours) <= shown


COLOUR = r"(?:stroke|fill): (rgb\([^)]*\))"
UNSET = "rgb(99, 110, 250)"
"""Plotly's own colour, of a trace that is there for hovering only."""


def rgb(colour: str) -> str:
    return "rgb({}, {}, {})".format(*bytes.fromhex(colour.removeprefix("#")))


def test_names_in_a_drawing_do_not_differ_from_one_time_to_the_next() -> None:
    drawn = (
        '<g class="trace scatter trace18f3aa"><clipPath id="clip8f3"/>'
        '<g clip-path="url(#clip8f3)"/><use href="#clip8f3"/></g>'
    )
    assert unnamed(drawn) == unnamed(drawn.replace("8f3", "a07")) and "8f3" not in unnamed(drawn)


def test_what_more_seeds_would_tell_is_told_of_no_claim_that_thresholds_decide(
    findings: dict[str, Finding],
) -> None:
    page = REPORT.read_text(encoding="utf-8").split(BELOW)[0]
    more, never = page.split("## What is not decidable")[1].split("## ")[0].split("By no number")
    for name in ("f2-misfits", "f1-stagnation"):
        found, sentence = findings[name], CLAIMS[name].sentence
        assert contradictory(at_words(found.trials)) and found.would_tell == float("inf")
        assert sentence in never and sentence not in more
    told = [line for line in never.splitlines() if line.startswith("- ")]
    assert len(told) == 5 and sum(" Agrees at " in line for line in told) == 4


def test_slips_of_the_text_are_claims_with_a_correction() -> None:
    assert all(CLAIMS[name].correction for name in SLIPS)
    assert all(CLAIMS[name].sentence.startswith(first) for name, (first, _) in SUBJECTS.items())


def test_unseen_seeds_decide_and_may_contradict(tables: Tables) -> None:
    """The two explored sets in the places of known and unseen seeds."""
    by, known = criteria(), read_runs(KNOWN)
    drawn = judge(by.claims["five"], known["first"], known["second"], by)
    assert drawn.confirmed and "100 seeds" in drawn.ours and not drawn.contradicts
    agreeing = replace(drawn, verdict="agrees", explored="differs")
    assert agreeing.contradicts and not replace(agreeing, explored="undecided").contradicts
    assert not replace(agreeing, confirmed=False).contradicts


def test_the_referee_tells_where_other_seeds_differ(
    results: dict[str, Any], tables: Tables, capsys: pytest.CaptureFixture[str]
) -> None:
    other, by = read_runs(KNOWN)["second"], criteria()
    apart = [
        name
        for name, found in results["claims"].items()
        if judge(by.claims[name], other, {}, by).explored != found["verdict"]
    ]
    assert referee(other) == (1 if apart else 0)
    printed = capsys.readouterr()
    assert [
        line.split(":")[0].split()[-1] for line in printed.out.splitlines() if "(shipped: " in line
    ] == apart
    assert f"{len(apart)} of {len(CLAIMS)} verdicts differ" in printed.err


def test_the_referee_draws_as_many_seeds_as_the_verdicts_rest_on() -> None:
    drawn = {sample.name: list(sample.places) for sample in referee_samples(41000)}
    planned = criteria().seeds
    assert drawn == {name: list(range(41000, 41000 + planned[name])) for name in SAMPLES}


CHEAP = {"seven", "silent", "dead", "unit_weights", "cod", "f1_lsq", "f1_anls", "f2_lsq", "sin5_explicit"}
RECOMPUTED = sorted(name for name, claim in CLAIMS.items() if set(claim.samples) <= CHEAP)


@pytest.mark.slow
def test_claims_recomputed_from_training_to_verdict(results: dict[str, Any]) -> None:
    """Every known seed of all claims whose runs are cheap: the verdict of the shipped numbers."""
    assert len(RECOMPUTED) >= 10
    fresh: Results = {name: {} for name in CHEAP}
    for sample in explored():
        if sample.name in CHEAP:
            fresh[sample.name] |= {seed: sample.run(seed) for seed in sample.places}
    by = criteria()
    for name in RECOMPUTED:
        found = judge(by.claims[name], fresh, {}, by)
        assert (found.explored, found.ours_explored) == (
            results["claims"][name]["explored"],
            results["claims"][name]["ours_explored"],
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(name for name, sample in SAMPLES.items() if sample.seconds <= 3))
def test_a_run_of_the_sample_is_what_is_computed_now(name: str, tables: Tables) -> None:
    """To the last bit, of every sample whose runs take no more than a few seconds."""
    sample = SAMPLES[name]
    assert same(sample.run(sample.first), tables.explored[name][sample.first])
    if tables.confirmation:
        drawn = sample.confirming()
        assert same(drawn.run(drawn.first), tables.confirmation[name][drawn.first])


def same(found: Numbers, shipped: Numbers) -> bool:
    """Bit by bit, nan included."""
    return {name: repr(value) for name, value in found.items()} == {
        name: repr(value) for name, value in shipped.items()
    }


@pytest.mark.parametrize(
    "entry", shipped_runs(), ids=lambda entry: f"{entry.config.target}-{entry.config.method.name}"
)
def test_every_run_ships(entry: ShippedRun, results: dict[str, Any]) -> None:
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
    assert files == {entry.path for entry in shipped_runs()} | {
        *(DATA / "results.json", RUNS, KNOWN, RUNTIMES, SECOND, SECOND_RUNS)
    }
    assert sum(path.stat().st_size for path in files) < LARGEST_SHIPMENT


@pytest.mark.parametrize(
    "entry",
    [entry for entry in shipped_runs() if entry.whole and entry.config.method.name in ("anls", "lsq")],
    ids=lambda entry: f"{entry.config.target}-{entry.config.method.name}",
)
def test_library_runs_are_those_that_the_lab_would_compute(entry: ShippedRun) -> None:
    shipped = read_volume(entry.path).payloads
    computed = [encode_frame(frame) for frame in train(entry.config)]
    assert len(computed) == len(shipped)
    assert all(same_frame(a, b) for a, b in zip(computed, shipped, strict=True))


@pytest.mark.parametrize(
    "entry",
    [entry for entry in shipped_runs() if entry.whole and entry.config.method.name not in ("anls", "lsq")],
    ids=lambda entry: f"{entry.config.target}-{entry.config.method.name}",
)
def test_long_library_runs_begin_as_the_lab_would(entry: ShippedRun) -> None:
    """A library made by other numerics under the same version would show here."""
    short = entry.config.with_epochs(min(entry.config.epochs, 2000.0))
    shipped = read_volume(entry.path).payloads
    computed = [encode_frame(frame) for frame in train(short)]
    assert len(computed) > 10
    assert all(same_frame(a, b) for a, b in zip(computed, shipped, strict=False))


@pytest.mark.parametrize("whole", [True, False])
def test_a_file_is_written_anew_only_where_a_number_has_changed(tmp_path: Path, whole: bool) -> None:
    """Seconds differ from one time to the next, and would fill the history."""
    path = tmp_path / "library"
    entry = OtherPlace("target=f1&method=anls&epochs=20", whole, path)
    ship(entry)
    first = entry.path.read_bytes()
    ship(entry)
    assert entry.path.read_bytes() == first
    ship(replace(entry, query="target=f1&method=anls&epochs=10"))
    assert entry.path.read_bytes() != first
    assert len(list(path.iterdir())) == 1


@dataclass(frozen=True)
class OtherPlace(ShippedRun):
    """A run that ships elsewhere."""

    folder: Path

    @property
    def path(self) -> Path:
        return self.folder / "run.xz"
