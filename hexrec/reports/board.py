"""The board as text: a position for the terminal, readable without colour."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from hexrec.games import Outcome, Position, Stone

_LETTERS = "BW"
_EMPTY = "."


def draw(position: Position[Any], marked: Collection[int] = ()) -> str:
    """Return a position as text, the top row first, each row between the names of its first and last cell.

    A stone is the letter of its colour, a stack the letter and its height, an empty cell a dot. `marked` cells
    stand in brackets.
    """
    board, names = position.board, position.names
    stones = position.stones()
    stacked = any(stone.height > 1 for stone in stones.values())
    bodies = {cell: _body(stones.get(cell), stacked) for cell in board.cells}
    width = max(len(body) for body in bodies.values())
    pitch = width + 2 + width % 2
    rows: dict[int, list[int]] = {}
    for cell in board.cells:
        rows.setdefault(board.axial(cell)[1], []).append(cell)
    labels = {r: (names.single(cells[0]), names.single(cells[-1])) for r, cells in rows.items()}
    margin = max(len(first) for first, _ in labels.values())
    lines = []
    for r, cells in sorted(rows.items(), reverse=True):
        first, last = labels[r]
        drawn = "".join(_cell(bodies[cell], cell in marked, pitch) for cell in cells)
        lines.append(f"{' ' * (abs(r) * pitch // 2)}{first:>{margin}} {drawn} {last}")
    return "\n".join(lines)


def describe(position: Position[Any], last: str | None = None) -> str:
    """Say in one line what is shown: the game, how far it is, whose turn it is or how it ended."""
    game = position.game
    what = f"{game.title} {position.board.size}" + (f" ({position.variant})" if position.variant else "")
    if not position.plies:
        when = "before the first turn"
    else:
        when = f"after ply {position.plies}" + (f" ({_previous(position)} {last})" if last else "")
    outcome = position.result()
    return f"{what}, {when}, {f'{position.turn} to play' if outcome is None else describe_outcome(outcome)}"


def describe_outcome(outcome: Outcome) -> str:
    """Say how a game ended: ``black wins, black 4.5, white 3``."""
    ending = "a draw" if outcome.winner == "draw" else f"{outcome.winner} wins"
    if outcome.score is None:
        return ending
    scores = (f"{colour} {_score(value)}" for colour, value in outcome.score.items())
    return f"{ending}, {', '.join(scores)}"


def _score(value: float | list[int]) -> str:
    return " ".join(map(str, value)) or "nothing" if isinstance(value, list) else f"{value:g}"


def _previous(position: Position[Any]) -> str:
    return "white" if position.turn == "black" else "black"


def _body(stone: Stone | None, stacked: bool) -> str:
    if stone is None:
        return _EMPTY
    return _LETTERS[stone.colour] + (str(stone.height) if stacked else "")


def _cell(body: str, marked: bool, pitch: int) -> str:
    return (f"[{body}]" if marked else body).center(pitch)
