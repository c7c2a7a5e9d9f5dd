from __future__ import annotations

import re
from pathlib import Path

import pytest

from hexrec.codes import all_codes, sections
from hexrec.rules import games
from tests.cli.conftest import Run
from tests.completeness import COMPLETE
from tests.fixtures import expected

FIXTURES = Path(__file__).parent.parent.parent / "fixtures/suite"


def test_a_code_is_explained(hexrec: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXREC_SITE", "https://example.org/")
    ran = hexrec("explain", "move/own-stone")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == (
        "move/own-stone\n"
        "  In: Nadraz\n"
        "  A line includes a stone of the player's own.\n"
        "  Rule: A line holds empty cells and enemy stones only.\n"
        "  Example:\n"
        '    {hexrec: "1", game: nadraz, size: 4, opening: {black: d4, white: f2}, moves: [d3-d5]}\n'
        "  hexrec reports:\n"
        "    example.yaml:1:79: error move/own-stone: record 0, ply 1, turn d3-d5: d3-d5 includes stones of your own: "
        "d4 must be left out\n"
        "  To fix it: Check both ends of the line; an earlier turn may be missing or wrong.\n"
        "  Page: https://example.org/codes/move.html#moveown-stone\n"
    )


def test_a_code_of_two_games_is_explained_for_each(hexrec: Run) -> None:
    parts = hexrec("explain", "move/early-pass").out.split("\n\n")
    assert [part.splitlines()[:2] for part in parts] == [
        ["move/early-pass", "  In: Valaturna"],
        ["move/early-pass", "  In: Nadraz"],
    ]
    assert "2023-first" in parts[0]
    assert hexrec("explain", "move/").out.count("move/early-pass ") == 1


def test_what_hexrec_says_of_an_example_is_what_it_says_of_that_file(
    hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    example, said = (
        re.search(rf"^  {head}:\n    (.*)$", hexrec("explain", "schema/null").out, re.MULTILINE)
        for head in ("Example", "hexrec reports")
    )
    assert example is not None
    assert said is not None
    monkeypatch.chdir(tmp_path)
    Path("example.yaml").write_text(example[1], encoding="utf-8")
    assert hexrec("validate", "example.yaml").out.startswith(f"{said[1]}\n")


def test_all_that_is_known_of_all_codes_is_said(hexrec: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Words with hyphens stay whole, however narrow the terminal is."""
    monkeypatch.setenv("COLUMNS", "40")
    explained = [each for _, group in sections() for each in group.values()]
    out = hexrec("explain", *all_codes()).out
    said = " ".join(out.split())
    for each in explained:
        for text in (each.meaning, each.rule, each.fix):
            assert " ".join(text.split()) in said
    assert "\n\n  hexrec reports" not in out  # examples end where their text does


@pytest.mark.parametrize(
    ("code", "owners"),
    [
        ("move/occupied", "every game"),
        ("opening/off-board", "Sundraval, Frasvel, Valaturna, Nadraz"),
        ("opening/same-cell", "Sundraval, Valaturna, Nadraz"),
        ("result/score-mismatch", "Sundraval, Valaturna, Nadraz"),
        ("move/flip-own", "Sunspot"),
    ],
)
def test_games_of_a_code(hexrec: Run, code: str, owners: str) -> None:
    """Games that are added later come after these."""
    assert re.search(rf"^  In: {owners}(?:, .+)?$", hexrec("explain", code).out, re.MULTILINE)


@pytest.mark.parametrize("game", COMPLETE)
def test_no_game_is_left_out_that_has_a_fixture_for_the_code(hexrec: Run, game: str) -> None:
    codes = {expected(path).code for path in FIXTURES.glob(f"{game}/invalid/*")}
    assert codes
    owners: dict[str, str] = dict.fromkeys(codes, "")
    for explained in hexrec("explain", *sorted(codes)).out.split("\n\n"):
        code, where = explained.splitlines()[:2]
        owners[code] += where
    assert [code for code, where in owners.items() if not re.search(f"every game|{games.get(game).title}", where)] == []


def test_without_a_code_all_are_listed(hexrec: Run) -> None:
    lines = hexrec("explain").out.splitlines()
    explained = {code: text for _, group in sections() for code, text in group.items()}
    assert [line.split()[0] for line in lines] == list(explained)
    assert all(line.endswith(f" {explained[line.split()[0]].meaning}") for line in lines)


@pytest.mark.parametrize(
    ("name", "beginning"),
    [("move", "move/"), ("move/", "move/"), ("move/flip", "move/flip-"), ("syntax/yaml-", "syntax/yaml-")],
)
def test_a_group_is_listed(hexrec: Run, name: str, beginning: str) -> None:
    ran = hexrec("explain", name)
    codes = {code for code in all_codes() if code.startswith(beginning)}
    assert len(codes) > 1
    assert {line.split()[0] for line in ran.out.splitlines()} == codes


def test_a_code_that_other_codes_begin_with_is_itself(hexrec: Run) -> None:
    assert hexrec("explain", "syntax/yaml").out.startswith("syntax/yaml\n  In: every game\n")
