"""Reports on all records of files, directories and archives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from hexrec.io.discovery import Discovery, Source, diagnose_input
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import printable_path
from hexrec.validation.report import Report, add_internal_error, new_report
from hexrec.validation.verdict import check_document


def check_sources(
    sources: Discovery | Iterable[Source | Diagnostic], *, first: int = 0, **options: Any
) -> Iterator[Report]:
    """Yield a report for every record of the sources, in order; the options are those of `check_document`.

    The records of a file are counted from `first`. An input that cannot be read, and an internal error, get a report
    with a diagnostic.
    """
    for source in sources:
        if isinstance(source, Diagnostic):
            file = printable_path(source.file or "")
            yield Report((source.at(file=file, record=first),), file=file, index=first)
            continue
        file = printable_path(source.name)
        index = first
        try:
            for document in source.documents():
                try:
                    report = check_document(document, file, index, **options)
                except MemoryError as error:
                    report = add_internal_error(new_report(document, file, index), error)
                yield report
                index += 1
        except Exception as error:
            yield Report((diagnose_input(file, error).at(record=index),), file=file, index=index)
