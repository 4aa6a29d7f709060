"""Whose turn a run takes and whom it is charged to: the person at a browser, and the address it comes from.

A cookie is easily thrown away, and a class room has one address. So a browser has a line of its own in the
queue only once it has been here for a while; newcomers of one address share that address's line. Whoever
drops a cookie is a newcomer again and gains no turn by it; thirty students behind one address are thirty.

A quota is a text, since it is kept with every run: `<person>@<address>`, with a `?` in front for a newcomer.
A plain text is a person without an address. What follows from it is decided in core.service.queue.
"""

import ipaddress
from dataclasses import dataclass


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
    """Whether two share what costs too much to be had anew with every cookie: newcomers of an address do."""
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
