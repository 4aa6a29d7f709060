"""Puts the app's sources into the wheel, under plateau_lab/_app, as the version control knows them.

Hatch puts a file into a wheel once, and `core` is needed twice: as plateau_lab, and beside the app's other
sources, which import it by its name. So they are named from a copy.
"""

import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PARTS = (
    "app.py",
    "core",
    "components",
    "assets",
    "lessons",
    "reproduction",
    "docs",
    "pyproject.toml",
)
OUTSIDE = {"__pycache__", "node_modules", "src", ".plateau", "screenshots", "tutorials"}


class AppSources(BuildHookInterface):
    """Adds files to the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name every file of the app and its place."""
        if version == "editable":
            return
        root, self.copy = Path(self.root), Path(mkdtemp())
        for part in PARTS:
            found = [root / part] if (root / part).is_file() else sorted((root / part).rglob("*"))
            for path in found:
                place = path.relative_to(root)
                if path.is_file() and not OUTSIDE & set(place.parts):
                    (self.copy / place).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(path, self.copy / place)
        build_data["force_include"][str(self.copy)] = "plateau_lab/_app"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the copy."""
        if version != "editable":
            shutil.rmtree(self.copy)
