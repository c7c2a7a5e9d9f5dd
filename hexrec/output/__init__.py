"""Report formats, and tables of scores."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from hexrec.errors import UnknownNameError
from hexrec.io.compression import inner_name


class OutputFormats:
    """Classes that write an output, by name of the format. A class is imported only when it is used."""

    def __init__(self, word: str, classes: Mapping[str, tuple[str, str, tuple[str, ...]]]) -> None:
        """`classes` has for each name the module, the class, and the suffixes of file names that select it."""
        self._word = word
        self._classes = classes

    def names(self) -> tuple[str, ...]:
        """Return all names."""
        return tuple(self._classes)

    def by_file_name(self, name: str) -> str | None:
        """Return the name of the first format for a file name, which may have a suffix of compression; else None."""
        name = inner_name(name).lower()
        return next((format for format, (*_, suffixes) in self._classes.items() if name.endswith(suffixes)), None)

    def load(self, name: str) -> Any:
        """Return the class of a format. Raises UnknownNameError."""
        if name not in self._classes:
            raise UnknownNameError(f"unknown {self._word} {name!r}; known: {', '.join(self._classes)}")
        module, class_name, _ = self._classes[name]
        return getattr(import_module(f"hexrec.output.{module}"), class_name)
