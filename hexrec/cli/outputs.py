"""Outputs of commands: files, written atomically, and stdout."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO, TypeVar

import typer

from hexrec.cli.console import echo_diagnostics, exit_on_os_error, fail
from hexrec.formats.base import TogetherError
from hexrec.io.outputs import atomic_write, atomic_write_bytes
from hexrec.validation.report import Summary

if TYPE_CHECKING:  # most commands convert nothing
    from hexrec.tools.convert import Converted

_Stream = TypeVar("_Stream")
#: A report format and its file; None is stdout.
ReportFile = tuple[str, Path | None]


def text(path: Path | None) -> AbstractContextManager[TextIO]:
    """Open a text file, written atomically, or stdout if the path is None."""
    return _open_standard(sys.stdout) if path is None else _open_file(path, atomic_write)


def binary(path: Path | None) -> AbstractContextManager[BinaryIO]:
    """Open a binary file, written atomically, or stdout if the path is None."""
    return _open_standard(sys.stdout.buffer) if path is None else _open_file(path, atomic_write_bytes)


@contextmanager
def _open_standard(stream: _Stream) -> Iterator[_Stream]:
    yield stream
    sys.stdout.flush()


@contextmanager
def _open_file(path: Path, whole: Callable[..., AbstractContextManager[_Stream]]) -> Iterator[_Stream]:
    with exit_on_os_error(path, "written"), whole(path) as stream:
        yield stream


def refuse_existing(path: Path | None) -> None:
    """Exit if a file exists, which only --force overwrites."""
    if path is not None:
        with exit_on_os_error(path, "written"):
            if path.is_file():
                fail(f"{path}: already exists: --force overwrites it")


def print_diagnostics(converted: Iterable[Converted], summary: Summary) -> Iterator[Converted]:
    """Print the diagnostics of converted records, add failures of hexrec to the totals, and pass the records on."""
    for record in converted:
        echo_diagnostics(*record.report.diagnostics)
        summary.failed += record.report.failed
        yield record


def join(converted: Iterable[Converted], target: Path | None, hint: str = "") -> int:
    """Write records to one file or to stdout and return their number. Without records, write no file.

    `hint` ends the message if the format cannot hold several records.
    """
    return join_texts((record.text for record in converted if record.text is not None), target, hint)


def join_texts(texts: Iterator[str], target: Path | None, hint: str = "") -> int:
    """Write the texts of records as `join` does."""
    written = 0
    try:
        # Fail before anything is written if the format cannot hold a second record.
        if not (first_two := list(islice(texts, 2))):
            return 0
        with text(target) as out:
            for record_text in chain(first_two, texts):
                out.write(record_text)
                written += 1
    except TogetherError as error:
        fail(f"{error}{hint}")
    return written


def parse_targets(targets: list[str], format: str | None) -> list[ReportFile]:
    """Return the report format and file of each ``-o [REPORT=]FILE``. Raises BadParameter."""
    from hexrec.output import report_formats  # most commands write no reports

    files: dict[Path | None, str] = {}
    for target in targets:
        report, says, name = target.partition("=")
        if not says or not report.isalpha():
            report, name = "", target
        elif report not in report_formats.names():
            message = f"{report!r} is not one of {', '.join(report_formats.names())}; a file of that name is ./{target}"
            raise typer.BadParameter(message, param_hint="-o")
        file = None if name == "-" else Path(name)
        if file in files or not name:
            raise typer.BadParameter(f"{target}: {'the same file twice' if name else 'no file'}", param_hint="-o")
        files[file] = report or format or report_formats.by_file_name(name) or "text"
    # stdout comes last: a broken pipe must not be reported as an error of a file.
    return sorted(((report, file) for file, report in files.items()), key=lambda output: output[1] is None)
