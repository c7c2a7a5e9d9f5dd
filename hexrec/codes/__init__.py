"""Explanations of all diagnostic codes, read on demand from one TOML file for each layer.

Other code uses only the names of codes. `hexrec explain`, the pages of codes and SARIF read the explanations here. A
test checks that the file of a layer has exactly the codes that the layer uses. Plug-ins explain their own codes. No
built-in game or format is imported for an explanation.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from typing import NamedTuple

from hexrec.errors import UnknownNameError
from hexrec.rules import games
from hexrec.util.diagnostics import Code, close_matches, shorten
from hexrec.util.limits import EnvironmentVariableError

#: The layers in the order of validation.
LAYERS = ("formats", "record", "games", "check", "import", "convert", "failures")
#: Environment variable that overrides the site URL in the metadata of the package.
SITE = "HEXREC_SITE"
#: Label of the site URL in the metadata of the package: `[project.urls]` in pyproject.toml.
_LABEL = "Documentation"


#: The explanation of a code of an extension package that does not explain it.
_UNEXPLAINED = Code(
    meaning="The package of the game or format does not explain this code.",
    fix="Read the message. Authors of a game find such codes with `hexrec check-game`.",
    rule="Each code has an explanation.",
)


class UnknownCode(UnknownNameError, ValueError):
    """A name that is neither a code nor the beginning of codes; the message suggests similar names."""


class Section(NamedTuple):
    """A group of explained codes."""

    title: str
    codes: Mapping[str, Code]


@cache
def own_sections(layer: str) -> Mapping[str, Section]:
    """Return the sections in the file of a layer by name. Raises OSError for an unknown layer."""
    import tomllib  # imported here because most runs explain no code

    tables = tomllib.loads(_read(layer))
    return {
        name: Section(table.pop("title"), {code: Code(**fields) for code, fields in table.items()})
        for name, table in tables.items()
    }


@cache
def built_in_codes() -> frozenset[str]:
    """Return the codes in the files of all layers: the headings of their tables, without the time to parse the rest."""
    return frozenset(code for layer in LAYERS for code in re.findall(r'\n\[\w+\."(.+)"\]', _read(layer)))


def _read(layer: str) -> str:
    """Return the text of the file of a layer."""
    with open(os.path.join(os.path.dirname(__file__), f"{layer}.toml"), encoding="utf-8") as file:
        return file.read()


def sections() -> Iterator[Section]:
    """Yield all sections in the order of validation."""
    for layer in LAYERS:
        own = own_sections(layer)
        yield from own.values()
        if layer == "formats":
            from hexrec import formats  # a small start needs none

            others = [formats.get(name) for name in formats.names() if name not in formats.BUILT_IN]
            yield from (Section(f"Syntax of {plugin.title}", plugin.codes) for plugin in others)
        if layer == "games":
            new = [games.get(name) for name in games.names() if name not in own]
            yield from (Section(f"Turns of {game.title}", game.refusals) for game in new)


def anchor(code: str) -> str:
    """Return the anchor of the heading of a code on the page of its group."""
    return code.replace("/", "")


def address(code: str) -> str | None:
    """Return the URL of a built-in code on the site; None for other codes, or if the URL of the site is unknown."""
    site = site_address()
    return f"{site}codes/{code.partition('/')[0]}.html#{anchor(code)}" if site and _is_built_in(code) else None


def _is_built_in(code: str) -> bool:
    """Return whether the file of a layer or a built-in game explains a code."""
    of_layers = (section.codes for layer in LAYERS for section in own_sections(layer).values())
    return any(code in codes for codes in (*of_layers, *(games.get(name).refusals for name in games.BUILT_IN)))


def game_codes(game: str) -> Mapping[str, Code]:
    """Return the explanations of the codes that are specific to a game."""
    own = own_sections("games").get(game)
    return own.codes if own else games.get(game).refusals


def games_with(code: str, explained: Code) -> str:
    """Return the titles of the games in whose records a code can occur, or ``every game``."""
    every = [games.get(name) for name in games.names()]
    explained_by = [game for game in every if game_codes(game.name).get(code) is explained]
    owners = explained_by or [game for game in every if game.has(explained.needs)]
    return "every game" if owners == every else ", ".join(game.title for game in owners)


def explain_code(code: str, game: str | None) -> Code:
    """Return the explanation of a code in a record of a game; one that says so of a code that a package leaves out."""
    if game is not None and games.is_known(game) and code in (own := game_codes(game)):
        return own[code]
    # Our own codes first: plug-ins are searched for the others only.
    for section in chain((own for layer in LAYERS for own in own_sections(layer).values()), sections()):
        if code in section.codes:
            return section.codes[code]
    return _UNEXPLAINED


def all_codes() -> set[str]:
    """Return all codes."""
    return {code for section in sections() for code in section.codes}


def codes_named(name: str) -> tuple[str, ...]:
    """Return the code of this name, or else all codes that begin with its words: `move`, `move/`, `move/flip`.

    Raises UnknownCode if no code matches.
    """
    known = sorted(all_codes())
    if name in known:
        return (name,)
    matching = tuple(code for code in known if code.startswith(_beginnings(name)))
    if not matching:
        groups = {code.partition("/")[0] for code in known}
        ends = {code.partition("/")[2]: code for code in known}
        near = close_matches(name, [*known, *sorted(groups)], 3) or [
            ends[end] for end in close_matches(name.rpartition("/")[2], ends, 3)
        ]
        hint = f": perhaps {' or '.join(near)}" if near else "; `hexrec explain` lists all codes"
        raise UnknownCode(f"unknown code {shorten(repr(name))}{hint}")
    return matching


def beginnings(name: str) -> tuple[str, ...]:
    """Return the beginnings of the codes that a name stands for; none if it is a code. Raises UnknownCode for neither.

    Plug-ins are not loaded for a name that matches a built-in code: searching for them takes longer than a small run.
    """
    known, begun = built_in_codes(), _beginnings(name)
    if name in known or (not any(code.startswith(begun) for code in known) and codes_named(name) == (name,)):
        return ()
    return begun


def _beginnings(name: str) -> tuple[str, ...]:
    return (name,) if name.endswith(("/", "-")) else (f"{name}/", f"{name}-")


def is_address(text: str) -> bool:
    """Return whether a string is an absolute HTTP URL without query and fragment."""
    return re.fullmatch(r"https?://[^\s?#]+", text) is not None


def given_site_address() -> str:
    """Return the URL in the environment variable, or an empty string. Raises EnvironmentVariableError for no URL."""
    url = os.environ.get(SITE, "")
    if url and not is_address(url):
        raise EnvironmentVariableError(f"{SITE} should be a URL such as https://example.org/, not {url!r}")
    return url


def site_address() -> str:
    """Return the URL of the site with a final slash, or an empty string if it is unknown.

    Raises EnvironmentVariableError if the environment variable is no URL.
    """
    url = given_site_address() or _built_in_address()
    return url if not url or url.endswith("/") else f"{url}/"


@cache
def _built_in_address() -> str:
    """Return the site URL in the metadata of the package, read as text: `importlib.metadata` takes long to import."""
    from pathlib import Path  # a small start needs none

    for folder in sys.path:
        for file in Path(folder).glob("hexrec_games-*.dist-info/METADATA"):
            head = file.read_text(encoding="utf-8").partition("\n\n")[0]
            found = re.search(rf"^Project-URL: {_LABEL}, (.+)$", head, re.MULTILINE)
            return found[1] if found else ""
    return ""
