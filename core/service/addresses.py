"""Where others can reach this server, and under which names it answers.

A page of another site may point its own name at this machine once it is loaded (DNS rebinding). Its scripts
are then of the same origin as the server, and only the name gives it away. An address cannot be pointed
elsewhere, so addresses are answered, whichever a router or a container engine has given out. So are loopback
names and the machine's own, which no public name server hands out. The machine's full name is not looked up:
whoever runs the network's name server could say what it is.
"""

import ipaddress
import socket
from functools import cache
from urllib.parse import urlsplit

from werkzeug.sansio.utils import host_is_trusted

from .settings import Settings

_EVERYWHERE = ("0.0.0.0", "::", "")
_ELSEWHERE = ("192.0.2.1", 9)
"""An address for documentation: naming it as a destination sends nothing, but chooses the way out."""


def is_loopback(host: str) -> bool:
    """Whether a name, perhaps with a port, means the very machine it is used on."""
    name = _name_in(host)
    address = _address(name)
    return address.is_loopback if address else name == "localhost" or name.endswith(".localhost")


def answers_to(host: str, settings: Settings) -> bool:
    """Whether this server may be asked for by a name, perhaps with a port.

    Examples
    --------
    >>> answers_to("192.168.1.7:8050", Settings()), answers_to("evil.example", Settings())
    (True, False)
    >>> answers_to("lab.example.edu", Settings(hosts="lab.example.edu, .example.org"))
    True
    """
    name = _name_in(host)
    if _address(name) or is_loopback(name) or name in _own_names():
        return True
    chosen = [found for one in settings.hosts.split(",") if (found := _name_in(one.rpartition("//")[2]))]
    # The library takes an empty list for "any name".
    return bool(name and chosen) and host_is_trusted(name, chosen)


def _name_in(host: str) -> str:
    """A host without its port; empty when it is none."""
    if ":" in host and _address(host):
        return host
    try:
        return (urlsplit(f"//{host.strip()}").hostname or "").rstrip(".")
    except ValueError:
        return ""


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


@cache
def _own_names() -> frozenset[str]:
    """What this machine calls itself, and what it is called in the local network (mDNS)."""
    name = socket.gethostname().lower()
    return frozenset((name, f"{name.partition('.')[0]}.local")) if name else frozenset()


def network_origin(settings: Settings) -> str:
    """The server's address in the local network; empty where it listens to its own machine alone."""
    if is_loopback(settings.host):
        return ""
    host = _own_address() if settings.host in _EVERYWHERE else settings.host
    if not host or is_loopback(host):
        return ""
    return f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"


def _own_address() -> str:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_ELSEWHERE)
        except OSError:
            return ""
        return str(probe.getsockname()[0])
