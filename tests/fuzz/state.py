"""Targets that read what hexrec keeps or people configure: settings, baselines, caches, checkpoints."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from hexrec.io.discovery import Discovery
from hexrec.parallel.checkpoint import Checkpoint
from hexrec.parallel.chunks import ChunkLimits, split
from hexrec.parallel.run import run
from hexrec.parallel.tasks import ScoreTask, ValidateTask
from hexrec.validation import baseline
from hexrec.validation.cache import Cache
from hexrec.validation.configuration import Misconfigured, Settings
from hexrec.validation.report import Summary
from hexrec.validation.sources import check_sources
from tests.cached import lines, replace_lines
from tests.fuzz.records import folder
from tests.fuzz.target import Target

_RECORDS = (
    b'{"hexrec":"1","game":"sunspot","size":5,"moves":["e5","d4"]}\n'
    b'{"hexrec":"1","game":"sunspot","size":5,"moves":["e5","e5"],"id":"b"}\n'
    b'{"hexrec":"1"}\n'
)
_SETTINGS = (
    b'finished = true\nlint = false\nselect = ["move", "schema/date"]\nwarn = ["result/score-mismatch"]\n',
    b'ignore = ["lint"]\n[per-path-ignores]\n"archive/before-2010" = ["result", "schema/date"]\n"**/*.json" = []\n',
    b'[tool.hexrec]\nfinished = false\n[tool.hexrec.per-path-ignores]\n"a/**" = ["move/occupied"]\n',
    b'[tool.other]\na.b.c = {d = [1, 2.5, "x", 1979-05-27]}\n[[x]]\ny = """\nz"""\n',
)


def settings(data: bytes) -> None:
    """Read settings: they are followed or refused."""
    if not data:
        return
    place = folder() / "settings"
    place.mkdir(exist_ok=True)
    path = place / ("hexrec.toml", "pyproject.toml")[data[0] % 2]
    path.write_bytes(data[1:])
    try:
        Settings().find(str(place / "a.json"))
    except Misconfigured as error:
        assert str(error).startswith(str(path))
    path.unlink()


def known(data: bytes) -> None:
    """Read a baseline: it is one, which comes back as it was, or refused as none."""
    path = folder() / "known.json"
    try:
        found = baseline.parse(data, path)
    except ValueError:
        return
    assert baseline.parse(found.text().encode(), path).entries == found.entries
    for report in check_sources(Discovery([str(_archive())])):
        found.apply(report)
    found.stale()


def _archive() -> Path:
    path = folder() / "a.jsonl"
    if not path.exists():
        path.write_bytes(_RECORDS)
    return path


@cache
def _entry() -> bytes:
    """Return the entry of the reports on some records, as it is written."""
    _validate()
    return lines(folder() / "cache")


def _validate() -> bool:
    """Validate some records with the cache; return whether their reports were in it."""
    task = ValidateTask(counts=True, cache=Cache(folder() / "cache"))
    found = [part for batch in run(split(Discovery([str(_archive())])), task) for part in batch.gathered]
    return any(part.cached for part in found if isinstance(part, Summary))


def cached(data: bytes) -> None:
    """Read cached reports: whatever they are, a run ends, and what is not a list of reports is replaced."""
    content = _entry()
    replace_lines(folder() / "cache", data)
    assert _validate() or lines(folder() / "cache") == content


def _cache_seeds() -> Sequence[bytes]:
    parts = _entry().splitlines(keepends=True)
    return [b"".join(parts[:count]) for count in range(1, len(parts) + 1)]


def _rows(checkpoint: Checkpoint) -> list[object]:
    chunks = split(Discovery([str(_archive())]), ChunkLimits(size=40, whole=80))
    return [batch.gathered for batch in run(chunks, ScoreTask(checkpoint=checkpoint))]


def _checkpoint() -> Checkpoint:
    return Checkpoint(folder() / "rows.csv", paths=[str(_archive())])


@cache
def _finished() -> tuple[list[bytes], list[object]]:
    """Return the files of the checkpoint of a run, and its rows."""
    checkpoint = _checkpoint()
    rows = _rows(checkpoint)
    return [path.read_bytes() for path in sorted(checkpoint.path.iterdir())], rows


def checkpoints(data: bytes) -> None:
    """Go on with an unfinished run, of which a file has other content: the rows are those of a run in one go."""
    if not data:
        return
    whole, rows = _finished()
    checkpoint = _checkpoint()
    files = sorted(checkpoint.path.iterdir())
    files[data[0] % len(files)].write_bytes(data[1:])
    assert _rows(checkpoint) == rows
    assert [path.read_bytes() for path in files] == whole


def _checkpoint_seeds() -> Sequence[bytes]:
    whole, _ = _finished()
    contents = [content[:size] for content in whole for size in (len(content), len(content) // 2, 16)]
    return [bytes([number]) + content for number in range(len(whole)) for content in contents]


TARGETS = {
    "configuration": Target(
        settings, lambda: [bytes([number]) + text for text in _SETTINGS for number in (0, 1)], selectors=1
    ),
    "baseline": Target(
        known,
        lambda: [
            b'{"hexrec-baseline": 1, "diagnostics": [\n'
            b'  {"file": "a.jsonl", "record": "b", "code": "move/occupied", "place": "2"}\n]}\n',
            b'{"hexrec-baseline": 1, "diagnostics": []}\n',
        ],
    ),
    "cache": Target(cached, _cache_seeds),
    "checkpoint": Target(checkpoints, _checkpoint_seeds, selectors=1),
}
