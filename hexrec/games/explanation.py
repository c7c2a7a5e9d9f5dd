"""Why a game ended as it did: tables of cells with numbers and reasons, the same few kinds for every game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from hexrec.games.outcome import COLOURS

#: What stands in a column of a table; None where it does not apply.
Value = int | float | str | None


class Reason(NamedTuple):
    """Why something is as it is.

    Attributes:
        code: which rule or condition it is, the same word wherever that holds.
        text: a sentence about this position, without a full stop.
        cells: the cells through which it holds, in board order.
    """

    code: str
    text: str
    cells: tuple[int, ...] = ()


class Row(NamedTuple):
    """One group, loop, stack, snake or the like.

    Attributes:
        cells: its cells, in board order; none in the rows of totals.
        colour: whose it is (0 black, 1 white); None where it belongs to nobody.
        values: what stands in the columns of its table.
        reasons: why that is so.
    """

    cells: tuple[int, ...]
    colour: int | None
    values: tuple[Value, ...]
    reasons: tuple[Reason, ...] = ()


class Table(NamedTuple):
    """Things of one kind.

    Attributes:
        name: what they are, in the plural.
        columns: the names of the values that each row has.
        rows: the things.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


class Explanation(NamedTuple):
    """Why a game ended as it did, or what is known in a position of a game that goes on.

    Attributes:
        conclusions: what decides, in the order in which the rules ask for it.
        tables: what that rests on; tables without rows are left out.
    """

    conclusions: tuple[Reason, ...]
    tables: tuple[Table, ...]


def ending(winner: str | None) -> str:
    """Say how a game ended: ``a win for black``."""
    return "a draw" if winner == "draw" else f"a win for {winner}"


def counted(number: int, thing: str) -> str:
    """Return a number with what it counts: ``1 stone``, ``2 stones``."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def listed(words: Sequence[str]) -> str:
    """Join words for a sentence: ``e5, e6 and f6``."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def difference(black: Sequence[int], white: Sequence[int]) -> str:
    """Say where two lists, each from the largest down, first differ, which `compare_lists` decides by."""
    for place, (ours, theirs) in enumerate(zip_longest(black, white), start=1):
        if ours != theirs:
            values = (f"{colour} has {value or 'none'}" for colour, value in zip(COLOURS, (ours, theirs), strict=True))
            return f"from the largest down, the first difference is number {place}: {', '.join(values)}"
    return "the two lists are equal"
