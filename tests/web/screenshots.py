"""Pictures of the page: `python -m tests.web.screenshots` makes those of its documentation anew.

With a folder after it, it writes there what is to be looked at after a change: every state of the page, on a phone, a
tablet and a desktop, in both themes. Nothing tests pictures: letters differ from one machine to the next.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import cycle, permutations
from pathlib import Path
from typing import Any
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

import hexrec
from hexrec.server.limits import Limits
from hexrec.web.assembly import samples
from tests.server.conftest import serving
from tests.web.conftest import ARGUMENTS, Shown
from tests.web.games import FIXTURES, broken, good, position_at

FOLDER = Path(__file__).parents[2] / "docs" / "screenshots"
#: The picture that other sites show with a link to the static site.
PREVIEW = Path(__file__).parents[2] / "hexrec" / "web" / "static" / "preview.png"
_PREVIEW = """<body style="margin: 0; height: 630px; background: #fff; color: #1d1d1f; font: 40px sans-serif;
  display: flex; flex-direction: column; justify-content: center; align-items: center; gap: 30px">
<style>img {{ width: 215px }} div {{ display: flex; gap: 10px; justify-content: center }}</style>
<b style="font-size: 100px">hexrec</b><div>{boards}</div>
Play, record, study and fix games on hexagonal boards"""


def begin(page: Shown) -> None:
    """Leave the page as it opens."""
    page.page.wait_for_selector("#games img")


def explain(page: Shown) -> None:
    """Show why a game has ended as it has."""
    page.check(good("sundraval"))
    if page.page.locator("#explained").get_attribute("open") is None:
        page.page.click("#explain")
    page.page.wait_for_selector("#explanation table")
    page.page.locator("#explanation").evaluate("each => each.scrollIntoView()")


def refuse(page: Shown) -> None:
    """Show an illegal turn."""
    page.check(broken("frasvel").read_text(encoding="utf-8"))


def listed(page: Shown) -> None:
    """Show a file of several records."""
    page.check(_file(10))
    page.page.wait_for_selector(".small-board img")


def long_list(page: Shown) -> None:
    """Show a file with more records than fit."""
    page.check(_file(20))
    page.page.wait_for_selector(".small-board img")


def _file(count: int) -> str:
    """Return records of four players, one to a line, the eighth of which has an illegal turn."""
    lines = (FIXTURES / "nadraz/reference/games.jsonl").read_text(encoding="utf-8").splitlines()[:count]
    games = [json.loads(line) for line in lines]
    for game, (black, white) in zip(games, cycle(permutations(("Ada", "Ben", "Cyd", "Dov"), 2))):
        game |= {"players": {"black": {"name": black}, "white": {"name": white}}, "date": "2026-11-20"}
    games[7]["moves"][9] = games[7]["moves"][3]
    return "\n".join(json.dumps(game) for game in games)


def sample(page: Shown) -> None:
    """Show a game of those to look at."""
    page.page.get_by_role("button", name="Sample game of Sunspot").click()
    page.page.wait_for_selector("#report-title:focus")


def broken_sample(page: Shown) -> None:
    """Show one of the games with an illegal turn in them."""
    page.page.locator(".game-card", has_text="Valaturna").locator("summary").click()
    page.page.get_by_role("button", name="Game with an illegal turn of Valaturna").click()
    page.page.wait_for_selector("#report-title:focus")


def half_entered(page: Shown) -> None:
    """Enter the first part of a turn of several."""
    text = good("sunspot")
    record = hexrec.loads(text)
    page.check(text)
    ply = len(record.moves) - 2
    page.go_to(ply)
    page.page.wait_for_selector("#board .next")
    position = position_at(record, ply)
    begun = Counter(parts[0][0] for _, parts, _ in position.after_turns() if len(parts) > 1)
    page.click_cell(position.board.cells.index(begun.most_common(1)[0][0]))
    page.page.wait_for_selector("#board .chosen")


def varied(page: Shown) -> None:
    """Go to a turn of a variation."""
    page.check((FIXTURES / "nadraz/valid/all-fields.yaml").read_text(encoding="utf-8").split("---")[0])
    page.page.locator("#turns .variation .turn").nth(1).click()


def annotated(page: Shown) -> None:
    """Show a turn with a comment, a glyph and marks of every kind."""
    page.check((FIXTURES / "nadraz/valid/all-fields.yaml").read_text(encoding="utf-8").split("---")[0])
    page.go_to(2)
    page.page.locator("#comment").scroll_into_view_if_needed()


def details(page: Shown) -> None:
    """Edit who played and how it ended."""
    page.check(good("valaturna"))
    page.page.click("#details summary")
    page.page.fill("[data-field='players.black.name']", "Ada")
    page.page.locator("[data-field='result.winner']").scroll_into_view_if_needed()


def drafts(page: Shown) -> None:
    """Offer what was left unsaved."""
    for game in ("frasvel", "nadraz"):
        page.check(good(game))
        page.page.fill("#comment", "a good game")
        page.page.press("#comment", "Tab")
        page.page.wait_for_timeout(1000)
    page.page.on("dialog", lambda dialog: dialog.accept())
    page.page.reload()
    page.page.wait_for_selector("#drafts-list button")


def unreadable(page: Shown) -> None:
    """Open something that is no record."""
    page.page.set_input_files("#file", {"name": "game.yaml", "mimeType": "text/yaml", "buffer": b"moves: [a1, {b2\n"})
    page.page.wait_for_selector("#diagnostics li")


def long_game(page: Shown) -> None:
    """Show the end of a game of more than two hundred turns."""
    page.check((FIXTURES / "frasvel/reference/games.jsonl").read_text(encoding="utf-8").splitlines()[15])


def largest(page: Shown) -> None:
    """Show a large board, with more than a hundred turns on it."""
    page.check((FIXTURES / "sundraval/reference/games.jsonl").read_text(encoding="utf-8").splitlines()[30])


def lesson(page: Shown) -> None:
    """Click a stone that cannot be flipped in a step of a lesson."""
    page.page.evaluate("location.hash = '#/sunspot/lesson/6'")
    page.until(lambda: page.page.is_visible("#lesson"))
    board = hexrec.games.get("sunspot").board(4)
    for cell in ("f2", "e4"):
        page.click_cell(board.cells.index(board.names("row").cells[cell]))
    page.until(lambda: page.text("#lesson-rule") != "")


def overlay(page: Shown) -> None:
    """Switch on the overlay of a game."""
    page.check(good("sunspot"))
    page.go_to(16)
    page.page.press("#board", "o")
    page.until(lambda: "edge stone" in page.text("#legend"))


#: By name, what is shown, in which theme, and how wide and high the window is.
SHOTS: dict[str, tuple[Callable[[Shown], None], str, int, int]] = {
    "welcome": (begin, "light", 1280, 860),
    "explanation": (explain, "light", 1280, 860),
    "file": (listed, "dark", 1440, 860),
    "phone": (refuse, "light", 390, 844),
    "lesson": (lesson, "light", 1280, 720),
}
#: What the page can look like, by name.
STATES = {
    "welcome": begin,
    "sample": sample,
    "broken": broken_sample,
    "list": long_list,
    "entry": half_entered,
    "variation": varied,
    "notes": annotated,
    "explanation": explain,
    "details": details,
    "drafts": drafts,
    "unreadable": unreadable,
    "long": long_game,
    "largest": largest,
    "lesson": lesson,
    "overlay": overlay,
}
WINDOWS = {390: 844, 1024: 768, 1440: 900}


def main(folder: str = "", *names: str) -> None:
    """Take the pictures of the documentation, or all into a folder, or those of some states."""
    if folder:
        look(Path(folder), names)
        return
    FOLDER.mkdir(exist_ok=True)
    with _opened() as (browser, site):
        _save(_preview(browser), PREVIEW)
        for name, (arrange, theme, width, height) in SHOTS.items():
            _save(_taken(browser, site, arrange, theme, width, height), FOLDER / f"{name}.png")


def _save(shot: bytes, file: Path) -> None:
    """Save a picture in 256 colors, which are enough for a look, and take a third of the room."""
    picture = Image.open(BytesIO(shot)).convert("RGB")
    picture = picture.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    picture.save(file, optimize=True)


def _preview(browser: Browser) -> bytes:
    """Return the picture that other sites show with a link to the page: the games and the name."""
    boards = "".join(f'<img src="data:image/svg+xml,{quote(sample["picture"])}">' for sample in samples().values())
    page = browser.new_page(viewport={"width": 1200, "height": 630})
    page.set_content(_PREVIEW.format(boards=boards))
    shot = page.screenshot()
    page.close()
    return shot


def look(folder: Path, names: Sequence[str]) -> None:
    """Take a picture of every state, or of some, at every width in both themes, as high as the page is."""
    folder.mkdir(parents=True, exist_ok=True)
    with _opened() as (browser, site):
        for name, arrange in STATES.items():
            if names and name not in names:
                continue
            for width, height in WINDOWS.items():
                for theme in ("light", "dark"):
                    shot = _taken(browser, site, arrange, theme, width, height, full_page=True)
                    (folder / f"{name}-{width}-{theme}.png").write_bytes(shot)


@contextmanager
def _opened() -> Iterator[tuple[Browser, str]]:
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with serving(Limits(), workers=1) as client, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        yield browser, str(client.base_url)
        browser.close()


def _taken(
    browser: Browser, site: str, arrange: Callable[[Shown], None], theme: str, width: int, height: int, **how: Any
) -> bytes:
    touched = width < 500
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
        has_touch=touched,
        is_mobile=touched,
    )
    page = context.new_page()
    page.goto(site)
    arrange(Shown(page))
    page.wait_for_timeout(500)
    shot = page.screenshot(**how)
    context.close()
    return shot


if __name__ == "__main__":
    main(*sys.argv[1:])
