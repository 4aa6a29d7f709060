"""The front door through the real servers, waitress and gunicorn, behind real proxies, Caddy and nginx."""

import http.client
import json
import ssl
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from core.limits import LIMITS
from tests.faults.programs import App
from tests.faults.proxies import Proxy

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="several loopback addresses are Linux's")
NAME = "lab.example.edu"
GUNICORN = (str(Path(sys.executable).parent / "gunicorn"), "--threads", "8", "wsgi:application")
PROXIED = [(server, proxy) for server in ("waitress", "gunicorn") for proxy in ("caddy", "nginx")]


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def error(self) -> str:
        return str(json.loads(self.body)["error"])


class Site:
    """The servers, each with a proxy of every kind in front."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        common = {"PLATEAU_HOSTS": NAME, "PLATEAU_PER_ADDRESS": "1"}
        kinds: dict[str, tuple[tuple[str, ...], str]] = {
            "waitress": ((), "1"),
            "gunicorn": (GUNICORN, "1"),
            "bare": ((), "0"),
        }
        self.apps: dict[str, App] = {}
        self.proxies: dict[tuple[str, str], Proxy] = {}
        for name, (command, hops) in kinds.items():
            app = App(folder / name, command, PLATEAU_PROXIES=hops, **common)
            self.apps[name] = stack.enter_context(app)
            app.start()
            for kind in ("caddy", "nginx", "plain nginx"):
                proxy = Proxy(kind, folder / f"{name} {kind}".replace(" ", "-"), app.port)
                stack.callback(proxy.close)
                self.proxies[name, kind] = proxy

    def ask(
        self,
        server: str,
        proxy: str = "",
        path: str = "/",
        *,
        host: str = NAME,
        body: Any = None,
        source: str = "127.0.0.1",
        **headers: str,
    ) -> Answer:
        """One request, straight to the server or by way of a proxy, from one of this machine's addresses."""
        door = self.proxies[server, proxy] if proxy else None
        port = door.port if door else self.apps[server].port
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60, source_address=(source, 0))
        if door is not None and door.secure:
            connection.connect()
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            name = host.partition(":")[0] if "example" in host else NAME
            connection.sock = context.wrap_socket(connection.sock, server_hostname=name)
        sent = {"Host": host, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
            sent.setdefault("Content-Type", "application/json")
        connection.request("GET" if body is None else "POST", path, body, sent)
        answer = connection.getresponse()
        found = Answer(answer.status, answer.headers, answer.read())
        connection.close()
        return found

    def token(self, server: str) -> str:
        return (self.apps[server].home / "admin-token").read_text()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with ExitStack() as stack:
        yield Site(tmp_path_factory.mktemp("proxies"), stack)


@pytest.mark.parametrize(("server", "proxy"), PROXIED)
def test_people_behind_a_proxy_have_addresses_of_their_own(site: Site, server: str, proxy: str) -> None:
    seed = PROXIED.index((server, proxy))

    def start(number: int, source: str, **headers: str) -> Answer:
        query = {"query": f"target=sin5&width=30&epochs=1e9&seed={10 * seed + number}"}
        return site.ask(server, proxy, "/api/runs", body=query, source=source, **headers)

    first, last = f"127.0.{seed}.2", f"127.0.{seed}.3"
    begun = [start(0, first), start(1, last)]
    assert [answer.status for answer in begun] == [201, 201], [answer.body for answer in begun]
    assert start(2, first).status == 429, "the first address has the one run that it may have"
    forged = start(3, first, X_Forwarded_For="192.0.2.9")
    assert forged.status == 429, "what a client says of its own address is not believed"
    for answer in begun:
        cookie = answer.headers["Set-Cookie"].split(";")[0]
        stop = f"/api/runs/{json.loads(answer.body)['id']}/stop"
        assert site.ask(server, proxy, stop, body={}, Cookie=cookie).status == 200


@pytest.mark.parametrize("server", ["waitress", "gunicorn"])
def test_scheme_and_host_are_the_visitor_s(site: Site, server: str) -> None:
    port = site.proxies[server, "caddy"].port
    answer = site.ask(server, "caddy", host=f"{NAME}:{port}")
    assert answer.status == 200 and "; Secure" in answer.headers["Set-Cookie"]
    assert "; Secure" not in site.ask(server, "nginx").headers["Set-Cookie"], "nginx speaks plain HTTP here"
    for proxy in ("caddy", "nginx"):
        host = f"{NAME}:{site.proxies[server, proxy].port}"
        scheme = "https" if proxy == "caddy" else "http"
        post: Any = {"path": "/api/estimate", "body": {"query": "target=five"}, "host": host}
        assert site.ask(server, proxy, **post, Origin=f"{scheme}://{host}").status == 200
        assert site.ask(server, proxy, **post, Origin="https://evil.example").status == 403


def test_a_server_that_knows_of_no_proxy_believes_none(site: Site) -> None:
    told = {"X_Forwarded_Proto": "https", "X_Forwarded_Host": "evil.example", "X_Forwarded_For": "192.0.2.9"}
    answer = site.ask("bare", **told)
    assert answer.status == 200 and "; Secure" not in answer.headers["Set-Cookie"]
    assert "PLATEAU_PROXIES" in site.apps["bare"].log.read_text(), "but whoever looks after it is told"


@pytest.mark.parametrize("server", ["waitress", "gunicorn"])
@pytest.mark.parametrize("proxy", ["", "caddy"])
@pytest.mark.parametrize("size", [17_000_000, pytest.param(21_600_000, marks=pytest.mark.long)])
def test_too_large_a_body_gets_an_answer_that_can_be_read(
    site: Site, server: str, proxy: str, size: int
) -> None:
    for path in ("/api/data", "/_dash-update-component"):
        answer = site.ask(server, proxy, path, body=b"1,2\n" * (size // 4), Content_Type="text/csv")
        assert answer.status == 413 and answer.headers["Content-Type"] == "application/problem+json"
        assert f"{size:,} bytes" in answer.error and f"{LIMITS.upload_bytes:,}" in answer.error
    assert site.ask(server, proxy).status == 200


@pytest.mark.parametrize("server", ["waitress", "gunicorn", "bare"])
@pytest.mark.parametrize("proxy", ["", "caddy", "nginx", "plain nginx"])
@pytest.mark.parametrize("path", ["/admin", pytest.param("/metrics", marks=pytest.mark.long)])
def test_who_looks_after_the_server_has_its_token(site: Site, server: str, proxy: str, path: str) -> None:
    for headers in ({}, {"X_Forwarded_For": "127.0.0.1"}, {"Authorization": "Bearer "}):
        assert site.ask(server, proxy, path, **headers).status == 401
    local = {"host": "127.0.0.1"} if proxy in ("", "plain nginx") else {}
    assert site.ask(server, proxy, path, **local).status == 401, "a proxy here looks just like this"
    token = site.token(server)
    assert site.ask(server, proxy, path, Authorization=f"Bearer {token}").status == 200


def test_the_token_is_made_once_for_its_owner_and_opens_a_browser(site: Site) -> None:
    file = site.apps["bare"].home / "admin-token"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and len(file.read_text()) == 64
    log = site.apps["bare"].log.read_text()
    assert str(file) in log and file.read_text() not in log, "a log is read by others"
    assert site.ask("bare", path="/admin?token=wrong").status == 401
    opened = site.ask("bare", path=f"/admin?token={file.read_text()}")
    assert opened.status == 303 and opened.headers["Location"] == "/admin"
    (cookie,) = (value for value in opened.headers.get_all("Set-Cookie") or [] if "plateau_admin" in value)
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and file.read_text() not in cookie
    assert site.ask("bare", path="/admin", Cookie=cookie.split(";")[0]).status == 200
    post: Any = {"path": "/admin", "body": "kind=run&name=x", "Cookie": cookie.split(";")[0]}
    assert site.ask("bare", **post, Origin="https://evil.example").status == 403


@pytest.mark.parametrize("server", ["waitress", "gunicorn", "bare"])
@pytest.mark.parametrize(("path", "body"), [("/", None), ("/api/estimate", {"query": "target=five"})])
def test_only_known_names_are_answered(site: Site, server: str, path: str, body: Any) -> None:
    port = site.apps[server].port
    for host in (f"localhost:{port}", f"127.0.0.1:{port}", "[::1]", "192.168.1.7", NAME, NAME.upper()):
        assert site.ask(server, path=path, body=body, host=host).status == 200, host
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1.evil.example", "localhost.evil.example"):
        answer = site.ask(server, path=path, body=body, host=host, Origin=f"http://{host}")
        assert answer.status == 400 and b"PLATEAU_HOSTS" in answer.body, host
    assert site.ask(server, path="/healthz", host="web:8050").status == 200, "a proxy's own look"


@pytest.mark.parametrize(("server", "proxy"), PROXIED)
def test_behind_a_proxy_the_visitor_s_name_counts(site: Site, server: str, proxy: str) -> None:
    assert site.ask(server, proxy, host="evil.example").status == 400
    assert site.ask(server, proxy, host="evil.example", X_Forwarded_Host=NAME).status == 400
    assert site.ask(server, proxy, host=NAME).status == 200
