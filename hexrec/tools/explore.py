"""Next turns from a position, counted in a file of positions."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

from hexrec.record.identity import renamings
from hexrec.rules.board import CELL_PATTERNS
from hexrec.rules.game import Game
from hexrec.tools.positions import fold_position
from hexrec.tools.positions_file import rows_of
from hexrec.tools.turn_edits import rename_cells

_CELL = re.compile(CELL_PATTERNS["row"])


class NextTurn(NamedTuple):
    """A next turn from the position.

    Attributes:
        turn: the turn in the orientation of the given position; None if games ended there.
        games: the number of games with this turn.
        black, white, draw, no_winner: the number of these games by winner.
    """

    turn: str | None
    games: int
    black: int
    white: int
    draw: int
    no_winner: int


class Explored(NamedTuple):
    """The next turns from a position.

    Attributes:
        key: the key of the position.
        turns: the next turns, the most frequent first.
        rows: the matching rows of the file.
    """

    key: str
    turns: list[NextTurn]
    rows: list[dict[str, Any]]

    def to_dict(self) -> dict[str, Any]:
        """Return the turns as data for JSON."""
        return {"key": self.key, "games": len(self.rows), "turns": [turn._asdict() for turn in self.turns]}


def explore(game: Game, text: str, file: str, variant: str | None, ruleset: str | None) -> Explored:
    """Return the next turns from a position in the games of a file.

    Raises IllegalSetup for an invalid position, ValueError for unknown names or another kind of file, OSError.
    """
    position = game.start(variant=variant, position=text, ruleset=ruleset)
    names = renamings(position.board)
    folded = fold_position(position)
    rows = [
        row
        for row in rows_of(file, folded.key, game.name)
        if (row["variant"], row["ruleset"]) == (variant, position.ruleset)
    ]
    counts: dict[str | None, Counter[str | None]] = {}
    for row in rows:
        counts.setdefault(row["turn"], Counter())[row["winner"]] += 1
    turns = []
    for turn, winners in counts.items():
        here = turn and min(position.canonical(_restore(turn, names[symmetry])) for symmetry in folded.symmetries)
        ended = (winners[winner] for winner in ("black", "white", "draw", None))
        turns.append(NextTurn(here, winners.total(), *ended))
    turns.sort(key=lambda following: (-following.games, following.turn or ""))
    return Explored(folded.key, turns, rows)


def _restore(turn: str, names: dict[str, str]) -> str:
    """Return the turn whose image is given, with the names of all images of cells."""
    (restored,) = rename_cells([turn], {image: name for name, image in names.items()}, _CELL)
    return restored
