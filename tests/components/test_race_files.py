"""Files of a whole race: made by a query worker, the same whoever asks, and with what was asked for."""

import io
import zipfile
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from app import create_app
from components.pages.lab.race_files import archive_question, replay_question
from core.config import race_from_query
from core.service import RunService, Settings
from core.service.accounts import Client
from core.service.queries.query import BackgroundQuery
from core.service.queries.service import NotYetError

NAMES = [config.run_id for config in race_from_query("epochs=1e8,500&method=gd,anls&seed=11")]  # shipped
RUNS = ",".join(NAMES)


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    server = create_app(Settings(home=tmp_path)).server
    client: FlaskClient = server.test_client()
    return client


def service_of(client: FlaskClient) -> RunService:
    service: RunService = client.application.extensions["runs"]
    return service


def test_both_files_come_to_be_kept(client: FlaskClient) -> None:
    link = "link=" + "epochs%3D1e8,500%26method%3Dgd,anls%26seed%3D11"
    page = client.get(f"/replay.html?runs={RUNS}&{link}", buffered=True)
    assert page.status_code == 200 and page.mimetype == "text/html"
    assert all(name in page.text for name in NAMES)
    assert page.headers["Content-Disposition"] == f'attachment; filename="plateau-{NAMES[0][:8]}.html"'
    archive = client.get(f"/comparison.zip?runs={RUNS}&{link}", buffered=True)
    names = zipfile.ZipFile(io.BytesIO(archive.data)).namelist()
    assert {"1-gd.csv", "2-anls.csv", "plot.py", "cite.bib", "README.txt"} <= set(names)


def test_what_changes_from_second_to_second_makes_no_other_file(client: FlaskClient) -> None:
    service = service_of(client)
    first = replay_question(service, "3", NAMES, "http://lab.example/")
    service.watch(NAMES[0], Client("somebody", "somebody"))
    assert replay_question(service, "3", NAMES, "http://lab.example/") == first
    assert archive_question(service, NAMES, "http://lab.example/") != archive_question(
        service, NAMES, "http://x/"
    )
    with pytest.raises(KeyError):
        archive_question(service, ["0" * 32], "")


def test_a_browser_that_has_to_wait_gets_a_page_that_asks_again(client: FlaskClient) -> None:
    def ask(question: BackgroundQuery, client: str) -> Path:
        raise NotYetError(0)

    service_of(client).queries.ask = ask  # type: ignore[method-assign,assignment]
    address = f"/comparison.zip?runs={RUNS}"
    browser = client.get(address, headers={"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert (
        browser.status_code == 202 and browser.headers["Refresh"] == "1" and "comes by itself" in browser.text
    )
    script = client.get(address, headers={"Accept": "*/*"})
    assert script.status_code == 202 and script.json == {"ahead": 0, "retry_after": 1}
