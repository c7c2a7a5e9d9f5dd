"""One-Line: a format with one game per line. First the game and the size, then fields, then the turns.

sundraval 3 black=c3 white=b2 a1 a2 pass pass
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from hexrec.formats.base import (
    Document,
    Format,
    LocatedText,
    OnLoss,
    Piece,
    cut_records,
    decode,
    reading,
    refuse,
)
from hexrec.formats.places import Places
from hexrec.util.diagnostics import Code, Diagnostic

#: The fields of a record that are written `name=value`; in a setup, `_` stands for a blank.
FIELDS = ("ruleset", "variant", "coordinates", "setup")
#: The opening stones are written `color=cell`.
OPENING = ("black", "white")
#: The other fields of a record that a line holds.
HELD = ("hexrec", "game", "size", "opening", "moves")


# Reading: bytes are cut into records, and the text of each becomes the data that JSON would hold.


def pieces(stream: BinaryIO) -> Iterator[Piece]:
    """Cut a stream into lines, each of which is a record."""
    return cut_records(stream, begins_record, lambda raw, line, _: [document(decode(raw, line))])


def begins_record(_line: bytes, _at_start: bool) -> bool:
    """Return whether a record begins with a line."""
    return True


def document(text: LocatedText) -> Document:
    """Return the document of a line. Raises FormatError, which `cut_records` reports."""
    data, words = read(text)

    def places(pointers: Iterable[str] | None = None) -> Places:
        found = Places(pointers)
        for pointer, word in words.items():
            found.fill(pointer, text.span(*word.span()))
        return found

    return Document(data, places=places, text=text)


def read(text: LocatedText) -> tuple[dict[str, Any], dict[str, re.Match[str]]]:
    """Return the record in a line, and the words that its parts come from, by JSON Pointer. Raises FormatError."""
    game, *rest = re.finditer(r"\S+", text.text)
    if not rest or not re.fullmatch("[0-9]{1,3}", rest[0][0]):
        raise text.error("syntax/oneline", "a line begins with a game and a size, such as: sunspot 5", *game.span())
    data: dict[str, Any] = {"hexrec": "1", "game": game[0], "size": int(rest[0][0]), "moves": []}
    words = {"/game": game, "/size": rest[0]}
    for word in rest[1:]:
        name, equals, value = word[0].partition("=")
        if not equals:
            pointer = f"/moves/{len(data['moves'])}"
            data["moves"].append(name)
        elif name in FIELDS:
            pointer = f"/{name}"
            data[name] = value.replace("_", " ")
        elif name in OPENING:
            pointer = f"/opening/{name}"
            data.setdefault("opening", {})[name] = value
        else:
            raise text.error("syntax/oneline", f"{name} is no field of this format", *word.span())
        if pointer in words:
            raise text.error("syntax/oneline", f"{name} stands twice in this line: keep one", *word.span())
        words[pointer] = word
    return data, words


# Writing: the canonical data of records becomes text, and what has no place in it is reported.


def write(records: Iterable[dict[str, Any]], on_loss: OnLoss = refuse, /) -> Iterator[str]:
    """Yield a line for each record."""
    for record in records:
        fields = [f"{name}={record[name].replace(' ', '_')}" for name in FIELDS if name in record]
        stones = [f"{color}={cell}" for color, cell in record.get("opening", {}).items()]
        for name in record.keys() - {*FIELDS, *HELD}:
            on_loss(lost(f"/{name}"))
        turns: list[str] = []
        for ply, move in enumerate(record["moves"]):
            parts = {"turn": move} if isinstance(move, str) else move
            turns.append(parts["turn"])
            for name in parts.keys() - {"turn"}:
                on_loss(lost(f"/moves/{ply}/{name}"))
        yield " ".join([record["game"], str(record["size"]), *fields, *stones, *turns]) + "\n"


def lost(pointer: str) -> Diagnostic:
    """Return the warning that what is at a JSON Pointer is left out."""
    return Diagnostic("convert/oneline", f"{pointer} has no place in a line", "warning", pointer=pointer)


ONELINE = Format(
    name="oneline",
    title="One-Line",
    read=reading(pieces),
    write=write,
    recognizes=lambda head: re.match(rb"[a-z]+ +[0-9]+\s", head) is not None,
    pieces=pieces,
    suffixes=(".oneline",),
    codes={
        "syntax/oneline": Code(
            meaning="A line is not a game, a size, fields and turns.",
            rule="A line has a game, a size, each field once, and turns, with blanks between them.",
            fix="Write the line as in this example: sunspot 5 a1 b2",
            example="sunspot a1 b2",
            format="oneline",
        ),
        "convert/oneline": Code(
            meaning="Part of a record was left out of a line.",
            rule="A line holds the game and its turns alone.",
            fix="Nothing, if the rest is not needed; else convert to hgn, which holds everything.",
        ),
    },
)
