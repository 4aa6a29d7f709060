"""What is pinned and what is to be cited agree with what the project says elsewhere."""

import re
import tomllib
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from core.service import BIBTEX, PAPER

ROOT = Path(__file__).resolve().parent.parent


def requirements(name: str) -> list[Requirement]:
    lines = (line.split("#")[0].strip() for line in (ROOT / name).read_text().splitlines())
    return [Requirement(line) for line in lines if line and not line.startswith("-r")]


def test_every_pin_is_one_version_and_names_no_place() -> None:
    for pin in requirements("requirements.lock"):
        assert pin.url is None and re.fullmatch(r"==[\w.]+", str(pin.specifier)), pin
    assert not re.search(r"://|--\w*index|--find|/", (ROOT / "requirements.lock").read_text())


def test_the_pins_satisfy_the_requirements() -> None:
    pins: dict[str, list[Requirement]] = {}
    for pin in requirements("requirements.lock"):
        pins.setdefault(canonicalize_name(pin.name), []).append(pin)
    for wanted in requirements("requirements.txt") + requirements("requirements-cluster.txt"):
        found = pins.get(canonicalize_name(wanted.name), [])
        assert found, f"{wanted.name} is not pinned: run 'make lock'"
        for pin in found:
            version = str(pin.specifier).removeprefix("==")
            assert wanted.specifier.contains(version), f"{pin} is not {wanted}: run 'make lock'"


def test_the_citation_is_complete_and_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "type", "authors", "version", "license", "abstract"} <= set(
        citation
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert citation["version"] == project["version"]
    assert (ROOT / citation["references"][0]["filename"]).exists()
    paper = citation["preferred-citation"]
    assert {author["family-names"] for author in paper["authors"]} == {"Ainsworth", "Shin"}
    assert paper["doi"] in BIBTEX and paper["doi"] in PAPER
    preprint = paper["identifiers"][0]["value"].removeprefix("10.48550/arXiv.")
    assert f"arXiv:{preprint}" in BIBTEX and f"arXiv:{preprint}" in PAPER
    plain = " ".join(BIBTEX.replace("{ReLU}", "ReLU").split())
    assert paper["title"] in plain
