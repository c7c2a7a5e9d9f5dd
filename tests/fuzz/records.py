"""Targets that read records: each format, archives, conversion and formatting, and the commands as wholes."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache, partial
from pathlib import Path
from typing import Any

from hexrec import codes, formats
from hexrec.cli import run
from hexrec.io.discovery import Discovery, Source
from hexrec.output import report_formats
from hexrec.server.listing import ListRecords
from hexrec.server.problems import Problem
from hexrec.server.records import ValidateRecords
from hexrec.server.tasks import Task
from hexrec.tools.convert import Conversion
from hexrec.tools.edit import files as edit
from hexrec.tools.edit.fixes import format_record
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import Report
from hexrec.validation.sources import check_sources
from tests.formats.helpers import raw
from tests.formats.test_json_values import golden as json_values
from tests.formats.test_readings import texts
from tests.fuzz.target import LONGEST_SEED, Target, small_fixtures

NAMES = tuple(formats.BUILT_IN)
_SUFFIXES = {
    "json": (".json",),
    "jsonl": (".jsonl", ".ndjson"),
    "yaml": (".yaml", ".yml"),
    "sgf": (".sgf",),
    "hgn": (".hgn",),
    "abstractplay": (".json", ".jsonl"),
}
_FOLDERS = {"abstractplay": "formats/abstractplay"}
#: What the names of files end with, by the first byte of an input.
_PACKED = (".zip", ".tar", ".tar.gz", ".jsonl.gz", ".sgf.bz2", ".yaml.xz", ".hgn.zst", ".tgz", ".tar.xz", ".json.gz")
_COMMANDS = (
    ["validate", "--lint"],
    ["validate", "--format", "json", "--finished"],
    ["score", "--format", "csv"],
    ["fmt", "--check", "--diff"],
    ["hash", "--symmetric"],
    ["stats"],
    ["dedupe", "--to", "jsonl"],
    *(["convert", "--no-validate", "--to", name] for name in NAMES),
)


@cache
def folder() -> Path:
    """Return the folder for the files of this process."""
    _MADE.append(made := tempfile.TemporaryDirectory(prefix="hexrec-fuzz-"))
    return Path(made.name)


#: They last as long as the process.
_MADE: list[tempfile.TemporaryDirectory[str]] = []


@cache
def seeds(name: str) -> list[bytes]:
    """Return records in a format, and texts that few files have in them."""
    lists = map(raw, json_values().values()) if name == "json" else ()
    small = [text for text in [*texts(name).values(), *lists] if len(text) <= LONGEST_SEED]
    return [*small_fixtures(*_SUFFIXES[name], folder=_FOLDERS.get(name, "")), *small]


def source(name: str, data: bytes) -> Source:
    """Return bytes as a file in a format."""
    return Source("a file", name, opener=lambda: io.BufferedReader(io.BytesIO(data)))


@cache
def _codes() -> set[str]:
    return codes.all_codes()


def check_diagnostic(found: Diagnostic, lines: int | None = None) -> None:
    """Fail for a diagnostic that no input should have, or one with an impossible place."""
    assert found.code in _codes(), found.code
    assert not found.code.startswith("internal/"), found
    assert found.message.isprintable() or "\n" not in found.message
    if found.line is not None:
        assert found.column is not None
        assert found.line >= 1
        assert found.column >= 1
        assert lines is None or found.line <= lines, (found, lines)
    if found.end_line is not None:
        assert (found.end_line, found.end_column or 0) >= (found.line or 0, found.column or 0), found


def judge(name: str, data: bytes) -> list[Report]:
    """Return the reports on the records of a file in a format; every diagnostic is documented and has its place."""
    reports = list(check_sources([source(name, data)], lint=True))
    assert reports, "no verdict on a file"
    lines = data.count(b"\n") + 1
    for number, report in enumerate(reports):
        assert report.index == number
        for found in report.diagnostics:
            check_diagnostic(found, lines)
        assert report.valid == (not report.errors)
        assert report.record is not None or report.errors
    return reports


def read(name: str, data: bytes) -> None:
    """Judge the records of a file in a format, find all places in them, and write the reports on them."""
    reports = judge(name, data)
    for report in reports:
        if report.document is not None and report.document.error is None:
            report.document.places()
    for reporter in ("text", "json"):
        report_formats.write(reporter, reports, io.StringIO())


def convert(data: bytes) -> None:
    """Convert records between two formats; what is written is read again, and says the same."""
    name, to = NAMES[data[0] % len(NAMES)], NAMES[data[1] % len(NAMES)]
    system = (None, "row", "skew", "axial")[data[1] // len(NAMES) % 4]
    reports = check_sources([source(name, data[2:])])
    conversion = Conversion(to, system, invalid=bool(data[0] & 0x80))  # type: ignore[arg-type]
    for done in map(conversion.convert, reports):
        for found in done.report.diagnostics:
            check_diagnostic(found)
        if done.text is None:
            continue
        (again,) = check_sources([source(to, done.text.encode())])
        assert again.record is not None, again.diagnostics
        assert again.valid or not done.report.valid, again.diagnostics
        lost = any(found.code.startswith("convert/") for found in done.report.diagnostics)
        if not lost and done.report.valid:
            assert again.plies == done.report.plies
            assert again.result == done.report.result


def fmt(data: bytes) -> None:
    """Format a file; formatted again, it stays as it is, and every record has the verdict that it had."""
    name = NAMES[data[0] % len(NAMES)]
    try:
        once = _formatted(name, data[1:])
    except edit.EditError as error:
        assert "an error in hexrec" not in str(error), error
        return
    assert _formatted(name, once) == once, "formatted twice, it differs"
    before, after = (_verdicts(check_sources([source(name, text)])) for text in (data[1:], once))
    assert before == after


def _formatted(name: str, data: bytes) -> bytes:
    number = iter(range(1 << 30))
    stream = io.BufferedReader(io.BytesIO(data))
    segments = edit.get(name, canonical=True)(
        stream, lambda document: format_record(document, "a file", next(number)).data
    )
    return b"".join(segment.new for segment in segments)


def _verdicts(reports: Iterator[Report]) -> list[tuple[bool, int, object]]:
    return [(report.valid, report.plies, report.result) for report in reports]


def packed(data: bytes) -> None:
    """Validate a file that is compressed or an archive, or is named like one."""
    path = folder() / f"a{_PACKED[data[0] % len(_PACKED)]}"
    path.write_bytes(data[1:])
    for report in check_sources(Discovery([str(path)])):
        for found in report.diagnostics:
            check_diagnostic(found)
    path.unlink()


def command(data: bytes) -> None:
    """Run a command on a file; it ends with a documented exit code and says nothing of errors in hexrec."""
    arguments = _COMMANDS[data[0] % len(_COMMANDS)]
    suffix = _SUFFIXES[NAMES[data[1] % len(NAMES)]][0]
    path = folder() / f"a{suffix}"
    path.write_bytes(data[2:])
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    try:
        with redirect_stdout(out), redirect_stderr(err):
            run([*arguments, str(path)])
    except SystemExit as ended:
        assert ended.code in (0, 1, 2), ended.code
    said = b"".join(_content(stream) for stream in (out, err))
    assert b"internal/" not in said, said
    assert b"Traceback" not in said, said
    assert path.read_bytes() == data[2:], "an input was changed"


def body(data: bytes) -> None:
    """Judge and list what the service is sent, in a format or in whichever it recognizes: both say the same of it."""
    format = (*NAMES, None)[data[0] % (len(NAMES) + 1)]
    about: dict[str, Any] = {"body": data[1:], "notation": format, "records": 1_000, "plies": 100_000}
    verdicts = []
    try:
        for report in Task(ValidateRecords(), **about).validate():
            for found in report.diagnostics:
                check_diagnostic(found, data.count(b"\n") + 1)
            verdicts.append(report.valid)
        listed = json.loads(Task(ListRecords(), **about).answer().body)["records"]
    except Problem as problem:
        assert problem.name in ("too-many-records", "too-many-plies"), problem
        return
    assert [entry["valid"] for entry in listed] == verdicts
    assert all(entry["extent"]["offset"] + entry["extent"]["size"] < len(data) for entry in listed)


def _content(stream: io.TextIOWrapper) -> bytes:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue()


def _selected(count: int) -> list[bytes]:
    """Return records of all formats after so many selectors, of which the last says which format it is."""
    found = []
    for number, name in enumerate(NAMES):
        for index, seed in enumerate(seeds(name)[::5]):
            found.append(bytes([*[index % 251] * (count - 1), number]) + seed)
    return found


def _bodies() -> list[bytes]:
    lists = [raw(line) for line in json_values().values()]
    return [*_selected(1), *(bytes([number]) + text for number in (NAMES.index("json"), len(NAMES)) for text in lists)]


def _for_convert() -> list[bytes]:
    return [bytes([seed[1], seed[0]]) + seed[2:] for seed in _selected(2)]


@cache
def _archives() -> Sequence[bytes]:
    record, game = seeds("jsonl")[0], seeds("sgf")[0]
    zipped, tarred = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.jsonl", record)
        archive.writestr("b/c.sgf", game)
    with tarfile.open(fileobj=tarred, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, content in (("a.jsonl", record), ("b/" + "c" * 120 + ".sgf", game)):
            about = tarfile.TarInfo(name)
            about.size = len(content)
            about.pax_headers = {"comment": "é"}
            tar.addfile(about, io.BytesIO(content))
    raw = tarred.getvalue().rstrip(b"\0") + bytes(1024)
    return [
        bytes([number]) + content
        for number, content in enumerate(
            (
                zipped.getvalue(),
                raw,
                gzip.compress(raw),
                gzip.compress(record),
                bz2.compress(game),
                lzma.compress(record),
            )
        )
    ]


def _reader(name: str) -> Target:
    return Target(partial(read, name), partial(seeds, name), name)


def _as(function: Callable[[bytes], None], selectors: int) -> Callable[[bytes], None]:
    """Return a target that passes over inputs which have no room for the selectors."""
    return lambda data: function(data) if len(data) >= selectors else None


TARGETS = {
    **{name: _reader(name) for name in NAMES},
    "archives": Target(_as(packed, 1), _archives, selectors=1),
    "bodies": Target(_as(body, 1), _bodies, selectors=1),
    "convert": Target(_as(convert, 2), _for_convert, selectors=2),
    "fmt": Target(_as(fmt, 1), lambda: _selected(1), selectors=1),
    "commands": Target(_as(command, 2), lambda: _selected(2), selectors=2),
}
