"""Every code that a diagnostic can have, gathered from where it is raised."""

from __future__ import annotations

from importlib import import_module

from hexrec import formats, games
from hexrec.diagnostics import Code
from hexrec.formats import documents
from hexrec.games import base
from hexrec.record import reading
from hexrec.validation import verdict


def all_codes() -> dict[str, Code]:
    """Return every code with its explanation, sorted by code within the stages of validation."""
    notations = [import_module(f"hexrec.formats.{name}") for name in formats.names()]
    codes: dict[str, Code] = {}
    for part in (documents, *notations, reading, base, verdict):
        codes |= getattr(part, "CODES", {})
    for name in games.names():
        codes |= games.get(name).codes
    stages = ("syntax", "schema", "opening", "move", "result", "lint")
    return dict(sorted(codes.items(), key=lambda item: (stages.index(item[0].partition("/")[0]), item[0])))
