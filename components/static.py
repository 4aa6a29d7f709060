"""Parts of the page that no callback touches, sent as finished HTML.

Dash looks after every component of a page, which costs the browser about a fifth of a millisecond each when
the page is opened. Labels, help and buttons that only the scripts know need none of that.
"""

from typing import Any

from components import lab
from components.document import markup


class Static(lab.Markup):
    """A `<div>` around HTML components, which stay within reach as `parts`; every text in it is escaped."""

    _type = "Markup"

    def __init__(self, parts: list[Any], **more: Any) -> None:
        super().__init__(html=markup(parts), **more)
        self.parts = parts
