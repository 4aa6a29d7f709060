"""Data that people send, read where it holds up nobody.

Reading ten thousand lines takes a tenth of a second, in which the web process answers nobody else. So long
texts are read by the process that makes tables and files, in a fair order. Short ones, which is what people
type and paste, are read at once: they need not wait for the tables of others.
"""

import json
from hashlib import sha256
from typing import Any

from ...limits import Limits
from ...problem.csv import canonical_csv, parse_csv
from ...problem.tables import import_document
from ...spelling import FieldError
from ..queue import QueueFullError
from .query import IMPORT, INCOMING, BackgroundQuery
from .service import NotYetError, QueryService

SHORT = 16_000
"""Characters that are read at once: some five hundred points, a few milliseconds."""


def read_incoming(
    text: str, client: str, queries: QueryService, limits: Limits
) -> tuple[str, tuple[str, ...]]:
    """The canonical text of somebody's CSV, and what was done to it.

    Raises
    ------
    ValueError
        When it cannot be read.
    QueueFullError
        When others go first; who asks again later finds it read.
    """
    if len(text) <= SHORT or len(text) > limits.upload_bytes:
        points, notes = parse_csv(text, limits)
        return canonical_csv(points), notes
    answer = _answer(queries, INCOMING, text.encode(errors="surrogatepass"), client)
    return answer["csv"], tuple(answer["notes"])


def read_file(
    content: bytes, columns: tuple[str, str, str], client: str, queries: QueryService, limits: Limits
) -> dict[str, Any]:
    """What is in somebody's file (core.problem.tables.document), with these columns as x, y and weight.

    Raises
    ------
    ValueError, QueueFullError
        As for `read_incoming`.
    """
    if len(content) <= SHORT or len(content) > limits.upload_bytes:
        return import_document(content, *columns, limits=limits)
    return _answer(queries, IMPORT, content, client, columns)


def _answer(
    queries: QueryService, kind: str, content: bytes, client: str, columns: tuple[str, ...] = ()
) -> dict[str, Any]:
    """What the other process says of this content."""
    name = sha256(b"\0".join((content, *(column.encode() for column in columns)))).hexdigest()[:32]
    file = queries.scratch(name)
    file.write_bytes(content)
    more = str(file) if kind == INCOMING else json.dumps([str(file), *columns])
    try:
        answer: dict[str, Any] = queries.table(BackgroundQuery(kind, name, more=more), client)
    except QueueFullError:
        file.unlink(missing_ok=True)
        raise
    except NotYetError as error:
        raise QueueFullError(
            f"The server is reading other data, {error.ahead} before yours. Please send it again.",
            2,
            error.ahead,
        ) from None
    file.unlink(missing_ok=True)
    if "refused" in answer:
        raise FieldError(answer["field"], answer["refused"])
    return answer
