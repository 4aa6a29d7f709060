"""Every number in the documents comes from data, from a setting of the code, or from a test."""

import ast
import re
from collections.abc import Callable, Iterator
from inspect import signature
from pathlib import Path

import numpy as np
import pytest

from benchmarks import bench_knots, bench_rivals, rivals_file
from core.analysis.best_known import FEW_DATA, FEW_NEURONS
from core.analysis.free_knots import MAX_BRANCHES
from core.analysis.plateaus import BEGINNING
from core.config.run_config import RunConfig
from core.methods import METHODS
from core.methods.parameters import OFFSET
from core.model.exact_fit import EXACT
from core.model.loss import prediction_error
from core.service.files.library import read_volume
from core.service.records import decode_frame
from reproduction.criteria import criteria
from reproduction.runs import shipped_tables
from reproduction.shipping import LIBRARY
from tests.numerals import agrees, written

ROOT = Path(__file__).resolve().parent.parent
MEASURED = rivals_file.read()
RACE, FURTHER = MEASURED["rivals"]["race"], MEASURED["rivals"]["others"]


def literals(path: str) -> set[float]:
    """Every number in the source of a test."""
    nodes = ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8")))
    found = {
        abs(float(n.value)) for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, int | float)
    }
    return found | {-value for value in found}


def stages() -> float:
    """Of gradient descent on sin πx, in the median of all seeds."""
    return float(np.median([one["stages"] for one in shipped_tables().explored["f1_gd"].values()]))


def defaults(target: str) -> RunConfig:
    return RunConfig.from_query(f"target={target}")


SQUARES, RESIDUALS = sum((x + 1.0) ** 2 for x in range(4)), 4.0 - 2.0
"""Of erratum 12: a neuron with b = -1 and c = 0 over x = 0, 1, 2, 3 and y = 4, -2, 0, 0."""

NAMES = {("docs/rivals.md", "2404.05064"): "a preprint"}
"""Written as numbers, and none."""
PLACE = r"(?:[Tt]heorems?|[Ll]emmas?|[Pp]ropositions?|[Cc]orollary|[Ss]ections?|[Rr]ules?)"
"""What a number of the paper's own follows."""

TESTED = {
    "docs/maths.md": ("tests/reproduction/test_errata.py",),
    "docs/rivals.md": ("tests/core/rivals/test_gauss_newton.py", "tests/core/rivals/test_lbfgs.py"),
}
"""Tests that evaluate what a document says."""

SOURCES: dict[tuple[str, str], Callable[[], float]] = {
    ("docs/maths.md", "10,000"): lambda: signature(prediction_error).parameters["points"].default,
    ("docs/maths.md", "150"): stages,
    ("docs/maths.md", "20"): lambda: 10**BEGINNING - 1,
    ("docs/maths.md", "10⁻⁸"): lambda: OFFSET,
    ("docs/maths.md", "10⁻²⁶"): lambda: EXACT,
    ("docs/maths.md", "450"): lambda: np.sqrt(EXACT) / 2.0**-52,
    ("docs/maths.md", "229"): lambda: (SQUARES / 2) ** 2 + RESIDUALS**2,
    ("docs/maths.md", "15"): lambda: SQUARES / 2,
    ("docs/maths.md", "0.13"): lambda: np.linalg.eigvalsh([[-SQUARES, RESIDUALS], [RESIDUALS, 0.0]])[1],
    ("docs/rivals.md", "0.9"): lambda: METHODS["momentum"]().momentum,  # type: ignore[attr-defined]
    ("docs/rivals.md", "300"): lambda: bench_rivals.SIZE[0],
    ("docs/rivals.md", "1000"): lambda: bench_rivals.SIZE[1],
    ("docs/rivals.md", "60"): lambda: FEW_DATA,
    ("docs/rivals.md", "thirty"): lambda: bench_knots.PROBLEMS,
    ("docs/rivals.md", "twenty"): lambda: bench_knots.RUNS,
    ("docs/rivals.md", "0.2"): lambda: RunConfig.from_query(f"target={bench_rivals.OTHERS['noise']}").noise,
}
"""Where the other numbers come from."""


def prose(text: str) -> str:
    """Without code, addresses, years of publication, and what is made from data."""
    text = re.sub(r"<!-- ([\w-]+): begin -->.*?<!-- \1: end -->", " ", text, flags=re.DOTALL)
    text = re.sub(r"\b\d+\(\d+\), A\d+–A\d+|(?:arXiv:|doi:)[\w./]+", " ", text)
    text = re.sub(rf"{PLACE} (?:\d+ of section )?(?:\d|[A-F])(?:\.\d+)?(?:[–,] ?\d(?:\.\d+)?)*", " ", text)
    text = re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", " ", text, flags=re.DOTALL)
    text = re.sub(r"\((?:[^()]*\W)?(?:19|20)\d\d\)|1[89]\d\d(?=\))", " ", text)
    return re.sub(r"^\d+\. ", "", text, flags=re.MULTILINE)


def quantities(text: str) -> Iterator[tuple[str, float, int]]:
    """The numbers, without the whole ones below ten, of which formulas are full."""
    for as_written, value, digits in written(prose(text)):
        if not (abs(value) < 10 and value == int(value)):
            yield as_written, value, digits


@pytest.mark.parametrize("document", TESTED)
def test_every_number_has_a_source(document: str) -> None:
    tested = set().union(*(literals(path) for path in TESTED[document]))
    unfounded = []
    for as_written, value, digits in quantities((ROOT / document).read_text(encoding="utf-8")):
        if (document, as_written) in NAMES:
            continue
        source = SOURCES.get((document, as_written))
        behind = tested if source is None else {float(source())}
        if not any(agrees(value, digits, one) for one in behind):
            unfounded.append(as_written)
    assert unfounded == []


def test_a_number_from_nowhere_is_found() -> None:
    found = [as_written for as_written, *_ in quantities("a loss of 1.61·10⁻³ (Bellman 1961), 3 and `0.7`")]
    assert found == ["1.61·10⁻³"]
    assert not any(agrees(1.61e-3, 3, one) for one in literals("tests/reproduction/test_errata.py"))


@pytest.mark.parametrize("document", ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/classroom.md"])
def test_no_other_document_tells_what_was_measured(document: str) -> None:
    """A time of less than ten seconds, a size, a ratio or a loss belongs where a file stands behind it."""
    text = prose((ROOT / document).read_text(encoding="utf-8"))
    settings = {"about 0.1 s"}  # core/methods/contract.py
    found = re.findall(r"(?:about )?\d[\d.,]* (?:ms|µs|s|MB|kB)\b|\d[\d.,]*×|\d\.\d+·10[⁻⁰-⁹]+", text)
    assert set(found) <= settings


def test_raw_crossings() -> None:
    changes = [one["plain_changes"] for one in shipped_tables().explored["f1_plain"].values()]
    assert np.median(changes) > 1e5


def test_core_defaults() -> None:
    sizes = {target: defaults(target).width for target in ("f1", "sin5", "f2")}
    assert sizes == {"f1": 10, "sin5": 100, "f2": 300}
    assert defaults(bench_rivals.OTHERS["noise"]).width == 10
    assert (FEW_NEURONS, MAX_BRANCHES) == (6, 1e6)
    assert "prec=100" in (ROOT / "tests/core/rivals/dense.py").read_text(encoding="utf-8")


def test_the_document_on_rivals_is_made_from_the_file() -> None:
    text = rivals_file.DOCUMENT.read_text(encoding="utf-8")
    assert rivals_file.rendered(text, MEASURED) == text


def test_everything_was_measured() -> None:
    for race, targets, seeds in (
        (RACE, bench_rivals.TARGETS, bench_rivals.SEEDS),
        (FURTHER, tuple(bench_rivals.OTHERS), bench_rivals.FEW_SEEDS),
    ):
        assert (tuple(race["losses"]), race["seeds"]) == (targets, seeds)
        assert tuple(race["moments"]) == bench_rivals.MOMENTS
        assert all(set(losses) == set(METHODS) for losses in race["losses"].values())
    assert len(MEASURED["knots"]["problems"]) == bench_knots.PROBLEMS
    assert set(MEASURED["rivals"]["ratios"]["methods"]) == {
        *bench_rivals.MOMENTUM,
        *bench_rivals.NEWTON,
        "lbfgs",
    }


def test_settings_are_chosen_on_other_seeds_within_the_budget_that_is_told() -> None:
    raced = {*range(bench_rivals.SEEDS), *range(bench_rivals.FEW_SEEDS)}
    assert raced.isdisjoint({*bench_rivals.TUNING, *bench_rivals.DECIDING})
    assert (len(bench_rivals.TUNING), len(bench_rivals.DECIDING)) == (3, 10)
    told = rivals_file.DOCUMENT.read_text(encoding="utf-8")
    assert "a second each on three seeds" in told and "run on ten" in told
    assert bench_rivals.MOMENTS[-1] == 1.0
    for name, settings in bench_rivals.GRIDS.items():
        assert name not in rivals_file.OURS
        for one in settings:
            RunConfig.from_query(f"target=f1&method={name}&{one}")


def test_a_tuned_race_shows_the_defaults_beside() -> None:
    race = {**RACE, "losses": {"f1": RACE["losses"]["f1"]}, "best_known": {"f1": RACE["best_known"]["f1"]}}
    chosen = {name: "learning_rate=0.1" if name == "gd" else "" for name in METHODS}
    defaults = {**RACE["losses"]["f1"], "gd": [0.5, 0.25]}
    part = {**MEASURED["rivals"], "race": {**race, "settings": {"f1": chosen}, "defaults": {"f1": defaults}}}
    told = rivals_file.BLOCKS["race"]({"rivals": part})
    assert "(5.00e-01) |" in told and "(2.50e-01) |" in told and "| GD | learning_rate=0.1 |" in told
    better = {**RACE["losses"]["f1"], "gd": [1e-9, 2e-9]}
    part["race"]["defaults"] = {"f1": better}
    marked = rivals_file.BLOCKS["race"]({"rivals": part})
    tuned = RACE["losses"]["f1"]["gd"][0]
    assert f"| GD | **1.00e-09**° ({tuned:.2e}) |" in marked
    assert "none is tuned yet" not in told


def test_a_rival_is_compared_at_its_best() -> None:
    ours = {"anls_plus": [1.0], "adaptive_width": [2.0]}
    race = {"moments": [1.0], "losses": {"f1": {**ours, "gd": [4.0]}}}
    assert rivals_file.lead(race, ("f1",), ("gd",)) == 4.0
    defaults = {"f1": {**ours, "gd": [3.0]}}
    assert rivals_file.lead({**race, "defaults": defaults}, ("f1",), ("gd",)) == 3.0


def test_what_is_said_of_widths_and_knots() -> None:
    widths = MEASURED["knots"]["widths"]
    assert widths["step"][1][0] < 1e-20 < widths["step"][0][0]
    gaps = [np.median([one[name] for one in MEASURED["knots"]["problems"]]) for name in ("one", "four")]
    assert gaps[1] < gaps[0] / 2


def test_what_is_said_of_the_ratios() -> None:
    ratios = MEASURED["rivals"]["ratios"]
    least = min(ratios["methods"].values(), key=lambda one: float(one["ratio"]))
    assert least is ratios["methods"]["lbfgs"]
    at_hand = ratios["momentum_at_hand"]["dense_milliseconds"]
    assert at_hand < ratios["methods"]["momentum"]["dense_milliseconds"] / 2


def test_gauss_newton_needs_tens_of_iterations_and_descent_millions_of_epochs() -> None:
    def last(query: str) -> float:
        path = LIBRARY / f"{RunConfig.from_query(query).run_id}.xz"
        return decode_frame(read_volume(path).payloads[-1]).epoch

    assert 10 <= last("method=gauss_newton") < last("method=sggn") < 1000
    assert last("method=gd&epochs=1e8") > 1e6


def test_the_changelog_counts_the_claims() -> None:
    told = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"`reproduction/criteria.toml`: {len(criteria().claims)} claims" in told
    assert f"(up to {FEW_DATA} data and {FEW_NEURONS} neurons)" in told
