"""Positions as plain text, readable without color."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from hexrec.rules.position import Position
from hexrec.rules.terms import Annotation, Outcome, Role

LETTERS = "BW"
_EMPTY = "."
#: Signs of marks. A sign follows the letter of a stone and replaces the dot of an empty cell.
_SIGNS: Mapping[Role, str] = {"dead": "x", "chain": "*", "end": "'", "secure": "#", "forbidden": "x"}
#: Signs of empty cells that belong to a player.
_AREAS = "bw"
#: Roles of turn effects that put a cell in brackets.
_CHANGES: Collection[Role] = ("placed", "changed", "returned", "cut", "removed")


def draw(position: Position[Any]) -> str:
    """Return a position as text, the top row first, each row between the names of its first and last cells.

    A stone is the letter of its color, a stack the letter and its height, an empty cell a dot.
    """
    return "\n".join("".join(text for text, _ in pieces) for pieces in grid(position))


def grid(
    position: Position[Any],
    marked: Iterable[int] = (),
    marks: Iterable[Annotation] = (),
    letters: Sequence[str] = LETTERS,
) -> Iterator[list[tuple[str, int | None]]]:
    """Yield the lines of `draw` as pairs of string and cell; the cell of labels and margins is None.

    `marked` cells are in brackets, `marks` add their signs, and `letters` represent a black and a white stone.
    """
    board, names = position.board, position.names
    bodies = _bodies(position, marks, letters)
    width = max(len(body) for body in bodies.values())
    bodies |= {cell: f"[{bodies[cell]}]" for cell in marked}
    pitch = width + 2 + width % 2
    rows: dict[int, list[int]] = {}
    for cell in board.cells:
        rows.setdefault(board.position(cell)[1], []).append(cell)
    left = min(board.position(cell)[0] for cell in board.cells)
    labels = {r: (names.single(cells[0]), names.single(cells[-1])) for r, cells in rows.items()}
    margin = max(len(first) for first, _ in labels.values())
    for r, cells in sorted(rows.items(), reverse=True):
        first, last = labels[r]
        drawn = [(bodies[cell].center(pitch), cell) for cell in cells]
        indent = int((board.position(cells[0])[0] - left) * pitch)
        yield [(f"{' ' * indent}{first:>{margin}} ", None), *drawn, (f" {last}", None)]


def changes(parts: Iterable[Annotation]) -> set[int]:
    """Return the cells that the effects of a turn put in brackets."""
    return {cell for part in parts if part.role in _CHANGES for cell in part.cells}


def legend(position: Position[Any], marks: Iterable[Annotation], *, signs: bool = True) -> list[str]:
    """Return a line per name of a mark with its cells: ``strangled (x): a1, a2``. `signs` adds the signs."""
    cells_by_name: dict[str, list[str]] = {}
    for mark in marks:
        sign = _AREAS[mark.color or 0] if mark.role == "area" else _SIGNS.get(mark.role)
        label = f"{mark.label} at " if mark.label else ""
        cells = label + ", ".join(position.names.names[cell] for cell in mark.cells)
        cells_by_name.setdefault(mark.name + (f" ({sign})" if sign and signs else ""), []).append(cells)
    return [f"{name}: {'; '.join(cells)}" for name, cells in cells_by_name.items()]


def describe(position: Position[Any], last: str | None = None) -> str:
    """Return a caption: game, ply, and side to move or outcome."""
    game = position.game
    unusual = [position.ruleset] * (position.ruleset != game.rulesets[0]) + [position.variant or ""]
    name = f"{game.title} {position.board.size}" + "".join(f" ({note})" for note in unusual if note)
    if not position.plies:
        when = "before the first turn"
    else:
        previous = "White" if position.turn == "black" else "Black"
        when = f"after ply {position.plies}" + (f" ({previous} {last})" if last else "")
    outcome = position.result()
    then = f"{position.turn.capitalize()} to play" if outcome is None else describe_outcome(outcome)
    return f"{name}, {when}, {then}"


def describe_outcome(outcome: Outcome) -> str:
    """Return an outcome in words: ``Black wins, Black 4.5, White 3``."""
    ending = "a draw" if outcome.winner == "draw" else f"{str(outcome.winner).capitalize()} wins"
    if outcome.score is None:
        return ending
    scores = (f"{color.capitalize()} {_score(value)}" for color, value in outcome.score.items())
    return f"{ending}, {', '.join(scores)}"


def _score(value: float | list[int]) -> str:
    return " ".join(map(str, value)) or "nothing" if isinstance(value, list) else f"{value:g}"


def _bodies(position: Position[Any], marks: Iterable[Annotation], letters: Sequence[str]) -> dict[int, str]:
    """Return the content of each cell as a string, without brackets."""
    stones = position.stacks()
    stacked = any(stone.height > 1 for stone in stones.values())
    bodies = dict.fromkeys(position.board.cells, _EMPTY)
    for cell, stone in stones.items():
        bodies[cell] = letters[stone.color] + (str(stone.height) if stacked else "")
    for mark in marks:
        sign = _SIGNS.get(mark.role)
        for cell in mark.cells:
            if cell not in stones and (sign or mark.role == "area"):
                bodies[cell] = sign or _AREAS[mark.color or 0]
            elif sign and not bodies[cell].endswith(sign):
                bodies[cell] += sign
    return bodies
