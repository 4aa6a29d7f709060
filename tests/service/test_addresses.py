"""Where others reach this server."""

import socket

import pytest

from core.service.addresses import answers_to, is_loopback, network_origin
from core.service.settings import Settings


@pytest.mark.parametrize("host", ["127.8.0.1:80", "localhost:80", "[::1]:80", "::1", "a.localhost"])
def test_loopback(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["192.168.1.4:8050", "lab.example", "[2001:db8::1]:80", "localhost.example"])
def test_not_loopback(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("host", "answered"),
    [
        ("localhost:8050", True),
        ("LOCALHOST.", True),
        ("[fe80::1]:8050", True),
        ("203.0.113.9", True),
        ("lab.example.edu:443", True),
        ("Lab.Example.EDU", True),
        ("a.example.org", True),
        ("example.edu", False),
        ("evil.lab.example.edu", False),
        ("127.0.0.1.evil.example", False),
        ("lab.example.edu.evil.example", False),
        ("evilexample.org", False),
        ("2130706433", False),
        ("[::1", False),
        ("", False),
        (":80", False),
    ],
)
def test_names_that_are_answered(host: str, answered: bool) -> None:
    settings = Settings(hosts="https://lab.example.edu:8443, .example.org,, :80")
    assert answers_to(host, settings) is answered


@pytest.mark.parametrize("hosts", ["", " , ", ":80"])
@pytest.mark.parametrize("host", ["evil.example", "evil.example:8050", "lab.example.edu", ""])
def test_without_a_list_no_other_name_is_answered(host: str, hosts: str) -> None:
    assert not answers_to(host, Settings(hosts=hosts))


def test_the_machine_s_own_names_are_answered() -> None:
    name = socket.gethostname()
    assert answers_to(f"{name}:8050", Settings())
    assert answers_to(f"{name.partition('.')[0]}.local", Settings())


def test_the_origin_is_where_the_server_listens() -> None:
    assert network_origin(Settings(host="127.0.0.1")) == ""
    assert network_origin(Settings(host="192.168.1.4", port=80)) == "http://192.168.1.4:80"
    assert network_origin(Settings(host="2001:db8::1", port=8050)) == "http://[2001:db8::1]:8050"


def test_everywhere_is_this_machines_address_in_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    found = network_origin(Settings(host="0.0.0.0", port=8050))
    assert not found or not is_loopback(found.removeprefix("http://"))

    def cut_off(*_: object) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", cut_off)
    assert network_origin(Settings(host="0.0.0.0")) == ""
