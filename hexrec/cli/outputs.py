"""Outputs of commands: files, written atomically, and stdout."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import chain, islice
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO, TypeVar

from hexrec import formats
from hexrec.cli import options
from hexrec.cli.console import echo_diagnostics, echo_totals, exit_on_os_error, fail, refuse
from hexrec.cli.values import to_path
from hexrec.formats.base import TogetherError
from hexrec.io.compression import inner_name, inner_suffix
from hexrec.io.discovery import STANDARD_INPUT
from hexrec.io.outputs import atomic_write, atomic_write_bytes
from hexrec.output import to_text
from hexrec.rules.terms import join_words
from hexrec.validation.report import Report, Summary

if TYPE_CHECKING:  # most commands convert nothing
    from hexrec.tools.convert import Conversion, Converted
    from hexrec.tools.dedupe import Candidate, Duplicate, SortedGames

_Stream = TypeVar("_Stream")
#: A report format and its file; None is stdout.
ReportFile = tuple[str, Path | None]


def text(path: Path | None) -> AbstractContextManager[TextIO]:
    """Open a text file, written atomically, or stdout if the path is None."""
    return _open(path, sys.stdout, atomic_write)


def binary(path: Path | None) -> AbstractContextManager[BinaryIO]:
    """Open a binary file, written atomically, or stdout if the path is None."""
    return _open(path, sys.stdout.buffer, atomic_write_bytes)


@contextmanager
def _open(
    path: Path | None, stdout: _Stream, write: Callable[[Path], AbstractContextManager[_Stream]]
) -> Iterator[_Stream]:
    if path is None:
        yield stdout
        sys.stdout.flush()
    else:
        with exit_on_os_error(path, "written"), write(path) as stream:
            yield stream


def refuse_existing(path: Path | None, *, force: bool) -> None:
    """Exit if a file exists, unless --force overwrites it."""
    if path is not None and not force:
        with exit_on_os_error(path, "written"):
            if path.is_file():
                fail(f"{path}: already exists: --force overwrites it")


def print_diagnostics(converted: Iterable[Converted], summary: Summary) -> Iterator[Converted]:
    """Print the diagnostics of converted records, add failures of hexrec to the totals, and pass the records on."""
    for record in converted:
        echo_diagnostics(*record.report.diagnostics)
        summary.failed += record.report.failed
        yield record


@dataclass(eq=False, repr=False)
class RecordFile:
    """The file or stream of the records that a command makes, by its options."""

    target: Path | None = options.TARGET
    to: str | None = options.TO
    force: bool = options.FORCE

    def write(self, reports: Iterable[Report], summary: Summary) -> int:
        """Write the records of valid reports as `join` does, by default as JSON Lines to stdout."""
        from hexrec.tools.convert import Conversion

        conversion = Conversion(record_format(self.target, self.to or ("jsonl" if self.target is None else None)))
        return join(conversion, reports, self.target, summary, force=self.force, hint=" or .yaml")


def join(
    conversion: Conversion, reports: Iterable[Report], target: Path | None, summary: Summary, *, force: bool, hint: str
) -> int:
    """Write the records of reports to one file or to stdout, print the diagnostics, and return the number of records.

    Exits before the first report is read if the file cannot be written. `hint` ends the message if the format cannot
    hold several records.
    """
    refuse_existing(target, force=force)
    converted = print_diagnostics(conversion.join(reports), summary)
    return _join_texts((record.text for record in converted if record.text is not None), target, hint)


def _join_texts(texts: Iterator[str], target: Path | None, hint: str = "") -> int:
    """Write the texts of records and return their number. Without records, write no file."""
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


def write_unique(
    games: SortedGames,
    candidates: Iterable[Candidate],
    conversion: Conversion | None,
    target: Path | None,
    report: Path | None,
    summary: Summary,
) -> int:
    """Write the records to keep, and their duplicates to a report or else to stderr. Return the exit code.

    Without a conversion, write no records. Failures of hexrec are added to the totals.
    """
    counts: Counter[bool] = Counter()
    done = "dropped" if conversion else "would be dropped"
    with closing(games), text(report) if report else nullcontext() as lines:
        for candidate in candidates:
            games.add(candidate)

        def log(duplicate: Duplicate) -> None:
            counts[duplicate.dropped] += 1
            if lines:
                lines.write(f"{to_text(duplicate.data())}\n")
            else:
                place = f"{duplicate.file or STANDARD_INPUT}: record {duplicate.record}"
                echo_totals(f"{place}: {done if duplicate.dropped else 'kept'}: {duplicate.statement}")

        def to_keep() -> Iterator[str]:
            for record, about in games.decide(log):
                if about is not None:
                    echo_diagnostics(*about.diagnostics)
                    summary.failed += about.failed
                if record is not None:
                    yield record

        written = _join_texts(map(conversion.joiner(), to_keep()), target) if conversion else len([*to_keep()])
    dropped = counts[True]
    wrong = summary.records - written - dropped if conversion else dropped
    totals = f"{written} of {summary.records} records written, {dropped} dropped, {wrong} left out"
    totals = f"{totals}; {counts[False]} reported and kept"
    echo_totals(totals if conversion else f"{dropped} of {summary.records} records would be dropped")
    return summary.exit_code or (1 if wrong else 0)


#: The suffixes of files in formats that several commands write.
TEXT, JSON, JSON_LINES = (".txt", ".log"), (".json",), (".jsonl", ".ndjson")
_SUFFIXES = {"text": TEXT, "json": JSON, "jsonl": JSON_LINES}


def format_of_file(
    file: Path | str | None,
    given: str | None,
    suffixes: Mapping[str, tuple[str, ...]],
    *,
    choice: str = "--format",
    hint: str = "-o",
) -> str | None:
    """Return the format of an output file: that of its suffix, which an option may not contradict.

    `suffixes` has those of each format. A name without a suffix needs the option `choice`. For stdout the result is the
    given format, or None. `hint` is the option that names the file. Raises BadParameter.
    """
    if file is None:
        return given
    name = inner_name(file).lower()
    own = dict(suffixes) if given is None else {given: suffixes[given]}
    has_suffix = bool(os.path.splitext(name)[1])
    if not has_suffix and (given is not None or (os.path.exists(file) and not os.path.isfile(file))):
        return given  # a pipe or a device has the format of stdout
    # The longest suffix decides: x.sarif.json is SARIF, x.json is not.
    length, format = max(
        ((len(ending), format) for format, endings in own.items() for ending in endings if name.endswith(ending)),
        key=itemgetter(0),
        default=(0, None),
    )
    if not length:
        problem = f"{file} is not the name of a file in {given}" if given else f"cannot tell the format of {file}"
        endings = join_words([*dict.fromkeys(own_suffixes[0] for own_suffixes in own.values())], "or")
        or_choose = "" if has_suffix or not choice else f", or name the format with {choice}"
        refuse(f"{problem}: end its name in {endings}{or_choose}", hint)
    return format


def report_format(file: Path | None, given: str | None, names: Iterable[str] = ("text", "json")) -> str:
    """Return the format of an output file, one of some names, as `format_of_file` does; by default it is text."""
    return format_of_file(file, given, {name: _SUFFIXES[name] for name in names}) or "text"


def record_format(file: Path | str | None, given: str | None, *, hint: str = "-o") -> str:
    """Return the format of an output file of records, as `format_of_file` does. Stdout needs --to."""
    suffix = inner_suffix(file) if file is not None else ""
    suffixes = formats.suffixes_of_outputs(suffix)
    if given is not None and given not in suffixes:
        suffixes[given] = formats.get(given).suffixes
    format = format_of_file(file, given, suffixes, choice="--to", hint=hint)
    if format is None:
        names = join_words(formats.BUILT_IN, "or")
        refuse(f"no output format: give {names}, or a file with -o", "--to")
    return format


def parse_targets(targets: list[str], format: str | None) -> list[ReportFile]:
    """Return the report format and file of each ``-o [REPORT=]FILE``. Raises BadParameter."""
    from hexrec.output import report_formats  # most commands write no reports

    files: dict[Path | None, str] = {}
    for target in targets:
        report, says, name = target.partition("=")
        before, colon, after = target.partition(":")
        if colon and before in report_formats.names():
            refuse(f"{target}: write {before}={after}; a file of that name is ./{target}", "-o")
        if not says or not report.isalpha():
            report, name = "", target
        elif report not in report_formats.names():
            names = ", ".join(report_formats.names())
            refuse(f"{report!r} is not one of {names}; a file of that name is ./{target}", "-o")
        file = None if name == "-" else to_path(name)
        if file in files or not name:
            refuse(f"{target}: {'the same file twice' if name else 'no file'}", "-o")
        files[file] = format_of_file(file, report or format, report_formats.suffixes()) or "text"
    # stdout comes last: a broken pipe must not be reported as an error of a file.
    return sorted(((report, file) for file, report in files.items()), key=lambda output: output[1] is None)
