"""A real browser on the real app: one server for all tests, and for each a visitor who has never been there.

The first page of a test is opened in a profile that keeps its caches from test to test, which takes half the
time; further ones are other people's browsers, with nothing in them. Tests that need no new visitor take
turns on one page (`same_page`). A test fails when its page logged an error, threw one, or asked any other
host for anything.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Frame, Page, Request, expect

from benchmarks.real_app import BOOTED, Served, chromium, forget, free_port, profile, real_app
from components.common import ids

QUICK = "/?epochs=2000&method=gd"
"""A run of a few milliseconds."""

LOOK = """window.lab = {
  props: () => {
    try { return window.dash_component_api.getLayout("player").props; } catch { return {}; } // not there yet
  },
  set: (props) => window.dash_clientside.set_props("player", props),
  runs: () => lab.props().status ?? [],
  moment: () => lab.props().moment ?? {},
  epoch: () => Number(document.querySelector(".pl-track")?.getAttribute("aria-valuenow") ?? NaN),
  playing: () => document.querySelector(".pl-play")?.title.startsWith("Pause") ?? false,
  view: (key) => new URLSearchParams(location.search).get(key),
  go: (query) => { history.pushState(null, "", query); dispatchEvent(new PopStateEvent("popstate")); },
};"""
"""How a test looks at the page: the properties of the player, and what assistive technology is told."""

ADMIN_TOKEN = "of-the-browser-tests"
OpenPage = Callable[..., Page]
PATIENCE = 90.0
"""Seconds for what comes by itself; a test that passes does not wait for them, on a busy machine neither."""
expect.set_options(timeout=1000 * PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Everything in this directory needs Chromium."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


def field(name: str, kind: str = "field") -> str:
    """The selector of a control of the settings."""
    return f"[id='{ids.element_id(kind, name)}']"


def until(page: Page | Frame, expression: str, seconds: float = PATIENCE) -> None:
    """Wait until an expression is true. Playwright's own way needs eval, which the page's policy forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        if time.monotonic() > end:
            raise AssertionError(f"not true within {seconds} s: {expression} at {page.url}")
        page.wait_for_timeout(40)


def wait_for(page: Page, is_so: Callable[[], bool]) -> None:
    """Wait until something is so that only Python sees."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it never came to be so"
        page.wait_for_timeout(40)


def in_theme(page: Page, theme: str) -> None:
    """What the system asks for, once the page shows it; pages to read look only while they are loaded."""
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    if not page.locator(BOOTED).count():
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
    expect(page.locator("html")).to_have_attribute("data-theme", theme)


def in_both_themes(page: Page) -> Iterator[str]:
    """One page in light and then in dark: a page of its own for each would be loaded and filled twice."""
    for theme in ("light", "dark"):
        in_theme(page, theme)
        yield theme


WAITING = """async () => {
  const { callbacks } = window.dash_stores[0].getState();
  const waiting = Object.entries(callbacks).filter(([, list]) => Array.isArray(list) && list.length);
  const output = (one) => String(one.callback?.output).slice(0, 60);
  const named = waiting.map(([state, list]) => [state, list.map(output)]);
  const health = await Promise.race([
    fetch("/readyz").then((answer) => answer.text()),
    new Promise((resolve) => setTimeout(() => resolve("no answer in 5 s"), 5000)),
  ]);
  return JSON.stringify({ callbacks: named, health });
}"""


def what_it_waits_for(page: Page) -> str:
    """Of a page that does not go on: Dash's callbacks that are under way, and whether the server answers."""
    said = [page.locator(name).inner_text() for name in ("#run-text", "#run-status", "#run-note")]
    return f"the page says {said}, Dash and the server: {page.evaluate(WAITING)}"


def linked(text: str) -> str:
    """For `until`: the text is in the address bar, which is written after a pause."""
    return f"location.search.includes({text!r})"


def worker_processes(served: Served) -> list[int]:
    """The training processes of the app."""
    found = []
    for entry in Path("/proc").iterdir():
        with suppress(OSError, ValueError):
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == served.pid and b"core.service.worker\0run" in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
    return found


@pytest.fixture(scope="session")
def course_port() -> int:
    """Where a page that may embed the Lab is served."""
    return free_port()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory, course_port: int) -> Iterator[Served]:
    """The app with an empty home and one worker."""
    environment = {
        "PLATEAU_FRAME_ANCESTORS": f"'self' http://127.0.0.1:{course_port}",
        "PLATEAU_RUNNING_PER_CLIENT": "20",
        "PLATEAU_QUEUED_PER_CLIENT": "50",
        "PLATEAU_ADMIN_TOKEN": ADMIN_TOKEN,
    }
    with real_app(tmp_path_factory.mktemp("home"), environment) as app:
        yield app


@pytest.fixture(scope="session")
def server(served: Served) -> str:
    """Where the app is."""
    return served.base


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for the whole run."""
    with chromium() as started:
        yield started


@pytest.fixture(scope="session")
def lasting(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """The profile that keeps its caches."""
    with profile(browser, tmp_path_factory.mktemp("profile")) as context:
        yield context


@pytest.fixture
def forgiven() -> list[str]:
    """Parts of console messages that a test provokes on purpose."""
    return []


def watch(page: Page, server: str, wrong: list[str]) -> None:
    """Note what a page logs, throws, or asks another host for."""

    def note_console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            wrong.append(f"console {message.type}: {message.text} ({message.location.get('url')})")

    def note_request(request: Request) -> None:
        if urlsplit(request.url).scheme in ("http", "https", "ws") and not request.url.startswith(server):
            wrong.append(f"request to another host: {request.url}")

    page.on("console", note_console)
    page.on("pageerror", lambda error: wrong.append(f"page error: {error}"))
    page.on("request", note_request)
    page.context.set_default_timeout(1000 * PATIENCE)
    page.add_init_script(LOOK)


def set_look(page: Page, size: tuple[int, int], theme: str) -> None:
    """Of the window and of the system."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")


def nothing_is_wrong(wrong: list[str], forgiven: list[str]) -> None:
    """Nothing was noted but what a test provokes on purpose."""
    left = [text for text in wrong if not any(part in text for part in forgiven)]
    assert not left, "\n".join(left)


@pytest.fixture
def open_page(
    browser: Browser, lasting: BrowserContext, server: str, forgiven: list[str]
) -> Iterator[OpenPage]:
    """Open a path as a new visitor, on every call another one."""
    pages: list[Page] = []
    wrong: list[str] = []

    def open_path(
        path: str = QUICK,
        *,
        size: tuple[int, int] = (1440, 900),
        theme: str = "light",
        touch: bool = False,
        wait: bool = True,
    ) -> Page:
        if pages or touch:
            page = browser.new_context(
                has_touch=touch, permissions=["clipboard-read", "clipboard-write"]
            ).new_page()
        else:
            forget(lasting, server)
            page = lasting.new_page()
        pages.append(page)
        watch(page, server, wrong)
        set_look(page, size, theme)
        page.goto(server + path)
        if wait:
            page.wait_for_selector(BOOTED, state="attached")
        return page

    yield open_path
    for context in {page.context for page in pages} - {lasting}:
        context.close()
    for page in lasting.pages[1:]:
        page.close()
    nothing_is_wrong(wrong, forgiven)


class KeptPage:
    """A page of the Lab that several tests look at one after the other, and what was wrong with it."""

    def __init__(self, browser: Browser, server: str) -> None:
        self._browser, self._server = browser, server
        self.wrong: list[str] = []
        self.page: Page | None = None

    def lead(self, path: str = QUICK, *, size: tuple[int, int] = (1440, 900), theme: str = "light") -> Page:
        """Open a link of the Lab: the first time by loading it, then from within, as Back does."""
        page = self.page
        if page is None:
            permissions = ["clipboard-read", "clipboard-write"]
            page = self.page = self._browser.new_context(permissions=permissions).new_page()
            watch(page, self._server, self.wrong)
            set_look(page, size, theme)
            page.goto(self._server + path)
            page.wait_for_selector(BOOTED, state="attached")
            return page
        page.keyboard.press("Escape")
        page.evaluate("document.activeElement?.blur()")
        page.mouse.move(2, 2)
        set_look(page, size, theme)
        page.evaluate("(path) => lab.go(path)", path)
        until(page, "dash_component_api.getLayout('link').props.data.query === location.search.slice(1)")
        return page

    def close(self) -> None:
        if self.page is not None:
            self.page.context.close()
            self.page = None


@pytest.fixture(scope="module")
def kept_page(browser: Browser, server: str) -> Iterator[KeptPage]:
    """One for each file of tests."""
    kept = KeptPage(browser, server)
    yield kept
    kept.close()


@pytest.fixture
def same_page(kept_page: KeptPage, forgiven: list[str], request: pytest.FixtureRequest) -> Iterator[OpenPage]:
    """Open links in the page that the tests before have left: for what needs no visitor who is new.

    Loading takes most of the time of such a test. What a link says is set anew; a test puts away what it has
    opened besides. After a failure the next test gets a page of its own.
    """
    failures = request.session.testsfailed
    kept_page.wrong.clear()
    yield kept_page.lead
    if kept_page.page is not None:
        kept_page.page.unroute_all(behavior="ignoreErrors")
    if request.session.testsfailed > failures:
        kept_page.close()
    nothing_is_wrong(kept_page.wrong, forgiven)
