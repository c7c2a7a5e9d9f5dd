"""What is said of every diagnostic code: data in `codes/`, one file a layer, read only when an explanation is wanted.

Code that gives diagnostics knows the codes' names alone. `hexrec explain`, the page of codes and SARIF read the rest
here; a test checks that the codes raised by a layer and those in its file are the same. Games and formats from
elsewhere bring their codes along; no engine and no format of hexrec's own is imported for them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from hexrec import formats
from hexrec.errors import UnknownNameError
from hexrec.rules import games
from hexrec.util.diagnostics import Code
from hexrec.util.limits import EnvironmentVariableError

#: In the order in which validation comes to them.
LAYERS = ("formats", "record", "games", "check", "convert", "failures")
#: Names the site's address, in the place of the one that the package was built with.
SITE = "HEXREC_SITE"
#: What the address is called in the package's metadata: `[project.urls]` in pyproject.toml.
_LABEL = "Documentation"


class Section(NamedTuple):
    """Codes that belong together, explained."""

    title: str
    codes: Mapping[str, Code]


@cache
def own_sections(layer: str) -> Mapping[str, Section]:
    """Return the sections of a layer's file by name. Raises OSError for a layer that has no file."""
    import tomllib  # only where explanations are wanted
    from pathlib import Path

    tables = tomllib.loads((Path(__file__).parent / f"{layer}.toml").read_text(encoding="utf-8"))
    return {
        name: Section(table.pop("title"), {code: Code(**fields) for code, fields in table.items()})
        for name, table in tables.items()
    }


def sections() -> Iterator[Section]:
    """Yield all codes in groups, in the order in which validation comes to them."""
    for layer in LAYERS:
        own = own_sections(layer)
        yield from own.values()
        if layer == "formats":
            others = [formats.get(name) for name in formats.names() if name not in formats.BUILT_IN]
            yield from (Section(f"Syntax of {each.title}", each.codes) for each in others)
        if layer == "games":
            new = [games.get(name) for name in games.names() if name not in own]
            yield from (Section(f"Turns of {game.title}", game.refusals) for game in new)


def anchor(code: str) -> str:
    """Return the anchor of a code on the page of its group: that of its heading."""
    return code.replace("/", "")


def address(code: str) -> str | None:
    """Return the address of one of hexrec's own codes on the site; None for other codes, or if the site has none."""
    site = site_address()
    return f"{site}codes/{code.partition('/')[0]}.html#{anchor(code)}" if site and code in _own_codes() else None


@cache
def _own_codes() -> frozenset[str]:
    return frozenset(code for layer in LAYERS for section in own_sections(layer).values() for code in section.codes)


def game_codes(game: str) -> Mapping[str, Code]:
    """Return the codes with which only this game refuses turns, explained."""
    own = own_sections("games").get(game)
    return own.codes if own else games.get(game).refusals


def explained(code: str, game: str | None) -> Code:
    """Return the explanation of a code in a record of a game. Raises UnknownNameError for a code that nothing has."""
    if game is not None and games.is_known(game) and code in (own := game_codes(game)):
        return own[code]
    for section in sections():
        if code in section.codes:
            return section.codes[code]
    raise UnknownNameError(f"unknown code {code!r}")


def all_codes() -> set[str]:
    """Return every code."""
    return {code for section in sections() for code in section.codes}


def is_address(text: str) -> bool:
    """Return whether a text is the absolute address of a folder."""
    return re.fullmatch(r"https?://[^\s?#]+", text) is not None


def site_address() -> str:
    """Return the address of the site, with a slash at its end; an empty text if it is not known.

    Raises EnvironmentVariableError for a variable that holds something else.
    """
    found = os.environ.get(SITE, "")
    if found and not is_address(found):
        raise EnvironmentVariableError(f"{SITE} should be an address such as https://example.org/, not {found!r}")
    found = found or _built_in_address()
    return found if not found or found.endswith("/") else f"{found}/"


@cache
def _built_in_address() -> str:
    """Return the address in the package's metadata."""
    from importlib.metadata import PackageNotFoundError, metadata  # slow to import, and seldom used

    try:
        addresses = metadata("hexrec-games").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    named: dict[str, str] = dict(each.split(", ", 1) for each in addresses)
    return named.get(_LABEL, "")
