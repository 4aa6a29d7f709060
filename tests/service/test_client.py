"""The client against a real server, in a thread of this process."""

from collections.abc import Iterator
from pathlib import Path
from typing import get_type_hints

import numpy as np
import pytest

from core import answers, fit
from core.client import ApiError, LabClient
from core.service import models
from tests.service.sites import Site, served

SITES: dict[str, Site] = {}


def site_of(lab: LabClient) -> Site:
    return SITES[lab.url]


def handle_of(lab: LabClient) -> str:
    """Who the server takes the client for."""
    return str(lab.start("target=five&method=lsq") and site_of(lab).service.history._store.handles()[0])


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[LabClient]:
    site = Site(tmp_path)
    with served(site) as url:
        SITES[url] = site
        yield LabClient(url, tmp_path / "cookies")


ANSWERS = {
    answers.AboutAnswer: models.Discovery,
    answers.StartedRunAnswer: models.StartedRun,
    answers.OneRunAnswer: models.OneRun,
    answers.OwnRunAnswer: models.OwnRun,
    answers.StudyAnswer: models.OneStudy,
}


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.__name__)
def test_what_answers_are_said_to_hold_is_what_the_server_says(answer: type) -> None:
    said, meant = get_type_hints(ANSWERS[answer]), get_type_hints(answer)
    assert set(meant) <= set(said)
    same = set(meant) - {"runs", "remaining", "tags"}  # lists, which are other sequences there
    assert {name: meant[name] for name in same} == {name: said[name] for name in same}


def test_a_run_is_started_followed_and_taken_home(lab: LabClient) -> None:
    assert "anls" in [method["name"] for method in lab.about()["methods"]]
    run = lab.start("target=five&method=gd&epochs=1000")
    assert lab.wait(run["id"])["status"] == "finished"
    frames = lab.frames(run["id"])
    own = fit("five", method="gd", epochs=1000)
    assert np.array_equal(frames["loss"], own.history["loss"])
    assert run["id"] in [each["id"] for each in lab.runs()]
    again = LabClient(lab.url, lab._jar.filename)  # the script is run another time
    again.remove(run["id"])
    assert run["id"] not in [each["id"] for each in lab.runs()]


def test_what_a_new_script_starts_first_is_in_its_list(lab: LabClient) -> None:
    for newcomer, what in ((LabClient(lab.url), "run"), (LabClient(lab.url), "study")):
        if what == "run":
            assert newcomer.start("target=five&method=lsq")["id"] in [each["id"] for each in newcomer.runs()]
        else:
            started = newcomer.study("seed=0..2&target=five&method=lsq")["id"]
            assert started in [each["id"] for each in newcomer.studies()]


def test_with_a_token_a_script_acts_for_a_browser(lab: LabClient) -> None:
    study = lab.study("seed=0..2&target=five&method=lsq")["id"]
    token = LabClient(lab.url, token=site_of(lab).service.tokens.make(handle_of(lab), "script"))
    assert [each["id"] for each in token.studies()] == [study]
    assert token.stop_study(study)["status"] == "stopped"
    token.remove_study(study)
    assert list(lab.studies()) == []
    with pytest.raises(ApiError, match="401: This token is not known here"):
        list(LabClient(lab.url, token="plateau_0").runs())


def test_refusals_are_told(lab: LabClient) -> None:
    with pytest.raises(ApiError, match=r"400: widht: unknown key; did you mean width\?") as caught:
        lab.start("widht=3")
    assert caught.value.status == 400
    with pytest.raises(ApiError, match="404"):
        lab.info("0" * 32)
