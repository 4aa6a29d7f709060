"""Who may ask, and what every answer carries."""

from pathlib import Path

import pytest

from tests.service.sites import QUERY, URL, Site


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://elsewhere.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost.elsewhere.example"},
        {"Origin": "http://localhost:81"},
        {"Sec-Fetch-Site": "cross-site"},
    ],
)
def test_other_sites_cannot_post(site: Site, headers: dict[str, str]) -> None:
    client = site.client()
    for url in ("/api/runs", "/api/estimate", "/api/data", f"{URL}/stop"):
        answer = client.post(url, json={"query": QUERY}, headers=headers)
        assert answer.status_code == 403 and answer.json is not None and answer.json["error"]
    assert site.store.runs() == []
    assert client.get("/healthz", headers=headers).status_code == 200


@pytest.mark.parametrize("headers", [{}, {"Origin": "http://localhost"}, {"Sec-Fetch-Site": "same-origin"}])
def test_this_site_and_scripts_can(site: Site, headers: dict[str, str]) -> None:
    assert site.client().post("/api/runs", json={"query": QUERY}, headers=headers).status_code == 201


def test_pages_are_closed_to_foreign_scripts(site: Site) -> None:
    headers = site.client().get("/").headers
    policy = headers["Content-Security-Policy"]
    assert "script-src 'self' 'sha256-x';" in policy and "frame-ancestors 'self'" in policy
    assert "unsafe-eval" not in policy and "http" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff" and headers["Referrer-Policy"]


def test_the_cookie_is_signed_and_hidden_from_scripts(site: Site) -> None:
    client = site.client()
    cookie = client.get("/").headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie
    assert "Set-Cookie" not in client.get("/").headers
    client.set_cookie("plateau", "0" * 32)
    assert "Set-Cookie" in client.get("/").headers


TRAVERSALS = [
    prefix + form.format(target)
    for prefix in ("/", "/api/runs/", "/assets/")
    for form in (
        "../{}", "../../../../{}", "..%2f..%2f{}", "%2e%2e/%2e%2e/{}", "%2e%2e%2f{}", "..%5c..%5c{}",
        "..\\{}", "%252e%252e%252f{}", "....//..//{}", "./../{}",
    )
    for target in ("etc/passwd", "secret")
]  # fmt: skip


def test_there_are_sixty_forms() -> None:
    assert len(TRAVERSALS) == 60


@pytest.mark.parametrize("path", TRAVERSALS)
def test_traversal_leads_nowhere(site: Site, path: str) -> None:
    for method in ("GET", "POST"):
        answer = site.server.test_client().open(path, method=method)
        assert 400 <= answer.status_code < 500 and site.service.secret not in answer.text
