"""The results as files: data/results.json for the page, docs/reproduction.md for readers of the "
"repository."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from math import isfinite, isnan
from pathlib import Path
from typing import Any

from core.config import NUMERICS_VERSION
from core.run import count, number
from reproduction.claims import COUNTED, VERDICTS, Finding
from reproduction.figures import FIGURES
from reproduction.registry import CLAIMS
from reproduction.samples import SAMPLES
from reproduction.shelf import DATA
from reproduction.version import package_version
from reproduction.work import Results

PICTURES = "reproduction"
"""Folder beside the report that holds the pictures."""

Ended = Mapping[str, Mapping[str, float]]
"""Final loss and epoch by run id."""


def results_document(table: Results, findings: Mapping[str, Finding], ended: Ended) -> dict[str, Any]:
    """Everything that the page shows, and the numbers behind it."""
    return {
        "stamp": {
            "version": package_version(),
            "numerics": NUMERICS_VERSION,
            "runs": sum(len(seeds) for seeds in table.values()),
        },
        "claims": {name: _plain(asdict(finding)) for name, finding in findings.items()},
        "figures": {
            name: {config.run_id: ended[config.run_id] for config in figure.race() if config.run_id in ended}
            for name, figure in FIGURES.items()
        },
        "runs": dict(ended),
        "samples": {
            name: {str(seed): _plain(numbers) for seed, numbers in seeds.items()}
            for name, seeds in table.items()
        },
    }


def _plain(value: Any) -> Any:
    """As JSON can say it: what was never reached is "∞", what is undefined is null."""
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, float) and not isfinite(value):
        return None if isnan(value) else "∞"
    return value


def shipped_table(document: Mapping[str, Any]) -> Results:
    """The numbers behind a results document."""
    special = {None: float("nan"), "∞": float("inf")}
    return {
        sample: {
            int(seed): {name: special.get(value, value) for name, value in numbers.items()}
            for seed, numbers in seeds.items()
        }
        for sample, seeds in document["samples"].items()
    }


def write_results(document: Mapping[str, Any]) -> None:
    """Where the app reads it."""
    DATA.mkdir(parents=True, exist_ok=True)
    (DATA / "results.json").write_text(
        json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def write_report(
    path: Path, document: Mapping[str, Any], pictures: Mapping[str, str], errata: list[str]
) -> None:
    """The report as Markdown."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(_report(document, pictures, errata)) + "\n", encoding="utf-8")


def _report(document: Mapping[str, Any], pictures: Mapping[str, str], errata: list[str]) -> list[str]:
    stamp, claims = document["stamp"], document["claims"]
    verdicts = [entry["verdict"] for entry in claims.values()]
    counts = ", ".join(f"{verdicts.count(name)} {title}" for name, title in COUNTED.items())
    lines = [
        "# The paper, reproduced",
        "",
        "Written by `make reproduce`; do not edit. M. Ainsworth and Y. Shin, *Plateau Phenomenon in "
        "Gradient Descent Training of ReLU networks: Explanation, Quantification and Avoidance* (2020).",
        "",
        f"Plateau Lab {stamp['version']}, numerics {stamp['numerics']}, {stamp['runs']:,} runs. "
        f"{len(verdicts)} claims: {counts}. Values are medians, with the range over seeds in brackets; ∞ "
        "stands for what was not reached. "
        "The pictures show seeds picked because they resemble the paper's; the verdicts are over all seeds.",
        "",
        "## Claims",
        "",
        "| claim | paper | here | verdict |",
        "|---|---|---|---|",
    ]
    for name, claim in CLAIMS.items():
        found = claims[name]
        cells = (
            claim.sentence,
            f"{claim.paper} (`{claim.label}`)",
            found["ours"],
            f"**{VERDICTS[found['verdict']]}**",
        )
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    lines += ["", "### Why", ""]
    for name, claim in CLAIMS.items():
        lines.append(f"- **{claim.sentence}** Measured: {claim.measured}. {claims[name]['why']}")
    lines += ["", "## Figures", ""]
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
    lines += ["## Samples", "", "| sample | runs | seeds |", "|---|---|---|"]
    for sample in SAMPLES.values():
        lines.append(f"| {sample.name} | `{sample.query}` | {sample.seeds} |")
    lines += ["", "## Errata", "", *(f"{i}. {item}" for i, item in enumerate(errata, 1))]
    return lines
