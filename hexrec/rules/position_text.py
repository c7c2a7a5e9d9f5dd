"""Read and write position texts.

``1w2/5/2b*2w2/7/6/5/4 b 0`` has the rows from the top, with numbers of empty cells, ``b`` and ``w``, and heights after
a ``*``. The side to move and the number of passes just made follow, then the game's own fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from hexrec.rules.board import Board
from hexrec.rules.description import Description
from hexrec.rules.terms import IllegalSetup, Stack, pluralize
from hexrec.util.escaping import shorten

_LETTERS = "bw"
#: A token of a row: a number of empty cells, or a stack, whose height may be followed by a number of empty cells.
_TOKEN = r"(?P<empty>[1-9][0-9]{0,3})(?![0-9])|(?P<color>[bw])(?:\*(?P<digits>[1-9][0-9]{0,4})(?![0-9]))?"

#: The contents of the cells of a row: stacks with their columns in the text, None for empty cells.
Contents = list[tuple[Stack, int] | None]


class PositionText(NamedTuple):
    """Contents of a position text. Colors are numbers, columns count from 1.

    Attributes:
        stones: the stones or stacks by cell.
        side: the side to move.
        passes: the number of passes just made, 0 or 1.
        values: the values of the game's own fields.
        columns: the column of each stone by cell.
        side_column, passes_column: the columns of the side to move and of the passes.
    """

    stones: dict[int, Stack]
    side: int
    passes: int
    values: tuple[str, ...]
    columns: dict[int, int]
    side_column: int
    passes_column: int


def find_board(text: str, boards: Callable[[int], Board], sizes: Iterable[int]) -> Board:
    """Return the board of one of the sizes with as many rows as a position text. Raises IllegalSetup."""
    rows = text.partition(" ")[0].count("/") + 1
    # A hexagon of size n has 2n - 1 rows. Try this size first to avoid building other boards.
    for size in sorted(sizes, key=lambda size: abs(2 * size - 1 - rows)):
        if len(boards(size).rows) == rows:
            return boards(size)
    raise IllegalSetup("setup/size", f"the setup has {pluralize(rows, 'row')}, but no board of the game has as many", 1)


def read(text: str, board: Board, game: Description) -> PositionText:
    """Parse a position text of a game for a board. Raises IllegalSetup."""
    rows, *parts = text.split(" ")
    placed = _stacks_by_cell(rows, board, game.has_stacks)
    has_pass = "pass" in game.turn
    passes = ("the number of passes just made, 0 or 1", "01") if has_pass else ("0, as the game has no pass", "0")
    expected: list[tuple[str, Sequence[str]]] = [("the side to move, b or w", _LETTERS), passes, *game.position_fields]
    column = len(rows) + 1
    for part, field in zip_longest(parts, expected):
        if field is None:
            surplus = f'"{shorten(part)}"' if part else "a space"
            raise _syntax_error(f"{surplus} follows the end of the setup", column + 1)
        meant, values = field
        if part is None:
            raise _syntax_error(f"the setup ends before {meant}", column)
        if part not in [*values]:
            raise _syntax_error(
                f'the setup should have {meant} here, after one space, not "{shorten(part)}"', column + 1
            )
        column += len(part) + 1
    return PositionText(
        stones={cell: stone for cell, (stone, _) in placed.items()},
        side=_LETTERS.index(parts[0]),
        passes=int(parts[1]),
        values=tuple(parts[2:]),
        columns={cell: at for cell, (_, at) in placed.items()},
        side_column=len(rows) + 2,
        passes_column=len(rows) + 4,
    )


def _syntax_error(message: str, column: int) -> IllegalSetup:
    return IllegalSetup("setup/malformed", message, column)


def _stacks_by_cell(text: str, board: Board, has_stacks: bool) -> dict[int, tuple[Stack, int]]:
    """Return the stacks of the rows with their columns, by cell. Raises IllegalSetup."""
    rows = board.rows
    texts = text.split("/")
    if len(texts) != len(rows):
        message = f"the setup has {pluralize(len(texts), 'row')}, but a board of size {board.size} has {len(rows)}"
        raise IllegalSetup("setup/size", message, 1)
    stacks: dict[int, tuple[Stack, int]] = {}
    column = 1
    for number, (cells, row) in enumerate(zip(rows, texts, strict=True), start=1):
        if not has_stacks and "*" in row:
            message = "the game has stones, which have no height: write b or w alone"
            raise IllegalSetup("setup/stack", message, column + row.index("*"))
        contents = _row_contents(row, len(cells), column)
        if contents is None:
            message = f"row {number} of the setup, from the top, should have {len(cells)} cells"
            raise IllegalSetup("setup/size", message, column)
        stacks.update((cell, stack) for cell, stack in zip(cells, contents, strict=True) if stack is not None)
        column += len(row) + 1
    return stacks


def _row_contents(row: str, length: int, column: int) -> Contents | None:
    """Return the contents of a row of `length` cells that begins in `column`; None if the number of cells differs.

    The digits after a ``*`` are a height and perhaps a number of empty cells. The length of the row determines the
    split. If several splits fit, the heights on the left are the lower ones. Raises IllegalSetup.
    """
    # Possible contents so far, by number of cells.
    readings: dict[int, Contents] = {0: []}
    match_token = re.compile(_TOKEN).match  # compiled here because most runs read no position
    at = 0
    while at < len(row):
        token = match_token(row, at)
        if token is None:
            allowed = "a row has numbers of empty cells, b, w, and heights from 2, such as b*3"
            message = f'"{shorten(row[at])}" should not be here: {allowed}'
            raise _syntax_error(message, column + at)
        if token["empty"]:
            choices: list[tuple[Contents, int]] = [([], int(token["empty"]))]
        else:
            choices = list(_stacks(_LETTERS.index(token["color"]), token["digits"], column + at))
            if not choices:
                raise _syntax_error(f"{token[0]} is not a stack: a stack of height 1 is {token['color']}", column + at)
        longer: dict[int, Contents] = {}
        for count, reading in readings.items():
            for stacks, empty in choices:
                cells = count + len(stacks) + empty
                if cells <= length:
                    longer.setdefault(cells, [*reading, *stacks, *[None] * empty])
        readings = longer
        at = token.end()
    return readings.get(length)


def _stacks(color: int, digits: str | None, column: int) -> Iterator[tuple[Contents, int]]:
    """Yield each split of the digits after a ``*`` into a stack and a number of empty cells."""
    if digits is None:
        yield [(Stack(color, 1), column)], 0
        return
    for end in range(1, len(digits) + 1):
        height, empty = int(digits[:end]), digits[end:]
        if height > 1 and not empty.startswith("0"):
            yield [(Stack(color, height), column)], int(empty or 0)


def first_to_play(setup: object) -> int:
    """Return the number of the color that plays first, given the setup of a record.

    Without a setup, or if it is malformed, Black plays first.
    """
    parts = setup.split(" ") if isinstance(setup, str) else []
    return int(parts[1:2] == [_LETTERS[1]])


def write(board: Board, contents: Sequence[int], side: int, passes: int, values: Iterable[str] = ()) -> str:
    """Return the text of a position; `contents` is as in `Grid.contents`, `values` are the game's own fields."""
    rows = "/".join(row_text([contents[cell] for cell in row]) for row in board.rows)
    return " ".join([rows, _LETTERS[side], str(passes), *values])


def row_text(contents: Sequence[int]) -> str:
    """Return the text of a row, given the contents of its cells from the left, as `Grid.contents` numbers them."""
    text = "".join([_cell_text(content) if content else "." for content in contents])
    for length in range(len(contents), 0, -1):
        text = text.replace("." * length, str(length))
    return text


def _cell_text(content: int) -> str:
    letter = _LETTERS[(content + 1) % 2]
    return letter if content < 3 else f"{letter}*{(content + 1) // 2}"
