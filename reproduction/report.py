"""The results as files: data/results.json for the page, docs/reproduction.md for readers."""

import csv
import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from math import isfinite, isnan
from pathlib import Path
from typing import Any

from core import __version__
from core.config import NUMERICS_VERSION
from core.methods.flow import RELATIVE
from core.narrative import number
from reproduction.ablations import Row
from reproduction.claims import Finding, at_words
from reproduction.criteria import DECIDING, TOGETHER, Criteria, Criterion, Verdict
from reproduction.figures import FIGURES
from reproduction.measures.cod import NEGLIGIBLE
from reproduction.measures.curves import GRID_ROUNDING
from reproduction.measures.cut_off import ORTHOGONAL
from reproduction.runs import WHOLE, Tables, count_runs
from reproduction.samples import SAMPLES
from reproduction.second import second_sentence
from reproduction.shipping import DATA, RUNTIMES
from reproduction.verdicts import BY_OUR_WORD, COUNTED, VERDICTS, contradictory

HISTORY = Path(__file__).resolve().parent / "history.toml"
PICTURES = "reproduction"
"""Folder beside the report that holds the pictures."""
SLIPS = ("unit-weights", "sets", "decay", "cod")
"""Claims whose correction mends the preprint's text; other corrections limit what the claim says."""
SUBJECTS = {"explicit-spikes": ("It", "The network of glued regression lines")}
"""What a claim's first word refers to in the paper, where the claim stands alone."""
RESTATED = ("ranges-again", "f2-plateaus", "f2-errors-fall", "f2-error-rise")
"""Claims whose reason in criteria.toml nothing here bears out: the judge's is given instead.

The file stays as it is, since the verdicts name its hash.
"""
TOLERANCES = (
    "Its header says that every threshold stands there. That is too much: these stand in the code. "
    f"Tolerances for rounding are {NEGLIGIBLE:g} (`measures/cod.py`), {ORTHOGONAL:g} "
    f"(`measures/cut_off.py`) and {GRID_ROUNDING:g} (`measures/curves.py`). {RELATIVE:g} is the tolerance of "
    "the flow's integration (`core/methods/flow/tolerance.py`), from which `measures/theorems.py` allows the "
    "envelopes of `decay` an error. It decided that verdict. "
    f"{TOGETHER:g} is the chance that any of all intervals misses (`criteria.py`). The epochs and iterations "
    "that the paper names stand in `judges/` and `measuring.py`. Four reasons in the file "
    f"({', '.join(f'`{name}`' for name in RESTATED)}) are not borne out by the runs, or by the paper's text. "
    "The report gives others."
)
LIBRARY_CUT_OFF = (
    "Not tried: the default cut-off of a library, about 1,000 ε (2·10⁻¹³ of the largest singular value) for "
    "1,000 data."
)
BELOW = "## Every claim"
"""The heading at which the tables begin."""
TABLE = "| claim |"
"""Where the page to be read ends: how the first table begins."""

Ended = Mapping[str, Mapping[str, float]]
"""Final loss and epoch by run id."""


def results_document(
    tables: Tables, findings: Mapping[str, Finding], rows: Sequence[Row], ended: Ended, by: Criteria
) -> dict[str, Any]:
    """Everything that the page shows; the numbers behind it are in the tables beside it."""
    return {
        "stamp": {
            "version": __version__,
            "numerics": NUMERICS_VERSION,
            "runs": count_runs(tables.confirmation, tables.varied),
            "known_runs": count_runs(tables.explored),
            "criteria": by.digest,
            "confirmed": all(finding.confirmed for finding in findings.values()),
        },
        "claims": {name: _plain(asdict(finding)) for name, finding in findings.items()},
        "ablations": [asdict(row) for row in rows],
        "figures": {
            name: {config.run_id: ended[config.run_id] for config in figure.race() if config.run_id in ended}
            for name, figure in FIGURES.items()
        },
        "runs": dict(ended),
    }


def _plain(value: Any) -> Any:
    """As JSON can say it: what was never reached is "∞", what is undefined is null."""
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    if isinstance(value, float) and not isfinite(value):
        return None if isnan(value) else "∞"
    return value


def write_results(document: Mapping[str, Any]) -> None:
    """Where the app reads it."""
    DATA.mkdir(parents=True, exist_ok=True)
    (DATA / "results.json").write_text(
        json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def report(
    findings: Mapping[str, Finding], document: Mapping[str, Any], by: Criteria, captions: Mapping[str, str]
) -> str:
    """The report as Markdown: a page to be read, then one row per claim."""
    pictures = [f"![{caption}]({PICTURES}/{name}.svg)\n\n*{caption}*\n" for name, caption in captions.items()]
    lines = [
        *_head(findings, document, by),
        *_differing(findings, by, pictures),
        *_others(findings, by),
        *pictures[1:],
        *claims_section(findings, by),
        *criteria_section(by),
        *_history(),
        *_ablations(document),
        *times_section(),
    ]
    return "\n".join(lines) + "\n"


def counted(verdicts: Sequence[Verdict]) -> str:
    """Such as `16 agree, 4 agree with a correction`."""
    return ", ".join(f"{verdicts.count(name)} {title}" for name, title in COUNTED.items())


def _head(findings: Mapping[str, Finding], document: Mapping[str, Any], by: Criteria) -> list[str]:
    stamp, verdicts = document["stamp"], [finding.verdict for finding in findings.values()]
    against = [name for name, finding in findings.items() if finding.contradicts]
    text = f"Verdicts rest on seeds from {by.first} on. {BY_OUR_WORD}"
    if not stamp["confirmed"]:
        text = (
            f"**Provisional:** the seeds from {by.first} on, which shall confirm them, are not drawn yet; "
            "these seeds were known before the criteria were last changed."
        )
    elif against:
        text += f" Seeds known before contradict them on {len(against)}: {', '.join(against)}."
    else:
        text += f" Seeds known before contradict none of them{_otherwise(findings)}"
    if stamp["confirmed"]:
        text += f" {second_sentence({name: finding.verdict for name, finding in findings.items()})}".rstrip()
    return [
        "# The paper, reproduced",
        "",
        "The paper: M. Ainsworth and Y. Shin, SIAM J. Sci. Comput. 43(5), "
        "A3438–A3468 (2021), [10.1137/20M1353010](https://doi.org/10.1137/20M1353010); judged here "
        "is its preprint, "
        "[arXiv:2007.07213](https://arxiv.org/abs/2007.07213).",
        "",
        f"{len(verdicts)} claims: {counted(verdicts)}. {text} Not all criteria preceded their "
        "results: [what happened, and when](#what-was-known-when).",
        "",
        f"Intervals hold for all claims together ({1 - TOGETHER:.0%}). "
        "[Numbers and commands](#numbers-and-commands).",
        "",
    ]


def _otherwise(findings: Mapping[str, Finding]) -> str:
    """The verdicts that seeds known before do not share, and why none counts as a contradiction."""
    names = [f"`{name}`" for name, found in findings.items() if found.verdict != found.explored]
    text = (
        f" (*{VERDICTS['undecided']}* contradicts nothing); {', '.join(names)} came out otherwise than there."
    )
    return text if names else "."


def _of(findings: Mapping[str, Finding], verdict: Verdict) -> list[tuple[str, Finding]]:
    return [(name, finding) for name, finding in findings.items() if finding.verdict == verdict]


def _differing(findings: Mapping[str, Finding], by: Criteria, pictures: Sequence[str]) -> list[str]:
    bullets = (
        f"- **{by.claims[name].sentence}** {found.short}. {_reason(name, found, by)}"
        for name, found in _of(findings, "differs")
    )
    return ["## What differs", "", *bullets, "", *pictures[:1]]


def _reason(name: str, found: Finding, by: Criteria) -> str:
    """Why a claim comes out as it does, in a sentence or two."""
    return found.why if name in RESTATED else by.claims[name].because


def _counted(found: Finding) -> str:
    """As in the table, without intervals, the word seeds, and what was counted before a correction."""
    return re.sub(r" seeds \[.*?\]", "", found.short).rpartition("corrected, ")[2]


def _others(findings: Mapping[str, Finding], by: Criteria) -> list[str]:
    undecided, corrected = _of(findings, "undecided"), [name for name, _ in _of(findings, "corrected")]
    slips = sum(name in SLIPS for name in corrected)
    more = (
        f"- {_sentence(name, by)} {_counted(found)}: about {number(found.would_tell, 2)}."
        for name, found in undecided
        if isfinite(found.would_tell)
    )
    never = (
        f"- {_sentence(name, by)} {_torn(found) or _reason(name, found, by)}".rstrip()
        for name, found in undecided
        if not isfinite(found.would_tell)
    )
    lucky = (f"- {_sentence(name, by)} {_counted(found)}." for name, found in _of(findings, "luck"))
    return [
        "## What is not decidable",
        "",
        "Seeds that show it, and how many would decide at this share:",
        "",
        *more,
        "",
        "By no number: a threshold or the reading of a picture decides.",
        "",
        *never,
        "",
        "## What depends on the seed",
        "",
        "Seeds that show it:",
        "",
        *lucky,
        "",
        "## What agrees",
        "",
        f"{len(_of(findings, 'agrees'))} claims as they stand, {len(corrected)} with a correction: "
        f"{slips} mend a slip of the preprint, {len(corrected) - slips} limit the claim "
        "([errata](maths.md#errata-of-the-preprint)).",
        "",
    ]


def _sentence(name: str, by: Criteria) -> str:
    """The claim, with the noun for a pronoun that refers to what stands before it in the paper."""
    first, subject = SUBJECTS.get(name, ("", ""))
    return subject + by.claims[name].sentence.removeprefix(first)


def _torn(found: Finding) -> str:
    """The thresholds at which an undecided claim agrees and those at which it differs, if there are both."""
    tried = [trial for trial in found.trials if trial.word not in DECIDING]
    if not contradictory(at_words(tried)):
        return ""
    sides = (("agrees", ("agrees", "corrected")), ("differs", ("differs",)))
    parts = [
        (title, ", ".join(f"`{one.word}` {number(one.value)}" for one in tried if one.verdict in verdicts))
        for title, verdicts in sides
    ]
    return f"{'; '.join(f'{title} at {values}' for title, values in parts).capitalize()}."


def claims_section(findings: Mapping[str, Finding], by: Criteria) -> list[str]:
    """One row per claim."""
    since = touched()
    lines = [
        BELOW,
        "",
        "Details: [/paper](/paper).",
        "",
        f"{TABLE} paper | here | verdict | known seeds | at other thresholds | criterion |",
        "|---" * 7 + "|",
    ]
    for name, claim in by.claims.items():
        found = findings[name]
        cells = (
            f"`{name}` {claim.sentence}",
            f"{claim.paper} (`{claim.label}`)",
            found.short,
            f"**{VERDICTS[found.verdict]}**",
            VERDICTS[found.explored] if found.confirmed else "the same seeds",
            _sensitivity(found),
            f"{since[name]}{_thresholds(claim, by)}",
        )
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return [*lines, ""]


def _thresholds(claim: Criterion, by: Criteria) -> str:
    used = [f"{name} {by.words[name].value!r}" for name in claim.uses]
    used += [] if isnan(claim.value) else [f"the paper's {claim.value!r}"]
    return f": {', '.join(used)}" if used else ""


def _sensitivity(found: Finding) -> str:
    """The thresholds at which the same seeds give another verdict than at those of the criteria."""
    others: dict[Verdict, list[str]] = {}
    for trial in found.trials:
        if trial.verdict != found.verdict:
            others.setdefault(trial.verdict, []).append(f"{trial.word} {number(trial.value)}")
    parts = (f"{VERDICTS[verdict]}: {', '.join(values)}" for verdict, values in others.items())
    return "; ".join(parts) or "same"


def criteria_section(by: Criteria) -> list[str]:
    """The words, their numbers and the rules, as criteria.toml states them."""
    rules = _entry_with("rules_changed")
    lines = [
        "## Criteria",
        "",
        "The last column above dates each claim's own criterion, as the log does. Intervals and rules, which "
        f"all share, were last changed on {rules['rules_changed']} by our word; the log shows it on "
        f"{rules['date']}. Each interval holds with {1 - by.limits()['error']:.2%} (Bonferroni).",
        "",
        f"Thresholds stand in `reproduction/criteria.toml`, SHA-256 `{by.digest}`.",
        "",
        TOLERANCES,
        "",
        *(line for remark in by.remarks for line in (remark, "")),
        _exceptions(),
        "",
        "| word | threshold | also tried | meaning |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {word.name} | {word.value!r} | {', '.join(map(repr, word.tried))} | {word.means} |"
        for word in by.words.values()
    ]
    lines += ["", "| rule | " + " | ".join(VERDICTS.values()) + " |", "|---" * (1 + len(VERDICTS)) + "|"]
    lines += [
        f"| {rule} | " + " | ".join(meanings[verdict] for verdict in VERDICTS) + " |"
        for rule, meanings in by.rules.items()
    ]
    return [*lines, ""]


def _exceptions() -> str:
    """Samples whose known seeds the remark on them does not count."""
    few = [f"`{one.name}` {one.seeds}" for one in SAMPLES.values() if one.seeds not in (40, 100)]
    return (
        f"Some samples have fewer, from 0 on as from 7000 on: {', '.join(few)}. The sizes of earlier second "
        "sets are given too shortly above. Where they were smaller, they had 3, 16 or 40 seeds at first; "
        "[the table](#what-was-known-when) tells which grew when."
    )


def history() -> dict[str, Any]:
    """What history.toml tells."""
    return tomllib.loads(HISTORY.read_text(encoding="utf-8"))


def touched() -> dict[str, str]:
    """When the criterion of each claim was last changed, the rules of all aside."""
    record, written = history(), _entry_with("criteria_written")["date"]
    found = dict.fromkeys(_claims(), str(written))
    for entry in (*record["entries"], record["now"]):
        found |= dict.fromkeys(entry.get("claims", ()), f"{written}, changed {entry['date']}")
    return found


def _entry_with(key: str) -> dict[str, Any]:
    """The last entry of the history that has such a key."""
    found: dict[str, Any] = next(entry for entry in reversed(history()["entries"]) if key in entry)
    return found


def _claims() -> Iterable[str]:
    return tomllib.loads((HISTORY.parent / "criteria.toml").read_text(encoding="utf-8"))["claims"]


def _history() -> list[str]:
    record = history()
    rows = [
        f"| {entry['date']} | {entry.get('commit', '')} | {entry['did']} | {entry['known']} |"
        for entry in (*record["entries"], record["now"])
    ]
    head = ["| date | commit | what was done | what was known then |", "|---|---|---|---|"]
    return ["## What was known when", "", *head, *rows, ""]


def _ablations(document: Mapping[str, Any]) -> list[str]:
    lines = ["## What the paper leaves open", "", "| choice | | median | counted | share |", "|---" * 5 + "|"]
    asked = ""
    for row in document["ablations"]:
        title = row["asks"] if row["ablation"] != asked else ""
        asked = row["ablation"]
        lines.append(f"| {title} | `{row['choice']}` | {row['median']} | {row['counts']} | {row['hits']} |")
    return [*lines, "", LIBRARY_CUT_OFF, ""]


def times_section(path: Path = RUNTIMES) -> list[str]:
    """How long it took, as far as that was recorded."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    seconds = [float(row["seconds"]) for row in rows if row["sample"] != WHOLE]
    wall = [float(row["seconds"]) / 60 for row in rows if row["sample"] == WHOLE]
    whole = (
        f"A whole `make reproduce` took {wall[0]:.0f} minutes on two processes, pictures and report aside."
        if wall
        else "The wall time of a whole `make reproduce` was not recorded."
    )
    return [
        "## Numbers and commands",
        "",
        "To download: [one row per run](../reproduction/data/runs.csv.gz), [seeds known before]"
        "(../reproduction/data/explored.csv.gz), [the second confirmation]"
        "(../reproduction/data/second_confirmation.csv.gz), [seconds](../reproduction/data/runtimes.csv).",
        "",
        "`make reproduce` writes this page. `python -m reproduction --claim f2-spike` computes a claim "
        "again, on as many seeds as fit into two minutes; `--minutes` gives it longer. It prints the "
        "verdict of all seeds that ship.",
        "",
        f"The {len(seconds):,} runs of the confirmation and of the ablations took {sum(seconds) / 60:.0f} "
        f"minutes of one processor in all. {whole} It also computes the runs of the figures and the ready "
        "studies.",
        "",
    ]
