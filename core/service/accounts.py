"""Whose turn a run takes and whom it is charged to: the person at a browser, and the address it comes from.

A cookie is easily thrown away, and a class room has one address. So a browser has a line of its own in the
queue only once it has been here for a while; newcomers of one address share that address's line. Whoever
drops a cookie is a newcomer again and gains no turn by it; thirty students behind one address are thirty.

A quota is a text, since it is kept with every run: `<person>@<address>`, with a `?` in front for a newcomer.
A plain text is a person without an address.
"""

import ipaddress
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ..limits import Limits
from .queue import QueueFullError
from .store import Store


@dataclass(frozen=True)
class Client:
    """Who asks: a public handle, made from the signed cookie, and whose quota is used."""

    handle: str
    quota: str
    known: bool = True
    """Whether it came with a cookie; all without one at an address are one person."""

    @property
    def viewer(self) -> str:
        """Whom a view is counted for."""
        return person_of(self.quota)


def quota_of(person: str, address: str, *, settled: bool) -> str:
    """The quota of somebody; without a person, of all at an address who have no cookie."""
    return f"{'' if settled else '?'}{person}@{address}"


def line_of(quota: str) -> str:
    """The line in which the runs of a quota wait, taking turns with other lines."""
    person, _, address = quota.partition("@")
    return address if person.startswith("?") else person


def person_of(quota: str) -> str:
    """Who may have so many runs."""
    person, _, address = quota.removeprefix("?").partition("@")
    return person or f"@{address}"


def address_of(quota: str) -> str:
    """Where the person is; empty when nobody knows."""
    return quota.partition("@")[2]


def are_one(quota: str, other: str) -> bool:
    """Whether two share what is too dear to be had anew with every cookie: newcomers of an address do."""
    new = quota.startswith("?") and other.startswith("?") and address_of(quota) == address_of(other)
    return new or person_of(quota) == person_of(other)


def subnet_of(address: str | None) -> str:
    """What counts as one address: one household or class room has a whole network of the newer kind."""
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return address or "nowhere"
    if isinstance(found, ipaddress.IPv6Address):
        return str(found.ipv4_mapped or ipaddress.ip_network(f"{found}/64", strict=False))
    return str(found)


def check_quota(quota: str, others: Iterable[str], waiting: int, limits: Limits) -> None:
    """Refuse one run too many: of the server, of an address, of a person. `others` has every run's quota."""
    charged = list(others)
    refused = refusal(
        waiting,
        sum(address_of(quota) == address_of(other) for other in charged) if address_of(quota) else 0,
        sum(person_of(quota) == person_of(other) for other in charged),
        limits,
    )
    if refused is not None:
        raise refused


def refusal(waiting: int, of_address: int, of_person: int, limits: Limits) -> QueueFullError | None:
    """What is said when one of three numbers has reached its limit."""
    if waiting >= limits.queued:
        return QueueFullError(f"The server's queue is full: {limits.queued} runs are waiting.", 20)
    if of_person >= limits.per_client:
        return QueueFullError(
            f"You have {limits.per_client} runs under way or waiting, and that is as many as one browser "
            f"may have ({limits.running_per_client} running, {limits.queued_per_client} waiting).",
            10,
        )
    if of_address >= limits.per_address:
        return QueueFullError(
            f"{limits.per_address} runs from your address are under way or waiting, and that is as many as "
            "one address may have.",
            20,
        )
    return None


def line_of_run(store: Store, run_id: str) -> str:
    """The line that a stored run belongs to."""
    record = store.record(run_id)
    return line_of(record.request.quota) if record else ""


class TurnOrder:
    """Whose turn it is among runs on one worker: lines take turns, and the runs within each."""

    def __init__(self, line: Callable[[str], str]) -> None:
        self._line_of = line
        self._lines: dict[str, str] = {}
        self._served: dict[str, int] = {}
        self._turn = 0

    def next(self, runs: Iterable[str]) -> str:
        """One of the runs, which stand in the order in which they have waited."""
        waiting = list(runs)
        self._lines = {run: self._lines.get(run) or self._line_of(run) for run in waiting}
        self._served = {line: self._served.get(line, 0) for line in self._lines.values()}
        self._turn += 1
        run = min(waiting, key=lambda name: self._served[self._lines[name]])
        self._served[self._lines[run]] = self._turn
        return run
