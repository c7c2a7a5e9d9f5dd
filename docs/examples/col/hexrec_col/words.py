"""Col: messages and highlights."""

from __future__ import annotations

from collections.abc import Iterable

from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, Annotation
from hexrec_col.rules import Col


class ColPosition(Position):
    """Position of Col with its words."""

    __slots__ = ()

    grid: Col

    def _wording(self, code: str, move: int) -> str:
        if code != "move/next-to-own":
            return super()._wording(code, move)
        own = [cell for cell in self.board.neighbors[move] if self.grid.at[cell] == self.grid.side]
        return f"{self.names.names[move]} is next to your own stones on {self._list(own)}"

    def _setup_wording(self, code: str, cell: int) -> str:  # noqa: ARG002
        return f"in this position the game is over: {self.turn} can place nowhere"

    def _highlights(self) -> Iterable[Annotation]:
        for color in (0, 1):
            free = self.grid.free(color)
            cells = tuple(cell for cell in self.board.cells if free[cell])
            yield Annotation("area", f"cells on which {COLORS[color]} may place", cells, color)
