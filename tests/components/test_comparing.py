"""A link that shows exactly the runs that were selected, whatever differs between them."""

import random

import pytest

from components.common.comparison import TooManyRunsError, read_comparison, write_comparison
from core.config import RunConfig, runs_from_query
from core.limits import LIMITS

RUNS = (
    "epochs=100",
    "epochs=2000&seed=3&width=20",
    "epochs=100&learning_rate=0.003&seed=1",
    "epochs=20&method=anls",
    "epochs=20&method=anls&width=7&noise=0.1",
    "epochs=100&method=adam&target=sin(3*x)%2Bx",
    "epochs=300&target=five",
    "epochs=300&target=five&width=4",
    "data=0:1;1:2;2:0&epochs=10",
    "data=0:1;1:2;2:-1&epochs=10&units=1,1,0,2",
    "biases=0,1,2&coefficients=1,-1,1&epochs=10",
    "domain=-2,3&epochs=10&points=17&sampling=uniform",
    "target=f2",
    "epochs=100&method=lsq",
    "epochs=50&method=momentum",
)


def named(configs: tuple[RunConfig, ...]) -> list[tuple[str, float]]:
    return sorted((config.run_id, config.epochs) for config in configs)


@pytest.mark.parametrize("case", range(60))
def test_a_link_shows_what_was_selected_and_nothing_else(case: int) -> None:
    chosen = random.Random(case).sample(RUNS, random.Random(case).randint(2, 8))
    configs = tuple(RunConfig.from_query(query) for query in chosen)
    datasets = dict(config.dataset for config in configs if config.dataset)
    link = write_comparison(configs, datasets=datasets)
    found = read_comparison(link, datasets=datasets)
    assert named(found.configs) == named(configs)
    assert found.configs[0].run_id == configs[0].run_id or "also" not in link
    assert read_comparison(found.query, datasets=datasets).query == found.query, "one spelling"


@pytest.mark.parametrize(
    "query",
    [
        "seed=0..3&epochs=100",
        "width=5,10&method=gd,anls&epochs=100,20",
        "learning_rate=0.01,0.001&epochs=50",
        "target=f1,sin(3*x)&epochs=50",
        "target=five&seed=1,2&epochs=50",
        "biases=0,1;2,3&coefficients=1,1&epochs=10",
        "data=0:1;1:2;2:0&seed=1,2&epochs=10",
    ],
)
def test_the_runs_of_lists_lead_back_to_lists(query: str) -> None:
    found = runs_from_query(query)
    datasets = {c.dataset[0]: c.dataset[1] for c in found.configs if c.dataset}
    link = write_comparison(found.configs, datasets=datasets)
    assert "also" not in link
    assert named(read_comparison(link, datasets=datasets).configs) == named(found.configs)


def test_old_links_mean_what_they_meant() -> None:
    for query in ("", "seed=0..3&epochs=100", "width=5,10&method=gd,anls&epochs=100,20"):
        assert read_comparison(query).configs == runs_from_query(query).configs
        assert read_comparison(query).query == runs_from_query(query).query


def test_budgets_that_differ_stay_apart() -> None:
    configs = [RunConfig.from_query(f"seed={seed}&epochs={epochs}") for seed, epochs in ((1, 100), (2, 5000))]
    link = write_comparison(configs)
    assert link == "also=epochs:5e3~seed:2&epochs=100&seed=1" or "also=" in link
    assert [config.epochs for config in read_comparison(link).configs] == [100, 5000]


def test_a_changed_setting_changes_every_run_that_shares_it() -> None:
    found = read_comparison("also=width:20!method:anls~epochs:50&seed=7&epochs=100&learning_rate=0.001")
    assert [(c.seed, c.width, c.method.name) for c in found.configs] == [
        (7, 10, "gd"),
        (7, 20, "gd"),
        (7, 10, "anls"),
    ]


def test_more_than_eight_are_refused_in_a_sentence() -> None:
    also = "!".join(f"seed:{seed}~width:{seed + 10}" for seed in range(1, 9))
    with pytest.raises(TooManyRunsError, match="9 runs are asked for; the Lab shows up to 8 at a time"):
        read_comparison(f"also={also}")


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("also=width:0", "run 2 of the comparison: width"),
        ("also=seed:1!size:3", "'size:3' is not a setting such as width:20"),
        ("also=hello", "'hello' is not a setting"),
        ("also=method:anls~learning_rate:0.1", "run 2 of the comparison: learning_rate"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(link: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_comparison(link)


def test_a_comparison_that_is_too_long_says_so() -> None:
    rows = [";".join(f"{x}:{x * k}" for x in range(400)) for k in range(2, 5)]
    configs = [RunConfig.from_query(f"data={row}&epochs=10") for row in rows if len(row) < LIMITS.query_bytes]
    datasets = dict(config.dataset for config in configs if config.dataset)
    found = read_comparison(write_comparison(configs, datasets=datasets), datasets=datasets)
    assert named(found.configs) == named(tuple(configs)), "by the names of the data sets"
