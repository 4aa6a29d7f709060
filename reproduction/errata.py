"""The errata, from where they are kept: the last section of docs/maths.md."""

from pathlib import Path

MATHS = Path(__file__).resolve().parent.parent / "docs" / "maths.md"
HEADING = "## Errata of the preprint"


def errata(path: Path = MATHS) -> list[str]:
    """The numbered items, one line each; none when the file is not there."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    items: list[str] = []
    for line in text.partition(HEADING)[2].partition("\n## ")[0].splitlines():
        place, dot, rest = line.partition(". ")
        if dot and place.isdigit():
            items.append(rest.strip())
        elif items and line.strip():
            items[-1] += " " + line.strip()
    return items
