"""Cells that are named in what a notation keeps for itself, and do not take other names with those of the record."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping
from typing import Any

from hexrec import games, notations
from hexrec.board import System
from hexrec.diagnostics import Diagnostic, FirstFew, shorten
from hexrec.pointer import pointer_to

_Path = tuple[str | int, ...]
#: What may name a cell, with no more letters or digits of its kind before it.
_WORD = re.compile(r"(?<![a-z0-9])[a-z]{1,2}[0-9]{1,2}(?![0-9])|\(?-?[0-9]+,-?[0-9]+\)?")


def kept_cells(data: Mapping[str, Any], system: System) -> list[Diagnostic]:
    """Return a warning for each extension field of a notation that names cells, if a canonical record changes system.

    They are few: of very many, the last says how many there are.
    """
    old = data.get("coordinates", "row")
    found = FirstFew[Diagnostic]()
    fields = {field for name in notations.names() for field in notations.get(name).keeps}
    find = games.get(data["game"]).board(data["size"]).names(old).find
    for path, value in _kept(data, (), fields) if old != system else ():
        if (word := _cell_in(value, find)) is not None:
            message = f"{path[-1]} names {shorten(word)}, which is not renamed: extension fields stay as they are"
            found.add(Diagnostic("convert/kept-cell", message, "warning", pointer=pointer_to(path)))
    return found.diagnostics("convert/more")


def _kept(part: Mapping[str, Any], path: _Path, fields: Container[str]) -> Iterator[tuple[_Path, Any]]:
    """Yield the extension fields of some names in a record or a turn, and in the turns of it."""
    yield from (((*path, name), value) for name, value in part.items() if name in fields)
    lines = [(("moves",), part.get("moves", ())), *_variations(part)]
    for where, line in lines:
        for index, move in enumerate(line):
            if isinstance(move, dict):
                yield from _kept(move, (*path, *where, index), fields)


def _variations(part: Mapping[str, Any]) -> Iterator[tuple[_Path, Any]]:
    for number, line in enumerate(part.get("variations", ())):
        yield ("variations", number), line


def _cell_in(value: Any, find: Callable[[str], int | None]) -> str | None:
    """Return the first name of a cell in the texts of some data."""
    if isinstance(value, str):
        return next((word[0] for word in _WORD.finditer(value) if find(word[0]) is not None), None)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next(filter(None, (_cell_in(part, find) for part in parts)), None)
