"""Run with pytest where the package is installed. The files in `fixtures` are tests: `invalid/CODE~what.yaml`."""

from __future__ import annotations

from pathlib import Path

import pytest

import hexrec
from hexrec.conformance import perft
from hexrec.conformance.checks import mistakes
from hexrec.rules import games

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("valid/*")), ids=lambda path: path.name)
def test_valid(path: Path) -> None:
    report = hexrec.validate(hexrec.load(path))
    assert report.diagnostics == ()
    assert report.valid


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("invalid/*")), ids=lambda path: path.name)
def test_invalid(path: Path) -> None:
    first = hexrec.validate(hexrec.load(path)).diagnostics[0]
    assert first.code == path.name.partition("~")[0].replace(".", "/")


def test_perft() -> None:
    """How many sequences of one and two turns there are: the second may go to any cell that is left."""
    position = games.get("col").start(3)
    assert [perft(position, plies) for plies in (1, 2)] == [19, 19 * 18]


def test_checks() -> None:
    """The checks of `hexrec check-game col`."""
    assert mistakes("col") == []
