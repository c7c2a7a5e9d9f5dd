"""Every built-in game has what it needs; what a new one lacks is said in `tests/completeness.py`, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hexrec.rules import games
from hexrec.util.diagnostics import Code
from tests.completeness import COMPLETE, FILES, LISTS, ROOT, missing, todo
from tests.examples.havannah import HAVANNAH


@pytest.fixture
def new_game() -> Iterator[str]:
    code = Code("A meaning.", "A fix.", rule="A rule.")
    games.register(replace(HAVANNAH, refusals={"move/never": code}))
    yield "havannah"
    games.unregister("havannah")


@pytest.mark.parametrize("name", games.BUILT_IN)
def test_complete(name: str) -> None:
    assert list(missing(name)) == []
    assert list(todo(name)) == []
    assert name in COMPLETE


def test_what_a_new_game_lacks_is_said_in_a_sentence_each(new_game: str) -> None:
    sentences = list(missing(new_game))
    places = [sentence.split()[0].replace("havannah", "{name}") for sentence in sentences]
    module, records = "hexrec/rules/games/{name}/__init__.py", "fixtures/suite/{name}"
    assert places == [
        *(module, module),
        *FILES,
        "schemas/{name}.schema.json",
        *(f"{records}/invalid", f"{records}/valid", f"{records}/valid"),
        *LISTS,
    ]
    assert all(" should " in sentence and sentence.endswith(".") for sentence in sentences)


@pytest.mark.parametrize("path", LISTS)
def test_lists_have_an_entry_of_each_game(path: str) -> None:
    text = Path(ROOT, path).read_text(encoding="utf-8")
    entries = [text.index(LISTS[path].format(name=name, title=games.get(name).title)) for name in games.BUILT_IN]
    assert len(set(entries)) == len(games.BUILT_IN)
