from __future__ import annotations

import re
from pathlib import Path

import pytest

from hexrec import games
from hexrec.validation.catalogue import all_codes, sections
from tests.commands.conftest import Run

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"


def test_a_code_is_explained(hexrec: Run) -> None:
    ran = hexrec("explain", "move/no-path")
    explained = games.get("sundraval").codes["move/no-path"]
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"move/no-path\n  In: Sundraval\n  {explained.meaning}\n  To mend it: {explained.mend}\n"


def test_several_codes_are_explained_in_the_order_given(hexrec: Run) -> None:
    out = hexrec("explain", "result/missing", "move/no-path").out
    assert re.findall(r"^\S+", out, flags=re.MULTILINE) == ["result/missing", "move/no-path"]


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
    assert f"\n  In: {owners}\n" in hexrec("explain", code).out


@pytest.mark.parametrize("game", games.names())
def test_no_game_is_left_out_that_has_a_fixture_for_the_code(hexrec: Run, game: str) -> None:
    codes = {path.name.partition("@")[0].replace(".", "/", 1) for path in FIXTURES.glob(f"{game}/invalid/*")}
    assert codes
    for explained in hexrec("explain", *sorted(codes)).out.split("\n\n"):
        code, owners = explained.splitlines()[:2]
        assert owners == "  In: every game" or games.get(game).title in owners, code


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


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("move/ocupied", "move/occupied"), ("occupied", "move/occupied"), ("resutl", "result"), ("zzz", "hexrec explain")],
)
def test_an_unknown_code_is_wrong_usage(hexrec: Run, name: str, nearest: str) -> None:
    ran = hexrec("explain", "move/occupied", name)
    assert (ran.code, ran.out) == (2, "")
    assert f"unknown code '{name}'" in ran.err
    assert nearest in ran.err


@pytest.mark.parametrize("name", ["", "/", "-", "mov", "move//"])
def test_what_is_no_beginning_of_whole_words_is_unknown(hexrec: Run, name: str) -> None:
    assert hexrec("explain", "--", name).code == 2
