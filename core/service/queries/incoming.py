"""Data that people send, read where it holds up nobody.

Reading ten thousand lines takes a tenth of a second, in which the web process answers nobody else. So long
texts are read by the process that makes tables and files, in a fair order. Short ones, which is what people
type and paste, are read at once: they need not wait for the tables of others.
"""

import json
from hashlib import sha256
from typing import Any

from ...limits import Limits
from ...spelling import FieldError
from ..queue import QueueFullError
from .query import INCOMING, BackgroundQuery, read_points
from .service import NotYetError, QueryService

SHORT = 16_000
"""Bytes that are read at once: some five hundred points, a few milliseconds."""


def read_incoming(
    content: bytes, columns: tuple[str, ...], client: str, queries: QueryService, limits: Limits
) -> dict[str, Any]:
    """What is in somebody's text or file (`read_points`).

    Raises
    ------
    ValueError
        When it cannot be read.
    QueueFullError
        When others go first; who asks again later finds it read.
    """
    if len(content) <= SHORT or len(content) > limits.upload_bytes:
        return read_points(content, columns, limits)
    name = sha256(b"\0".join((content, *(column.encode() for column in columns)))).hexdigest()[:32]
    file = queries.scratch(name)
    file.write_bytes(content)
    query = BackgroundQuery(INCOMING, name, more=json.dumps([str(file), *columns]))
    try:
        answer: dict[str, Any] = queries.table(query, client)
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
