"""Patterns for paths, of which each folder is looked at once, however many ``**`` there are."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from fnmatch import translate
from glob import has_magic
from itertools import groupby

_ANY_DEPTH = "**"


def matching_paths(pattern: str) -> list[str]:
    """Return the paths that match a pattern, sorted.

    ``*``, ``?`` and ``[…]`` match parts of a name, and ``**`` any number of folders, which are no links. Only what
    begins with a dot matches names that do. With ``**``, only files are found. Raises OSError.
    """
    fixed, parts = _split(pattern)
    found = {path for path in _PatternWalk(parts).paths(fixed) if not pattern.endswith(os.sep) or os.path.isdir(path)}
    if _ANY_DEPTH in parts:
        found = {path for path in found if not os.path.isdir(path)}
    return sorted(found)


def fixed_part(pattern: str) -> str:
    """Return the folder below which everything is that matches a pattern."""
    return _split(pattern)[0] or "."


def _split(pattern: str) -> tuple[str, list[str]]:
    """Return what precedes the first name with something to match, and the names from there."""
    fixed = pattern
    while has_magic(fixed):
        fixed = os.path.dirname(fixed)
    names = [name for name in pattern[len(fixed) :].split(os.sep) if name]
    parts = [name for name, same in groupby(names) for name in ([name] if name == _ANY_DEPTH else same)]
    if parts[-1:] == [_ANY_DEPTH]:
        parts.append("*")
    return fixed, parts


class _PatternWalk:
    """Walks folders, each with the set of those parts of the pattern that its entries may match."""

    def __init__(self, parts: list[str]) -> None:
        self._parts = parts
        self._names = [re.compile(translate(os.path.normcase(part))) for part in parts]
        # Names such as `..` lead to a folder on many paths: these count once.
        self._known: dict[tuple[int, int], set[int]] | None = None
        if {os.curdir, os.pardir} & {*parts}:
            self._known = defaultdict(set)

    def paths(self, fixed: str) -> Iterator[str]:
        """Yield the paths below a folder that match, in no order. Raises OSError."""
        end = len(self._parts)
        waiting = [(fixed, self._with_empty({0}))]
        while waiting:
            folder, places = waiting.pop()
            for path, reached in self._matching(folder, self._unseen(folder, places)):
                if end in reached:
                    yield path
                if (rest := reached - {end}) and os.path.isdir(path):
                    waiting.append((path, rest))

    def _matching(self, folder: str, places: Iterable[int]) -> Iterator[tuple[str, frozenset[int]]]:
        """Yield the entries of a folder that match one of some parts, with the parts that come next."""
        reached: dict[str, set[int]] = {}
        wild = [place for place in places if has_magic(self._parts[place])]
        for place in places:
            name = self._parts[place]
            if place not in wild and os.path.lexists(os.path.join(folder, name)):
                reached.setdefault(name, set()).add(place + 1)
        for entry in _entries(folder) if wild else ():
            for place in wild:
                part = self._parts[place]
                if part == _ANY_DEPTH:
                    if not entry.name.startswith(".") and entry.is_dir(follow_symlinks=False):
                        reached.setdefault(entry.name, set()).add(place)
                elif (part.startswith(".") or not entry.name.startswith(".")) and self._names[place].match(
                    os.path.normcase(entry.name)
                ):
                    reached.setdefault(entry.name, set()).add(place + 1)
        for name, next_places in reached.items():
            yield os.path.join(folder, name), self._with_empty(next_places)

    def _with_empty(self, places: set[int]) -> frozenset[int]:
        """Add the parts that come after a ``**``, which may match no folder at all."""
        skipped = {place + 1 for place in places if self._parts[place : place + 1] == [_ANY_DEPTH]}
        return frozenset(places | skipped)

    def _unseen(self, folder: str, places: frozenset[int]) -> frozenset[int]:
        """Return the parts that the entries of a folder have not been compared with yet. Raises OSError."""
        if self._known is None:
            return places
        about = os.stat(folder or os.curdir)
        known = self._known[about.st_dev, about.st_ino]
        unseen = places - known
        known |= unseen
        return unseen


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """Return what is in a folder; nothing if it cannot be read."""
    try:
        with os.scandir(folder or os.curdir) as entries:
            return list(entries)
    except OSError:
        return []
