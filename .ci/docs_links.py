"""Links of the documents that lead out of docs/ name files of the repository: the site shows the names."""

import re
from typing import Any

OUTSIDE = re.compile(r"\[([^\]]+)\]\(\.\./([^)]+)\)")


def on_page_markdown(markdown: str, **_: Any) -> str:
    """MkDocs calls this for every page."""
    return OUTSIDE.sub(r"\1 (`\2`)", markdown)
