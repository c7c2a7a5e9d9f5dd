"""Report formats, and tables of scores."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Generic, TypeVar

from hexrec.errors import UnknownNameError

T = TypeVar("T")


class OutputFormats(Generic[T]):
    """Functions that write an output, by name of the format. A function is imported only when it is used."""

    def __init__(self, word: str, writers: Mapping[str, tuple[str, tuple[str, ...]]]) -> None:
        """`writers` has for each name the module and function, and the suffixes of file names that select it."""
        self._word = word
        self._writers = writers

    def names(self) -> tuple[str, ...]:
        """Return all names."""
        return tuple(self._writers)

    def suffixes(self) -> dict[str, tuple[str, ...]]:
        """Return the suffixes of the files that each format is written to."""
        return {name: suffixes for name, (_, suffixes) in self._writers.items()}

    def get(self, name: str) -> T:
        """Return the function of a format. Raises UnknownNameError."""
        if name not in self._writers:
            raise UnknownNameError(f"unknown {self._word} {name!r}; known: {', '.join(self._writers)}")
        module, _, attribute = self._writers[name][0].partition(":")
        function: T = getattr(import_module(f"{__name__}.{module}"), attribute)
        return function


#: Returns a value as JSON on one line.
to_text: Callable[[object], str] = json.JSONEncoder(ensure_ascii=False).encode
