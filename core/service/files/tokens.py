"""Tokens: with one, a script acts for the browser that made it.

A token names its browser by the public handle, followed by a secret. What is kept under the handle is its
hash, so that whoever reads the database cannot act as anybody. The secret is random: one hash is enough.
"""

import hmac
import re
import secrets
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any

import orjson

from .browser_documents import BrowserDocuments

MAX_TOKENS = 20
NAME_LENGTH = 60
PREFIX = "plateau_"
_TOKEN = re.compile(rf"{PREFIX}([0-9a-f]{{16}})([0-9a-f]{{32}})", re.ASCII)
_DAY = 24 * 3600.0


@dataclass(frozen=True)
class ScriptToken:
    """What is kept of a token."""

    id: str
    name: str
    """What it is for, as its owner typed it."""
    made: float
    """When, in seconds since 1970."""
    digest: str
    used: float = 0.0
    """When it was last used, to a day; 0: never."""


class Tokens:
    """The tokens of every browser. Thread-safe."""

    def __init__(self, store: BrowserDocuments, clock: Callable[[], float] = time.time) -> None:
        self._store, self._clock = store, clock

    def entries(self, handle: str) -> list[ScriptToken]:
        """The tokens of a browser, the newest first."""
        return _entries(self._store.read(handle))

    def make(self, handle: str, name: str) -> str:
        """A new token, which nobody can be told again; ValueError when there are too many."""
        text = f"{PREFIX}{handle}{secrets.token_hex(16)}"
        if _TOKEN.fullmatch(text) is None:
            raise ValueError("Only a browser that keeps its cookie can make tokens.")
        shown = " ".join(name.split())[:NAME_LENGTH] or "Token"
        made = ScriptToken(secrets.token_hex(4), shown, self._clock(), _digest(text))

        def added(tokens: list[ScriptToken]) -> list[ScriptToken]:
            if len(tokens) >= MAX_TOKENS:
                raise ValueError(f"One browser may have {MAX_TOKENS} tokens. Revoke one first.")
            return [made, *tokens]

        self._change(handle, added)
        return text

    def revoke(self, handle: str, token_id: str) -> bool:
        """End a token; whether there was one."""
        before = self._change(handle, lambda tokens: [one for one in tokens if one.id != token_id])
        return any(token.id == token_id for token in before)

    def owner(self, text: str) -> str | None:
        """The handle of the browser that made a token; None for what is no token, or no longer."""
        match = _TOKEN.fullmatch(text)
        if match is None:
            return None
        handle, digest = match[1], _digest(text)
        found = [one for one in self.entries(handle) if hmac.compare_digest(one.digest, digest)]
        if not found:
            return None
        now = self._clock()
        if now - found[0].used > _DAY:
            used = replace(found[0], used=now)
            self._change(handle, lambda tokens: [used if one.id == used.id else one for one in tokens])
        return handle

    def _change(
        self, handle: str, change: Callable[[list[ScriptToken]], list[ScriptToken]]
    ) -> list[ScriptToken]:
        """Apply a change; the tokens that there were before."""

        def changed(document: bytes | None) -> bytes:
            return orjson.dumps([asdict(token) for token in change(_entries(document))])

        return _entries(self._store.change(handle, changed))


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _entries(document: bytes | None) -> list[ScriptToken]:
    try:
        rows: list[dict[str, Any]] = orjson.loads(document) if document else []
        return [ScriptToken(**row) for row in rows]
    except (ValueError, TypeError):  # not written by this program
        return []
