"""Patterns for paths that no shell has expanded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import escape, glob, has_magic
from itertools import dropwhile

_ANY_DEPTH = "**"


def matching_paths(pattern: str) -> list[str]:
    """Return the paths that match a pattern, sorted.

    ``*``, ``?`` and ``[…]`` match parts of a name, and ``**`` any number of folders, which are no links. Only what
    begins with a dot matches names that do. With ``**``, only files are found.
    """
    names = pattern.split(os.sep)
    if _ANY_DEPTH not in names:
        return sorted({path.rstrip(os.sep) for path in glob(pattern)})
    before = os.path.join(os.sep.join(names[: names.index(_ANY_DEPTH)]), "")
    after = list(dropwhile(_ANY_DEPTH.__eq__, names[names.index(_ANY_DEPTH) :])) or ["*"]
    found: set[str] = set()
    for top in glob(before) if before else [""]:
        for folder in _folders(top):
            found.update(matching_paths(os.path.join(escape(folder), *after)))
    return sorted(path for path in found if not os.path.isdir(path))


def fixed_part(pattern: str) -> str:
    """Return the folder below which everything is that matches a pattern."""
    while has_magic(pattern):
        pattern = os.path.dirname(pattern)
    return pattern or "."


def _folders(top: str) -> Iterator[str]:
    """Yield a folder and all folders below it, but none that is hidden or a link."""
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        yield folder
        try:
            with os.scandir(folder or os.curdir) as entries:
                within = [each.name for each in entries if each.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        waiting += [os.path.join(folder, name) for name in within if not name.startswith(".")]
