"""Who comes in: how long a request may take to be sent, and how many connections an address may have.

Waitress ends connections on which nothing happens, but neither requests that come letter by letter nor a
flood from one address. Behind a reverse proxy all connections come from its address, and it looks after both.
"""

import time
from collections import Counter
from functools import partial
from typing import Any

from waitress.channel import HTTPChannel

HEADER_SECONDS = 10.0
BODY_SECONDS = 30.0
PER_ADDRESS = 512


class DoorChannel(HTTPChannel):
    """A connection. Waitress calls these methods from its one loop."""

    def __init__(self, *told: Any, door: Counter[str], most: int, **named: Any) -> None:
        self._door, self._begun, self._address = door, 0.0, ""
        super().__init__(*told, **named)
        self._address = str(self.addr[0])
        door[self._address] += 1
        if most and door[self._address] > most:
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
            self._door[self._address] -= 1
            if not self._door[self._address]:
                del self._door[self._address]
            self._address = ""
        super().del_channel(map)


def guard_door(listener: Any, *, behind_proxy: bool) -> None:
    """Let a waitress server, of one socket or several, take connections by these rules."""
    servers = [listener] if hasattr(listener, "channel_class") else list(listener.map.values())
    door: Counter[str] = Counter()
    most = 0 if behind_proxy else PER_ADDRESS
    for server in servers:
        if hasattr(server, "channel_class"):
            server.channel_class = partial(DoorChannel, door=door, most=most)
