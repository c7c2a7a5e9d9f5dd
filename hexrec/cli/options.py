"""What several commands need: options that mean the same everywhere, where output goes, one record of a file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, BinaryIO, NoReturn, TextIO, TypeVar

import typer

from hexrec import games, notations
from hexrec.check import Report, locate
from hexrec.check.report import NOT_JUDGED
from hexrec.cli.console import echo, echo_findings, say
from hexrec.convert.conversion import Converted
from hexrec.escaping import visible_name
from hexrec.files.archives import is_archive
from hexrec.files.atomic import atomic_write, atomic_write_bytes
from hexrec.files.discovery import Discovery, Source, notation_of, unreadable
from hexrec.files.locks import Locked, locked
from hexrec.files.remote import file_name
from hexrec.notations.base import TogetherError
from hexrec.record import Record, RecordError, read_record
from hexrec.reporters.text import line
from hexrec.settings.configuration import Configuration, Misconfigured, find
from hexrec.settings.selection import Rules

_Stream = TypeVar("_Stream")


def one_of(names: Collection[str]) -> Callable[[str | None], str | None]:
    """Return an option's callback that refuses values other than the names."""

    def check(value: str | None) -> str | None:
        if value is not None and value not in names:
            raise typer.BadParameter(f"{value!r} is not one of {', '.join(names)}")
        return value

    return check


def known_game(value: str | None) -> str | None:
    """Refuse what is not the name of a game; installed packages are looked through only for names that are not ours."""
    return value if games.is_known(value) else one_of(games.names())(value)


def known_notation(value: str | None) -> str | None:
    """Refuse what is not the name of a notation; installed packages are looked through as for games."""
    return value if value is None or notations.is_known(value) else one_of(notations.names())(value)


def _no_empty_path(paths: list[str]) -> list[str]:
    if "" in paths:
        raise typer.BadParameter("a path is empty: name a file or folder (is a variable of the shell not set?)")
    return paths


Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...",
        callback=_no_empty_path,
        help="Files and folders of records, patterns, addresses; - is standard input.",
    ),
]
OneFile = Annotated[str, typer.Argument(metavar="FILE", help="A file of records; - is standard input.")]
From = Annotated[
    str | None,
    typer.Option(
        "--from",
        metavar="FORMAT",
        callback=known_notation,
        help=f"Read every file as {', '.join(notations.BUILT_IN)}, whatever its name.",
    ),
]
FollowLinks = Annotated[
    bool,
    typer.Option(
        "--follow-links", help="Follow links out of the folders given too; else they are passed over, which is said."
    ),
]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write to a file; it appears whole or not at all.")
]
To = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="FORMAT",
        callback=known_notation,
        help=f"The notation: {', '.join(notations.BUILT_IN)}; else the name of the output file tells.",
    ),
]
LeaveOutInvalid = Annotated[
    bool,
    typer.Option(
        "--validate/--no-validate", help="Leave invalid records out, or write them too and mark them as invalid."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite files that are there.")]
RecordIndex = Annotated[int, typer.Option("--record", min=0, metavar="INDEX", help="Which record of the file, from 0.")]
Ply = Annotated[
    int | None, typer.Option("--ply", min=0, metavar="N", help="The position after N turns; else after the last.")
]
GameName = Annotated[str, typer.Argument(metavar="GAME", callback=known_game, help=", ".join(games.BUILT_IN))]
Select = Annotated[
    list[str] | None,
    typer.Option("--select", metavar="CODES", help="Report these findings only: codes or groups (move/), with commas."),
]
Ignore = Annotated[list[str] | None, typer.Option("--ignore", metavar="CODES", help="Do not report these findings.")]
Warn = Annotated[
    list[str] | None,
    typer.Option("--warn", metavar="CODES", help="Report these findings as warnings: they make no record invalid."),
]
NoConfig = Annotated[bool, typer.Option("--no-config", help="Look for no settings in hexrec.toml and pyproject.toml.")]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=1, metavar="N", help="How many processes share the work; else one a core."),
]
UnitTimeout = Annotated[
    float | None,
    typer.Option(
        "--unit-timeout",
        min=1,
        max=1_000_000,
        metavar="SECONDS",
        help="End a process that is at work on a unit for so long; the record at fault is found and reported. "
        "Else 1800. Only with several processes.",
    ),
]
Dask = Annotated[
    str | None,
    typer.Option(
        "--dask",
        metavar="ADDRESS",
        help="Let a Dask cluster do the work, given its scheduler's address; local starts one on this machine.",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress, and no sums on standard error.")]


def configuration(paths: list[str], no_config: bool, follow_links: bool) -> Configuration:
    """Return the settings of the project that the first path belongs to."""
    try:
        return Configuration() if no_config else find(paths[0], follow_links=follow_links)
    except Misconfigured as error:
        fail(str(error))


def rules(select: list[str] | None, ignore: list[str] | None, warn: list[str] | None) -> Rules:
    """Return the rules that the three options give."""
    try:
        return Rules(
            *([name.strip() for names in given or () for name in names.split(",")] for given in (select, ignore, warn))
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


def fail(message: str, code: int = 2) -> NoReturn:
    """Say on standard error why the command ends, and exit."""
    say(message)
    raise typer.Exit(code)


def output(path: Path | None) -> AbstractContextManager[TextIO]:
    """Open where text goes: a file that appears whole or not at all, or standard output."""
    return _standard(sys.stdout) if path is None else _file(path, atomic_write)


def binary_output(path: Path | None) -> AbstractContextManager[BinaryIO]:
    """Open where bytes go, like `output`."""
    return _standard(sys.stdout.buffer) if path is None else _file(path, atomic_write_bytes)


@contextmanager
def _standard(stream: _Stream) -> Iterator[_Stream]:
    yield stream
    sys.stdout.flush()


@contextmanager
def _file(path: Path, whole: Callable[..., AbstractContextManager[_Stream]]) -> Iterator[_Stream]:
    with reserved(path):
        try:
            with whole(path, on_lost=lambda reason: say(f"{path}: {reason}")) as stream:
                yield stream
        except OSError as error:
            fail(f"{path}: cannot be written: {error.strerror or error}")


@contextmanager
def reserved(path: Path | None) -> Iterator[None]:
    """Let no other run write to an output file, from now on; end the command if one does already."""
    if path is None or (path.exists() and not path.is_file()):
        yield
        return
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(path))
        except Locked as reason:
            fail(str(reason))
        except OSError as error:
            fail(f"{path}: cannot be written: {error.strerror or error}")
        yield


def refuse_to_overwrite(file: Path | None, force: bool) -> None:
    """End the command if a file is there that it would write to, unless that is what is wanted."""
    if file is not None and file.is_file() and not force:
        fail(f"{file}: exists: --force overwrites it")


def say_findings(report: Report) -> None:
    """Say on standard error what was found in a record."""
    echo_findings(*report.diagnostics)


def join(converted: Iterable[Converted], target: Path | None, hint: str = "") -> int:
    """Write records to one file or to standard output; return how many. Where there is none, no file appears.

    `hint` says what else to do where the notation cannot hold the records together.
    """
    texts = (each.text for each in converted if each.text is not None)
    written = 0
    try:
        if (first := next(texts, None)) is None:
            return 0
        with output(target) as out:
            for text in chain([first], texts):
                out.write(text)
                written += 1
    except TogetherError as error:
        fail(f"{error}{hint}")
    return written


def say_skipped(discovery: Discovery) -> None:
    """Say on standard error how many files of the folders were passed over because of their names, or as links."""
    for paths, what, hint in (
        (discovery.skipped, ("file whose name tells", "files whose names tell", " no record format"), ""),
        (discovery.links, ("link", "links", " out of the folders given"), ": --follow-links follows such links"),
    ):
        if paths:
            one, many, rest = what
            name = visible_name(paths[0])
            files = f"1 {one}{rest} ({name})" if paths.total == 1 else f"{paths.total} {many}{rest} ({name}, …)"
            say(f"passed over {files}{hint}")


def one_record(file: str, notation: str | None, index: int) -> Record:
    """Return one record of a file. What is wrong with it goes to standard error, and the command ends."""
    if is_archive(file_name(file)):
        fail(f"{file}: this command reads no archives: unpack it, and name a file in it")
    try:
        found = Source(file, notation or notation_of(file))
        document = next(islice(found.documents(), index, None), None)
    except OSError as error:
        echo_findings(unreadable(file, error))
        raise typer.Exit(2) from None
    if document is None:
        fail(f"{file} holds no record {index}: records are counted from 0")
    try:
        if document.fault is not None:
            raise RecordError([document.fault])
        return read_record(document.data, turns_unchecked=True)
    except RecordError as error:
        for finding in locate(error.diagnostics, document, file=file, record=index):
            echo(line(finding))
        failed = any(finding.code in NOT_JUDGED for finding in error.diagnostics)
        raise typer.Exit(2 if failed else 1) from None
