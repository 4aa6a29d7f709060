"""Lessons and runs on paper."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from flask.testing import FlaskClient

from app import create_app
from components.figures.printed import Axes, Curve, curves_svg
from components.pages.lessons.folder import LessonFolder
from components.pages.lessons.parser import Question
from core.service.queries.service import NotYetError
from core.service.settings import Settings

LESSONS = LessonFolder(Settings().lessons).lessons()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    return create_app(
        Settings(home=tmp_path_factory.mktemp("home"), hosts="lab.example")
    ).server.test_client()


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_on_paper_has_every_step_and_its_answers_at_the_end(client: FlaskClient, name: str) -> None:
    page = made(client, f"/lessons/{name}/handout")
    asked, answers = page.split('<section class="handout-answers">')
    questions = [b for step in LESSONS[name].steps for b in step.blocks if isinstance(b, Question)]
    assert asked.count("☐") == sum(len(question.options) for question in questions)
    assert asked.count("/qr.svg") == len(LESSONS[name].steps) and answers.count("<li>") == len(questions)
    assert "<script" not in answers
    figures = re.findall(r'<figure class="handout-figure"><img[^>]* src="data:image/svg[^"]*"', asked)
    assert len(figures) == len(LESSONS[name].steps), "one figure per step"
    assert all('fill="#fff"' in unquote(figure) for figure in figures), "on white"


def made(client: FlaskClient, path: str) -> str:
    """A page whose figures a process of its own draws: as a browser does, ask again until they are there."""
    while (answer := client.get(path, headers={"Accept": "text/html"})).status_code == 202:
        pass
    return answer.text


def test_a_question_about_what_comes_next_does_not_show_it(client: FlaskClient) -> None:
    page = made(client, "/lessons/pinned/handout")
    figures = [unquote(text) for text in re.findall(r'src="data:image/svg\+xml,([^"]*)"', page)]
    ends = [
        max(float(x) for x in re.findall(r"([\d.]+),[\d.]+", figure.split("<polyline")[-1]))
        for figure in figures
    ]
    assert "up to epoch" in page
    assert ends[1] < 600, "the curves of step 2 end in the middle of the picture"


def test_selected_runs_on_paper(client: FlaskClient) -> None:
    page = made(client, "/handout?epochs=1e8&method=gd&seed=11&also=method:anls~epochs:500")
    assert "GD" in page and "ANLS" in page and "data:image/svg+xml," in page


def test_a_run_on_paper_has_its_picture_and_its_plateaus(client: FlaskClient) -> None:
    page = client.get("/handout?epochs=1e8,500&method=gd,anls&seed=11&at=3").text
    assert "GD, ANLS on sin πx" in page and "data:image/svg+xml," in page and "Plateaus" in page
    assert "10⁸ epochs is used up" in page and "arXiv:2007.07213" in page
    assert "http://localhost/?epochs=1e8,500&amp;method=gd,anls&amp;seed=11</code>" in page
    assert "aria-current" not in page and 'class="handout-code on-screen"' in page
    drawn = unquote(page.split("data:image/svg+xml,")[-1].split('"')[0])
    assert ">loss</text>" in drawn and drawn.count("stroke-dasharray") == 2
    missing = client.get("/handout?seed=987&epochs=10").text
    assert "Not computed here yet: GD" in missing and "<table" not in missing
    assert 'href="/?epochs=10&amp;seed=987">Open the link in the Lab</a>' in missing
    assert client.get("/handout?width=0").status_code == 400
    assert client.get("/lessons/no-such-thing/handout").status_code == 404


def test_a_run_on_paper_is_read_in_the_background_and_comes_by_itself(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = client.application.extensions["runs"]

    def busy(question: object, client: str, patience: float = 0.0) -> object:
        raise NotYetError(2)

    monkeypatch.setattr(service.queries, "table", busy)
    answer = client.get("/handout?epochs=1e8&method=gd&seed=11", headers={"Accept": "text/html"})
    assert answer.status_code == 202 and answer.headers["Refresh"] == "1"


@pytest.mark.parametrize(
    "points",
    [
        [],
        [(0.0, 1.0)],
        [(0.0, 0.0), (1.0, 0.0)],
        [(0.0, float("inf")), (10.0, 1e-30)],
        [(5.0, 2.0), (5.0, 2.0)],
    ],
)
@pytest.mark.parametrize("log", [True, False])
def test_a_curve_of_any_kind_can_be_drawn(points: list[tuple[float, float]], log: bool) -> None:
    drawn = curves_svg([Curve("GD", "#000", points)], Axes(log_x=log, log_y=log))
    assert drawn.startswith("<svg") and "nan" not in drawn and "inf" not in drawn


def test_names_stand_beside_each_other_however_many_there_are() -> None:
    drawn = curves_svg(
        [Curve(f"A rather long name {k}", "#000", [(1.0, 1.0)], "4px,2px") for k in range(9)], Axes()
    )
    found = re.findall(r'<text x="(\d+)" y="(\d+)" fill="#000">(.*?)</text>', drawn)
    assert len(found) == 9 and len({(x, y) for x, y, _ in found}) == 9
    assert all(int(x) + 8 * len(name) <= 720 + 8 for x, _, name in found)
    top = int(re.findall(r'd="M[\d.]+ (\d+)V', drawn)[0])
    assert max(int(y) for _, y, _ in found) < top


def test_a_phone_can_follow_a_code_of_a_server_with_a_name(client: FlaskClient) -> None:
    page = client.get("/handout?seed=987&epochs=10", base_url="http://lab.example").text
    assert "http://lab.example/?epochs=10&amp;seed=987</code>" in page and "on-screen" not in page
    assert "on-screen" in client.get(f"/lessons/{next(iter(LESSONS))}/handout").text


def test_a_curve_is_drawn_to_scale(tmp_path: Path) -> None:
    drawn = curves_svg([Curve("GD", "#000", [(1.0, 1.0), (10.0, 0.1), (100.0, 0.01)])], Axes())
    points = drawn.split('points="')[1].split('"')[0].split()
    (x0, y0), (x1, y1), (x2, y2) = (tuple(map(float, point.split(","))) for point in points)
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.11) and y1 - y0 == pytest.approx(y2 - y1, abs=0.11)
    assert y2 > y0 and x2 > x0
