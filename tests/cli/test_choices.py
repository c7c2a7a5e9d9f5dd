"""Options that take one of some names: what they say of themselves, and of other names."""

from __future__ import annotations

import re
from typing import Any

import pytest
import typer

from hexrec import games, notations
from hexrec.cli import options

NAMES = ("text", "json", "abcd")


@pytest.mark.parametrize("panel", [None, "Output"])
def test_a_choice(panel: str | None) -> None:
    made: Any = options.choice("--form HOW", NAMES, "Write {names}.", panel)
    assert (made.default, made.metavar, made.rich_help_panel) == ("--form", "HOW", panel)
    assert made.help == "Write text, json or abcd."
    assert made.autocompletion() == NAMES
    assert [made.callback(name) for name in (None, *NAMES)] == [None, *NAMES]


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("TXT", ": did you mean text?"),
        ("jsonl", ": did you mean json?"),
        ("abxy", ": did you mean abcd?"),
        ("a", ""),
        ("", ""),
    ],
)
def test_other_names(value: str, hint: str) -> None:
    with pytest.raises(typer.BadParameter, match=f"^{re.escape(f'{value!r} is not one of text, json, abcd{hint}')}$"):
        options.one_of(NAMES)(value)


def test_no_package_is_looked_through_for_our_own_names(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (games, notations):
        monkeypatch.setattr(module, "names", lambda: pytest.fail("packages were looked through"))
    assert options.known_game("nadraz") == "nadraz"
    assert [options.known_notation(name) for name in ("sgf", None)] == ["sgf", None]
