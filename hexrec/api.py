"""Public API: read, validate, convert and score records. `import hexrec` exports all of its names.

Names that this module imports under the same name are public as well.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
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
from hexrec.parallel.run import Batch, run
from hexrec.parallel.tasks import ChunkTask, FunctionTask, ScoreTask, ValidateTask, check_here
from hexrec.record.canonical_bytes import canonical_bytes as canonical_bytes
from hexrec.record.canonical_bytes import record_hash as record_hash
from hexrec.record.identity import game_hash as game_hash
from hexrec.record.record import Record as Record
from hexrec.record.schema import Move as Move
from hexrec.record.schema import Player as Player
from hexrec.record.schema import Result as Result
from hexrec.record.validation import RecordError as RecordError
from hexrec.rules import games
from hexrec.rules.board import System
from hexrec.rules.games import new_game as new_game
from hexrec.rules.position import Position as Position
from hexrec.rules.terms import IllegalOpening as IllegalOpening
from hexrec.rules.terms import IllegalSetup as IllegalSetup
from hexrec.rules.terms import IllegalTurn as IllegalTurn
from hexrec.rules.terms import Outcome as Outcome
from hexrec.rules.terms import Stone as Stone
from hexrec.tools.convert import Conversion, canonical_data, texts
from hexrec.tools.duplicates import Duplicates
from hexrec.tools.examined import examine_game
from hexrec.tools.positions import game_positions
from hexrec.tools.suggestions import Suggester
from hexrec.tools.turns import rows_of
from hexrec.util import limits
from hexrec.util.diagnostics import Diagnostic as Diagnostic
from hexrec.util.diagnostics import Edit as Edit
from hexrec.util.diagnostics import Suggestion as Suggestion
from hexrec.validation.baseline import Baselines
from hexrec.validation.configuration import Settings, read_configuration
from hexrec.validation.grading import Rules
from hexrec.validation.report import Report as Report
from hexrec.validation.report import add_internal_error
from hexrec.validation.verdict import check_document, check_record, read_document

if TYPE_CHECKING:
    import pyarrow

PathLike = str | os.PathLike[str]
#: One path or several: files, directories, archives, patterns, URLs, or ``-`` for stdin.
Paths = PathLike | Iterable[PathLike]
#: The handling of a record that cannot be read: raise the error, skip the record, or call a function with the error.
OnError = Literal["raise", "skip"] | Callable[[RecordError], None]


class ConversionWarning(UserWarning):
    """A file violates its format but could be read, or a format cannot represent some data."""


class ConversionSummary(NamedTuple):
    """The outcome of `convert`.

    Attributes:
        records: the number of records read.
        converted: the number of records written.
        diagnostics: the errors of records that were not written, and warnings about lost data.
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
    select: str | Sequence[str] = (),
    ignore: str | Sequence[str] = (),
    warn: str | Sequence[str] = (),
    config: PathLike | bool = False,
    format: str | None = None,
) -> Iterator[Report]:
    """Yield a report for each record of files, directories and archives, as `hexrec validate` does.

        >>> for report in hexrec.check("fixtures/suite/sunspot/valid"):
        ...     for diagnostic in report.errors:
        ...         print(diagnostic)

    Args:
        paths: one path or several; see `Paths`.
        finished: require a result of every record.
        lint: warn about records that are valid but probably unintended or not in the usual form.
        jobs: the number of processes.
        select: a code or a group of codes, or several: ignore all others.
        ignore: codes or groups to ignore: a record with such errors alone is `accepted`, but not `valid`.
        warn: codes or groups to ignore, but to show in text.
        config: a file of settings; True for the nearest settings above each file, as in the command.
        format: the format of all files; by default detected from names and contents.

    An input that cannot be read gets a report with the code ``syntax/unreadable``.

    Raises:
        hexrec.UnknownNameError: an unknown format or code.
        hexrec.InputChanged: a file was changed while it was read.
        hexrec.Error: invalid settings, or worker processes that cannot be started.
    """
    _check_arguments(format, jobs)
    settings = Settings(
        Rules(_list_codes(select), _list_codes(ignore), _list_codes(warn)),
        finished=finished or None,
        lint=lint or None,
        files=config is True,
        given=None if isinstance(config, bool) else read_configuration(Path(config)),
    )
    return _check(_paths(paths), format, settings, jobs)


def _list_codes(codes: str | Sequence[str]) -> Sequence[str]:
    return [codes] if isinstance(codes, str) else codes


def _check(paths: list[str], format: str | None, settings: Settings, jobs: int) -> Iterator[Report]:
    suggester = Suggester()
    chunks = split(Discovery(paths, format), settings=settings, suggester=suggester)
    with closing(_gather(chunks, ValidateTask(records=True), jobs)) as reports:
        known = map(Baselines(settings, None).apply, Duplicates().find(map(suggester.limit, reports)))
        yield from map(settings.grade, known)


def check_text(
    text: str | bytes, format: str | None = None, *, finished: bool = False, lint: bool = False
) -> list[Report]:
    """Return a report for each record of a string or bytes, as `check` does for a file.

        >>> [report.valid for report in hexrec.check_text('{"hexrec": "1", "game": "sunspot", "size": 4, "moves": []}')]
        [True]

    By default, the format is detected from the content. Raises hexrec.UnknownNameError.
    """
    _check_arguments(format)
    documents = _documents_in(text, format)
    reports = (
        check_document(document, None, index, finished=finished, lint=lint) for index, document in enumerate(documents)
    )
    return [*map(Suggester().add, reports)]


def import_text(
    text: str | bytes,
    *,
    game: str | None = None,
    size: int | None = None,
    opening: Mapping[str, str] | None = None,
    variant: str | None = None,
    coordinates: System | None = None,
    file: PathLike | None = None,
) -> list[Report]:
    """Return a report for each game of a post, a note or a table, as `hexrec import` does for a file.

        >>> [report] = hexrec.import_text("Sunspot, size 4: 1. d4 a1 2. b1 White resigns")
        >>> report.record and report.record.turns
        ['d4', 'a1', 'b1']

    The report of an imported game has a `record`. That of another is invalid: it has the turn that fails in the best
    attempt, or the fact to give as an argument.

    Args:
        text: the text; bytes can be those of an `.xlsx` file.
        game: the game, if the text does not state it, as for all further facts.
        size: the cells per side.
        opening: the cells of the opening stones by color.
        variant: the variant.
        coordinates: the coordinate system of the text.
        file: the name of the file, which can state facts, and is a part of `source` in records.

    Raises:
        hexrec.UnknownNameError: an unknown game.
        ValueError: an unknown coordinate system, or an opening without cells.
        hexrec.MissingExtraError: the extra ``xlsx`` is not installed.
    """
    from hexrec.tools.importing import import_bytes  # imported here because most programs import no texts
    from hexrec.tools.importing.hints import Hints

    limits.check_environment()
    if game is not None:
        games.get(game)
    hints = Hints(game, size, opening, variant, coordinates)
    hints.check()
    raw = _encode(text)
    name = None if file is None else os.fspath(file)
    return [imported.report for imported in import_bytes(raw, name, hints)]


def load(path: PathLike, format: str | None = None) -> Record:
    """Return the only record of a file.

        >>> record = hexrec.load("fixtures/suite/sunspot/valid/loop.json")
        >>> record.game, record.size
        ('sunspot', 4)

    Each tolerated violation of the format causes a ConversionWarning. Diagnostics on the record have places.

    Raises:
        hexrec.RecordError: the file has no valid record. Its `diagnostics` have the places.
        ValueError: the file has more than one record.
        hexrec.UnknownNameError: an unknown format.
        hexrec.InputChanged: the file was changed while it was read.
        OSError: the file cannot be read.
    """
    _check_arguments(format)
    name = os.fspath(path)
    return _single_record(Source(name, format or format_of(name)).documents(), name)


def loads(text: str | bytes, format: str | None = None) -> Record:
    """Return the only record of a string or bytes. By default, the format is detected from the content.

    Raises the exceptions of `load`.
    """
    _check_arguments(format)
    return _single_record(_documents_in(text, format), None)


def records(paths: Paths, *, format: str | None = None, on_error: OnError = "raise") -> Iterator[Record]:
    """Yield the records of files, directories and archives one by one.

        >>> len(list(hexrec.records("fixtures/suite/sunspot/reference/games.jsonl")))
        19

    `on_error` can skip records and files that cannot be read, or call a function with each RecordError. Turns must be
    in valid notation; use `validate` to check whether they are legal.

    Raises:
        hexrec.RecordError: a record or a file cannot be read, unless `on_error` handles it.
        hexrec.UnknownNameError, hexrec.InputChanged: as `check`.
    """
    _check_arguments(format)
    if on_error not in ("raise", "skip") and not callable(on_error):
        raise ArgumentError(f'on_error should be "raise", "skip" or a function, not {on_error!r}')
    return _records(_paths(paths), format, on_error)


def _records(paths: list[str], format: str | None, on_error: OnError) -> Iterator[Record]:
    for item in _read(paths, format):
        if isinstance(item, Record):
            yield item
        elif callable(on_error):
            on_error(item)
        elif on_error == "raise":
            raise item


def _read(paths: list[str], format: str | None) -> Iterator[Record | RecordError]:
    """Yield the records of paths, or an error for each record that cannot be read."""
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
    """Validate the replay and the result of a record. With `finished`, the record must have a result.

        >>> hexrec.validate(hexrec.load("fixtures/suite/sunspot/valid/loop.json")).valid
        True

    Diagnostics on a loaded record have places in its file. An unexpected error, as in the package of a game, becomes a
    diagnostic.
    """
    if not isinstance(record, Record):
        raise TypeError(
            f"validate takes a Record, not {type(record).__name__}: use check for files, check_text for text"
        )
    try:
        report = check_record(record, finished=finished, lint=lint)
    except Exception as error:
        where = (record.file, record.index, record.game, record.id)
        failed = Report((), 0, None, record, *where, document=record.document)
        return add_internal_error(failed, error, memory=False)
    return Suggester().add(report)


def dump(
    record: Record | Iterable[Record],
    path: PathLike,
    format: str | None = None,
    *,
    coordinates: System | None = None,
    on_loss: OnLoss | None = None,
) -> None:
    """Write one or several records to a file in canonical form. By default, the file name determines the format.

    The file is written atomically, and compressed if its name ends in .gz, .zst, .bz2 or .xz. Lost data is reported as
    in `dumps`.

    Raises:
        ValueError: the name does not determine the format, or the format allows only one record in a file.
        OSError: the file cannot be written.
        hexrec.Error: as `dumps`.
    """
    pieces = _texts(record, format or _format_by_name(path), coordinates, on_loss or _warn)
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
    """Return the canonical form of one or several records as a string.

        >>> record = hexrec.loads('{"hexrec": "1", "game": "sunspot", "size": 4, "moves": ["D4"]}')
        >>> hexrec.dumps(record, "jsonl")
        '{"hexrec":"1","game":"sunspot","size":4,"moves":["d4"]}\\n'

    `coordinates` selects the coordinate system; by default, each record keeps its own. Data that the format cannot
    represent is omitted with a ConversionWarning; `on_loss`, if given, is called with a diagnostic instead.

    Raises:
        hexrec.UnknownNameError: an unknown format.
        hexrec.RecordError: a turn cannot be written in other coordinates because it names no cell of the board, or the
            string would be too large to be read again.
        ValueError: several records in a format that allows only one in a file.
    """
    return "".join(_texts(record, format, coordinates, on_loss or _warn))


def _texts(
    record: Record | Iterable[Record], format: str, coordinates: System | None, on_loss: OnLoss
) -> Iterator[str]:
    limits.check_environment()
    several = [record] if isinstance(record, Record) else record
    data = (canonical_data(one, coordinates, on_loss) for one in several)
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
        target: the output file, which is written atomically and may exist.
        format: the output format; by default determined by the file name.
        source_format: the format of all inputs; by default detected from names and contents.
        coordinates: the coordinate system to write; by default that of each record.
        strict: skip records with data that the format cannot represent.
        invalid: convert and mark invalid records that could be read.

    Raises the exceptions of `check` and `dump`.
    """
    _check_arguments(source_format)
    name = format or _format_by_name(target)
    formats.get(name)
    conversion = Conversion(name, coordinates, strict, invalid)
    diagnostics: list[Diagnostic] = []
    count = written = 0
    with atomic_write(Path(target)) as stream:
        for converted in conversion.join(check_here(split(Discovery(_paths(paths), source_format)))):
            count += 1
            diagnostics += converted.report.diagnostics
            if converted.text is not None:
                stream.write(converted.text)
                written += 1
    return ConversionSummary(count, written, tuple(diagnostics))


def scores(paths: Paths, *, jobs: int = 1, format: str | None = None) -> pyarrow.Table:
    """Return the scores of records, including broken ones, as an Arrow table with the rows of `hexrec score`.

    The arguments are those of `check`. An input that cannot be read has a row with the code of its error. Project
    settings do not apply.

    Raises:
        hexrec.MissingExtraError: the extra ``arrow`` is not installed.
        hexrec.InputChanged: a file was changed while it was read.
        hexrec.UnknownNameError: an unknown format.
    """
    _check_arguments(format, jobs)
    with extra("arrow", "to read scores as a table, install", "pyarrow"):
        import pyarrow

        from hexrec.output.rows_arrow import ARROW, SCHEMA, record_batches
    chunks = split(Discovery(_paths(paths), format))
    with closing(_run(chunks, ScoreTask(encode=ARROW.encode), jobs)) as batches:
        return pyarrow.Table.from_batches(record_batches(batch.gathered.part for batch in batches), SCHEMA)


def positions(paths: Paths, *, jobs: int = 1, format: str | None = None) -> pyarrow.Table:
    """Return the positions of valid records as an Arrow table with the rows of `hexrec positions`.

    The arguments are those of `check`. Raises the exceptions of `scores`.
    """
    with _read_for_table(paths, FunctionTask(partial(examine_game, game_positions)), jobs, format) as games:
        import pyarrow

        from hexrec.tools.positions_file import sort_rows

        return pyarrow.concat_tables(sort_rows(games))


def turns(paths: Paths, *, jobs: int = 1, format: str | None = None) -> pyarrow.Table:
    """Return the turns of valid records as an Arrow table with the rows of `hexrec turns`, by game and size.

    The arguments are those of `check`. Raises the exceptions of `scores`.
    """
    with _read_for_table(paths, FunctionTask(partial(examine_game, rows_of)), jobs, format) as games:
        import pyarrow

        from hexrec.tools.turns_file import with_partition

        return pyarrow.concat_tables(with_partition(games, "turns"))


@contextmanager
def _read_for_table(paths: Paths, task: ChunkTask, jobs: int, format: str | None) -> Iterator[Iterator[Any]]:
    """Yield the results of a task on the records of paths. In the block, a missing pyarrow raises MissingExtraError."""
    _check_arguments(format, jobs)
    results = _gather(split(Discovery(_paths(paths), format)), task, jobs)
    with extra("arrow", "to read records as a table, install", "pyarrow"), closing(results) as games:
        yield games


def _gather(chunks: Iterable[Chunk], task: ChunkTask, jobs: int) -> Generator[Any, None, None]:
    with closing(_run(chunks, task, jobs)) as batches:
        for batch in batches:
            yield from batch.gathered


def _run(chunks: Iterable[Chunk], task: ChunkTask, jobs: int) -> Generator[Batch, None, None]:
    return run(chunks, task, jobs if jobs != 1 else 0, one_chunk_here=True)


def _check_arguments(format: str | None, jobs: int = 1) -> None:
    """Raise an exception for invalid limits in the environment, an unknown format, or no process."""
    limits.check_environment()
    if jobs < 1:
        raise ArgumentError(f"jobs should be at least 1, not {jobs}")
    if format is not None:
        formats.get(format)


def _format_by_name(path: PathLike) -> str:
    """Return the format of an output file. Raises ArgumentError if its name does not show it."""
    name = format_of(Path(path))
    if name is None:
        known = ", ".join(formats.names())
        raise ArgumentError(f"the name {os.fspath(path)!r} does not show the format: give one of {known}")
    return name


def _paths(paths: Paths) -> list[str]:
    given = [paths] if isinstance(paths, str | os.PathLike) else paths
    return [os.fspath(path) for path in given]


def _encode(text: str | bytes) -> bytes:
    """Return the bytes of a text. Raises TypeError for anything else, such as a dictionary."""
    if not isinstance(text, str | bytes):
        raise TypeError(f"a record is read from a string or bytes, not {type(text).__name__}: use json.dumps for data")
    return text.encode() if isinstance(text, str) else text


def _documents_in(text: str | bytes, format: str | None) -> Iterator[Document]:
    raw = _encode(text)
    return formats.read(format or formats.by_content(raw), io.BytesIO(raw))


def _warn(diagnostic: Diagnostic) -> None:
    place = f"{diagnostic.place}: " if diagnostic.place else ""
    warn(f"{place}{diagnostic.code}: {diagnostic.message}", ConversionWarning)


def _single_record(documents: Iterable[Document], file: str | None) -> Record:
    first, *others = documents
    if others:
        raise ArgumentError(f"{file or 'the text'} has {1 + len(others)} records, not one: use records")
    return _record(first, file, 0)


def _record(document: Document, file: str | None, index: int) -> Record:
    """Return the record in a document. Raises RecordError with places."""
    for warning in document.locate(document.warnings, file=file, record=index):
        _warn(warning)
    try:
        return read_document(document, file, index, turns_unchecked=False)
    except RecordError as error:
        raise RecordError(document.locate(error.diagnostics, file=file, record=index), error.playable) from None


def _picture(shown: Position | Record) -> str | None:
    from hexrec.render import notebook_picture  # imported here because most users show no pictures

    return notebook_picture(shown)


def _slider(record: Record) -> str | None:
    from hexrec.render import notebook_slider

    return notebook_slider(record)


# Methods of records and positions that take modules above theirs.
Position.picture, Record.picture, Record.slider = _picture, _picture, _slider
Record.hasher = game_hash
