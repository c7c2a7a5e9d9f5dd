"""The page in a real browser: Debian's Chromium, driven by Playwright, on a service of its own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize

__all__ = ["ARGUMENTS", "Shown", "anew", "browser", "opened", "page", "prepare", "seen", "shown", "site", "window"]

#: The first keep it from asking its maker's servers for things; as root, Chromium has no sandbox. The last ones leave
#: out a process and threads for graphics, which are work on a machine without them.
ARGUMENTS = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--no-sandbox",
    "--in-process-gpu",
    "--num-raster-threads=1",
]

#: How long something may take to appear, and how long to wait before looking again the first time, in milliseconds.
_PATIENCE, _PAUSE = 60_000, 10
#: How often to look, waiting longer each time.
_LOOKS = _PATIENCE // (8 * _PAUSE)

_SIZE: ViewportSize = {"width": 1280, "height": 800}

#: Checks a record, and ends when its report is shown.
_CHECK = """([text, patience]) => new Promise((done, failed) => {
    document.activeElement.blur();
    setTimeout(() => failed("no report came in time"), patience);
    document.addEventListener("focusin", function heard({ target }) {
        if (!["report-title", "source-text"].includes(target.id)) return;
        document.removeEventListener("focusin", heard);
        done();
    });
    document.getElementById("text").value = text;
    document.getElementById("form").requestSubmit();
})"""

_DOWNLOAD = """(patience) => new Promise((done, failed) => {
    setTimeout(() => failed("no file came in time"), patience);
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
        URL.createObjectURL = create;
        blob.text().then(done);
        return create(blob);
    };
    const button = document.getElementById("download");
    button.focus();
    button.click();
})"""

_REPLACE = """(field, text) => {
    field.focus();
    field.select();
    document.execCommand("insertText", false, text);
}"""

#: Nobody looks at the pages of tests: with nothing to be seen, half of the work of the browser is not done.
_UNSEEN = """
    const style = new CSSStyleSheet();
    style.replaceSync("html { opacity: 0 !important }");
    document.adoptedStyleSheets = [style];
"""

#: Whatever is stored goes before the page looks for it, if it is to begin anew.
_ANEW = """
    if (window.name === "anew") {
        window.name = "";
        localStorage.clear();
        sessionStorage.clear();
        indexedDB.deleteDatabase("hexrec");
    }
"""

_PLACE = """(selector) => {
    const { left, top, right, bottom } = document.querySelector(selector).getBoundingClientRect();
    return [left, top, right, bottom];
}"""


class Shown:
    """A page in the browser, by what people see of it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.errors: list[str] = []
        self.requests: list[str] = []
        self._heard = {
            "console": lambda said: self.errors.append(said.text) if said.type in ("error", "warning") else None,
            "pageerror": lambda error: self.errors.append(str(error)),
            "request": lambda request: self.requests.append(request.url),
        }
        for event, hear in self._heard.items():
            page.on(event, hear)  # type: ignore[call-overload]

    def leave(self) -> None:
        """Listen to the page no longer, which somebody else may use now."""
        for event, hear in self._heard.items():
            self.page.remove_listener(event, hear)

    def forgive(self) -> None:
        """Go away from a page that asks in vain, as it may at any time, and forget what it has complained of."""
        self.page.goto("about:blank")
        self.errors.clear()

    def check(self, text: str) -> None:
        """Have a record checked as if it had been pasted, without a way to the form and the typing, which take long."""
        self.page.evaluate(_CHECK, [text, _PATIENCE])

    def replace_text(self, text: str) -> None:
        """Replace the text of the shown record, in one step: the page selects an error when the field appears, and
        `fill` selects the text and replaces the selection in two steps, between which that may happen."""
        self.page.locator("#source-text").evaluate(_REPLACE, text)

    def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something is so. (What waits within the page is evaluated there, which its policy forbids.)"""
        for count in range(_LOOKS):
            if condition():
                return
            self.page.wait_for_timeout(min(_PAUSE << count, 8 * _PAUSE))
        raise AssertionError("it did not come to be so in time")

    def text(self, selector: str) -> str:
        return self.page.inner_text(selector)

    @property
    def board(self) -> str:
        """What is told of the board to those who do not see it."""
        return self.page.locator("#board svg").get_attribute("aria-label") or ""

    @property
    def ply(self) -> int:
        return int(self.page.input_value("#slider"))

    def go_to(self, ply: int) -> None:
        self.page.fill("#slider", str(ply))

    def click_cell(self, index: int) -> None:
        self.page.locator(f"#board [data-cell='{index}']").click()

    @property
    def focused(self) -> str:
        """The id of the element that has the focus, or else its text."""
        return str(self.page.evaluate("document.activeElement.id || document.activeElement.innerText"))

    def legal(self) -> list[str]:
        return self.page.locator("#legal-turns button").all_inner_texts()

    def moved(self, act: Callable[[], object]) -> None:
        """Do something that shows another position."""
        before = self.text("#caption")
        act()
        self.until(lambda: self.text("#caption") != before)

    def play(self, turn: str) -> None:
        """Write a turn and play it."""
        self.page.fill("#cells", turn)
        self.moved(lambda: self.page.press("#cells", "Enter"))

    def download(self, name: str) -> str:
        """Return what the page hands out to be saved. Chromium saves no more than ten files of a page in a second."""
        self.page.select_option("#format", name)
        return str(self.page.evaluate(_DOWNLOAD, _PATIENCE))


def seen(page: Page, selector: str) -> tuple[float, float, float, float]:
    """Return where an element is in the window: left, top, right, bottom.

    It is found and measured in one step. An edit draws the board again: a cell found before that is nowhere after it.
    """
    page.wait_for_selector(selector)
    left, top, right, bottom = page.evaluate(_PLACE, selector)
    return left, top, right, bottom


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """Add to the report of a test that has failed what its page had asked for, and what it showed."""
    report = yield
    shown = item.funcargs.get("page") if isinstance(item, pytest.Function) else None
    if report.failed and call.when == "call" and isinstance(shown, Shown):
        asked = [address[:200] for address in shown.requests]
        with suppress(Exception):
            report.sections.append(("the page", "\n".join([*asked, *shown.errors, shown.page.inner_text("body")])))
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what needs the browser."""
    for item in items:
        if isinstance(item, pytest.Function) and "browser" in item.fixturenames:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """The program of the tests of this package."""
    yield from run_browser()


def run_browser() -> Iterator[Browser]:
    """Yield the program. While it runs, Playwright's event loop does too, which tests elsewhere must not meet with."""
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    # The shell is the browser without windows, and takes half the time.
    program = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if program is None:
        pytest.skip("Chromium is not installed")
    with api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=ARGUMENTS, timeout=_PATIENCE)
        yield running
        running.close()


@pytest.fixture(scope="package")
def site() -> Iterator[str]:
    """The address of a service."""
    from hexrec.server.limits import Limits
    from tests.server.conftest import serving

    with serving(Limits(), workers=1) as client:
        yield str(client.base_url)


@pytest.fixture(scope="package")
def window(browser: Browser) -> Iterator[Page]:
    """A window that tests use one after the other: to open one of their own would take longer than most of them.

    Its owner has asked for less motion, which takes less time, too.
    """
    context = browser.new_context(viewport=_SIZE, reduced_motion="reduce")
    prepare(context)
    yield context.new_page()
    context.close()


def prepare(context: BrowserContext) -> None:
    """Prepare the windows of a context for one test after the other."""
    context.set_default_timeout(_PATIENCE)
    context.add_init_script(_UNSEEN)
    context.add_init_script(_ANEW)


@pytest.fixture
def opened(browser: Browser) -> Iterator[Callable[..., Shown]]:
    """Open an address or a file in a window of its own, or in a tab beside another page.

    In the end, no page may have complained.
    """
    contexts = []
    pages: list[Shown] = []

    def open_page(
        address: str | Path,
        width: int = 1280,
        height: int = 800,
        *,
        drawn: bool = False,
        beside: Shown | None = None,
        **options: Any,
    ) -> Shown:
        if beside:
            context = beside.page.context
        else:
            context = browser.new_context(viewport={"width": width, "height": height}, **options)
            context.set_default_timeout(_PATIENCE)
            if not drawn:
                context.add_init_script(_UNSEEN)
            contexts.append(context)
        shown = Shown(context.new_page())
        pages.append(shown)
        shown.page.goto(address.as_uri() if isinstance(address, Path) else address)
        return shown

    yield open_page
    for shown in pages:
        shown.page.close()
    for context in contexts:
        context.close()
    assert [error for shown in pages for error in shown.errors] == []


@pytest.fixture
def shown(window: Page) -> Iterator[Callable[..., Shown]]:
    """Show a file in the window that others use, too. In the end, no page may have complained."""
    pages: list[Shown] = []

    def show(path: Path) -> Shown:
        found = Shown(window)
        pages.append(found)
        window.goto(path.as_uri())
        return found

    window.goto("about:blank")
    window.set_viewport_size(_SIZE)
    window.emulate_media(media="null", color_scheme="null", forced_colors="null", reduced_motion="reduce")
    yield show
    for found in pages:
        found.leave()
    assert [error for found in pages for error in found.errors] == []


@pytest.fixture
def page(window: Page, site: str) -> Iterator[Shown]:
    yield from anew(window, site)


def anew(window: Page, site: str, size: ViewportSize = _SIZE) -> Iterator[Shown]:
    """Yield the page of the service, begun anew, with nothing stored. In the end, it may not have complained."""
    if not window.url.startswith(site):
        window.goto(site)
    # Another path than that of the page, or nothing would be loaded.
    window.evaluate("() => { window.name = 'anew'; history.replaceState(null, '', '/-'); }")
    window.unroute_all()
    window.set_viewport_size(size)
    window.emulate_media(media="null", color_scheme="null", forced_colors="null", reduced_motion="reduce")
    shown = Shown(window)
    window.goto(site)
    yield shown
    shown.leave()
    assert shown.errors == []
