"""The results as files: data/results.json for the page, docs/reproduction.md for readers."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import isfinite, isnan
from pathlib import Path
from typing import Any

from core.config import NUMERICS_VERSION
from core.narrative import count, number
from reproduction.ablations import Row
from reproduction.claims import Finding, Trial
from reproduction.criteria import Criteria, Criterion
from reproduction.figures import FIGURES, UNPICKED_SEED
from reproduction.runs import all_samples
from reproduction.shelf import DATA
from reproduction.verdicts import COUNTED, VERDICTS, Verdict
from reproduction.version import package_version

PICTURES = "reproduction"
"""Folder beside the report that holds the pictures."""

Ended = Mapping[str, Mapping[str, float]]
"""Final loss and epoch by run id."""


def results_document(
    runs: int, findings: Mapping[str, Finding], rows: Sequence[Row], ended: Ended
) -> dict[str, Any]:
    """Everything that the page shows; the numbers behind it are in runs.csv.gz."""
    return {
        "stamp": {"version": package_version(), "numerics": NUMERICS_VERSION, "runs": runs},
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


def write_report(
    path: Path,
    findings: Mapping[str, Finding],
    document: Mapping[str, Any],
    by: Criteria,
    pictures: Mapping[str, str],
    errata: Sequence[str],
    seconds: Mapping[str, Sequence[float]],
) -> None:
    """The report as Markdown."""
    lines = [
        *_head(findings, document),
        *criteria_section(by),
        *claims_section(findings, by),
        *_ablations(document),
        *_figures(document, pictures),
        *_samples(seconds),
        *["", "## Errata", "", *(f"{i}. {item}" for i, item in enumerate(errata, 1))],
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def counted(verdicts: Sequence[Verdict]) -> str:
    """Such as `16 agree, 4 agree with a correction`."""
    return ", ".join(f"{verdicts.count(name)} {title}" for name, title in COUNTED.items())


def _head(findings: Mapping[str, Finding], document: Mapping[str, Any]) -> list[str]:
    stamp, verdicts = document["stamp"], [finding.verdict for finding in findings.values()]
    apart = [name for name, finding in findings.items() if finding.alone != finding.again]
    told = (
        "Both sets of seeds give the same verdict on every claim."
        if not apart
        else f"The two sets of seeds give different verdicts on {len(apart)}: {', '.join(apart)}."
    )
    return [
        "# The paper, reproduced",
        "",
        "Written by `make reproduce`; do not edit. M. Ainsworth and Y. Shin, *Plateau Phenomenon in "
        "Gradient Descent Training of ReLU networks: Explanation, Quantification and Avoidance* (2020).",
        "",
        f"Plateau Lab {stamp['version']}, numerics {stamp['numerics']}, {stamp['runs']:,} runs. "
        f"{len(verdicts)} claims: {counted(verdicts)}. {told}",
        "",
        "Values are medians with their 95 % interval (bootstrap) in square brackets and the range over seeds "
        "in round ones; shares have Wilson's 95 % interval; ∞ stands for what was not reached. The pictures "
        "show seeds picked because they resemble the paper's, and below each the same from seed "
        f"{UNPICKED_SEED}, which nobody picked; the verdicts are over all seeds. One row a run: "
        "[runs.csv.gz](../reproduction/data/runs.csv.gz) (query, seed, numbers, versions) and "
        "[runtimes.csv](../reproduction/data/runtimes.csv) (seconds, libraries, processor). "
        "`python -m reproduction --referee 9000` judges all claims on seeds of your own choice.",
        "",
    ]


def criteria_section(by: Criteria) -> list[str]:
    """The words, their numbers and the rules, as criteria.toml states them."""
    lines = [
        "## Criteria",
        "",
        "From `reproduction/criteria.toml`, which was written before the runs were made.",
        "",
        *(line for told in by.remarks for line in (told, "")),
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


def claims_section(findings: Mapping[str, Finding], by: Criteria) -> list[str]:
    """All claims in a table, and after it why."""
    lines = [
        "## Claims",
        "",
        "| claim | paper | here | verdict | second seeds | sensitivity |",
        "|---" * 6 + "|",
    ]
    for name, claim in by.claims.items():
        found = findings[name]
        again = "same" if found.again == found.alone else f"**{VERDICTS[found.again]}**"
        if found.alone != found.verdict:
            again += f" (first: {VERDICTS[found.alone]})"
        cells = (
            claim.sentence,
            f"{claim.paper} (`{claim.label}`)",
            found.ours,
            f"**{VERDICTS[found.verdict]}**",
            again,
            _sensitivity(found),
        )
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    lines += ["", "### Why", ""]
    lines += [_why(claim, findings[name], by) for name, claim in by.claims.items()]
    return [*lines, ""]


def _sensitivity(found: Finding) -> str:
    """The thresholds at which the first set gives another verdict than at those of the criteria."""
    other = [trial for trial in found.trials if trial.verdict != found.alone]
    if not found.trials:
        return "no threshold"
    if not other:
        return f"none of {len(found.trials)} trials"
    return "; ".join(_told(trial) for trial in other)


def _told(trial: Trial) -> str:
    return f"{trial.word} {number(trial.value)}: {VERDICTS[trial.verdict]}"


def _why(claim: Criterion, found: Finding, by: Criteria) -> str:
    correction = f" Correction: {claim.correction}." if found.verdict == "corrected" else ""
    words = [f"{name} {by.words[name].value!r}" for name in claim.uses]
    words += [] if isnan(claim.value) else [f"the paper's number {claim.value!r}"]
    return (
        f"- **{claim.sentence}** Measured: {claim.measured}. Counted (rule {claim.rule}): "
        f"{claim.counts}. Thresholds: {', '.join(words) or 'none'}. {found.why}{correction} "
        f"Second seeds: {found.ours_again}."
    )


def _ablations(document: Mapping[str, Any]) -> list[str]:
    lines = ["## What the paper leaves open", "", "| choice | | median | counted | share |", "|---" * 5 + "|"]
    asked = ""
    for row in document["ablations"]:
        title = row["asks"] if row["ablation"] != asked else ""
        asked = row["ablation"]
        lines.append(f"| {title} | `{row['choice']}` | {row['median']} | {row['counts']} | {row['hits']} |")
    return [*lines, ""]


def _figures(document: Mapping[str, Any], pictures: Mapping[str, str]) -> list[str]:
    lines = ["## Figures", ""]
    for name, figure in FIGURES.items():
        lines += [f"### {figure.title} (`{figure.label}`)", "", figure.text, ""]
        if name in pictures:
            lines += [f"![{figure.title}]({PICTURES}/{pictures[name]})", ""]
        runs = document["figures"][name]
        for config in figure.race():
            if config.run_id in runs:
                end = runs[config.run_id]
                lines.append(f"- {config.method.title}: loss {number(end['loss'])} at {count(end['epoch'])}")
        link = figure.link if len(figure.link) < 300 else figure.link[:80] + "…"
        lines += ["", f"In the Lab: `{link}`", ""]
    return lines


def _samples(seconds: Mapping[str, Sequence[float]]) -> list[str]:
    """Seeds and processor time of every sample; the time is of one machine, and compared with nothing."""
    lines = [
        "## Samples and run times",
        "",
        "| sample | runs | seeds | seconds a run | in all |",
        "|---" * 5 + "|",
    ]
    total = 0.0
    first, second, varied = all_samples().values()
    for sample, again in (*zip(first, second, strict=True), *((one, None) for one in varied)):
        times = seconds.get(sample.name, [])
        total += sum(times)
        seeds = f"{sample.seeds} + {again.seeds}" if again else f"{sample.seeds}"
        mean = number(sum(times) / len(times), 2) if times else "?"
        lines.append(f"| {sample.name} | `{sample.query}` | {seeds} | {mean} | {sum(times):.0f} |")
    said = "A run of which several things are made is computed once, and its seconds count there."
    return [*lines, "", f"Seconds of one processor; {total:.0f} in all. {said}"]
