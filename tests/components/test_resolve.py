"""What a link means, as the page asks for it: runs, costs, and errors beside their fields."""

import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from components.pages.lab.resolve import field_errors, resolve, thumbnail
from components.pages.lab.routes import page_routes
from core.config.run_config import RunConfig
from core.limits import LIMITS
from core.service.accounts import Client
from core.service.service import RunService
from core.service.settings import Settings
from core.spelling import FieldError


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunService]:
    """A service that computes nothing: it is never started."""
    home = tmp_path_factory.mktemp("home")
    service = RunService(Settings(home=home, library=home / "library"))
    yield service
    service.close()


@pytest.fixture(scope="module")
def client(service: RunService) -> FlaskClient:
    """The page's routes alone."""
    server = Flask(__name__)
    server.register_blueprint(page_routes(service))
    return server.test_client()


def test_a_race_resolves_to_its_runs(service: RunService) -> None:
    answer = resolve("?method=gd,anls&epochs=1e6,50&at=3&theme=dark", service)
    assert answer["errors"] == []
    assert answer["canonical"] == "epochs=1e6,50&method=gd,anls"
    assert [run["method"] for run in answer["runs"]] == ["gd", "anls"]
    config = RunConfig.from_query("epochs=1e6")
    assert answer["runs"][0]["id"] == config.run_id
    assert answer["runs"][0]["state"] == "missing"
    assert answer["seconds"] == pytest.approx(sum(run["seconds"] for run in answer["runs"]))
    assert answer["cheap"] == (answer["seconds"] <= service.settings.cheap_seconds)


def test_resolving_starts_nothing(service: RunService) -> None:
    run_id = resolve("seed=77", service)["runs"][0]["id"]
    assert service.info(run_id) is None


def test_a_known_run_is_complete_until_more_is_asked(service: RunService) -> None:
    config = RunConfig.from_query("seed=5&epochs=1000")
    service.submit(config, Client("somebody", "somebody"))
    known = resolve("seed=5&epochs=1000", service)["runs"][0]
    assert known["exists"] and known["state"] == "complete"
    assert resolve("seed=5&epochs=5000", service)["runs"][0]["state"] == "short"


def test_each_wrong_field_gets_its_own_message(service: RunService) -> None:
    errors = resolve("width=0&points=1e9&seed=-1&target=sin(x)", service)["errors"]
    assert {entry["field"] for entry in errors} == {"width", "points", "seed"}
    assert all(
        "allowed" in entry["error"] and not entry["error"].startswith(entry["field"]) for entry in errors
    )


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("target=sin(y)", "target"),
        ("target=1/x&points=101", "target"),
        ("data=1:2", "data"),
        ("domain=1,1", "domain"),
        ("method=gd,rmsprop", "method"),
        ("epochs=1,2,3&method=gd,anls", "epochs"),
        ("biases=1,2&coefficients=1", "biases"),
        ("nonsense=1", "query"),
        ("xaxis=parsecs", "query"),
    ],
)
def test_errors_stand_beside_what_caused_them(service: RunService, query: str, field: str) -> None:
    assert [entry["field"] for entry in resolve(query, service)["errors"]] == [field]


def test_a_refusal_knows_its_field_whatever_it_says(service: RunService) -> None:
    """A sentence may begin with any word and a colon; the field is not looked for in it."""
    (error,) = resolve("target=width: 3", service)["errors"]
    assert error["field"] == "target"
    (error,) = resolve("points=width:3", service)["errors"]
    assert error["field"] == "points" and "width:3" in error["error"]
    kept = pickle.loads(pickle.dumps(FieldError("width", "0: no")))
    assert (kept.field, kept.text, str(kept)) == ("width", "0: no", "width: 0: no")


def test_a_run_beyond_the_limit_is_refused_with_what_would_do(service: RunService) -> None:
    (error,) = resolve("epochs=1e9&width=1000&points=10000", service)["errors"]
    assert error["field"] == "epochs" and "allowed" in error["error"]


def test_lists_are_checked_entry_by_entry() -> None:
    assert field_errors("method=gd,anls&epochs=1e4,1e3", LIMITS) == []
    assert field_errors("epochs=1e4,many&method=gd,anls", LIMITS)[0]["field"] == "epochs"


def test_the_picture_is_small_and_true() -> None:
    data = RunConfig.from_query("target=f2").training_data()
    picture = thumbnail(data)
    assert picture["m"] == 1000 and len(picture["x"]) <= 200
    assert picture["x"][0] == pytest.approx(data.x[0], rel=1e-3) and picture["x"] == sorted(picture["x"])
    assert len(picture["curve"]["x"]) == len(picture["curve"]["y"])
    assert thumbnail(RunConfig.from_query("target=five").training_data())["curve"] is None


def test_a_gap_in_the_function_is_a_gap_in_the_picture() -> None:
    picture = thumbnail(RunConfig.from_query("target=1/x&points=4").training_data())
    assert None in picture["curve"]["y"]


def test_figures_are_served_for_both_themes(client: FlaskClient) -> None:
    for theme in ("light", "dark"):
        assert client.get(f"/api/panels?theme={theme}").get_json()["theme"] == theme
    assert client.get("/api/panels?theme=sepia").status_code == 400


def test_a_qr_code_leads_only_to_this_server(client: FlaskClient) -> None:
    good = client.get("/qr.svg?path=/%3Fseed%3D3", headers={"Host": "lab.example"})
    assert good.mimetype == "image/svg+xml" and b"<path" in good.data
    for path in ("https://example.org", "//example.org/x", "/\\example.org", "/" + "x" * 5000):
        assert client.get("/qr.svg", query_string={"path": path}).status_code == 400
    assert b"script" not in client.get("/qr.svg", query_string={"path": "/<script>"}).data
    unseen = client.get("/qr.svg?path=/", headers={"Host": "127.0.0.1:8050"})
    assert b"Only this computer" in unseen.data, "no phone can open a loopback address"


def test_the_home_of_the_service_holds_only_what_was_kept(service: RunService) -> None:
    assert not list(Path(service.settings.home).glob("runs/*/frames.rec"))


def test_a_step_that_is_too_large_is_told_before_the_run(service: RunService) -> None:
    assert resolve("target=f1", service)["cautions"] == []
    (said,) = resolve("target=f1&learning_rate=0.5", service)["cautions"]
    assert "The learning rate 0.5 is too large" in said
    race = resolve("target=f1&learning_rate=0.5&method=gd,adam,anls", service)["cautions"]
    assert [text.split(":")[0] for text in race] == ["GD", "Adam"]


def test_data_on_another_scale_are_offered_in_other_units(service: RunService) -> None:
    years = ";".join(f"{1950 + i}:{4000 + 30 * i}" for i in range(60))
    found = resolve(f"data={years}&method=gd,anls", service)
    assert "x runs from 1950 to 2009" in found["better"]["text"]
    steep = resolve("target=1/x&points=100", service)["better"]
    assert steep is not None and "y runs from -99 to 99;" in steep["text"]
    again = resolve(found["better"]["query"], service)
    assert again["errors"] == []
    assert again["better"] is None
    assert again["cautions"] == []
    assert resolve("target=f1", service)["better"] is None
