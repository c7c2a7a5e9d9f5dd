"""Turns that a text repeats: in a message after those before it, or in another draft of the same game."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from typing import Any

from hexrec.tools.importing.draft_lines import (
    all_turns,
    as_talk,
    first_number,
    has_turns,
    is_talk,
    turns_of,
    without_first,
)
from hexrec.tools.importing.drafts import Draft
from hexrec.tools.importing.lexer import Token

#: The minimum number of turns and cells that show that two lists are of the same game.
_REPEATED = 3
#: The number of lines before a message in which its turns may be, more than a game has.
_REACH = 400


def is_begun_by(draft: Draft, tokens: Sequence[Token]) -> bool:
    """Return whether tokens have the first turns of a draft."""
    first = turns_of(tokens)
    turns = chain.from_iterable(turns_of(entry.tokens) for entry in draft.entries)
    return first == [*islice(turns, len(first))]


def settle(draft: Draft, start: int, author: str) -> None:
    """Settle the last message of a draft, whose entries begin at an index: each turn stays once.

    Next to a line that is nothing but turns, cells in sentences are talk. Turns may repeat those before them.
    """
    before = [index for index in range(max(0, start - _REACH), start) if has_turns(draft.entries[index])]
    is_told = bool(before)  # else the opening may be in a sentence before the first turn
    for index, entry in enumerate(own := draft.entries[start:]):
        is_told = is_told or (has_turns(entry) and not is_talk(entry))
        if is_told and is_talk(entry) and any(has_turns(other) and not is_talk(other) for other in own):
            draft.entries[start + index] = as_talk(entry)
    told = [entry for entry in draft.entries[start:] if has_turns(entry)]
    turns, numbers = all_turns(told), [first_number(entry) for entry in told]
    is_list = numbers == [*range(1, len(told) + 1)][: len(told) * (len(told) > 1)]
    is_list = bool(told) and None not in numbers[:1] and (is_list or any(len(turns_of(e.tokens)) > 1 for e in told))
    if draft.answers and is_list:  # turns of both
        draft.entries[start:] = [entry._replace(speaker=None) for entry in draft.entries[start:]]
    last, draft.last_author = draft.last_author, author if told else draft.last_author
    if not told or not before:
        return
    if len(told) == 1 and numbers[0] is None:  # it can only go on with the last turns
        before = before[-len(turns) :]
    for index in before:
        number = first_number(draft.entries[index])
        begins_here = number == numbers[0] or (number is None and (numbers[0] in (0, 1) or index == before[-1]))
        known = all_turns(draft.entries[index:start]) if begins_here or index == before[-1] else []
        if begins_here and turns[: len(known)] == known[: len(turns)]:
            if len(turns) > len(known):
                if is_list:
                    del draft.entries[index:start]
                else:
                    draft.entries[start:] = without_first(draft.entries[start:], len(known))
                return
            if len(turns) > 1 or (numbers[0] is not None and len(turns) < len(known)):
                break
    else:
        if last != author or known[-len(turns) :] != turns:
            if draft.answers and is_list and numbers[0] in [first_number(draft.entries[index]) for index in before]:
                draft.doubt = f"the turns in line {told[0].line} differ from those before: correct the turns there"
            return
    draft.entries[start:] = [entry for entry in draft.entries[start:] if not has_turns(entry)]


def drop_repeated(drafts: Sequence[Draft]) -> list[Draft]:
    """Return drafts without those that the next one repeats, perhaps with more turns; it keeps their facts."""
    kept: list[Draft] = []
    for draft in drafts:
        cells = _cells_of(draft)
        while kept and cells[: len(before := _cells_of(kept[-1]))] == before:
            if len(before) < _REPEATED or kept[-1].is_table:
                break
            known = {fact.kind for fact, _ in draft.facts}
            draft.texts[:0] = kept[-1].texts
            draft.facts[:0] = [(fact, line) for fact, line in kept.pop().facts if fact.kind not in known]
        kept.append(draft)
    return kept


def _cells_of(draft: Draft) -> list[Any]:
    """Return the cells of all turns, with None for a pass."""
    return [*chain.from_iterable(all_turns(draft.entries))]
