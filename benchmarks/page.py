"""What the page takes in a browser: bytes in transit, first paint, the home page, and a new game up to its first click.

`python -m benchmarks.page` prints the medians of nine fresh visits in a window of 1440 by 900 pixels. Needs Playwright,
and Chromium on PATH.
"""

from __future__ import annotations

import shutil
from statistics import median
from time import perf_counter

from playwright.sync_api import Browser, sync_playwright

from hexrec.server.limits import Limits
from tests.server.conftest import serving
from tests.web.conftest import ARGUMENTS

ROUNDS = 9
_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
_BYTES = """[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .reduce((sum, each) => sum + each.transferSize, 0)"""


def main() -> None:
    """Print the figures."""
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with serving(Limits(), workers=1) as client, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        visits = [_visit(browser, str(client.base_url)) for _ in range(ROUNDS + 1)][1:]  # the first warms up
        browser.close()
    names = ("KB in transit", "ms to first contentful paint", "ms to the home page", "ms from Play to a turn played")
    for name, values in zip(names, zip(*visits, strict=True), strict=True):
        print(f"{median(values):7.1f} {name}")


def _visit(browser: Browser, site: str) -> tuple[float, float, float, float]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    begin = perf_counter()
    page.goto(site, wait_until="commit")
    play = page.get_by_role("button", name="Play Sunspot")
    play.wait_for()
    home = perf_counter() - begin
    page.wait_for_load_state()
    size, paint = page.evaluate(_BYTES), page.evaluate(_PAINT)
    begin = perf_counter()
    play.click()
    page.locator("#board [data-cell='0']").click()
    page.locator("#board .stones .piece").wait_for(state="attached")
    turn = perf_counter() - begin
    context.close()
    return size / 1000, paint, 1000 * home, 1000 * turn


if __name__ == "__main__":
    main()
