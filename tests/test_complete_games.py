"""Every game of hexrec's own has what it needs; what a new one lacks is said here, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hexrec.rules import games
from tests.completeness import COMPLETE, missing
from tests.examples.havannah import HAVANNAH


@pytest.fixture
def new_game() -> Iterator[str]:
    games.register(HAVANNAH)
    yield "havannah"
    games.unregister("havannah")


@pytest.mark.parametrize("name", games.names())
def test_complete(name: str) -> None:
    assert list(missing(name)) == []
    assert name in COMPLETE


def test_what_a_new_game_lacks_is_said_in_a_sentence_each(new_game: str) -> None:
    sentences = list(missing(new_game))
    assert [sentence.split()[0] for sentence in sentences] == [
        *("hexrec/rules/games/havannah.py", "fixtures/havannah/reference/games.jsonl", "fixtures/havannah/reference"),
        *("fixtures/havannah/valid", "fixtures/havannah/invalid", "tests/literal/havannah.py"),
        *("schemas/havannah.schema.json", "hexrec/record/examples.jsonl", "docs/games/havannah.md"),
        *(".pre-commit-hooks.yaml", "docs/format.md", "README.md", "fixtures/conformance/games.jsonl"),
        "fixtures/conformance/perft.jsonl",
    ]
    assert all(" should " in sentence and sentence.endswith(".") for sentence in sentences)
