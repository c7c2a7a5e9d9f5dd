"""The terms that all games share: how they end and why, how rules refuse, what pictures point out, rulesets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal, NamedTuple, Self

from hexrec.errors import ArgumentError, Error

Color = Literal["black", "white"]
Score = Mapping[Color, float | list[int]]
#: Colors by number: engines count 0 for black and 1 for white, so that ``1 - color`` is the enemy.
COLORS: tuple[Color, Color] = ("black", "white")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    Attributes:
        winner: the color that won, or ``draw``; None where a record claims an ending without naming a winner.
        score: by color, in the game's own terms; None for the games that have no score.
        termination: ``rules`` when the rules ended the game, else what the record claims.
    """

    winner: Color | Literal["draw"] | None
    score: Score | None = None
    termination: str = "rules"

    def as_data(self) -> dict[str, Any]:
        """Return the outcome as records and reports write it; without a score where the game has none."""
        data: dict[str, Any] = {"winner": self.winner, "termination": self.termination}
        return data if self.score is None else data | {"score": self.score}


def compare_lists(black: Iterable[float], white: Iterable[float]) -> Color | None:
    """Return the color with the larger value at the first difference of two lists, each from the largest down.

    Where one list ends and the other goes on, the longer has the larger value. None means that they are equal.
    """
    ours, theirs = sorted(black, reverse=True), sorted(white, reverse=True)
    if ours == theirs:
        return None
    return "black" if ours > theirs else "white"


class RuleError(Error, ValueError):
    """Something that the rules refuse, with the `code` of the rule and a `message` for the player.

    The message may be given as a function, which is called when the message is first asked for: to learn that a turn
    is illegal costs no sentence that nobody reads.
    """

    def __init__(self, code: str, message: str | Callable[[], str], *place: Any) -> None:
        super().__init__(code)
        self.code = code
        self._place = place
        self._message = message

    @property
    def message(self) -> str:
        """What was refused, and by which rule."""
        if not isinstance(self._message, str):
            self._message = self._message()
        return self._message

    def settled(self) -> Self:
        """Work the message out now, before the position that it speaks of changes; return the error."""
        self._message = self.message
        return self

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message, *self._place)


class IllegalTurn(RuleError):
    """A turn that is not legal in the position it was played in."""


class IllegalOpening(RuleError):
    """Stones set before the game where the rules do not allow them; `color` says whose stone is at fault."""

    def __init__(self, code: str, message: str | Callable[[], str], color: Color) -> None:
        super().__init__(code, message, color)
        self.color = color


class IllegalSetup(RuleError):
    """The text of a position that is none, or of one that no game can go on from.

    Attributes:
        column: where in the text the error is, from 1; the place just past its end if something is missing there.
    """

    def __init__(self, code: str, message: str | Callable[[], str], column: int) -> None:
        super().__init__(code, message, column)
        self.column = column


class SetupFault(NamedTuple):
    """Why no game can go on from a position that somebody has set up.

    Attributes:
        code, message: as those of other refusals.
        cell: an occupied cell that shows it; None where whose turn it is does.
    """

    code: str
    message: str
    cell: int | None = None


class Stack(NamedTuple):
    """The stone or stack on a cell: a color (0 black, 1 white) and a height (1 in the games without stacks)."""

    color: int
    height: int


class Stone(NamedTuple):
    """The stone or stack on a cell, for users: ``black`` or ``white``, and a height (1 in the games without stacks)."""

    color: Color
    height: int


#: How cells that are pointed out are drawn. What a turn did: `placed` (put there by this turn), `changed` (it
#: has another color or height), `returned` (changed back in return), `cut` (placed where a cut ends), `removed` (what
#: was there is gone), `path` (cells passed, in order). In a position: `area` (cells that belong to a color), `dead`
#: (it does not count), `chain` (it counts because it is joined), `body` (one of several that are told apart by their
#: shades), `end` (an end of something), `secure` (nothing can take it), `forbidden` (nothing may be placed there).
Role = Literal[
    "placed",
    "changed",
    "returned",
    "cut",
    "removed",
    "path",
    "area",
    "dead",
    "chain",
    "body",
    "end",
    "secure",
    "forbidden",
]


class Annotation(NamedTuple):
    """Cells that a picture points out.

    Attributes:
        role: how they are drawn.
        name: why they are pointed out, in the game's own words.
        cells: the cells.
        color: whose they are (0 black, 1 white), where that matters.
        label: a short text to be written on the first of them.
        shade: which of several bodies they are, from 0.
    """

    role: Role
    name: str
    cells: tuple[int, ...]
    color: int | None = None
    label: str = ""
    shade: int = 0


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
        color: whose it is (0 black, 1 white); None where it belongs to nobody.
        values: what stands in the columns of its table.
        reasons: why that is so.
    """

    cells: tuple[int, ...]
    color: int | None
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
            values = (f"{color} has {value or 'none'}" for color, value in zip(COLORS, (ours, theirs), strict=True))
            return f"from the largest down, the first difference is number {place}: {', '.join(values)}"
    return "the two lists are equal"


@dataclass(frozen=True, eq=False)
class Ruleset:
    """A published revision of a game's rules: data, and the few methods that differ.

    Attributes:
        name: as records write it, beginning with the year of its publication.
        sizes: the board sizes that records may have under it, all of them sizes of the game.
        position: the engine, a `Position`: that of the game's first ruleset, or a subclass of it that overrides what
            differs.
    """

    name: str
    sizes: range
    position: type[Any]

    @property
    def year(self) -> int:
        """The year of publication. Raises ValueError if the name begins with none."""
        return year_of(self.name)

    def words_for_sizes(self) -> str:
        """Say which sizes there are: ``sizes 4 to 9``, ``size 7 only``."""
        if len(self.sizes) == 1:
            return f"size {self.sizes[0]} only"
        return f"sizes {self.sizes[0]} to {self.sizes[-1]}"


def year_of(name: str) -> int:
    """Return the year with which the name of a ruleset begins. Raises ValueError if it begins with none."""
    year = name[:4]
    if not (len(year) == 4 and year.isascii() and year.isdecimal()) or name[4:5].isdecimal():
        raise ArgumentError(
            f"the name of a ruleset begins with the year of its publication, as 2023 does: not {name!r}"
        )
    return int(year)


def descriptions(rulesets: Iterable[Ruleset], sizes: range) -> Iterator[str]:
    """Yield what tells the rulesets of a game with these sizes apart: ``"2023-first" (of 2023, size 7 only)``."""
    several = [*rulesets]
    for rules in several:
        notes = [f"of {rules.year}"]
        if len(several) > 1 and rules is several[0]:
            notes.append("the default")
        if rules.sizes != sizes:
            notes.append(rules.words_for_sizes())
        yield f'"{rules.name}" ({", ".join(notes)})'
