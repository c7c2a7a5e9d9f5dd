"""Every text of a few tokens that mean something to a format has a verdict, and every place in it is found."""

from __future__ import annotations

import os
from itertools import chain, product

import pytest

from tests.fuzz.records import NAMES, read

#: So many tokens; `nox -s hostile` tries four.
MOST = int(os.environ.get("HEXREC_SHORT_TEXTS", "2"))
_JSON = ("{", "}", "[", "]", '"', "\\", ",", ":", "1", "-", "\n", " ", "\ufeff", "a", "null", '"hexrec"')
TOKENS: dict[str, tuple[str, ...]] = {
    "json": _JSON,
    "jsonl": _JSON,
    "abstractplay": (*_JSON, '"header"', '"moves"', '{"game": {"name": "Sunspot"}}'),
    "yaml": (
        *("\ufeff", "\n", "#c\n", "...", "---", "a", " ", ": ", "- ", '"', "'", "%TAG ! x\n", "!", "{", "}", "[", "]"),
        *("&a", "*a", "|", "? ", ",", "\r", "\u2028", "\x85"),
    ),
    "sgf": (
        *("(", ")", ";", "B", "[", "]", "e5", "\\", "\n", "\ufeff", "HX", "sunspot", "HX[sunspot]", "FF[4]", "CA[x]"),
        *("SZ[5]", "HJ[{}]", "x", ":", " "),
    ),
    "hgn": (
        *("[", "]", '[Game "Sunspot"]', "\n", "{", "}", "(", ")", "e5", "1.", "$1", ";", "*", "!?", "%", "[%"),
        "\ufeff",
        *('"', "\\", "1-0", " ", "x"),
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_every_short_text(name: str) -> None:
    for tokens in chain.from_iterable(product(TOKENS[name], repeat=count) for count in range(MOST + 1)):
        text = "".join(tokens)
        try:
            read(name, text.encode())
        except Exception as error:
            raise AssertionError(f"as {name}: {text!r}") from error
