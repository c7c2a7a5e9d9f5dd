"""Each game of a run once: in one pass over the inputs, or in two where prefixes are dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from tempfile import TemporaryFile
from typing import BinaryIO, TypeVar

from hexrec.dedup.filter import DedupFilter, Duplicate
from hexrec.diagnostics import Diagnostic
from hexrec.files.discovery import Source
from hexrec.files.stamps import Stamps
from hexrec.summary import Summary
from hexrec.validation import Report
from hexrec.validation.sources import check_sources

T = TypeVar("T")


class DedupError(Exception):
    """The run cannot go on; the message says why."""


def unique(
    discover: Callable[[], Iterable[Source | Diagnostic]],
    on_duplicate: Callable[[Duplicate], object],
    summary: Summary,
    *,
    mirrored: bool,
    invalid: bool,
    prefixes: str,
    check: bool,
) -> Iterator[Report]:
    """Yield the reports of the records to keep.

    Args:
        discover: finds the inputs; called for each pass.
        on_duplicate: is called with every game that is another, or a prefix of another.
        summary: counts the records, once.
        mirrored, invalid: as in `DedupFilter`.
        prefixes: what to do with prefixes: ``report``, ``drop``, which takes two passes, or ``ignore``.
        check: whether nothing is written, so that one pass is enough: prefixes come after all reports.

    Raises DedupError.
    """
    stamps = Stamps()
    survey = None
    dropped: set[int] = set()

    def sources() -> Iterator[Source | Diagnostic]:
        for source in discover():
            if isinstance(source, Source):
                stamps.check(source.archive or source.name)
            yield source

    with _file_for_turns(prefixes != "ignore") as file:
        if prefixes == "drop" and not check:
            survey = DedupFilter(lambda _: None, mirrored=mirrored, invalid=invalid, file=file)
            for _ in _guarded(survey.different(check_sources(sources()))):
                pass
            for number, found in _guarded(survey.prefixes(drop=True)):
                on_duplicate(found)
                if found.dropped:
                    dropped.add(number)
            file = None  # all prefixes are known
        kept = DedupFilter(on_duplicate, mirrored=mirrored, invalid=invalid, file=file)
        yield from _guarded(kept.different(summary.count(check_sources(sources())), dropped))
        if survey and kept.checksum != survey.checksum:
            raise DedupError("an input was changed while it was read: nothing is certain of what was found")
        if file:
            for _, found in _guarded(kept.prefixes(drop=prefixes == "drop")):
                on_duplicate(found)


@contextmanager
def _file_for_turns(wanted: bool) -> Iterator[BinaryIO | None]:
    if not wanted:
        yield None
        return
    try:
        # Not a context: on a full disk closing the file fails too, which matters no longer.
        file = TemporaryFile()  # noqa: SIM115
    except OSError as error:
        raise _no_room(error) from None
    try:
        yield file
    finally:
        with suppress(OSError):
            file.close()


def _guarded(found: Iterator[T]) -> Iterator[T]:
    """Pass on what a filter gives. It reports itself what cannot be read: its errors are of the file for turns."""
    try:
        yield from found
    except OSError as error:
        raise _no_room(error) from None


def _no_room(error: OSError) -> DedupError:
    return DedupError(f"a temporary file for turns cannot be written: {error.strerror or error}")
