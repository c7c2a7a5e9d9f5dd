"""The notations, and the registry that finds them by name or by file name. Each is imported on first use.

A new notation is one module that defines a `FORMAT`, one line in `_SUFFIXES` and a folder of fixtures.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from json import loads as parse_json
from pathlib import PurePath

from hexrec.formats.documents import BYTE_ORDER_MARK, Document, Format, Places, Span

#: The registry: a notation's name is its module's; files with one of the suffixes are written in it.
_SUFFIXES = {
    "json": (".json",),
    "jsonl": (".jsonl", ".ndjson"),
    "yaml": (".yaml", ".yml"),
}


def names() -> tuple[str, ...]:
    """Return the names of all notations."""
    return tuple(_SUFFIXES)


@cache
def get(name: str) -> Format:
    """Return a notation by its name. Raises KeyError for an unknown name."""
    if name not in _SUFFIXES:
        raise KeyError(f"unknown format {name!r}; known: {', '.join(_SUFFIXES)}")
    found: Format = import_module(f"hexrec.formats.{name}").FORMAT
    return found


def by_file_name(file: str | PurePath) -> str | None:
    """Return the name of the notation that a file's name tells, or None."""
    suffix = PurePath(file).suffix.lower()
    return next((name for name, suffixes in _SUFFIXES.items() if suffix in suffixes), None)


def by_content(head: bytes) -> str:
    """Return the name of the notation that a file looks like whose first two lines (blank ones aside) are `head`."""
    text = head.removeprefix(BYTE_ORDER_MARK).lstrip()
    if not text.startswith((b"{", b"[")):
        return "yaml"
    first_line, _, next_line = text.partition(b"\n")
    try:
        parse_json(first_line)
    except (ValueError, RecursionError):
        return "jsonl" if next_line.lstrip().startswith(b"{") else "json"
    return "jsonl"


__all__ = ["Document", "Format", "Places", "Span", "by_content", "by_file_name", "get", "names"]
