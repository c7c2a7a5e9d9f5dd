"""Patterns of paths in the settings of projects. A match takes time proportional to the pattern and to the path."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import cached_property

#: Matches any number of directories.
_ANY_DEPTH = "**"
#: A set of characters, or a bracket that begins none.
_SET = re.compile(r"\[(?:!?+\]?+[^\]]*+\])?+")


@dataclass(frozen=True)
class PathPattern:
    """A pattern of paths.

    `*`, `?` and `[…]` match characters within one name, `**` any number of directories. A pattern that matches a
    directory matches all files in it.

    Attributes:
        text: the pattern.
    """

    text: str

    def matches(self, parts: Sequence[str]) -> bool:
        """Return whether the pattern matches a path, given as the names of its directories and of its file."""
        first, *others = self._runs
        if not _matches_at(first, parts, 0):
            return False
        at = len(first)
        for run in others:
            # The first place where the names match leaves the most of the path to the other patterns.
            at = next((start for start in range(at, len(parts)) if _matches_at(run, parts, start)), len(parts))
            if at == len(parts):
                return False
            at += len(run)
        return True

    @cached_property
    def _runs(self) -> list[list[re.Pattern[str]]]:
        """The patterns of names, divided at `**`."""
        runs: list[list[re.Pattern[str]]] = [[]]
        for name in self.text.strip("/").split("/"):
            if name == _ANY_DEPTH:
                runs.append([])
            else:
                # For each bracket that begins no set, fnmatch would read the rest of the name.
                escaped = _SET.sub(lambda match: match[0] if len(match[0]) > 1 else "[[]", name)
                runs[-1].append(re.compile(translate(escaped)))
        return runs


def _matches_at(run: Sequence[re.Pattern[str]], parts: Sequence[str], start: int) -> bool:
    """Return whether patterns match the names from an index on."""
    return len(run) <= len(parts) - start and all(
        pattern.match(parts[index]) for index, pattern in enumerate(run, start)
    )
