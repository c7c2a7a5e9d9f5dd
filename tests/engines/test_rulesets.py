"""What the name of a ruleset says, and how its sizes are told."""

from __future__ import annotations

import re

import pytest

from hexrec import games
from hexrec.games.terms import year_of


@pytest.mark.parametrize(("name", "year"), [("2023", 2023), ("2023-first", 2023), ("1999x", 1999)])
def test_the_name_begins_with_the_year(name: str, year: int) -> None:
    assert year_of(name) == year


@pytest.mark.parametrize("name", ["", "first", "202", "202x", "20231", "20231-first", "x2023", "٢٠٢٣", "202²"])
def test_a_name_without_a_year(name: str) -> None:
    with pytest.raises(
        ValueError, match=re.escape(f"begins with the year of its publication, as 2023 does: not {name!r}")
    ):
        year_of(name)


def test_sizes_are_told_from_the_smallest_to_the_largest() -> None:
    valaturna = games.get("valaturna")
    assert valaturna.ruleset().words_for_sizes() == "sizes 4 to 9"
    assert valaturna.ruleset("2023-first").words_for_sizes() == "size 7 only"
