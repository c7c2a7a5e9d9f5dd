"""Every code that a diagnostic can have, gathered from where it is raised, and the page that explains them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from hexrec import formats, games
from hexrec.diagnostics import Code
from hexrec.formats import documents
from hexrec.games import base
from hexrec.record import reading
from hexrec.validation import verdict

_HEAD = """# Diagnostic codes

Every finding of `hexrec validate` has one of these codes. They are stable: programs may rely on them. What a game
refuses depends on its rules, so the same code may be explained for more than one game.

This page is written by `python -m hexrec.validation.catalogue`; the texts stand where the codes are raised.
"""


def sections() -> Iterator[tuple[str, Mapping[str, Code]]]:
    """Yield the codes with their explanations in groups, in the order in which validation comes to them."""
    yield "Syntax, in every format", documents.CODES
    for name in formats.names():
        module = import_module(f"hexrec.formats.{name}")
        if hasattr(module, "CODES"):
            yield f"Syntax of {name.upper()}", module.CODES
    yield "Fields and types", reading.CODES
    yield "Opening and turns, in every game", base.CODES
    for name in games.names():
        yield f"Turns of {games.get(name).title}", games.get(name).codes
    yield "Result", verdict.CODES


def all_codes() -> set[str]:
    """Return every code."""
    return {code for _, codes in sections() for code in codes}


def page() -> str:
    """Return the page that explains every code, in Markdown."""
    parts = [_HEAD]
    for title, codes in sections():
        parts.append(f"## {title}\n")
        parts.extend(f"### `{code}`\n\n{codes[code].meaning}\n\n*{codes[code].mend}*\n" for code in sorted(codes))
    return "\n".join(parts)


if __name__ == "__main__":
    print(page(), end="")
