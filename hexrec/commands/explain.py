"""`hexrec explain`: what a diagnostic code means and how to mend what it names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated

import typer

from hexrec import games
from hexrec.diagnostics import Code
from hexrec.games import Game
from hexrec.validation.catalogue import sections
from hexrec.validation.selection import UnknownCode, codes_named

#: Codes that stand among those of every game and yet cannot occur in some: which games they need.
_NEEDS: Mapping[str, Callable[[Game], bool]] = {
    "opening/off-board": lambda game: bool(game.opening),
    "opening/same-cell": lambda game: len(game.opening) > 1,
    "schema/cell": lambda game: bool(game.opening),
    "schema/score": lambda game: game.score is not None,
    "result/score-mismatch": lambda game: game.score is not None,
}


def command(
    codes: Annotated[
        list[str] | None, typer.Argument(metavar="CODE", help="Codes such as move/occupied, or groups: move/.")
    ] = None,
) -> None:
    """Explain diagnostic codes. A group is listed, one line a code; without a code, all are."""
    known = {code: explained for _, group in sections() for code, explained in group.items()}
    parts = []
    try:
        for name in codes or ():
            found = codes_named(name)
            parts.append(_explained(name, known[name]) if found == (name,) else _listed(found, known))
    except UnknownCode as error:
        raise typer.BadParameter(str(error), param_hint="CODE") from None
    print("\n\n".join(parts) if codes else _listed(known, known))


def _explained(code: str, explained: Code) -> str:
    return f"{code}\n  In: {_games(code)}\n  {explained.meaning}\n  To mend it: {explained.mend}"


def _listed(codes: tuple[str, ...] | Mapping[str, Code], known: Mapping[str, Code]) -> str:
    width = max(map(len, codes))
    return "\n".join(f"{code:<{width}}  {known[code].meaning}" for code in codes)


def _games(code: str) -> str:
    """Name the games in whose records the code can occur."""
    every = [games.get(name) for name in games.names()]
    owners = [game for game in every if code in game.codes]
    if not owners:
        needs = _NEEDS.get(code)
        owners = [game for game in every if needs is None or needs(game)]
    return "every game" if owners == every else ", ".join(game.title for game in owners)
