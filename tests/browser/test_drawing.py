"""Data drawn by hand: taps, strokes, drags and undo, with answers that come late."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from math import dist
from random import Random

import pytest
from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from tests.browser.conftest import QUICK, OpenPage, field, until
from tests.browser.playing import touch
from tests.browser.sizes import LAPTOP, PHONE, Size, failed_at
from tests.browser.test_shell import wait_for_run
from tests.effort import cases

OWN = "/?data=-1:0;0:1;1:0&epochs=2000&method=gd"
TYPO = "/?epochs=2000&method=gd&target=sine(x)"
STEP = 0.01 / 2.24
"""Two decimals of x, as a share of the pad, which goes from -1.12 to 1.12."""
SEQUENCES = cases(2, of=25)
"""Random drawings per size of the window: a hundred at all four."""
CENTRES = """[...document.querySelectorAll('#thumbnail .datum')].map((datum) => {
  const {left, top, width, height} = datum.getBoundingClientRect();
  return [left + width / 2, top + height / 2]; })"""
Place = tuple[float, float]
DRAWN = """dash_component_api.getLayout({type: 'points', name: 'sketch'}).props.csv
  .replaceAll(', ', ':').replaceAll('\\n', ';')"""
LINKED_POINTS = "(new URLSearchParams(location.search).get('data') ?? '').split(';').filter(Boolean).length"


def open_pad(page: Page) -> Locator:
    """Choose own data."""
    show_settings(page)
    page.locator("#source [value=data]").check()
    return shown_pad(page)


def show_settings(page: Page) -> None:
    """They are a drawer on a phone."""
    button = page.locator("#settings-button")
    if button.is_visible() and button.get_attribute("aria-expanded") != "true":
        button.click()


def shown_pad(page: Page) -> Locator:
    show_settings(page)
    pad = page.locator("#thumbnail.editable")
    expect(pad).to_be_visible()
    pad.scroll_into_view_if_needed()
    return pad


def box_of(pad: Locator) -> tuple[float, float, float, float]:
    """Left, top, width and height."""
    box = pad.bounding_box()
    assert box is not None
    return box["x"], box["y"], box["width"], box["height"]


def place(pad: Locator, across: float, down: float) -> tuple[float, float]:
    """A place on the pad, in shares of it."""
    left, top, width, height = box_of(pad)
    return left + across * width, top + down * height


class Pointer:
    """A mouse, or a finger on a phone."""

    def __init__(self, page: Page, size: Size) -> None:
        self._page, self._touch = page, page.context.new_cdp_session(page) if size == PHONE else None
        self.reach = 18 if size == PHONE else 12
        """Points that are farther apart are told apart."""

    def tap(self, at: Place) -> None:
        if self._touch is None:
            self._page.mouse.click(*at)
            return
        touch(self._touch, "touchStart", [at])
        touch(self._touch, "touchEnd", [])

    def stroke(self, start: Place, end: Place, steps: int = 8) -> None:
        if self._touch is None:
            self._page.mouse.move(*start)
            self._page.mouse.down()
            self._page.mouse.move(*end, steps=steps)
            self._page.mouse.up()
            return
        touch(self._touch, "touchStart", [start])
        for k in range(1, steps + 1):
            x, y = (a + (b - a) * k / steps for a, b in zip(start, end, strict=True))
            touch(self._touch, "touchMove", [(x, y)])
        touch(self._touch, "touchEnd", [])


@contextmanager
def answers_held(page: Page) -> Iterator[None]:
    """The server gets what the form asks; its answers come when the block is over, the last one first."""
    late: list[tuple[Route, APIResponse]] = []
    is_over = False

    def hold(route: Route) -> None:
        is_form = '"answer.data"' in (route.request.post_data or "")
        late.append((route, route.fetch())) if is_form and not is_over else route.fallback()

    page.route("**/_dash-update-component*", hold)
    yield
    is_over = True
    for route, answer in reversed(late):
        route.fulfill(response=answer)


@pytest.mark.parametrize(
    "link", [TYPO, *(pytest.param(link, marks=pytest.mark.long) for link in ("/", QUICK))]
)
@failed_at(PHONE)
def test_seven_quick_taps_are_seven_points(open_page: OpenPage, link: str, size: Size) -> None:
    touch = size == PHONE
    page = open_page(link, size=size, touch=touch)
    with answers_held(page):
        pad = open_pad(page)
        before = box_of(pad)
        for k in range(7):
            at = place(pad, 0.1 + 0.13 * k, 0.8 - 0.1 * k)
            page.touchscreen.tap(*at) if touch else page.mouse.click(*at)
        expect(pad.locator(".datum")).to_have_count(7)
    until(page, f"{LINKED_POINTS} === 7")
    expect(page.locator("#run-dot")).to_have_attribute("data-state", re.compile("queued|running|finished"))
    expect(pad.locator(".datum")).to_have_count(7)
    assert box_of(pad) == before


@failed_at(LAPTOP)
def test_the_pad_does_not_move_and_older_answers_do_not_overwrite(open_page: OpenPage, size: Size) -> None:
    """Taps with pauses in between: some are answered before the next comes."""
    page = open_page(TYPO, size=size, touch=size == PHONE)
    pad, pointer = open_pad(page), Pointer(page, size)
    before = box_of(pad)
    for k in range(4):
        pointer.tap(place(pad, 0.1 + 0.2 * k, 0.5))
        expect(pad.locator(".datum")).to_have_count(k + 1)
        if k:
            until(page, f"{LINKED_POINTS} === {k + 1}")
        assert box_of(pad) == before


@failed_at(LAPTOP)
def test_strokes_drags_removals_and_undo(open_page: OpenPage, size: Size) -> None:
    page = open_page(QUICK, size=size, touch=size == PHONE)
    wait_for_run(page)
    pad, pointer = open_pad(page), Pointer(page, size)
    data = pad.locator(".datum")
    pointer.stroke(place(pad, 0.1, 0.9), place(pad, 0.9, 0.1), 40)
    drawn = data.count()
    assert drawn >= 8
    pointer.tap(place(pad, 0.15, 0.15))
    expect(data).to_have_count(drawn + 1)
    pointer.stroke(place(pad, 0.15, 0.15), place(pad, 0.6, 0.9), 10)
    expect(data).to_have_count(drawn + 1)
    until(page, f"{LINKED_POINTS} === {drawn + 1}")
    pointer.tap(place(pad, 0.6, 0.9))
    expect(data).to_have_count(drawn)
    page.keyboard.press("Control+z")
    expect(data).to_have_count(drawn + 1)
    page.locator("#undo-drawing").click()
    page.locator("#undo-drawing").click()
    expect(data).to_have_count(drawn)
    page.locator("#undo-drawing").click()
    expect(data).to_have_count(0)
    expect(page.locator("#undo-drawing")).to_be_disabled()


@failed_at(LAPTOP)
def test_run_takes_what_was_drawn_a_moment_ago(open_page: OpenPage, size: Size) -> None:
    page = open_page(OWN, size=size, touch=size == PHONE)
    wait_for_run(page)
    pad = shown_pad(page)
    Pointer(page, size).tap(place(pad, 0.3, 0.9))
    page.locator(field("width")).fill("6")
    page.locator(field("width")).press("Enter")
    until(page, f"{LINKED_POINTS} === 4")
    until(page, "lab.view('width') === '6'")
    expect(pad.locator(".datum")).to_have_count(4)


@failed_at(LAPTOP)
def test_a_clearing_can_be_undone(open_page: OpenPage, size: Size) -> None:
    page = open_page(OWN, size=size)
    wait_for_run(page)
    shown_pad(page)
    with answers_held(page):
        page.locator("#data-clear").click()
        expect(page.locator("#thumbnail .datum")).to_have_count(0)
    expect(page.locator("#error-data")).not_to_be_empty()
    page.locator("#undo-drawing").click()
    expect(page.locator("#thumbnail .datum")).to_have_count(3)


class Hand:
    """Somebody who draws at random, and what they see; answers of the server come late and in any order."""

    def __init__(self, page: Page, pointer: Pointer, seed: int) -> None:
        self.page, self.pad, self.random = page, page.locator("#thumbnail.editable"), Random(seed)
        self.pointer = pointer
        self.late: list[tuple[Route, APIResponse]] = []
        self.is_over = False
        self.past: list[list[Place]] = []
        page.route("**/_dash-update-component*", self._hold)

    def _hold(self, route: Route) -> None:
        is_form = '"answer.data"' in (route.request.post_data or "")
        self.late.append((route, route.fetch())) if is_form and not self.is_over else route.fallback()

    def seen(self) -> list[Place]:
        """Where the points are on the screen."""
        return sorted((round(x, 1), round(y, 1)) for x, y in self.page.evaluate(CENTRES))

    def free(self) -> Place:
        """A place with no point near it."""
        left, top, width, height = box_of(self.pad)
        points = self.seen()
        while True:
            at = (
                left + self.random.uniform(0.05, 0.95) * width,
                top + self.random.uniform(0.1, 0.9) * height,
            )
            if all(dist(at, point) > self.pointer.reach for point in points):
                return at

    def act(self) -> None:
        """One thing done, and that it shows at once."""
        before = self.seen()
        kind = self.random.choice(["tap", "tap", "tap", "stroke", "drag", "remove", "undo"])
        if kind == "undo" and self.past:
            self.page.locator("#undo-drawing").click()
            assert self.seen() == self.past.pop()
            return
        if kind in ("drag", "remove") and before:
            point = self.random.choice(before)
            if kind == "drag":
                self.pointer.stroke(point, self.free())
            else:
                self.pointer.tap(point)
            assert len(self.seen()) == len(before) - (kind == "remove"), kind
        elif kind == "stroke":
            self.pointer.stroke(self.free(), self.free())
            assert set(before) < set(self.seen())
        else:
            at = self.free()
            self.pointer.tap(at)
            new = set(self.seen()) - set(before)
            assert len(new) == 1 and set(before) < set(self.seen()), "a tap adds one point and moves none"
            # Where the two nearest x have a point, the third is a step and a half away; y is rounded too.
            most = 1.5 * STEP * box_of(self.pad)[2] + 0.5
            assert dist(at, new.pop()) < most, "there, or at the nearest x that no other point has"
        self.past.append(before)

    def answer(self) -> None:
        """An answer comes, some other than the oldest one; what is drawn stays."""
        before = self.seen()
        if self.late:
            route, answer = self.late.pop(self.random.randrange(len(self.late)))
            route.fulfill(response=answer)
            self.page.wait_for_timeout(20)
        assert self.seen() == before, "an answer has changed the drawing"

    def end(self) -> None:
        """All answers come; the link is what is on screen."""
        before = self.seen()
        self.is_over = True
        while self.late:
            self.answer()
        if len(before) > 1:
            until(self.page, f"lab.view('data') === {DRAWN}")
            assert self.page.evaluate(LINKED_POINTS) == len(before)
        assert self.seen() == before
        self.page.unroute("**/_dash-update-component*")


@failed_at(PHONE, LAPTOP)
def test_nothing_is_lost_of_random_drawings_with_late_answers(open_page: OpenPage, size: Size) -> None:
    """By mouse, and on a phone by finger."""
    page = open_page(QUICK, size=size, touch=size == PHONE)
    wait_for_run(page)
    pad = open_pad(page)
    box, pointer = box_of(pad), Pointer(page, size)
    for seed in range(SEQUENCES):
        hand = Hand(page, pointer, seed + size[0])
        page.locator("#data-clear").click()
        expect(pad.locator(".datum")).to_have_count(0)
        pad.scroll_into_view_if_needed()
        for _ in range(8):
            hand.act()
            while hand.random.random() < 0.4:
                hand.answer()
            if hand.random.random() < 0.2:
                page.wait_for_timeout(1100)  # the hand rests, and what is drawn is sent
        hand.end()
    assert box_of(pad)[2:] == box[2:]
