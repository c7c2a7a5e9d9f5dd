"""Games in parts: a text that begins with a later turn goes on with the game of another text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from hexrec.tools.importing.draft_lines import has_turns
from hexrec.tools.importing.drafts import Draft
from hexrec.tools.importing.hints import Hints
from hexrec.tools.importing.solver import MAX_FIRST_NUMBER, Solution, solve
from hexrec.tools.importing.spelling import plain
from hexrec.tools.importing.words import INCOMPLETE

#: The distance of the lines of a second part from those of the first, so that no place is in both.
_NEXT_TEXT = 1_000_000


class SourceGame(NamedTuple):
    """A game of a text.

    Attributes:
        draft, solution: the draft, and what the solver makes of it.
        lines: the lines of the text; none of a spreadsheet.
        file, record: the name of the file, and the place of the game in it.
        after: the second part of the game, in another text.
    """

    draft: Draft
    solution: Solution
    lines: Sequence[str]
    file: str | None
    record: int
    after: SourceGame | None = None


def join_parts(games: Sequence[SourceGame], hints: Hints) -> list[SourceGame]:
    """Return games, with a second part joined to the only game that it goes on with."""
    joined = {id(game): game for game in games}
    for part in games:
        if not _begins_later(part.draft):
            continue
        fitting = [whole for game in games if id(game) in joined and (whole := _join(game, part, hints)) is not None]
        if len(fitting) == 1:
            del joined[id(part)]
            first = next(game for game in games if game.draft is fitting[0].draft)
            joined[id(first)] = fitting[0]
    return [*joined.values()]


def join_mentions(drafts: Sequence[Draft], hints: Hints) -> list[Draft]:
    """Return drafts, with those joined that a conversation about another game in passing had parted.

    Such a part is no game by itself, and goes on with the one before.
    """
    joined: list[Draft] = []
    for draft in drafts:
        if joined and draft.mention and not solve(draft, hints).readings:
            first = joined[-1]
            whole = replace(
                first,
                facts=[*first.facts, *((fact, line) for fact, line in draft.facts if line != draft.mention)],
                entries=[*first.entries, *(entry for entry in draft.entries if entry.line != draft.mention)],
                texts=[*first.texts, *draft.texts[1:]],
                order={line: place for place, line in enumerate([*first.order, *draft.order])},
                numbers=[*first.numbers, *draft.numbers],
            )
            if len(solve(whole, hints).readings) == 1:
                joined.pop()
                draft = whole
        joined.append(draft)
    return joined


def _begins_later(draft: Draft) -> bool:
    return bool(draft.numbers) and draft.numbers[0] > MAX_FIRST_NUMBER


def _tells(text: str) -> bool:
    """Return whether a line says that a part of the game is elsewhere."""
    return bool(INCOMPLETE.search(plain(text)))


def _join(game: SourceGame, part: SourceGame, hints: Hints) -> SourceGame | None:
    """Return a game with its second part, if numbers, players and turns fit; else None."""
    first, second = game.draft, part.draft
    reading = game.solution.readings[0] if game.solution.readings else game.solution.attempt
    is_open = reading is not None and reading.outcome is None and not reading.result
    if game is part or not is_open or not first.numbers or _begins_later(first):
        return None
    if second.numbers[0] - max(first.numbers) not in (0, 1):
        return None
    for kind in ("game", "size", "black", "white", "pair"):
        known = first.values(kind), second.values(kind)
        if all(known) and known[0] != known[1]:
            return None
    moved = [entry._replace(line=entry.line + _NEXT_TEXT) for entry in second.entries]
    whole = replace(
        first,
        facts=[*first.facts, *second.facts],
        entries=[entry for entry in (*first.entries, *moved) if has_turns(entry) or not _tells(entry.text)],
        texts=[text for text in (*first.texts, *second.texts) if not _tells(text)],
    )
    solution = solve(whole, hints)
    return game._replace(solution=solution, after=part) if len(solution.readings) == 1 else None
