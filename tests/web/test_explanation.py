"""Why games ended as they did, next to the board; which rule a diagnostic is about, and what to do."""

from __future__ import annotations

import hexrec
from hexrec.codes import explain_code
from tests.web.conftest import Shown
from tests.web.games import GAMES, broken, good, position_at, reports


def rows(page: Shown) -> list[str]:
    buttons = page.page.locator("#explanation-tables tbody button")
    page.until(lambda: buttons.count() > 0)
    return buttons.all_inner_texts()


def test_the_end_is_explained_and_points_to_the_board(page: Shown) -> None:
    for game in GAMES:
        position = position_at(hexrec.loads(good(game)))
        explanation = position.explain()
        page.check(good(game))
        told = [row for table in explanation.tables for row in table.rows]
        for reason in explanation.conclusions:
            page.until(lambda: reason.text in page.text("#conclusions"))  # noqa: B023
        assert len(rows(page)) == len(told), game
        tables = page.text("#explanation-tables")
        assert [reason.text for row in told for reason in row.reasons if reason.text not in tables] == [], game
        order = position.board.cells
        number, row = next((number, row) for number, row in enumerate(told) if row.cells)
        button = page.page.locator("#explanation-tables tbody button").nth(number)
        button.hover()
        pointed = page.page.locator("#board .pointed")
        marked = {int(pointed.nth(place).get_attribute("data-cell") or -1) for place in range(pointed.count())}
        assert {order[cell] for cell in marked} == set(row.cells)
        # Back from the board: each row that holds the cell is marked, and nothing points to the board any more.
        page.page.locator(f"#board [data-cell='{order.index(row.cells[0])}']").hover()
        assert pointed.count() == 0
        holding = [each for each in told if row.cells[0] in each.cells]
        assert page.page.locator("#explanation-tables button.pointed").count() == len(holding)


def test_any_position_is_explained_and_rows_are_one_stop(page: Shown) -> None:
    page.check(good("valaturna"))
    rows(page)
    page.page.click("#first")
    page.until(lambda: "the game goes on" in page.text("#conclusions"))
    assert len(rows(page)) == 4
    buttons = page.page.locator("#explanation-tables button")
    assert page.page.locator("#explanation-tables button[tabindex='0']").count() == 1
    buttons.first.focus()
    assert page.page.locator("#board .pointed").count() == 1
    page.page.keyboard.press("ArrowDown")
    assert buttons.nth(1).evaluate("button => button === document.activeElement")
    assert buttons.nth(1).get_attribute("tabindex") == "0"


def test_diagnostics_come_with_their_rule_and_what_to_do(page: Shown) -> None:
    (report,) = reports(broken("nadraz"), "yaml")
    (error,) = report.errors
    page.check(broken("nadraz").read_text(encoding="utf-8"))
    page.page.click("#diagnostics summary")
    about = explain_code(error.code, "nadraz")
    said = page.text("#diagnostics details")
    assert about.rule.replace("`", "") in said
    assert about.fix.replace("`", "") in said
