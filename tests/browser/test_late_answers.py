"""Answers that come late or not at all, seen in a real browser."""

import re

from playwright.sync_api import Route, expect

from components.common import ids
from tests.browser.conftest import OpenPage, field, linked, until, wait_for
from tests.browser.test_shell import wait_for_run


def test_what_a_busy_server_did_not_answer_is_asked_for_again(
    open_page: OpenPage, forgiven: list[str]
) -> None:
    """Nobody polls a run that has ended: its stages and the best loss known came never if they came late."""
    forgiven.append("503 (Service Unavailable)")
    page = open_page("/?epochs=200&method=anls&seed=77", wait=False)
    wait_for_run(page)
    refused: list[str] = []

    def refuse_once(route: Route) -> None:
        kind = route.request.url.split("?")[0].rsplit("/", 1)[1]
        if kind in refused:
            route.fallback()
        else:
            refused.append(kind)
            route.fulfill(status=503, json={"error": "Busy."})

    page.route(re.compile(r"/api/runs/\w+/(stages|best)\b"), refuse_once)
    page.reload()
    expect(page.locator("#plot-loss text", has_text="best known")).to_be_visible()
    expect(page.locator(".pl-sentence")).to_contain_text("Stage")
    expect(page.locator(".pl-sentence")).not_to_contain_text("Analysing")
    assert sorted(refused) == ["best", "stages"]


def test_a_picture_that_python_had_no_time_for_is_asked_for_again(open_page: OpenPage) -> None:
    asked: list[int] = []

    def late_at_first(route: Route) -> None:
        call = route.request.post_data_json or {}
        if ids.graph_id("landscape") not in call.get("output", ""):
            route.fallback()
            return
        moment = call["inputs"][0]["value"]
        asked.append(moment["asked"])
        if len(asked) > 2:
            route.fallback()
        else:
            late = {ids.plot_id("landscape"): {"answer": {"asked": moment["asked"], "late": True}}}
            route.fulfill(json={"multi": True, "response": late})

    page = open_page("/?epochs=2e4&seed=9&target=five&width=5")
    wait_for_run(page)
    page.route("**/_dash-update-component*", late_at_first)
    page.locator("#tab-landscape").click()
    expect(page.locator("#plot-landscape .textpoint text")).to_contain_text("pinned")
    assert asked == [1, 2, 3]


def test_what_is_typed_outlives_a_question_that_got_lost(open_page: OpenPage) -> None:
    page = open_page("/?epochs=2000&method=gd")
    wait_for_run(page)
    page.locator("#source [value=formula]").check()
    expect(page.locator(field("target"))).to_be_visible()
    lost: list[Route] = []

    def lose_first(route: Route) -> None:
        draft = '"cause":"draft"' in (route.request.post_data or "")
        lost.append(route) if draft and not lost else route.fallback()

    page.route("**/_dash-update-component*", lose_first)
    page.locator(field("target")).fill("sin(pi*y)")
    expect(page.locator("#error-target")).to_contain_text("'y'")
    expect(page.locator("#run")).to_be_disabled()
    assert len(lost) == 1
    lost[0].continue_()


def test_a_picture_of_the_paper_is_loaded_when_the_server_has_time(
    open_page: OpenPage, forgiven: list[str]
) -> None:
    forgiven += ["503 (Service Unavailable)", "Callback error updating"]
    page = open_page("/lessons", wait=False)
    refused: list[str] = []

    def refuse_first(route: Route) -> None:
        if refused or "picture:" not in (route.request.post_data or ""):
            route.fallback()
        else:
            refused.append(route.request.url)
            route.fulfill(status=503, json={"error": "Busy."})

    page.route("**/_dash-update-component*", refuse_first)
    page.goto(page.url.replace("/lessons", "/paper"))
    first = page.locator(".paper-figure .plot").first
    first.scroll_into_view_if_needed()
    expect(first.locator(".main-svg").first).to_be_visible()
    assert len(refused) == 1


def test_who_is_about_to_write_over_a_field_does_so_whatever_an_answer_spells_there(
    open_page: OpenPage,
) -> None:
    page = open_page("/?epochs=2000&seed=4")
    points = page.locator(field("points"))
    held: list[Route] = []
    hold = [True]
    page.route("**/_dash-update-component*", lambda route: held.append(route) if hold else route.fallback())
    points.fill("1e2")
    page.locator(field("width")).focus()
    points.select_text()
    hold.clear()
    for route in held:
        route.continue_()
    until(page, "dash_component_api.getLayout('answer').props.data?.version > 1")
    expect(points).to_have_value("1e2")
    page.keyboard.type("50")
    page.keyboard.press("Tab")
    until(page, linked("points=50"))
    expect(points).to_have_value("50")
    points.fill("1e2")
    points.press("Tab")
    expect(points).to_have_value("100")


def test_a_setting_is_in_the_link_before_the_server_has_answered(open_page: OpenPage) -> None:
    page = open_page("/?epochs=200&method=anls&seed=77&at=20")
    wait_for_run(page)
    held: list[Route] = []
    page.route(
        "**/_dash-update-component*",
        lambda route: (
            held.append(route) if '"change"' in (route.request.post_data or "") else route.fallback()
        ),
    )
    length = page.evaluate("history.length")
    page.locator(field("seed")).fill("78")
    page.locator(field("seed")).press("Tab")
    wait_for(page, lambda: len(held) == 1)
    assert "seed=78" in page.url and "at=" not in page.url, "the moment was another run's"
    held[0].continue_()
    wait_for_run(page)
    assert "seed=78" in page.url
    assert page.evaluate("history.length") == length + 1
    page.go_back()
    until(page, linked("seed=77"))
    expect(page.locator(field("seed"))).to_have_value("77")


def test_a_setting_that_the_server_refuses_leaves_the_link_again(open_page: OpenPage) -> None:
    page = open_page("/?epochs=20&target=1/x")
    wait_for_run(page)
    page.locator(field("points")).fill("101")
    page.locator(field("points")).press("Tab")
    expect(page.locator("#error-target")).to_contain_text("not finite")
    assert "points" not in page.url
    page.locator(field("points")).fill("102")
    page.locator(field("points")).press("Tab")
    expect(page.locator("#error-target")).to_have_text("")
    until(page, linked("points=102"))
