"""The layers of the source, declared once: the rules are checked against them and docs/ draws them.

`python -m tests.architecture` draws them anew into docs/architecture.md.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

LAYERS: tuple[tuple[str, ...], ...] = (
    ("core.types", "core.limits", "core.spelling", "core.kernel_cache", "core.interrupts", "core.answers"),
    ("core.compiled",),
    ("core.portable",),
    ("core.problem",),
    ("core.model",),
    ("core.least_squares",),
    ("core.theory",),
    ("core.methods",),
    ("core.rivals",),
    ("core.config", "core.frames"),
    ("core.analysis",),
    ("core.narrative",),
    ("core.run", "core.tables"),
    ("core.fitting",),
    ("core.study",),
    ("core.sklearn", "core.client", "core.figures", "core.__main__"),
    ("core.service",),
    ("components.common",),
    ("components.player",),
    ("components.panels",),
    ("components.figures",),
    ("components.pages",),
    ("components",),
    ("app",),
)
"""From the ground up: a part may import what lies below it, and nothing beside or above it."""
FACE = "core"
"""The package itself offers the contract of scripts; it lies above all of its numerics."""

SERVICE_LAYERS: dict[str, tuple[str, ...]] = {
    "records": (
        *("settings", "records", "store", "events", "addresses", "queue", "accounts"),
        *("people", "presence", "lifecycle", "run_record", "remaining"),
    ),
    "files": ("files.*",),
    "workers": ("workers.*",),
    "queries": (
        *("queries.service", "queries.incoming", "queries.estimates", "queries.query"),
        *("queries.worker", "queries.kernel_worker"),
        *("encoding", "export", "comparison"),
    ),
    "studies": (
        *("studies.scheduler", "studies.table", "studies.info", "studies.plan"),
        *("studies.local_portions", "studies.service", "studies.shipped", "studies.store"),
        *("studies.work", "studies.worker"),
    ),
    "cluster": ("cluster.*",),
    "whole": (*("backend", "service", "disk_quota", "overview", "worker", "celery_app"),),
    "web": (
        *("api", "arguments", "cache", "discovery", "documentation", "health", "metrics"),
        *("connection_limits", "models", "openapi", "request_limits", "responses", "run_models"),
        *("frame_views", "serving", "visitors", "web"),
        *("queries.views", "studies.api"),
    ),
}
"""Within core.service, from the ground up in the same sense: the modules of each layer."""

BEGIN, END = "<!-- layers: begin -->", "<!-- layers: end -->"


def sources() -> list[Path]:
    """Every file that a layer holds."""
    folders = ("core", "components")
    return [*sorted(p for folder in folders for p in (ROOT / folder).rglob("*.py")), ROOT / "app.py"]


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imported_modules(path: Path) -> tuple[str, ...]:
    """Every module that a file names in an import, names taken from it included."""
    return tuple(_named_in_imports(path))


def _named_in_imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = resolved(path, node.level, node.module or "")
            # `from . import x` takes a module of the package and not its face; that of components is empty
            if node.module and module != "components":
                yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def resolved(path: Path, level: int, module: str) -> str:
    """The absolute name of a module that is imported relatively, with so many dots."""
    if level == 0:
        return module
    package = path.relative_to(ROOT).parts[:-1]
    return ".".join([*package[: len(package) - level + 1], *([module] if module else [])])


def part_of(module: str) -> str | None:
    """The part that a module belongs to; None for what is not ours."""
    parts = [part for layer in LAYERS for part in layer]
    found = [part for part in parts if module == part or module.startswith(part + ".")]
    return max(found, key=len) if found else FACE if module == FACE else None


def level_of(part: str) -> int:
    """How high a part lies."""
    if part == FACE:
        return level_of("core.sklearn")
    return next(i for i, layer in enumerate(LAYERS) if part in layer)


def service_layer_of(module: str) -> str:
    """The layer that a module of core.service belongs to."""
    name = module.removeprefix("core.service.")
    (found,) = [
        layer
        for layer, names in SERVICE_LAYERS.items()
        if name in names or f"{name.split('.')[0]}.*" in names
    ]
    return found


def edges() -> dict[str, set[str]]:
    """For each part the other parts that it imports, read off the source."""
    found: dict[str, set[str]] = {part: set() for layer in LAYERS for part in layer}
    for path in sources():
        own = part_of(module_name(path))
        for module in imported_modules(path):
            other = part_of(module)
            if own in found and other is not None and other not in (own, FACE):
                found[own].add(other)
    return found


def drawing() -> str:
    """The layers as a diagram: an arrow for each import that no other path of imports implies."""
    found = edges()

    def reached(part: str) -> set[str]:
        below = set(found[part])
        for other in found[part]:
            below |= reached(other)
        return below

    lines = ["```mermaid", "graph BT"]
    for part, others in found.items():
        direct = {o for o in others if not any(o in reached(between) for between in others - {o})}
        lines += [
            f"  {part} --> {other}" for other in sorted(direct, key=lambda part: (level_of(part), part))
        ]
    return "\n".join([*lines, "```"])


def with_drawing(text: str) -> str:
    """A document with the drawing between its marks."""
    return re.sub(f"{BEGIN}.*{END}", f"{BEGIN}\n{drawing()}\n{END}", text, flags=re.DOTALL)


if __name__ == "__main__":
    document = ROOT / "docs/architecture.md"
    document.write_text(with_drawing(document.read_text()))
