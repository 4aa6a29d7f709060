"""Queries as text: splitting, joining and quoting.

A link is typed by hand as often as it is generated, so a literal `+` means plus
(not a space, as in an HTML form), and only what would break a link is quoted.
"""

from collections.abc import Mapping
from urllib.parse import quote, unquote

from ..spelling import FieldError, shorten

_READABLE = "()*,;:@/!~"
"""What may stand in a query value unquoted. `+` is quoted, since browsers' own parsers read it as a space."""


VIEW_KEYS = frozenset(
    {
        *("panels", "tab", "enlarged", "xaxis", "zoom", "at", "neuron", "focus", "previous", "stages"),
        *("theme", "present", "embed", "lesson", "step", "highlight", "controls", "forecast", "follow"),
    }
)
"""What a link says of the page alone (components.common.view)."""
STUDY_VIEW_KEYS = frozenset({"group", "level", "across", "up"})
"""The same of the Study page (components.pages.study.view)."""
FORMER_VIEW_KEYS = {"ghost": "previous"}
"""What links of an earlier version say, and how it is called now."""
PAGE_KEYS = VIEW_KEYS | STUDY_VIEW_KEYS | FORMER_VIEW_KEYS.keys()
"""All that is no setting of a run."""


def split_query(query: str, largest: int) -> dict[str, str]:
    """The keys and decoded values of a query, or of the address that it is in.

    A key that is repeated or has no value is refused. Of an address, what it says of the page is left out.

    Parameters
    ----------
    query
        What stands behind the question mark, or the whole address.
    largest
        How many bytes it may have.

    Returns
    -------
    dict of str to str
        The keys in their order.

    Examples
    --------
    >>> from core.config import split_query
    >>> split_query("https://lab.example/?target=sin(x)%20&seed=3&tab=fit", 1000)
    {'target': 'sin(x)', 'seed': '3'}
    """
    head, mark, rest = query.partition("?")
    is_address = head.startswith(("http://", "https://")) or (mark != "" and "=" not in head)
    if is_address:
        query = rest.partition("#")[0]
    size = len(query.encode(errors="surrogatepass"))
    if size > largest:
        raise FieldError("query", f"{size} bytes, at most {largest} are allowed")
    values: dict[str, str] = {}
    for part in query.split("&"):
        if not part:
            continue
        key, equals, value = part.partition("=")
        try:
            key, value = unquote(key, errors="strict").strip(), unquote(value, errors="strict").strip()
        except UnicodeDecodeError:
            raise FieldError("query", f"{shorten(part)!r} is not percent-encoded UTF-8") from None
        if is_address and key in PAGE_KEYS:
            continue
        if not equals or not value:
            raise FieldError(shorten(key), f"no value given; write {shorten(key)}=… or leave it out")
        if key in values:
            raise FieldError(shorten(key), "given more than once")
        values[key] = value
    return values


def join_query(values: Mapping[str, str]) -> str:
    """The canonical query: sorted keys, quoted only where needed.

    Parameters
    ----------
    values
        Keys and values, as `split_query` returns them.

    Returns
    -------
    str
        A query that may stand in an address.

    Examples
    --------
    >>> from core.config import join_query
    >>> join_query({"target": "sin(x) + 1", "seed": "3"})
    'seed=3&target=sin(x)%20%2B%201'
    """
    return "&".join(f"{key}={quote(values[key], safe=_READABLE)}" for key in sorted(values))
