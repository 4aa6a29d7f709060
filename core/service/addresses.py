"""Where others can reach this server: phones cannot open a loopback address."""

import ipaddress
import socket

from core.service.settings import Settings

_EVERYWHERE = ("0.0.0.0", "::", "")
_ELSEWHERE = ("192.0.2.1", 9)
"""An address for documentation: naming it as a destination sends nothing, but chooses the way out."""


def is_loopback(host: str) -> bool:
    """Whether a name, perhaps with a port, means the very machine it is used on."""
    name = host.rpartition("]")[0].lstrip("[") or host.partition(":")[0]
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


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
