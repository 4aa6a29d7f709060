"""The second confirmation: seeds that were drawn when the criteria were already in the repository.

Of the first the log shows criteria and runs in one commit. Here it shows one after the other: a file names
the hash of the criteria and the commit of the code that made the runs. It holds for these criteria alone:
judging again leaves it as it is, and other criteria need other seeds.
"""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from core import __version__
from core.config import NUMERICS_VERSION
from reproduction.claims import judge_set, opposite
from reproduction.criteria import Verdict, criteria
from reproduction.runs import read_runs, write_runs
from reproduction.shipping import DATA, SECOND
from reproduction.verdicts import brief
from reproduction.work import Results

SECOND_RUNS = DATA / "second_confirmation.csv.gz"
"""One row per run."""


def second_document(table: Results, commit: str, date: str) -> dict[str, Any]:
    """What its runs say about every claim, and by what they were made and judged."""
    by, claims = criteria(), {}
    for name, claim in by.claims.items():
        found, verdict, _ = judge_set(claim, table, by)
        claims[name] = {"verdict": verdict, "short": brief(claim.rule, found), "ours": found.ours}
    return {
        "first": min(seed for seeds in table.values() for seed in seeds),
        "runs": sum(map(len, table.values())),
        "criteria": by.digest,
        "version": __version__,
        "numerics": NUMERICS_VERSION,
        "commit": commit,
        "date": date,
        "claims": claims,
    }


def write_second(table: Results, commit: str, date: str) -> None:
    """Where the report and the page read it."""
    write_runs(SECOND_RUNS, {"second": table})
    text = json.dumps(second_document(table, commit, date), indent=1, ensure_ascii=False)
    SECOND.write_text(text + "\n", encoding="utf-8")


def second_table() -> Results:
    """Its numbers."""
    return read_runs(SECOND_RUNS)["second"]


@cache
def second() -> dict[str, Any]:
    """What was written; empty where there is none by the criteria as they are."""
    if not SECOND.exists():
        return {}
    found: dict[str, Any] = json.loads(SECOND.read_text(encoding="utf-8"))
    return found if found["criteria"] == criteria().digest else {}


def second_sentence(shipped: Mapping[str, Verdict]) -> str:
    """How its verdicts compare with those that ship; empty where there is none."""
    found = second()
    if not found:
        return ""
    pairs = [(verdict, found["claims"][name]["verdict"]) for name, verdict in shipped.items()]
    against = sum(opposite(*pair) for pair in pairs)
    unsure = sum(one != other and not opposite(one, other) for one, other in pairs)
    return (
        f"A second set of unseen seeds, from {found['first']} on, was drawn when the criteria were in the "
        f"log. {against} of {len(pairs)} verdicts contradict; {unsure} are not decidable on one of both sets."
    )
