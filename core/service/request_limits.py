"""How many requests a browser and an address may send in a minute.

A class of thirty behind one address looks at runs. A page asks for each of its runs about once a second, a
script perhaps twice: 60 requests a second from that address, or 300 when each of them races five methods.
They are answered from memory, so the limit on requests is far beyond. What costs the server time has tighter
limits: what starts or prices work or makes a file, and what brings much data.

A browser is known by its cookie. Cookies are easily thrown away, so an address has limits as well, those of
so many people; and all who come without a cookie share one person's for what costs time.
"""

import logging
import threading
from collections.abc import Iterator
from functools import partial
from time import time as now
from typing import Any

from flask import Flask, Response, request
from flask_limiter import ApplicationLimit, Limiter, RateLimitExceeded
from limits.storage import Storage

from .accounts import person_of, subnet_of
from .queries.incoming import SHORT
from .responses import error_response
from .settings import Settings
from .visitors import NOBODY, Visitors

WORK = frozenset(
    {
        "POST /api/runs",
        "POST /api/estimate",
        "POST /api/studies",
        "POST /api/studies/<study_id>/resume",
        "GET /api/studies/<study_id>/export.csv",
        "GET /api/runs/<run_id>/export.<kind>",
        "GET /replay.html",
        "GET /comparison.zip",
        "GET /handout",
        "GET /lessons/<name>/handout",
    }
)
"""Method and rule of what starts or prices work, or makes a file."""
_FREE = ("/assets/", "/_dash-component-suites/", "/_favicon", "/healthz")
"""Files that never change, and what load balancers ask for."""
_REDIS_SECONDS = 1
_FEW = 1_000


class MemoryCounts(Storage):
    """Counts in this process's memory.

    The library's own starts a thread with nearly every request, which looks through all counts for what has
    expired. Measured, processor time per request: 0.35 ms with 100 clients, 0.9 ms with 2,000; here 0.05 and
    0.08 ms, since what has expired goes when there is twice as much as after the last time.
    """

    STORAGE_SCHEME = ["counts"]  # noqa: RUF012

    def __init__(self, uri: str | None = None, **options: Any) -> None:
        super().__init__(uri, **options)
        self._counts: dict[str, tuple[int, float]] = {}
        """How many, and until when."""
        self._most = _FEW
        self._guard = threading.Lock()

    @property
    def base_exceptions(self) -> type[Exception]:
        """None of its own."""
        return ValueError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Count on; the first of a while begins it."""
        moment = now()
        with self._guard:
            count, until = self._counts.get(key, (0, 0.0))
            if until <= moment:
                count, until = 0, moment + expiry
            self._counts[key] = (count + amount, until)
            if len(self._counts) > self._most:
                self._counts = {name: one for name, one in self._counts.items() if one[1] > moment}
                self._most = max(_FEW, 2 * len(self._counts))
        return count + amount

    def get(self, key: str) -> int:
        """How many there were."""
        count, until = self._counts.get(key, (0, 0.0))
        return count if until > now() else 0

    def get_expiry(self, key: str) -> float:
        """When it begins anew."""
        return self._counts.get(key, (0, now()))[1]

    def check(self) -> bool:
        """It is always there."""
        return True

    def reset(self) -> int:
        """Forget everything."""
        number, self._counts = len(self._counts), {}
        return number

    def clear(self, key: str) -> None:
        """Forget one."""
        self._counts.pop(key, None)


def limit_requests(server: Flask, settings: Settings, visitors: Visitors) -> None:
    """Refuse requests beyond the limits with 429 and Retry-After."""
    # It would have a line for every request that it refuses.
    logging.getLogger("flask-limiter").setLevel(logging.WARNING)
    timeouts: dict[str, str | int] = {
        "socket_timeout": _REDIS_SECONDS,
        "socket_connect_timeout": _REDIS_SECONDS,
    }
    limiter = Limiter(
        key_func=_address,
        app=server,
        application_limits=[*_limits(settings, visitors)],
        storage_uri=settings.redis_url or "counts://",
        storage_options=timeouts if settings.redis_url else {},
        strategy="fixed-window",
        key_prefix="plateau",
        # Each web process counts for itself as long as Redis is away.
        in_memory_fallback_enabled=bool(settings.redis_url),
    )

    @server.errorhandler(RateLimitExceeded)
    def refuse(_: RateLimitExceeded) -> Response:
        found = limiter.current_limit
        seconds = max(1, round(found.reset_at - now())) if found else 60
        return error_response(
            f"That is too much for one minute. Please go on in {seconds} s.", 429, retry_after=seconds
        )


def _limits(settings: Settings, visitors: Visitors) -> Iterator[ApplicationLimit]:
    """Those of a person and those of an address, for each kind of request."""
    rates = {
        "requests": settings.requests_per_minute,
        "work": settings.work_per_minute,
        "uploads": settings.uploads_per_minute,
    }

    def person() -> str:
        return person_of(visitors.current().quota)

    def passes_person(kind: str) -> bool:
        return kind not in _kinds() or (kind == "requests" and not visitors.current().known)

    def passes_address(kind: str) -> bool:
        return kind not in _kinds()

    people = settings.people_per_address
    for kind, rate in rates.items():
        if rate:
            yield ApplicationLimit(
                f"{rate}/minute",
                key_function=person,
                scope=f"{kind} of a person",
                exempt_when=partial(passes_person, kind),
            )
        if rate and people:
            yield ApplicationLimit(
                f"{rate * people}/minute",
                key_function=_address,
                scope=f"{kind} of an address",
                exempt_when=partial(passes_address, kind),
            )


def _address() -> str:
    return subnet_of(request.remote_addr)


def _kinds() -> set[str]:
    """What a request counts as."""
    if NOBODY in request.environ or request.path.startswith(_FREE):
        return set()
    kinds = {"requests"}
    if f"{request.method} {request.url_rule}" in WORK:
        kinds.add("work")
    if request.path == "/api/data" or (request.content_length or 0) > SHORT:
        kinds.add("uploads")
    return kinds
