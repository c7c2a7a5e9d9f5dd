"""Types that all games share: outcomes, exceptions, annotations, explanations, rulesets."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Any, Literal, NamedTuple

from hexrec.errors import ArgumentError, Error
from hexrec.rules.grid import Grid
from hexrec.util.escaping import shorten

Color = Literal["black", "white"]
Score = Mapping[Color, float | list[int]]
#: Colors by number: 0 for Black and 1 for White, so that ``1 - color`` is the enemy.
COLORS: tuple[Color, Color] = ("black", "white")
#: Names of the players in sentences, by number.
PLAYERS = ("Black", "White")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a game.

    Attributes:
        winner: the winning color, or ``draw``; None if a record claims a result without a winner.
        score: the score by color; None for games without a score.
        termination: ``rules`` if the rules ended the game, else the claimed cause.
    """

    winner: Color | Literal["draw"] | None
    score: Score | None = None
    termination: str = "rules"

    def as_data(self) -> dict[str, Any]:
        """Return the outcome as data for records and reports, with the score if there is one."""
        data: dict[str, Any] = {"winner": self.winner, "termination": self.termination}
        return data if self.score is None else data | {"score": self.score}


class RuleError(Error, ValueError):
    """Base class of violations of the rules, with the `code` of the rule and a `message` for the player.

    The message may be a function, called on first access: to find that a turn is illegal builds no message.
    """

    def __init__(self, code: str, message: str | Callable[[], str], *place: Any) -> None:
        super().__init__(code)
        self.code = code
        self._place = place
        self._message = message

    @property
    def message(self) -> str:
        """The message, which names the rule."""
        if not isinstance(self._message, str):
            self._message = self._message()
        return self._message

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message, *self._place)


class IllegalTurn(RuleError):
    """A turn is illegal in its position."""


class IllegalOpening(RuleError):
    """An opening stone is illegal; `color` is its color."""

    def __init__(self, code: str, message: str | Callable[[], str], color: Color) -> None:
        super().__init__(code, message, color)
        self.color = color


class IllegalSetup(RuleError):
    """A position text is malformed, or no game can continue from its position.

    Attributes:
        column: the 1-based column of the error; the column after the end if a part is missing.
    """

    def __init__(self, code: str, message: str | Callable[[], str], column: int) -> None:
        super().__init__(code, message, column)
        self.column = column


class Stack(NamedTuple):
    """Stone or stack on a cell: color (0 Black, 1 White) and height (1 in games without stacks)."""

    color: int
    height: int


class Stone(NamedTuple):
    """Stone or stack on a cell in the API: ``black`` or ``white``, and height (1 in games without stacks)."""

    color: Color
    height: int


#: Styles of highlighted cells.
Role = Literal[
    # Effects of a turn.
    "placed",  # a new piece
    "changed",  # another color or height
    "returned",  # flipped back
    "cut",  # placed on a cut cell
    "removed",  # a piece is gone
    "path",  # cells of a move, in order
    # Features of a position.
    "area",  # cells that belong to a color
    "dead",  # pieces that do not count
    "chain",  # connected pieces that count
    "body",  # one of several shaded groups
    "end",  # a head of a snake
    "secure",  # pieces that cannot be taken
    "forbidden",  # cells where placing is illegal
    # Only in overlays.
    "edge",  # pieces of one kind
    "interior",  # pieces of the other kind
    "group",  # connected pieces
    "ray",  # cells of a line, in order
    "target",  # pieces that a turn could take
    "closed",  # cells where one color may not place
]


class Annotation(NamedTuple):
    """Highlighted cells of a picture.

    Attributes:
        role: the style.
        name: the reason, in terms of the game.
        cells: the cells.
        color: their color (0 Black, 1 White); None if it does not matter.
        label: a short label on the first cell.
        shade: the 0-based shade of a `body`.
    """

    role: Role
    name: str
    cells: tuple[int, ...]
    color: int | None = None
    label: str = ""
    shade: int = 0


#: A value in a column of a table; None if not applicable.
Value = int | float | str | None


class Reason(NamedTuple):
    """Reason for a fact about a position.

    Attributes:
        code: the stable name of the rule or condition.
        text: a sentence about this position, without a final period.
        cells: the relevant cells, in board order.
    """

    code: str
    text: str
    cells: tuple[int, ...] = ()


class Row(NamedTuple):
    """Row of a table: a group, loop, stack, snake or total.

    Attributes:
        cells: its cells, in board order; empty for totals.
        color: its color (0 Black, 1 White); None if it has none.
        values: the values of the columns.
        reasons: the reasons for the values.
    """

    cells: tuple[int, ...]
    color: int | None
    values: tuple[Value, ...]
    reasons: tuple[Reason, ...] = ()


class Table(NamedTuple):
    """Table of groups, loops, stacks, snakes or totals.

    Attributes:
        name: the plural noun for its rows.
        columns: the names of the values in each row.
        rows: the rows.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]


class Explanation(NamedTuple):
    """Explanation of the outcome of a game, or of a position of a game in progress.

    Attributes:
        conclusions: the deciding facts, in the order of the rules.
        tables: the evidence; tables without rows are left out.
    """

    conclusions: tuple[Reason, ...]
    tables: tuple[Table, ...]


def ending(winner: str | None) -> str:
    """Return the words for an outcome: ``a win for Black``."""
    return "a draw" if winner == "draw" else f"a win for {str(winner).capitalize()}"


def describe_outcome(outcome: Outcome) -> str:
    """Return an outcome in words: ``Black wins, Black 4.5, White 3``."""
    ending = "a draw" if outcome.winner == "draw" else f"{str(outcome.winner).capitalize()} wins"
    if outcome.score is None:
        return ending
    scores = (f"{color.capitalize()} {_score_text(value)}" for color, value in outcome.score.items())
    return f"{ending}, {', '.join(scores)}"


def _score_text(value: float | list[int]) -> str:
    """Return a score in words; more than three equal numbers of a list as one: ``5 3 1×7``."""
    if not isinstance(value, list):
        return f"{value:g}"
    runs = [(number, len([*same])) for number, same in groupby(value)]
    return (
        " ".join(f"{number}×{count}" if count > 3 else " ".join([str(number)] * count) for number, count in runs)
        or "nothing"
    )


def pluralize(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun in singular or plural: ``1 stone``, ``2,000 stones``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def join_words(words: Sequence[str], conjunction: str = "and") -> str:
    """Join words with commas and a conjunction: ``e5, e6 and f6``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {conjunction} {words[-1]}"


def difference(black: Sequence[int], white: Sequence[int]) -> str:
    """Return the words for the first difference of two lists in descending order; see `hexrec.rules.grid.larger`."""
    for place, (ours, theirs) in enumerate(zip_longest(black, white), start=1):
        if ours != theirs:
            values = (f"{player} has {value or 'none'}" for player, value in zip(PLAYERS, (ours, theirs), strict=True))
            return f"from the largest down, the first difference is number {place}: {', '.join(values)}"
    return "the two lists are equal"


class Reading(NamedTuple):
    """An alternative to a ruling, which the published text plainly allows, or a program uses.

    Attributes:
        name: the ruling and a letter from b on: ``P-1b``.
        meaning: a sentence that replaces that of the ruling, without a final period.
        program: a program that decides by it; an empty string if none is known.
    """

    name: str
    meaning: str
    program: str = ""

    @property
    def ruling(self) -> str:
        """The name of the ruling."""
        return self.name[:-1]


@dataclass(frozen=True, eq=False)
class Ruleset:
    """Published revision of the rules of a game.

    Attributes:
        name: the name in records, which begins with the year of publication.
        sizes: the valid board sizes, a subset of those of the game.
        rules: the rules: the `Grid` of the first ruleset, or a subclass that overrides the differences.
        readings: the readings by which its rulings can be replaced.
    """

    name: str
    sizes: range
    rules: type[Grid]
    readings: tuple[Reading, ...] = ()

    @property
    def year(self) -> int:
        """The year of publication. Raises ArgumentError if the name does not begin with a year."""
        return year_of(self.name)

    def find_wrong_reading(self, names: Sequence[str]) -> tuple[int, str] | None:
        """Return the index of the first reading that is unknown or contradicts another, and a message; or None."""
        known = {reading.name: reading.ruling for reading in self.readings}
        replaced: dict[str, str] = {}
        for index, name in enumerate(names):
            if name not in known:
                hint = f"use {join_words([*known], 'or')}" if known else "leave the readings out"
                return index, f'ruleset {self.name} has no reading "{shorten(name)}": {hint}'
            other = replaced.setdefault(known[name], name)
            if len(replaced) <= index:
                return index, f"{other} and {name} are readings of one ruling, {known[name]}: name one of them"
        return None

    def words_for_sizes(self) -> str:
        """Return the words for the sizes: ``sizes 4 to 9``, ``size 7 only``."""
        if len(self.sizes) == 1:
            return f"size {self.sizes[0]} only"
        return f"sizes {self.sizes[0]} to {self.sizes[-1]}"


def year_of(name: str) -> int:
    """Return the year in the name of a ruleset. Raises ArgumentError if the name does not begin with a year."""
    year = name[:4]
    if not (len(year) == 4 and year.isascii() and year.isdecimal()) or name[4:5].isdecimal():
        raise ArgumentError(
            f"the name of a ruleset should begin with the year of its publication, such as 2023, not {name!r}"
        )
    return int(year)
