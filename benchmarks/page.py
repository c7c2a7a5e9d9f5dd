"""What the page takes in a browser: the first board, bytes in transit, and the time from a click until it is drawn.

`python -m benchmarks.page` prints medians of fresh visits in a window of 1440 by 900 pixels, and the time until the
second frame after each click of random games on recommended sizes. Needs Playwright, and Chromium on PATH. `--runtime
FOLDER` names the files of Pyodide for `hexrec page`: then the site without a server is measured, too, cold and warm.
"""

from __future__ import annotations

import argparse
import random
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from gzip import compress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from hexrec.record.json_schema import beginning
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.server.limits import Limits
from hexrec.web.site import site
from tests.server.conftest import serving
from tests.web.conftest import ARGUMENTS
from tests.web.test_clicks import MIDDLES
from tests.web.test_entry import clicks_of

ROUNDS = 9
#: The turns of each game, and the time between two clicks in milliseconds.
TURNS = 60
_PACE = 40
_BYTES = """[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .reduce((sum, each) => sum + each.transferSize, 0)"""
#: Notes, for each click on the board, when the second frame after it begins.
_WATCH = """() => {
  window.drawn = [];
  document.getElementById("board").addEventListener("click", ({ timeStamp }) => {
    requestAnimationFrame(() => requestAnimationFrame(() => window.drawn.push(performance.now() - timeStamp)));
  }, { capture: true });
}"""


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure the page in a browser.")
    parser.add_argument("--runtime", type=Path, help="folder with the files of Pyodide, for the site without a server")
    runtime = parser.parse_args().runtime
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with serving(Limits(), workers=1) as client, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        address = str(client.base_url)
        print("served", _first_boards(browser, address))
        if runtime:
            with _static(runtime) as static:
                print("static", _first_boards(browser, static))
        for name in games.BUILT_IN:
            print(f"{name:10} {_clicks(browser, address, name)}")
        browser.close()


def _first_boards(browser: Browser, address: str) -> str:
    """Return the time to the first board of a new game, in a fresh browser and again, and the bytes of the first."""
    cold, warm, sizes = [], [], []
    for _ in range(ROUNDS + 1):
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        first, page = _first_board(context, address)
        page.wait_for_load_state()
        sizes.append(page.evaluate(_BYTES))
        cold.append(first)
        warm.append(_first_board(context, address)[0])
        context.close()
    times = f"{median(cold[1:]):5.0f} ms to the first board, {median(warm[1:]):5.0f} ms again"
    return f"{times}, {median(sizes) / 1000:.0f} kB in transit"


def _first_board(context: BrowserContext, address: str) -> tuple[float, Page]:
    page = context.new_page()
    begin = perf_counter()
    page.goto(f"{address}/#/sunspot/new", wait_until="commit")
    page.locator("#board [data-cell]").first.wait_for()
    return 1000 * (perf_counter() - begin), page


def _clicks(browser: Browser, address: str, name: str) -> str:
    """Return the time from a click until it is drawn in a random game."""
    chance, position = random.Random(name), read_record(beginning(name)).start()
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{address}/#/{name}/new")
    cells = page.locator("#board [data-cell]").evaluate_all(MIDDLES)
    page.evaluate(_WATCH)
    for _ in range(TURNS):
        if position.is_over:
            break
        turn = chance.choice([turn for turn in position.legal_turns() if turn != "pass"] or ["pass"])
        for cell in clicks_of(position, turn):
            page.mouse.click(*cells[cell])
            page.wait_for_timeout(_PACE)
        position.play(turn)
    page.wait_for_timeout(100)
    times = page.evaluate("window.drawn")
    page.close()
    return f"{median(times):5.1f} ms from a click until it is drawn, 95 % within {quantiles(times, n=20)[-1]:5.1f}"


class _Compressing(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        """Send a file with gzip."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            return self.send_error(404)
        body = compress(path.read_bytes(), 6)
        self.send_response(200)
        headers = {"Content-Type": self.guess_type(path), "Content-Encoding": "gzip", "Content-Length": str(len(body))}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        return None

    def log_message(self, format: str, *args: object) -> None:
        """Write no log."""


@contextmanager
def _static(runtime: Path) -> Iterator[str]:
    """Serve the site without a server, compressed."""
    with TemporaryDirectory() as name:
        for file, content in site(runtime):
            Path(name, file).write_bytes(content)
        with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Compressing, directory=name)) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{server.server_port}"
            server.shutdown()


if __name__ == "__main__":
    main()
