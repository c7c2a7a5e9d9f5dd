"""One HTML file a record, which works by itself."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from hexrec_col import COL

import hexrec
from hexrec.record.canonical import canonical_form
from hexrec.rules import games
from hexrec.web.assembly import ASSETS, static_page
from tests.web.conftest import Shown
from tests.web.games import TWO, broken, good, position_at, reports, standing

Open = Callable[..., Shown]


def written(folder: Path, text: str) -> Path:
    path = folder / "game.html"
    path.write_text(static_page(hexrec.validate(hexrec.loads(text))), encoding="utf-8")
    return path


def test_the_policy_lets_run_what_is_in_the_file_and_nothing_else() -> None:
    page = static_page(hexrec.validate(hexrec.loads(good("sunspot"))))
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    (script,) = re.findall(r'<script type="module">(.*?)</script>', page, re.DOTALL)
    (style,) = re.findall(r"^<style>(.*?)</style>$", page, re.DOTALL | re.MULTILINE)
    for kind, text in (("script", script), ("style", style)):
        assert f"{kind}-src 'sha256-{b64encode(sha256(text.encode()).digest()).decode()}';" in policy
    assert "default-src 'none'" in policy


def test_a_game_registered_in_place_of_another_is_on_the_page() -> None:
    for title in ("Little Col", "Large Col"):
        games.register(replace(COL, title=title))
        try:
            assert f'"title":"{title}"' in static_page(hexrec.validate(hexrec.loads(good("sunspot"))))
            assert f'"title":"{title}"' in ASSETS["/"].make()
        finally:
            games.unregister("col")


@pytest.mark.parametrize("address", ASSETS)
def test_nothing_is_asked_of_other_places(address: str) -> None:
    page = ASSETS[address].make()
    asked = re.sub(r'<script type="application/json".*?</script>', "", page)  # what records say is asked of nobody
    addresses = set(re.findall(r"https?://[^\s\"'\\]*", asked))
    assert addresses <= {"http://www.w3.org/2000/svg"}
    # No handler and no style stands in an attribute, where the policy forbids it.
    assert not re.search(r"<[^>]*\s(on\w+|style)=", page)


@pytest.mark.parametrize("game", TWO)
def test_a_game_without_a_server(shown: Open, tmp_path: Path, game: str) -> None:
    record = hexrec.loads(good(game))
    page = shown(written(tmp_path, good(game)))
    assert page.text("#report-title") == "Valid"
    assert standing(position_at(record)) in page.board
    assert page.page.is_hidden("#entry")
    assert page.page.is_hidden("#link")
    page.go_to(3)
    position = position_at(record, 3)
    assert standing(position) in page.board
    index = position.board.cells.index(position.names.cells[re.findall(r"[a-z]\d+", record.turns[3])[0]])
    page.until(lambda: page.page.locator("#board .next").count() > 0)
    page.page.fill("#cells", position.names.names[position.board.cells[index]])
    cell = position.board.cells[index]
    assert page.legal() == [turn for turn, parts, _ in position.after_turns() if parts and cell in parts[0]]
    page.page.locator("#legal-turns button").get_by_text(record.turns[3], exact=True).click()
    assert page.ply == 4
    with page.page.expect_download() as found:
        page.page.click("#download")
    assert canonical_form(hexrec.loads(Path(found.value.path()).read_bytes())) == canonical_form(record)
    # The game is played on in another way, and saved with that.
    page.go_to(3)
    other = next(turn for turn in position.legal_turns() if turn != record.turns[3])
    page.play(other)
    again = hexrec.loads(page.download("json"))
    assert again.moves[3] == {"turn": record.turns[3], "variations": [[other]]}
    assert [request for request in page.requests if not request.startswith(("file:", "blob:", "data:"))] == []


@pytest.mark.parametrize("game", TWO)
def test_a_broken_game_without_a_server(shown: Open, tmp_path: Path, game: str) -> None:
    (report,) = reports(broken(game), "yaml")
    path = tmp_path / "game.html"
    path.write_text(static_page(report), encoding="utf-8")
    page = shown(path)
    assert page.text("#report-title") == "Invalid"
    assert report.errors[0].message in page.text("#diagnostics")
    assert page.ply == report.plies


def test_texts_of_a_record_are_texts(shown: Open, tmp_path: Path) -> None:
    evil = "</script><script>document.title = 'evil'</script><!-- <script>"
    text = json.dumps({"hexrec": "1", "game": "sunspot", "size": 4, "comment": evil, "moves": ["d4"]})
    page = shown(written(tmp_path, text))
    assert evil in page.text("#about")
    assert page.page.title() == "Sunspot – hexrec"


def test_variations_are_there_to_be_looked_at(shown: Open, tmp_path: Path) -> None:
    record = {"hexrec": "1", "game": "sunspot", "size": 4, "moves": [{"turn": "d4", "variations": [["a1", "a2"]]}]}
    page = shown(written(tmp_path, json.dumps(record)))
    page.page.click(".variation button:has-text('a2')")
    assert page.text("#caption") == "After ply 2, White a2; Black to play"
    assert page.page.locator("[aria-current]").inner_text().endswith("a2")


def test_what_is_chosen_beforehand(shown: Open, tmp_path: Path) -> None:
    report = hexrec.validate(hexrec.loads(good("frasvel")))
    path = tmp_path / "game.html"
    path.write_text(static_page(report, 2, coordinates="axial", theme="dark", labels="all"), encoding="utf-8")
    page = shown(path)
    assert page.ply == 2
    assert page.page.get_attribute("html", "data-theme") == "dark"
    assert standing(position_at(hexrec.loads(good("frasvel")), 2), "axial") in page.board
    assert page.page.locator("#board .name").count() > 30
