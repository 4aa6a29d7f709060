"""How long a request may take to be sent, and how many connections an address may have, where no proxy is in
front.

Waitress' own `connection_limit` and `channel_timeout` know neither requests that come letter by letter nor a
flood from one address. With them alone, two thousand half-sent requests let a newcomer wait for 31 s, and a
letter every few seconds holds a connection for ever; with what is below it was 3 s, on the same busy machine
(tests/faults/test_front_door.py). This is for a class room's server that stands alone: a reverse proxy does
both, and all connections behind it come from its address.
"""

import time
from collections import Counter
from functools import partial
from typing import Any

import orjson
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.utilities import RequestEntityTooLarge

HEADER_SECONDS = 10.0
BODY_SECONDS = 30.0
PER_ADDRESS = 512


class TooLarge(RequestEntityTooLarge):
    """A body that is not even read."""

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:  # noqa: ARG002
        """In JSON, as the application has it."""
        body = orjson.dumps({"error": self.body})
        return f"{self.code} {self.reason}", [("Content-Type", "application/json")], body


class LimitedParser(HTTPRequestParser):
    """A request on its way in."""

    error: Any = None

    def received(self, data: bytes) -> int:
        """A part of it; how much of it was taken."""
        taken = int(super().received(data))
        if isinstance(self.error, RequestEntityTooLarge):
            size = self.content_length or self.body_bytes_received
            self.error = TooLarge(f"{size:,} bytes are far too many.")
        return taken


class LimitedChannel(HTTPChannel):
    """A connection. Waitress calls these methods from its one loop."""

    parser_class = LimitedParser

    def __init__(self, *arguments: Any, connections: Counter[str], most: int, **named: Any) -> None:
        self._connections, self._begun, self._address = connections, 0.0, ""
        super().__init__(*arguments, **named)
        self._address = str(self.addr[0])
        connections[self._address] += 1
        if most and connections[self._address] > most:
            self.will_close = True

    def received(self, data: bytes) -> Any:
        """A part of a request."""
        known = self.request
        result = super().received(data)
        if self.request is None:
            self._begun = 0.0
        elif self.request is not known:
            self._begun = time.monotonic()
        return result

    def readable(self) -> bool:
        """Asked before every look at the sockets."""
        request = self.request
        if request is not None and self._begun:
            limit = BODY_SECONDS if request.headers_finished else HEADER_SECONDS
            if time.monotonic() - self._begun > limit:
                self.will_close = True
        return bool(super().readable())

    def del_channel(self, map: Any = None) -> None:
        """It is over."""
        if self._address:
            self._connections[self._address] -= 1
            if not self._connections[self._address]:
                del self._connections[self._address]
            self._address = ""
        super().del_channel(map)


def limit_connections(listener: Any, *, behind_proxy: bool) -> None:
    """Let a waitress server, of one socket or several, take connections by these rules."""
    servers = [listener] if hasattr(listener, "channel_class") else list(listener.map.values())
    connections: Counter[str] = Counter()
    most = 0 if behind_proxy else PER_ADDRESS
    for server in servers:
        if hasattr(server, "channel_class"):
            server.channel_class = partial(LimitedChannel, connections=connections, most=most)
