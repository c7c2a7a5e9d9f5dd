"""A notation from elsewhere: a game in a line, `game size turn turn …`, and nothing else of the record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from hexrec.diagnostics import Code, Diagnostic
from hexrec.notations.base import Document, Notation, OnLoss, broken, refuse


def read(stream: BinaryIO) -> Iterator[Document]:
    for number, line in enumerate(stream, 1):
        game, _, rest = line.decode().partition(" ")
        size, *moves = rest.split() or [""]
        if size.isdigit():
            yield Document({"hexrec": "1", "game": game, "size": int(size), "moves": moves})
        else:
            yield broken("syntax/plain", "a game and a size should come first", number)


def write(records: Iterable[dict[str, Any]], note: OnLoss = refuse, /) -> Iterator[str]:
    for record in records:
        for name in record.keys() - {"hexrec", "game", "ruleset", "size", "coordinates", "moves"}:
            note(Diagnostic("convert/plain", f"{name} is left out", "warning", pointer=f"/{name}"))
        turns = [move if isinstance(move, str) else move["turn"] for move in record["moves"]]
        yield " ".join([record["game"], str(record["size"]), *turns]) + "\n"


PLAIN = Notation(
    "plain",
    "Plain",
    read,
    write,
    lambda head: head.split(b" ")[0].isalpha(),
    suffixes=(".plain",),
    codes={
        "syntax/plain": Code("A line does not begin with a game and a size.", "Write them.", rule="They come first."),
        "convert/plain": Code("A field has no place in this notation.", "Use another one.", rule="Turns alone."),
    },
)
