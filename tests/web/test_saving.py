"""Saving on the page: files hold all that was done before, and only they replace a draft."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hexrec
from hexrec import formats
from tests.web.conftest import Shown
from tests.web.test_defects import DRAFTS
from tests.web.test_editing import begun, saved
from tests.web.test_records import archive, open_file


def hold(page: Shown) -> None:
    """Let the service answer nothing any more."""
    page.page.route("**/v1/**", lambda _: None)


def download(page: Shown, button: str, note: str) -> tuple[str, str]:
    """Press a button that saves, and return the file and the note."""
    with page.page.expect_download() as found:
        page.page.click(button)
        page.until(lambda: page.text(note).startswith("Saved"))
    return Path(found.value.path()).read_text(encoding="utf-8"), page.text(note)


def drafts(page: Shown) -> Any:
    return json.loads(page.page.evaluate(DRAFTS))


def test_a_picture_does_not_replace_the_draft_and_the_record_does(page: Shown) -> None:
    page.check(begun())
    page.play("a1")
    page.page.fill("#comment", "precious")
    page.page.press("#comment", "Tab")
    page.until(lambda: "precious" in str(drafts(page)))
    for name, note in (
        ("svg", "Saved as game.svg: the board after ply 1."),
        ("png", "Saved as game.png: the board after ply 1."),
        ("gif", "Saved as game.gif: 1 turn."),
    ):
        page.page.select_option("#format", name)
        with page.page.expect_download():
            page.page.click("#download")
        page.until(lambda: page.text("#save-note") == note)  # noqa: B023
        assert "precious" in str(drafts(page)), name
    page.page.select_option("#format", "json")
    _, note = download(page, "#download", "#save-note")
    assert note == "Saved as game.json: 1 turn."
    page.until(lambda: drafts(page) == [])


def test_a_file_that_cannot_be_made_leaves_the_draft(page: Shown) -> None:
    page.check(begun())
    page.play("a1")
    page.until(lambda: "a1" in str(drafts(page)))
    page.page.route("**/v1/render*", lambda route: route.fulfill(status=500, json={"detail": "no animation"}))
    page.page.select_option("#format", "gif")
    page.page.click("#download")
    page.until(lambda: page.text("#problem") == "no animation")
    assert "a1" in str(drafts(page))
    assert page.text("#save-note") == ""
    page.errors.clear()  # that the service has refused


def test_a_format_that_loses_something_leaves_the_draft(page: Shown) -> None:
    page.check(begun(moves=[{"turn": "a1", "x-thought": "deep"}]))
    page.play("b2")
    page.until(lambda: "b2" in str(drafts(page)))
    page.page.select_option("#format", "abstractplay")
    _, note = download(page, "#download", "#save-note")
    assert note.startswith("Saved as game.abstractplay.json: 2 turns. ")
    assert "x-thought" in note
    assert "b2" in str(drafts(page))


def test_the_page_warns_of_a_text_that_is_not_applied_though_the_record_is_saved(page: Shown) -> None:
    warned = "() => !dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    page.check(begun(moves=["a1"]))
    assert not page.page.evaluate(warned)
    page.page.click("#source summary")
    page.replace_text(begun(moves=["a1", "b2"]))
    text, note = download(page, "#download", "#save-note")
    assert hexrec.loads(text).turns == ["a1"]
    assert note == "Saved as game.json: 1 turn."
    assert page.page.evaluate(warned)
    page.page.click("#apply")
    page.until(lambda: page.ply == 2)
    download(page, "#download", "#save-note")
    assert not page.page.evaluate(warned)


def test_a_file_has_all_that_was_done_before_whether_the_service_answers_or_not(page: Shown) -> None:
    page.check(begun())
    page.page.select_option("#format", "json")
    hold(page)
    for cell in (0, 1, 1, 2, 2, 3):  # a cell that is taken is refused alone
        page.click_cell(cell)
    page.page.fill("#cells", "d4")
    page.page.press("#cells", "Enter")
    page.page.click("#undo")
    page.click_cell(4)
    text, note = download(page, "#download", "#save-note")
    assert json.loads(text)["moves"] == ["a1", "a2", "a3", "a4", "b1"]
    assert note == "Saved as game.json: 5 turns."
    page.page.unroute_all()


def test_files_that_are_saved_have_the_clicks_before(page: Shown, tmp_path: Path) -> None:
    records = archive(2, -1)
    for record in records:
        del record["result"]
        record["moves"] = record["moves"][:2]
    first, second = ("".join(formats.get("jsonl").write([record])) for record in records)
    for name, content in (("first.jsonl", first), ("second.jsonl", second)):
        (tmp_path / name).write_text(content, encoding="utf-8")
    page.page.set_input_files("#file", [tmp_path / "first.jsonl", tmp_path / "second.jsonl"])
    page.page.wait_for_selector("#report-title:focus")
    page.page.route("**/v1/replay*", lambda _: None)
    page.click_cell(0)
    text, note = download(page, "#save-file", "#file-note")
    page.page.unroute_all()
    assert json.loads(text)["moves"] == [*records[0]["moves"], "a1"]
    assert note == "Saved as first.jsonl: 1 record changed, all else as it was."


def test_a_link_has_the_clicks_before(page: Shown) -> None:
    page.check(begun())
    hold(page)
    for cell in range(3):
        page.click_cell(cell)
    page.page.click("#link")
    page.until(lambda: "now holds the game" in page.text("#save-note"))
    page.page.unroute_all()
    page.page.reload()
    page.until(lambda: page.ply == 3)
    assert saved(page)["moves"] == ["a1", "a2", "a3"]


#: Lets games be packed for an address when the test says so.
PACKING = """() => {
    const usual = Response.prototype.arrayBuffer;
    const waiting = [];
    Response.prototype.arrayBuffer = async function () {
        await new Promise((go) => waiting.push(go));
        return usual.call(this);
    };
    window.isPacking = () => waiting.length > 0;
    window.pack = () => {
        Response.prototype.arrayBuffer = usual;
        for (const go of waiting) go();
    };
}"""


def test_what_is_copied_has_all_that_was_done_before(opened: Callable[..., Shown], site: str) -> None:
    page = opened(f"{site}#/sunspot/new", permissions=["clipboard-read", "clipboard-write"])
    page.page.wait_for_selector("#report-title:focus")
    hold(page)
    page.click_cell(0)
    page.click_cell(1)
    page.page.click("#copy-position")
    page.until(lambda: page.text("#save-note") == "The position is copied.")
    after = [*hexrec.loads(begun(size=7, moves=["a1", "a2"])).positions()][-1]
    assert page.page.evaluate("navigator.clipboard.readText()") == after.text()
    page.page.click("#copy-picture")
    page.until(lambda: page.text("#save-note") == "The picture is copied.")
    assert "image/png" in page.page.evaluate("async () => (await navigator.clipboard.read())[0].types")
    # The address has what is played while it is made, too.
    page.page.evaluate(PACKING)
    page.page.click("#link")
    page.until(lambda: page.page.evaluate("isPacking()"))
    page.click_cell(2)
    page.page.evaluate("pack()")
    page.until(lambda: "now holds the game" in page.text("#save-note"))
    page.page.goto(page.page.evaluate("navigator.clipboard.readText()"))
    page.page.reload()
    page.until(lambda: page.ply == 3)
    assert "#game=" in page.page.url


def test_a_record_is_saved_in_the_format_of_its_file(page: Shown, tmp_path: Path) -> None:
    (record,) = archive(1, -1)
    (other,) = archive(1, -1, game="nadraz")
    for name in ("json", "jsonl", "hgn"):
        page.check("".join(formats.get(name).write([record])))
        assert page.page.input_value("#format") == ("hgn" if name == "hgn" else "json")
    for name in ("sgf", "yaml"):
        open_file(page, tmp_path / f"game.{name}", "".join(formats.get(name).write([record])).encode())
        page.until(lambda: page.page.input_value("#format") == name)  # noqa: B023
    page.page.select_option("#format", "hgn")
    open_file(page, tmp_path / "other.yaml", "".join(formats.get("yaml").write([other])).encode())
    page.until(lambda: page.text("#report-title") == "Valid" and page.text("#about").startswith("Nadraz"))
    assert page.page.input_value("#format") == "hgn"
