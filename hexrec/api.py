"""The public API: read, validate, convert and score records. `import hexrec` offers all of its names.

Names that this module imports under the same name are public, too.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from hexrec import formats
from hexrec.errors import ArgumentError as ArgumentError
from hexrec.errors import Error as Error
from hexrec.errors import MissingExtraError as MissingExtraError
from hexrec.errors import UnknownNameError as UnknownNameError
from hexrec.errors import extra, warn
from hexrec.formats.base import Document, OnLoss
from hexrec.formats.base import LossError as LossError
from hexrec.io.discovery import Discovery, Source, format_of, unreadable
from hexrec.io.outputs import atomic_write
from hexrec.io.stamps import InputChanged as InputChanged
from hexrec.parallel.chunks import Chunk, split
from hexrec.parallel.positions import PositionsTask
from hexrec.parallel.run import run
from hexrec.parallel.tasks import ChunkTask, ScoreTask, ValidateTask
from hexrec.record.identity import game_hash as game_hash
from hexrec.record.record import Record as Record
from hexrec.record.schema import Move as Move
from hexrec.record.schema import Player as Player
from hexrec.record.schema import Result as Result
from hexrec.record.validation import RecordError as RecordError
from hexrec.rules.board import System
from hexrec.rules.games import new_game as new_game
from hexrec.rules.position import Position as Position
from hexrec.rules.terms import IllegalOpening as IllegalOpening
from hexrec.rules.terms import IllegalSetup as IllegalSetup
from hexrec.rules.terms import IllegalTurn as IllegalTurn
from hexrec.rules.terms import Outcome as Outcome
from hexrec.rules.terms import Stone as Stone
from hexrec.tools.convert import Conversion, Converted, canonical_data, texts
from hexrec.tools.dedupe import Duplicates
from hexrec.tools.suggestions import SUGGESTION_LIMITS, Suggester
from hexrec.util import limits
from hexrec.util.diagnostics import Diagnostic as Diagnostic
from hexrec.util.diagnostics import Edit as Edit
from hexrec.util.diagnostics import Suggestion as Suggestion
from hexrec.validation.configuration import Configuration, Settings, read_configuration
from hexrec.validation.lint import Lint
from hexrec.validation.report import Report as Report
from hexrec.validation.report import locate
from hexrec.validation.selection import Rules, Selection
from hexrec.validation.sources import check_sources
from hexrec.validation.verdict import check_document, check_record, read_document, within_rules

if TYPE_CHECKING:
    import pyarrow

PathLike = str | os.PathLike[str]
#: One path or several: files, directories, archives, patterns, addresses, or ``-`` for stdin.
Paths = PathLike | Iterable[PathLike]
#: What happens to a record that cannot be read: it is raised, skipped, or passed to a function.
OnError = Literal["raise", "skip"] | Callable[[RecordError], None]


class ConversionWarning(UserWarning):
    """Something was read that its format does not allow, or left out that a format cannot hold."""


class ConversionSummary(NamedTuple):
    """The outcome of `convert`.

    Attributes:
        records: how many records were read.
        converted: how many of them were written.
        diagnostics: what is wrong with the others, and what the format could not hold.
    """

    records: int
    converted: int
    diagnostics: tuple[Diagnostic, ...]


def check(
    paths: Paths,
    *,
    finished: bool = False,
    lint: bool = False,
    jobs: int = 1,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    warn: Sequence[str] = (),
    config: PathLike | bool = False,
    format: str | None = None,
) -> Iterator[Report]:
    """Yield a report for each record of files, directories and archives, as `hexrec validate` does.

        >>> for report in hexrec.check("fixtures/sunspot/valid"):
        ...     for diagnostic in report.errors:
        ...         print(diagnostic)

    Args:
        paths: one path or several; see `Paths`.
        finished: require a result of every record.
        lint: warn about records that are valid but probably unintended or not in the usual form.
        jobs: how many processes share the work.
        select: codes or groups of codes: report nothing else.
        ignore: codes or groups of codes to leave out.
        warn: codes or groups of codes to report as warnings.
        config: a file of settings to follow; True for those nearest above each file, as the command does.
        format: the format of all files, instead of that which their names or contents show.

    An input that cannot be read gets a report with the code ``syntax/unreadable``.

    Raises:
        hexrec.UnknownNameError: an unknown format or code.
        hexrec.InputChanged: a file was changed while it was read.
        hexrec.Error: settings that cannot be followed, processes that cannot be started.
    """
    _ready(format)
    given = read_configuration(Path(config)) if not isinstance(config, bool) else Configuration()
    settings = Settings(
        Rules(select, ignore, warn),
        *given.layers,
        finished=finished or given.finished or None,
        lint=lint or given.lint or None,
        files=config is True,
    )
    return _checked(_paths(paths), format, settings, jobs)


def _checked(paths: list[str], format: str | None, settings: Settings, jobs: int) -> Iterator[Report]:
    task, suggester = ValidateTask(lint=Lint(), records=True), Suggester(SUGGESTION_LIMITS)
    with closing(_gathered(paths, format, task, jobs, settings, suggester)) as batches:
        reports = map(suggester.cut, (report for batch in batches for report in batch))
        yield from map(settings.grade, Duplicates().find(reports))


def check_text(
    text: str | bytes, format: str | None = None, *, finished: bool = False, lint: bool = False
) -> list[Report]:
    """Return a report for each record of a string, or of bytes, as `check` does for a file.

        >>> [report.valid for report in hexrec.check_text('{"hexrec": "1", "game": "sunspot", "size": 4, "moves": []}')]
        [True]

    Without `format`, the format is recognized by the content. Raises hexrec.UnknownNameError.
    """
    _ready(format)
    linter = Lint() if lint else None
    documents = _documents_in(text, format)
    reports = (
        check_document(document, None, index, finished=finished, lint=linter)
        for index, document in enumerate(documents)
    )
    return [*map(Suggester(SUGGESTION_LIMITS).add, reports)]


def load(path: PathLike, format: str | None = None) -> Record:
    """Return the one record of a file.

        >>> record = hexrec.load("fixtures/sunspot/valid/loop.json")
        >>> record.game, record.size
        ('sunspot', 4)

    What the format does not allow and is read nevertheless gives a ConversionWarning each. Diagnostics on the record
    have the places in its file.

    Raises:
        hexrec.RecordError: the file has no valid record. Its `diagnostics` have the places.
        ValueError: the file has more than one record.
        hexrec.UnknownNameError: an unknown format.
        hexrec.InputChanged: the file was changed while it was read.
        OSError: the file cannot be read.
    """
    _ready(format)
    name = os.fspath(path)
    return _only(Source(name, format or format_of(name)).documents(), name)


def loads(text: str | bytes, format: str | None = None) -> Record:
    """Return the one record of a string, or of bytes; without `format`, the format is recognized by the content.

    Raises what `load` does.
    """
    _ready(format)
    return _only(_documents_in(text, format), None)


def records(paths: Paths, *, format: str | None = None, on_error: OnError = "raise") -> Iterator[Record]:
    """Yield the records of files, directories and archives one by one.

        >>> len(list(hexrec.records("fixtures/sunspot/reference/games.jsonl")))
        19

    With `on_error`, a record (or a file) that cannot be read is skipped, or its RecordError is passed to a function and
    reading goes on. Turns have to be spelled right; whether they are legal is for `validate` to say.

    Raises:
        hexrec.RecordError: something cannot be read, unless `on_error` says otherwise.
        hexrec.UnknownNameError, hexrec.InputChanged: as `check`.
    """
    _ready(format)
    if on_error not in ("raise", "skip") and not callable(on_error):
        raise ArgumentError(f'on_error should be "raise", "skip" or a function, not {on_error!r}')
    return _records(_paths(paths), format, on_error)


def _records(paths: list[str], format: str | None, on_error: OnError) -> Iterator[Record]:
    for found in _read(paths, format):
        if isinstance(found, Record):
            yield found
        elif callable(on_error):
            on_error(found)
        elif on_error == "raise":
            raise found


def _read(paths: list[str], format: str | None) -> Iterator[Record | RecordError]:
    """Yield the records of paths, each one that cannot be read as its error."""
    for source in Discovery(paths, format):
        if isinstance(source, Diagnostic):
            yield RecordError([source])
            continue
        try:
            for index, document in enumerate(source.documents()):
                try:
                    record = _record(document, source.name, index)
                except RecordError as error:
                    yield error
                else:
                    yield record
        except OSError as error:
            yield RecordError([unreadable(source.name, error)])


def validate(record: Record, *, finished: bool = False, lint: bool = False) -> Report:
    """Return the report on a record: its replay and its result. With `finished`, it has to have a result.

        >>> hexrec.validate(hexrec.load("fixtures/sunspot/valid/loop.json")).valid
        True

    Diagnostics on a record that was loaded have the places in its file.
    """
    if not isinstance(record, Record):
        raise TypeError(
            f"validate takes a Record, not {type(record).__name__}: use check for files, check_text for text"
        )
    report = check_record(record, finished=finished, lint=Lint() if lint else None)
    return Suggester(SUGGESTION_LIMITS).add(report)


def dump(
    record: Record | Iterable[Record],
    path: PathLike,
    format: str | None = None,
    *,
    coordinates: System | None = None,
    on_loss: OnLoss | None = None,
) -> None:
    """Write a record, or several, to a file in canonical form; the format is `format`, or that of the file's name.

    The file is written atomically, compressed if its name ends in .gz, .zst, .bz2 or .xz. What the format cannot hold
    is reported as by `dumps`.

    Raises:
        ValueError: the name does not show the format, or the format has one record in a file.
        OSError: the file cannot be written.
        hexrec.Error: as `dumps`.
    """
    name = format or format_of(Path(path))
    if name is None:
        known = ", ".join(formats.names())
        raise ArgumentError(f"the name {os.fspath(path)!r} does not show the format: give one of {known}")
    pieces = _texts(record, name, coordinates, on_loss or _warn)
    with atomic_write(Path(path)) as stream:
        for piece in pieces:
            stream.write(piece)


def dumps(
    record: Record | Iterable[Record],
    format: str = "json",
    *,
    coordinates: System | None = None,
    on_loss: OnLoss | None = None,
) -> str:
    """Return the canonical form of a record, or of several, as a string.

        >>> record = hexrec.loads('{"hexrec": "1", "game": "sunspot", "size": 4, "moves": ["D4"]}')
        >>> hexrec.dumps(record, "jsonl")
        '{"hexrec":"1","game":"sunspot","size":4,"moves":["d4"]}\\n'

    Cells are named in `coordinates`, by default as they are. What the format cannot hold is left out, each such thing
    with a ConversionWarning; `on_loss`, where given, is called with its diagnostic instead.

    Raises:
        hexrec.UnknownNameError: an unknown format.
        hexrec.RecordError: a turn names no cell of the board and so has no name in other coordinates, or the string
            would be too large to be read again.
        ValueError: several records for a format that has one in a file.
    """
    return "".join(_texts(record, format, coordinates, on_loss or _warn))


def _texts(
    record: Record | Iterable[Record], format: str, coordinates: System | None, on_loss: OnLoss
) -> Iterator[str]:
    limits.check_environment()
    several = [record] if isinstance(record, Record) else record
    data = (canonical_data(each, coordinates, on_loss) for each in several)
    return texts(formats.get(format), data, on_loss)


def convert(
    paths: Paths,
    target: PathLike,
    format: str | None = None,
    *,
    source_format: str | None = None,
    coordinates: System | None = None,
    strict: bool = False,
    invalid: bool = False,
) -> ConversionSummary:
    """Convert the records of files, directories and archives into one file, as `hexrec convert` does.

    Args:
        paths: one path or several; see `Paths`.
        target: the file, which is written atomically and may be there already.
        format: its format, by default that of its name.
        source_format: the format of all inputs, instead of that which their names or contents show.
        coordinates: the coordinate system to write, by default that of each record.
        strict: leave out records of which the format cannot hold everything.
        invalid: convert invalid records as well, marked as such, as far as they could be read.

    Raises what `check` and `dump` raise.
    """
    _ready(source_format)
    name = format or format_of(Path(target))
    if name is None:
        raise ArgumentError(f"the name {os.fspath(target)!r} does not show the format: give one")
    formats.get(name)
    conversion = Conversion(name, coordinates, strict, invalid)
    done: list[Converted] = []
    diagnostics: list[Diagnostic] = []
    count = 0
    with atomic_write(Path(target)) as stream:
        for converted in conversion.joined(check_sources(Discovery(_paths(paths), source_format))):
            count += 1
            diagnostics += converted.report.diagnostics
            if converted.text is not None:
                stream.write(converted.text)
                done.append(converted)
    return ConversionSummary(count, len(done), tuple(diagnostics))


def scores(paths: Paths, *, jobs: int = 1, format: str | None = None) -> pyarrow.Table:
    """Return the scores of records as an Arrow table: a row for each, broken ones included, as `hexrec score` writes.

    Args:
        paths: one path or several; see `Paths`.
        jobs: how many processes share the work.
        format: the format of all files, instead of that which their names or contents show.

    What cannot be read is a row with the code of the reason; no settings of a project apply.

    Raises:
        hexrec.MissingExtraError: the extra ``arrow`` is not installed.
        hexrec.InputChanged: a file was changed while it was read.
        hexrec.UnknownNameError: an unknown format.
    """
    _ready(format)
    with extra("arrow", "to read scores as a table, install", "pyarrow"):
        import pyarrow

        from hexrec.output.rows_arrow import SCHEMA, record_batches
    with closing(_gathered(_paths(paths), format, ScoreTask(Selection()), jobs)) as batches:
        return pyarrow.Table.from_batches(record_batches(batches), SCHEMA)


def positions(paths: Paths, *, jobs: int = 1, format: str | None = None) -> pyarrow.Table:
    """Return the positions of valid records as an Arrow table: a row for each, as `hexrec positions` writes.

    Args:
        paths: one path or several; see `Paths`.
        jobs: how many processes share the work.
        format: the format of all files, instead of that which their names or contents show.

    Raises what `scores` raises.
    """
    _ready(format)
    with extra("arrow", "to read positions as a table, install", "pyarrow"):
        import pyarrow

        from hexrec.tools.positions_file import sorted_tables
    with closing(_gathered(_paths(paths), format, PositionsTask(), jobs)) as batches:
        return pyarrow.concat_tables(sorted_tables(game for batch in batches for game in batch))


def _gathered(
    paths: list[str],
    format: str | None,
    task: ChunkTask,
    jobs: int,
    settings: Settings | None = None,
    suggester: Suggester | None = None,
) -> Any:
    """Yield what a task gathers from the chunks of paths; `suggester` knows how many suggestions are left."""
    chunks: Iterable[Chunk] = split(Discovery(paths, format), settings=settings)
    if suggester is not None:
        chunks = (replace(chunk, suggestions=suggester.left) for chunk in chunks)
    with closing(run(chunks, task, jobs if jobs != 1 else 0, small_here=True)) as batches:
        for batch in batches:
            yield batch.gathered


def _ready(format: str | None) -> None:
    """Raise what keeps a call from reading: limits that cannot be, an unknown format."""
    limits.check_environment()
    if format is not None:
        formats.get(format)


def _paths(paths: Paths) -> list[str]:
    given = [paths] if isinstance(paths, str | os.PathLike) else paths
    return [os.fspath(path) for path in given]


def _documents_in(text: str | bytes, format: str | None) -> Iterator[Document]:
    raw = text.encode() if isinstance(text, str) else text
    return formats.read(format or formats.by_content(raw), io.BytesIO(raw))


def _warn(diagnostic: Diagnostic) -> None:
    place = f"{diagnostic.place}: " if diagnostic.place else ""
    warn(f"{place}{diagnostic.code}: {diagnostic.message}", ConversionWarning)


def _only(documents: Iterable[Document], file: str | None) -> Record:
    found = list(documents)
    if len(found) > 1:
        raise ArgumentError(f"{file or 'the text'} has {len(found)} records, not one: use records")
    return _record(found[0], file, 0)


def _record(document: Document, file: str | None, index: int) -> Record:
    """Return the record in a document. Raises RecordError with places."""
    if document.valid is None:
        document = within_rules(document)
    for warning in locate(document.warnings, document, file=file, record=index):
        _warn(warning)
    if document.error is not None:
        raise RecordError(locate([document.error], document, file=file, record=index))
    try:
        return read_document(document, file, index, turns_unchecked=False)
    except RecordError as error:
        raise RecordError(locate(error.diagnostics, document, file=file, record=index), error.playable) from None
