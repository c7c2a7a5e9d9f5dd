"""The pictures of the page in its documentation: `python -m tests.web.screenshots` makes them anew.

Nothing tests them: letters differ from one machine to the next.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from hexrec.server.limits import Limits
from tests.server.conftest import serving
from tests.web.conftest import ARGUMENTS, Shown
from tests.web.games import FIXTURES, broken, good

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"


def begin(page: Shown) -> None:
    """Leave the page as it opens."""
    page.page.wait_for_selector("#games img")


def explain(page: Shown) -> None:
    """Show why a game has ended as it has."""
    page.check(good("sundraval"))
    page.page.wait_for_selector("#explanation table")


def refuse(page: Shown) -> None:
    """Show an illegal turn."""
    page.check(broken("frasvel").read_text(encoding="utf-8"))


def listed(page: Shown) -> None:
    """Show a file of several records."""
    lines = (FIXTURES / "nadraz/reference/games.jsonl").read_text(encoding="utf-8").splitlines()[:10]
    game = json.loads(lines[7])
    game["moves"][9] = game["moves"][3]
    page.check("\n".join([*lines[:7], json.dumps(game), *lines[8:]]))
    page.page.wait_for_selector(".small-board img")


#: By name, what is shown, in which theme, and how wide and high the window is.
SHOTS: dict[str, tuple[Callable[[Shown], None], str, int, int]] = {
    "welcome": (begin, "light", 1280, 860),
    "explanation": (explain, "light", 1280, 860),
    "file": (listed, "dark", 1440, 860),
    "phone": (refuse, "light", 390, 844),
}


def main() -> None:
    """Take them."""
    FOLDER.mkdir(exist_ok=True)
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with serving(Limits(), workers=1) as client, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        for name, (arrange, theme, width, height) in SHOTS.items():
            window = browser.new_page(
                viewport={"width": width, "height": height},
                color_scheme="dark" if theme == "dark" else "light",
                reduced_motion="reduce",
            )
            window.goto(str(client.base_url))
            arrange(Shown(window))
            window.wait_for_timeout(500)
            # 256 colours are enough for a look, and take a third of the room.
            shot = Image.open(BytesIO(window.screenshot())).convert("RGB")
            shot = shot.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
            shot.save(FOLDER / f"{name}.png", optimize=True)
            window.close()
        browser.close()


if __name__ == "__main__":
    main()
