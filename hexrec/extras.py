"""Libraries that only some work needs: the extras of the package."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hexrec.errors import Error


class MissingExtraError(Error):
    """A library that is needed is not installed; the message says how to get it."""


@contextmanager
def extra(name: str, reason: str, *modules: str) -> Iterator[None]:
    """Raise MissingExtraError if an import within fails because one of the extra's modules is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in modules:
            raise
        raise MissingExtraError(f"{reason} hexrec-games[{name}]") from None
