"""Registers: tables with the facts of games, one a row, whose turns are elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from hexrec.tools.importing.drafts import Draft
from hexrec.tools.importing.results import Fact
from hexrec.tools.importing.spelling import plain

#: Tables of games whose turns are elsewhere: the names that a row can have, and its facts.
Register = list[tuple[set[str], list[Fact]]]
#: The kinds of facts in which a game and its row agree, if both have them.
_IDENTIFYING = ("game", "size", "black", "white")


def name_of(text: str) -> str:
    """Return the name of a game in a table, so that another table has the same."""
    return " ".join(word for word in re.findall(r"\w+", plain(text)) if word not in ("v", "vs"))


def look_up(drafts: Sequence[Draft], register: Register) -> None:
    """Add the facts of tables of games to the games whose turns are elsewhere, by their names."""
    rows = Counter(name for names, _ in register for name in names)
    games = Counter(name for draft in drafts for name in _names_of(draft))
    for draft in drafts:
        known = {name for name in _names_of(draft) if rows[name] == games[name] == 1}
        stated = {(fact.kind, fact.value) for fact, _ in draft.facts if fact.kind in _IDENTIFYING}
        for names, facts in register:
            kinds = {fact.kind for fact in facts}
            differ = {
                kind for kind, _ in stated - {(fact.kind, fact.value) for fact in facts if fact.kind in _IDENTIFYING}
            }
            if names & known and not differ & kinds:
                draft.is_table = True
                draft.inherited = facts + [
                    fact
                    for fact in draft.inherited
                    if not {fact.kind, "game"} & kinds or fact.kind in ("event", "site")
                ]


def _names_of(draft: Draft) -> set[str]:
    """Return the names that a table of games can have for a draft."""
    pairs = map(" ".join, draft.values("pair"))
    return {*map(name_of, filter(None, (draft.name, draft.sheet, *map(str, draft.values("index")), *pairs)))}
