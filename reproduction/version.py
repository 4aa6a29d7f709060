"""Which code made the data: the package's version, from the one place that has it."""

import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def package_version() -> str:
    """The version of the package; empty when the project file is not there."""
    try:
        return str(tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"])
    except (OSError, KeyError):
        return ""
