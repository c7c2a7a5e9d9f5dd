"""Files of many records as a whole: what is seen while they are read, their order, repairs, the report, addresses."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import hexrec
from hexrec.record.canonical import canonical_form
from tests.web.conftest import Shown, seen
from tests.web.games import good
from tests.web.test_records import archive, choose, open_file, saved, titles, written

if TYPE_CHECKING:
    from playwright.sync_api import Route


def rows(page: Shown) -> list[str]:
    """Return the numbers of the records that the list begins with, in its order."""
    places = "(rows) => rows.map((row) => [row.offsetTop, row.querySelector('.number').firstChild.textContent])"
    found: list[list[Any]] = page.page.eval_on_selector_all(".record", places)
    return [number for _, number in sorted(found)]


def wrong_winner(game: str) -> dict[str, Any]:
    """Return a finished game whose winner is the other player."""
    record = hexrec.loads(good(game))
    result = hexrec.validate(record).result
    assert result is not None
    return {**canonical_form(record), "result": {"winner": "white" if result.winner == "black" else "black"}}


def test_the_first_invalid_record_is_shown_while_others_are_read(page: Shown, tmp_path: Path) -> None:
    records = archive(1200, 3, game="nadraz")
    path = tmp_path / "games.jsonl"
    path.write_bytes(written("jsonl", records))
    assert path.stat().st_size > 1 << 18
    held: list[Route] = []

    def hold(route: Route) -> None:
        # The second part waits.
        if held or not page.page.is_visible("#records"):
            route.continue_()
        else:
            held.append(route)

    page.page.route("**/v1/list**", hold)
    page.page.set_input_files("#file", path)
    page.until(lambda: "Record 3: Invalid" in page.text("#report-title") if page.page.is_visible("#shown") else False)
    page.until(lambda: bool(held) and "reading on" in titles(page))
    assert page.page.is_hidden("#entry")
    assert 0 < float(page.page.get_attribute("#records-progress", "value") or page.page.input_value("#slider")) < 1
    held[0].continue_()
    page.until(lambda: titles(page) == "1,200 records, 1 invalid")
    assert page.page.is_hidden("#records-progress")
    assert page.text("#report-title") == "Record 3: Invalid"


def test_the_list_has_an_order(page: Shown, tmp_path: Path) -> None:
    records = archive(4, 2)
    for record, (name, date) in zip(
        records, (("Zoe", "2026-01-02"), ("ann", "2025-01-02"), ("Bo", ""), ("Ann", "2026-03-04")), strict=True
    ):
        record["players"]["black"]["name"] = name
        record["date"] = date
        if not date:
            del record["date"]
    open_file(page, tmp_path / "games.jsonl", written("jsonl", records))
    for order, expected in {
        "black": ["1", "3", "2", "0"],
        "date": ["1", "0", "3", "2"],
        "-date": ["3", "0", "1", "2"],
        "diagnostic": ["2", "0", "1", "3"],
        "": ["0", "1", "2", "3"],
    }.items():
        page.page.select_option("#order", order)
        page.until(lambda expected=expected: rows(page) == expected)  # type: ignore[misc]


def test_all_records_with_one_suggestion_are_repaired(page: Shown, tmp_path: Path) -> None:
    one, several = wrong_winner("nadraz"), wrong_winner("sunspot")
    records = [one, archive(1, -1)[0], one | {"event": "a"}, several, one | {"event": "b"}]
    open_file(page, tmp_path / "games.jsonl", written("jsonl", records))
    page.until(lambda: titles(page) == "5 records, 4 invalid")
    page.page.click("#repair-all")
    page.until(lambda: titles(page) == "5 records, 1 invalid, 3 changed")
    page.until(lambda: page.text("#file-note").startswith("3 records repaired."))
    assert "1 record: no suggestion, or several." in page.text("#file-note")
    assert page.text("#report-title").endswith(": Valid")
    choose(page, 3)
    _, content = saved(page)
    kept = content.splitlines()
    assert kept[1] == written("jsonl", records[1:2]).strip()
    assert [report.valid for report in hexrec.check_text(content.decode(), "jsonl")] == [True, True, True, False, True]


def test_the_report_is_saved(page: Shown, tmp_path: Path) -> None:
    records = archive(3, 1)
    records[0]["event"] = '=1+1 "x", y'
    open_file(page, tmp_path / "games.jsonl", written("jsonl", records))
    page.page.select_option("#order", "diagnostic")
    with page.page.expect_download() as found:
        page.page.click("#save-report")
    assert found.value.suggested_filename == "report.csv"
    text = Path(found.value.path()).read_text(encoding="utf-8")
    table = list(csv.DictReader(StringIO(text)))
    assert [row["index"] for row in table] == ["1", "0", "2"]
    assert [row["valid"] for row in table] == ["false", "true", "true"]
    assert table[0]["code"] == "move/occupied"
    assert table[0]["line"] == "2"
    assert table[0]["ply"] == str(len(records[1]["moves"]))
    assert table[1]["event"] == """'=1+1 "x", y"""


@pytest.mark.parametrize("allowed", [True, False])
def test_a_file_of_another_site(page: Shown, allowed: bool) -> None:
    text = json.dumps(canonical_form(hexrec.loads(good("frasvel"))))

    def answer(route: Route) -> None:
        # A browser does not tell a page why it may not read a file.
        if allowed:
            route.fulfill(body=text, headers={"access-control-allow-origin": "*"})
        else:
            route.abort()

    held: list[Route] = []
    page.page.route("https://games.test/**", lambda route: answer(route) if held else held.append(route))
    page.page.fill("#text", " https://games.test/archive/game.json\n")
    page.page.click("text=Check")
    page.until(lambda: bool(held))
    # A game that is opened before the file has come stays.
    page.check(good("sunspot"))
    answer(held[0])
    page.page.evaluate("async () => (await fetch('https://games.test/again').catch(() => null))?.text()")
    assert "Sunspot" in page.text("#about")
    assert page.page.is_hidden("#problem")
    page.page.click("#home")
    page.page.fill("#text", " https://games.test/archive/game.json\n")
    page.page.click("text=Check")
    if allowed:
        page.until(lambda: "Frasvel" in page.text("#about"))
    else:
        page.until(lambda: "games.test does not let this page read the file" in page.text("#problem"))
        page.errors.clear()
    page.page.unroute("https://games.test/**")


_POST = """Game 1: Sunspot, size 4
Black: Ada, White: Ben
1. d4 a1 2. b1 White resigns

Game 2: Sunspot, size 4
1. d4 a1 2. a1 e3

Game 3: Sunspot
1. d4 a1 2. b1
"""


def test_games_of_a_post_are_imported_and_the_others_shown_at_the_turn_that_fails(page: Shown) -> None:
    page.check(_POST)
    page.until(lambda: titles(page) == "2 records, 1 invalid")
    page.until(lambda: page.text("#report-title") == "Record 1: Invalid")
    assert "a1 is occupied" in page.text("#diagnostics")
    assert page.ply == 2
    assert "line 8: the text has 8 valid readings" in page.text("#problem")
    assert "state the size in the text" in page.text("#problem")
    page.page.click("#diagnostics .suggestions button >> nth=0")
    page.until(lambda: page.text("#report-title") == "Record 1: Valid")
    page.page.click("text=Ada")
    page.until(lambda: "After ply 3" in page.text("#caption"))


def test_a_table_is_imported_and_saved_as_records(page: Shown, tmp_path: Path) -> None:
    path = tmp_path / "club.csv"
    path.write_text('game,size,black,white,moves\nSunspot,4,Ada,Ben,"d4 a1 b1"\nSunspot,4,Cem,Dia,"a1 d4"\n')
    page.page.set_input_files("#file", path)
    page.until(lambda: titles(page) == "2 records, none invalid")
    name, content = saved(page)
    assert name == "club.jsonl"
    assert [json.loads(line)["moves"] for line in content.splitlines()] == [["d4", "a1", "b1"], ["a1", "d4"]]


def test_a_text_without_games_is_refused_and_a_record_with_an_error_shown_as_text(page: Shown) -> None:
    page.page.fill("#text", "Ada: hello\nBen: hi")
    page.page.click("text=Check")
    page.until(lambda: "no turns were found" in page.text("#problem"))
    assert seen(page.page, "#problem")[3] <= 800  # it is not below the window
    for text in ("game: sunspot\nsize: 4\nmoves: [d4,", '{"game": "sunspot", "size": 4, '):
        page.check(text)
        page.until(lambda: "the rest of the record is missing" in page.text("#diagnostics"))
        assert page.page.input_value("#source-text") == text
