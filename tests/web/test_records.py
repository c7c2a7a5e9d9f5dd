"""Files of many records on the page: the list, edits that stay, saving, drafts."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import hexrec
from hexrec import formats
from tests.web.conftest import Shown
from tests.web.games import GAMES, good

Open = Callable[..., Shown]
NAMES = ("Ann", "Bo", "Carla")


def archive(count: int, broken: int, *, game: str = "sunspot") -> list[dict[str, Any]]:
    """Return games, of which one has its first turn once more as its last."""
    records = []
    for number in range(count):
        record = json.loads(good(game))
        record["players"] = {"black": {"name": NAMES[number % 3]}, "white": {"name": f"P{number}"}}
        record["date"] = "2026-03-04"
        if number == broken:
            record["moves"][-1] = record["moves"][0]
        records.append(record)
    return records


def written(notation: str, records: list[dict[str, Any]]) -> bytes:
    return "".join(formats.get(notation).write(records)).encode()


def open_file(page: Shown, path: Path, content: bytes) -> None:
    path.write_bytes(content)
    page.page.set_input_files("#file", path)
    page.page.wait_for_selector("#report-title:focus")


def saved(page: Shown, notation: str = "") -> tuple[str, bytes]:
    """Save the file; return its name and what it holds."""
    page.page.select_option("#file-format", notation)
    with page.page.expect_download() as found:
        page.page.click("#save-file")
    page.until(lambda: page.text("#file-note").startswith("Saved"))
    return found.value.suggested_filename, Path(found.value.path()).read_bytes()


def titles(page: Shown) -> str:
    return page.text("#records-title")


def choose(page: Shown, index: int) -> None:
    page.page.locator("#records-list .record", has=page.page.locator(f".number:text-is('{index}')")).click()
    page.until(lambda: page.text("#report-title").startswith(f"Record {index}:"))


def mend(page: Shown, record: dict[str, Any]) -> None:
    """Put the text of a record in the place of the one that is shown."""
    if page.page.get_attribute("#source", "open") is None:
        page.page.click("#source summary")
    page.replace_text(json.dumps(record, indent=1))
    with page.page.expect_response("**/v1/replay*"):
        page.page.click("#apply")


def test_one_invalid_record_of_twenty_is_seen_mended_and_saved(page: Shown, tmp_path: Path) -> None:
    open_file(page, tmp_path / "games.yaml", written("yaml", archive(20, 7)))
    page.until(lambda: titles(page) == "20 records, 1 invalid")
    assert page.text("#report-title") == "Record 7: Invalid"
    row = page.text(".record[aria-selected=true]")
    assert "✗ Invalid" in row
    assert "P7" in row
    mend(page, archive(20, -1)[7])
    page.until(lambda: titles(page) == "20 records, none invalid, 1 changed")
    name, mended = saved(page)
    assert name == "games.yaml"
    assert mended == written("yaml", archive(20, -1))
    page.until(lambda: titles(page) == "20 records, none invalid")


def test_a_broken_archive_of_a_thousand_records_is_mended_and_saved(page: Shown, tmp_path: Path) -> None:
    # Blanks and the order of fields are those of the file, and stay so.
    lines = [json.dumps(record) for record in archive(1000, 777, game="nadraz")]
    content = "\n".join(lines).encode()
    open_file(page, tmp_path / "archive.jsonl.gz", gzip.compress(content, 1))
    page.until(lambda: titles(page) == "1,000 records, 1 invalid")
    assert page.text("#report-title") == "Record 777: Invalid"
    assert page.page.locator("#records-list .record").count() < 40
    page.page.select_option("#status-filter", "invalid")
    page.until(lambda: page.page.locator("#records-list .record").count() == 1)
    place = f"line 778, column {lines[777].rindex(json.loads(lines[777])['moves'][-1])}"
    assert place in page.text("#diagnostics")
    sound = archive(1000, -1, game="nadraz")[777]
    page.page.fill("#cells", sound["moves"][-1])
    page.page.press("#cells", "Enter")
    page.until(lambda: page.text("#report-title") == "Record 777: Valid")
    page.until(lambda: titles(page) == "1,000 records, none invalid, 1 changed")
    page.page.select_option("#status-filter", "changed")
    page.until(lambda: "changed" in page.text("#records-list"))
    name, mended = saved(page)
    assert name == "archive.jsonl"
    assert mended == "\n".join([*lines[:777], json.dumps(sound), *lines[778:]]).encode()


def test_the_list_is_filtered_scrolled_and_gone_through_by_keys(page: Shown, tmp_path: Path) -> None:
    records = [record for game in GAMES for record in archive(30, 99, game=game)]
    open_file(page, tmp_path / "games.jsonl", written("jsonl", records))
    page.until(lambda: titles(page) == f"{len(records)} records, none invalid")
    assert page.page.locator("#game-filter option").all_inner_texts()[1:] == [game.title() for game in sorted(GAMES)]
    page.page.focus("#records-list")
    page.page.keyboard.press("End")
    page.until(lambda: page.page.locator(f"#record-{len(records) - 1}.active").count() == 1)
    page.page.keyboard.press("ArrowUp")
    page.page.keyboard.press("Enter")
    page.until(lambda: page.text("#report-title") == f"Record {len(records) - 2}: Valid")
    assert page.page.evaluate("document.activeElement.id") == "records-list"
    page.page.wait_for_selector(".record[aria-selected=true] img")
    page.page.select_option("#game-filter", "frasvel")
    page.until(lambda: page.page.locator("#record-0 .number").inner_text() == "60")
    assert page.page.locator("#record-0").get_attribute("aria-setsize") == "30"
    page.page.select_option("#status-filter", "invalid")
    page.page.wait_for_selector("#records-none:not([hidden])")


def test_a_record_is_opened_by_its_own_bytes(page: Shown, tmp_path: Path) -> None:
    content = written("jsonl", archive(40, 3))
    open_file(page, tmp_path / "games.jsonl", content)
    page.page.evaluate(
        "() => { const usual = window.fetch; window.sizes = [];"
        " window.fetch = (address, options) => { if (address.includes('replay')) window.sizes.push(options.body.size);"
        " return usual(address, options); } }"
    )
    choose(page, 4)
    assert page.page.evaluate("window.sizes") == [len(content.splitlines(keepends=True)[4])]


def test_edits_are_kept_when_others_are_looked_at_and_saved_as_another_format(page: Shown, tmp_path: Path) -> None:
    records = archive(5, 9)
    for record in records[:2]:
        del record["result"], record["moves"][-2:]
    open_file(page, tmp_path / "games.yaml", written("yaml", records))
    position = hexrec.loads(json.dumps(records[0])).start()
    for turn in records[0]["moves"]:
        position.play(turn)
    turn = position.legal_turns()[0]
    changed = {**records[0], "moves": [*records[0]["moves"], turn]}
    mend(page, changed)
    page.until(lambda: titles(page) == "5 records, none invalid, 1 changed")
    choose(page, 3)
    choose(page, 0)
    assert page.ply == len(changed["moves"])
    name, text = saved(page, "jsonl")
    assert name == "games.jsonl"
    assert [json.loads(line)["moves"] for line in text.splitlines()] == [
        each["moves"] for each in (changed, *records[1:])
    ]
    page.page.click("#discard")  # and say no
    assert titles(page).endswith("1 changed")
    page.page.once("dialog", lambda dialog: dialog.accept())
    page.page.click("#discard")
    page.until(lambda: titles(page) == "5 records, none invalid")
    page.until(lambda: page.ply == len(records[0]["moves"]))


def test_a_file_is_saved_again_and_again(page: Shown, tmp_path: Path) -> None:
    """What was saved is what is edited next: records have moved in it."""
    records = archive(6, 9)
    open_file(page, tmp_path / "games.jsonl", written("jsonl", records))
    for number in (1, 3):
        choose(page, number)
        records[number]["comment"] = "x" * 10 * number
        mend(page, records[number])
        page.until(lambda text="x" * 10 * number: text in page.text("#about"))  # type: ignore[misc]
        _, text = saved(page)
        assert [json.loads(line) for line in text.splitlines()] == records
        page.until(lambda: titles(page) == "6 records, none invalid")


def test_a_draft_is_there_after_the_page_was_left(page: Shown, site: str, tmp_path: Path) -> None:
    open_file(page, tmp_path / "games.jsonl", written("jsonl", archive(3, 1)))
    mend(page, archive(3, -1)[1])
    page.until(lambda: titles(page).endswith("1 changed"))
    asked: list[str] = []

    def leave(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.page.on("dialog", leave)
    page.until(lambda: "#/draft/" in page.page.url)  # it is stored
    page.page.goto("about:blank")
    page.page.remove_listener("dialog", leave)
    assert asked == ["beforeunload"]
    page.page.goto(site)
    page.page.wait_for_selector("#drafts:not([hidden])")
    for said in ("Bo – P1", "Sunspot · size 4 · Black won, 18 turns", "games.jsonl · 1 record changed · "):
        assert said in page.text("#drafts-list")
    page.page.wait_for_selector("#drafts-list .small-board img")
    page.page.click("#drafts-list button:text('Open')")
    page.until(lambda: page.page.is_visible("#records") and titles(page) == "3 records, none invalid, 1 changed")
    page.until(lambda: page.text("#report-title") == "Record 1: Valid")
    _, mended = saved(page)
    assert mended == written("jsonl", archive(3, -1))
    page.page.goto("about:blank")
    page.page.goto(site)
    assert (
        page.page.evaluate(
            "() => new Promise((resolve) => { const asked = indexedDB.open('hexrec', 1);"
            " asked.onsuccess = () => { const count = asked.result.transaction('drafts').objectStore('drafts').count();"
            " count.onsuccess = () => { asked.result.close(); resolve(count.result); }; }; })"
        )
        == 0
    )


def test_a_folder_is_dropped(page: Shown, tmp_path: Path) -> None:
    for name, content in {
        "one.jsonl": written("jsonl", archive(2, 9)),
        "more/two.sgf.gz": gzip.compress(written("sgf", archive(3, 1)), 1),
        "more/.old.jsonl": written("jsonl", archive(9, 1)),
        "three.zip": zipped("rounds/one.jsonl", written("jsonl", archive(2, 9))),
        "notes.txt": b"not a record",
    }.items():
        path = tmp_path / "league" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    session = page.page.context.new_cdp_session(page.page)
    dropped = {"items": [], "files": [str(tmp_path / "league")], "dragOperationsMask": 1}
    for event in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": event, "x": 300, "y": 400, "data": dropped})
    session.detach()
    page.until(lambda: page.page.is_visible("#records") and titles(page) == "3 files, 7 records, 1 invalid")
    page.until(lambda: page.text("#report-title") == "Record 1 of league/more/two.sgf: Invalid")
    page.until(lambda: "notes.txt" in page.text("#problem"))


def zipped(name: str, content: bytes) -> bytes:
    stream = BytesIO()
    with ZipFile(stream, "w") as packed:
        packed.writestr(name, content)
    return stream.getvalue()


def test_an_archive_is_opened_and_its_files_are_saved(page: Shown, tmp_path: Path) -> None:
    open_file(page, tmp_path / "games.zip", zipped("2026/games.jsonl", written("jsonl", archive(3, 1))))
    page.until(lambda: titles(page) == "3 records, 1 invalid")
    mend(page, archive(3, -1)[1])
    page.until(lambda: titles(page) == "3 records, none invalid, 1 changed")
    assert saved(page) == ("games.jsonl", written("jsonl", archive(3, -1)))


def test_what_cannot_be_read_keeps_nothing_else_from_being_opened(page: Shown, tmp_path: Path) -> None:
    good_file, bad = tmp_path / "games.jsonl", tmp_path / "games.zip"
    good_file.write_bytes(written("jsonl", archive(2, 9)))
    bad.write_bytes(b"no archive")
    page.page.set_input_files("#file", [good_file, bad])
    page.until(lambda: page.page.is_visible("#records") and titles(page) == "2 records, none invalid")
    page.until(lambda: "games.zip cannot be read: it is no zip archive" in page.text("#problem"))


def test_a_folder_is_opened(page: Shown, tmp_path: Path) -> None:
    league = tmp_path / "league"
    league.mkdir()
    for name, count in (("one.jsonl", 2), ("two.sgf", 3)):
        (league / name).write_bytes(written(Path(name).suffix[1:], archive(count, 1)))
    with page.page.expect_file_chooser() as asked:
        page.page.click("#pick-folder")
    asked.value.set_files(league)
    page.until(lambda: page.page.is_visible("#records") and titles(page) == "2 files, 5 records, 2 invalid")
    page.until(lambda: page.text("#report-title") == "Record 1 of league/one.jsonl: Invalid")


def test_what_was_changed_is_kept_when_something_else_is_opened(page: Shown) -> None:
    page.check(good("sunspot"))
    assert page.page.is_hidden("#kept")
    page.moved(lambda: page.page.click("#delete"))
    page.check(good("nadraz"))
    assert page.text("#kept-note") == "What you changed in the game is kept as a draft."
    assert "Nadraz" in page.text("#about")
    page.page.click("#go-back")
    page.until(lambda: "Sunspot" in page.text("#about"))
    assert page.ply == len(json.loads(good("sunspot"))["moves"]) - 1
    # Who goes on with what was opened is not told for ever; what is not changed leaves nothing behind.
    assert page.page.is_hidden("#kept")
    page.check(good("nadraz"))
    assert page.page.is_visible("#kept")
    page.moved(lambda: page.page.click("#delete"))
    assert page.page.is_hidden("#kept")
    page.page.click("#undo")
    page.until(lambda: page.page.get_attribute("#undo", "aria-disabled") == "true")
    page.check(good("nadraz"))
    page.check(good("frasvel"))
    assert page.page.is_hidden("#kept")


def test_what_cannot_be_kept_is_given_up_only_if_that_is_meant(page: Shown) -> None:
    page.page.evaluate("() => { IDBFactory.prototype.open = () => { throw new Error('private'); }; }")
    page.check(good("sunspot"))
    page.moved(lambda: page.page.click("#delete"))
    asked: list[str] = []
    answers = ["dismiss", "accept"]

    def answer(dialog: Any) -> None:
        asked.append(dialog.message)
        getattr(dialog, answers.pop(0))()

    page.page.on("dialog", answer)
    page.page.click("#home")
    page.page.fill("#text", good("nadraz"))
    page.page.click("text=Check")
    page.until(lambda: len(asked) == 1)
    assert "This browser keeps no drafts" in asked[0]
    assert "Sunspot" in page.text("#about")
    page.page.click("text=Check")
    page.until(lambda: "Nadraz" in page.text("#about"))
    assert len(asked) == 2
    page.page.remove_listener("dialog", answer)


def test_a_text_that_is_no_single_record_is_not_put_in_the_place_of_one(page: Shown) -> None:
    page.check(written("jsonl", archive(2, 1)).decode())
    page.page.click("#source summary")
    page.replace_text(written("jsonl", archive(2, 9)).decode())
    page.page.click("#apply")
    page.until(lambda: page.text("#problem") == "In the place of 1, this text holds 2 records.")
    assert titles(page) == "2 records, 1 invalid"
