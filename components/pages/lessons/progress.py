"""How far somebody has come in the lessons: a cookie of this browser, the furthest step of each lesson."""

import re

from dash import ctx
from flask import request

COOKIE = "lessons"
_ENTRY = re.compile(r"([a-z0-9_-]{1,40}):([1-9][0-9]{0,2})")
_MOST = 60
_YEAR = 365 * 24 * 3600


def progress(cookie: str) -> dict[str, int]:
    """The furthest step of each lesson, from what a browser has kept.

    >>> progress("plateau:3.crossing:5.<b>:1")
    {'plateau': 3, 'crossing': 5}
    """
    entries = [_ENTRY.fullmatch(entry) for entry in cookie.split(".")[:_MOST]]
    return {entry[1]: int(entry[2]) for entry in entries if entry}


def note_step(lesson: str, step: int) -> None:
    """Keep with the answer to a callback that a step was shown."""
    known = progress(request.cookies.get(COOKIE, ""))
    if step <= known.get(lesson, 0):
        return
    value = ".".join(f"{name}:{place}" for name, place in {**known, lesson: step}.items())
    ctx.response.set_cookie(
        COOKIE, value, max_age=_YEAR, secure=request.is_secure, httponly=True, samesite="Lax"
    )
