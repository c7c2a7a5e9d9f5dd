"""Each limit, exceeded: the answer is the right one and takes no more than a second and 200 MB."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import fields
from functools import partial
from itertools import chain
from pathlib import Path
from time import process_time

import pytest

from hexrec.parallel.checkpoint import Checkpoint
from hexrec.parallel.chunks import Chunk
from hexrec.server.limits import Limits
from hexrec.util import limits
from tests.limits.cases import CASES, MEBIBYTE, RECORD, Measure, measuring
from tests.processes import PATIENCE, PROGRAM

#: How long an answer may take, in seconds of a processor, and how much memory it may take, in kilobytes.
SECOND = 1.0
ROOM = 200_000_000 // 1000
#: What a loop of a million steps takes on the machine that the table of the documents was measured on.
_USUAL_LOOP = 0.02
_MORE_TRIES = 3

#: The limits of what other tests here exceed.
ELSEWHERE = {"MAX_DECOMPRESSED_BYTES", "MAX_COMPRESSION_RATIO", "MAX_COMPRESSED_RECORDS", "MAX_ANSWER_BYTES"}
TABLE = Path(__file__).parents[2] / "docs/guarantees.md"


@pytest.fixture(scope="module")
def measure() -> Iterator[Measure]:
    with measuring() as run:
        yield run


@pytest.fixture(scope="module")
def validate(measure: Measure) -> Measure:
    return partial(measure, "validate", "--quiet")


def is_quick(seconds: float) -> bool:
    """Return whether an answer took no more than a second, or what that is while other processes slow this one down."""
    if seconds < SECOND:
        return True
    begun = process_time()
    for _ in range(1_000_000):
        pass
    return seconds < SECOND * (process_time() - begun) / _USUAL_LOOP


@pytest.mark.parametrize("name", CASES)
def test_what_is_beyond_a_limit_is_refused_at_once(name: str, validate: Measure, tmp_path: Path) -> None:
    case = CASES[name]
    file = case.write(tmp_path)
    ran = validate(file)
    assert ran.code in (1, 2)
    assert case.answer in ran.said
    assert "internal/" not in ran.said
    assert ran.room < ROOM
    again = (validate(file).seconds for _ in range(_MORE_TRIES))
    assert any(map(is_quick, chain([ran.seconds], again)))


def _large(folder: Path, before: bytes, part: bytes) -> str:
    path = folder / "a.json"
    with path.open("wb") as file:
        file.write(before)
        for _ in range(150):
            file.write(part * (MEBIBYTE // len(part)))
    return str(path)


@pytest.mark.parametrize(
    ("command", "before", "part", "piped"),
    [
        (("validate",), b'{"x-a": "', b"a", False),
        (("validate",), b"[", b" ", True),
        (("validate",), b"", b"[", False),
        (("fmt", "--check"), b'{"x-a": "', b"a", True),
        (("convert", "--to", "jsonl"), b"[", b" ", False),
    ],
)
def test_a_file_that_is_too_large_is_not_held(
    command: tuple[str, ...], before: bytes, part: bytes, piped: bool, measure: Measure, tmp_path: Path
) -> None:
    file = _large(tmp_path, before, part)
    ran = measure(*command, "-", given=file) if piped else measure(*command, file)
    assert ("syntax/" in ran.said, ran.room < ROOM) == (True, True)


@pytest.mark.parametrize("end", [b"", b"\xef\xbb\xbf"])
def test_lines_of_comments_take_little_memory(end: bytes, measure: Measure, tmp_path: Path) -> None:
    """Some bytes for each, not as much as a value of Python."""
    path = tmp_path / "a.yaml"
    rooms = []
    for count in (1, 250_000):
        path.write_bytes(b"#\n" * count + end)
        ran = measure("validate", str(path))
        assert "syntax/empty" in ran.said
        rooms.append(ran.room)
    assert rooms[1] - rooms[0] < 8_000


def test_what_an_archive_unpacks_to_is_not_held(measure: Measure, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.jsonl", "w") as member:
        for _ in range(150):
            member.write(b" " * MEBIBYTE)
    for command in (("validate",), ("convert", "--to", "jsonl")):
        ran = measure(*command, str(path))
        assert ("syntax/" in ran.said, ran.room < ROOM) == (True, True), command


def test_every_limit_is_exceeded() -> None:
    assert {case.limit for case in CASES.values() if case.limit} | ELSEWHERE == set(limits.IN_FORCE)


@pytest.mark.parametrize(
    ("name", "record", "few", "many"), [("a.jsonl", b"x" * 8_000 + b"\n", 150, 1_500), ("a.sgf", b"(;)", 6_000, 12_000)]
)
def test_memory_is_the_same_however_many_records_and_diagnostics_there_are(
    name: str, record: bytes, few: int, many: int, measure: Measure, tmp_path: Path
) -> None:
    path = tmp_path / name
    rooms = []
    for count in (few, many):
        path.write_bytes(record * count)
        ran = measure("validate", "--jobs", "1", "--format", "markdown", str(path))
        assert f"{count:,} records" in ran.said
        rooms.append(ran.room)
    assert rooms[1] - rooms[0] < 3_000


def run(arguments: list[str], **environment: int | str) -> subprocess.CompletedProcess[str]:
    """Run hexrec with limits from the environment."""
    variables = {f"HEXREC_{name}": str(value) for name, value in environment.items()}
    return subprocess.run(
        [*PROGRAM, *arguments], env={**os.environ, **variables}, capture_output=True, text=True, timeout=PATIENCE
    )


def test_what_a_file_unpacks_to(tmp_path: Path) -> None:
    answer = "unpacks to over 1 MiB more than 500 times its size"
    for suffix, compress in ((".gz", gzip.compress), (".bz2", bz2.compress)):
        (tmp_path / f"a.sgf{suffix}").write_bytes(compress(b" " * 4 * MEBIBYTE))
    ran = run(["validate", str(tmp_path)], MAX_DECOMPRESSED_BYTES=MEBIBYTE)
    assert (ran.returncode, ran.stdout.count(answer)) == (2, 2)
    ran = run(["validate", str(tmp_path)], MAX_DECOMPRESSED_BYTES=4 * MEBIBYTE, MAX_COMPRESSION_RATIO=1)
    assert ran.stdout.count("syntax/empty") == 2


@pytest.mark.parametrize("command", [("validate",), ("convert", "--to", "jsonl")])
def test_how_many_records_a_compressed_file_has(command: tuple[str, ...], tmp_path: Path) -> None:
    for name, records in {"a.jsonl": b"0\n" * 1_500, "a.yaml": b"--- 0\n" * 1_500}.items():
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(records))
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w", zipfile.ZIP_DEFLATED) as made:
            made.writestr(name, records)
    ran = run([*command, str(tmp_path)], MAX_COMPRESSED_RECORDS=10)
    assert (ran.stdout + ran.stderr).count("it contains over 10 records more than 20 for each of its bytes") == 4


def test_the_answer_of_an_engine() -> None:
    flood = f"while True: print(end='x' * {limits.MAX_ANSWER_BYTES}, flush=True)"
    ran = run(["conformance", "--count", "1", "--timeout", str(PATIENCE), sys.executable, "-c", flood])
    assert f"gave an answer of more than {limits.MAX_ANSWER_BYTES:,} bytes" in ran.stdout + ran.stderr


@pytest.mark.parametrize("value", ["0", "101", "-1", "ten", "1e9", "9" * 100, "٣", " 5"])
def test_a_limit_that_cannot_be_is_refused(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXREC_MAX_DEPTH", value)
    monkeypatch.setattr(limits, "_malformed", [])
    assert limits._limit("MAX_DEPTH", 100, maximum=100) == 100
    with pytest.raises(limits.EnvironmentVariableError) as refused:
        limits.check_environment()
    assert str(refused.value) == f"HEXREC_MAX_DEPTH should be a whole number from 1 to 100, not '{value[:40]}'"


@pytest.mark.parametrize(("value", "limit"), [("", 7), ("1", 1), ("007", 7), ("20", 20)])
def test_a_limit_that_can_be_is_taken(value: str, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXREC_MAX_DEPTH", value)
    monkeypatch.setitem(limits.IN_FORCE, "MAX_DEPTH", 7)
    assert limits._limit("MAX_DEPTH", 7, maximum=20) == limit


def test_a_run_with_a_limit_that_cannot_be_is_a_usage_error(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(RECORD)
    ran = run(["validate", str(path)], MAX_DEPTH="ten")
    expected = "hexrec: HEXREC_MAX_DEPTH should be a whole number from 1 to 100, not 'ten'\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", expected)


def test_all_limits_are_read_from_the_environment() -> None:
    asked = {f"HEXREC_{name}": str(10 + number) for number, name in enumerate(limits.IN_FORCE)}
    program = (
        "import json; from hexrec.util import limits; print(json.dumps([limits.IN_FORCE, vars(limits)], default=str))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **asked}, capture_output=True, text=True, check=True
    )
    in_force, module = json.loads(ran.stdout)
    assert in_force == {name: 10 + number for number, name in enumerate(limits.IN_FORCE)}
    assert in_force.items() <= module.items()


def test_processes_that_share_the_work_have_the_same_limits(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(RECORD * 3)
    ran = run(["validate", "--quiet", "--jobs", "2", str(path)], MAX_RECORD_BYTES=len(RECORD) - 2)
    assert ran.stdout.count(f"larger than {len(RECORD) - 2} bytes: not read") == 3


def test_verdicts_are_not_taken_from_runs_with_other_limits(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(RECORD)
    cached = ["validate", "--cache", "--cache-dir", str(tmp_path / "cache"), str(path)]
    assert "taken from the cache" not in run(cached).stderr
    assert "taken from the cache" in run(cached).stderr
    ran = run(cached, MAX_DEPTH=1)
    assert (ran.returncode, "taken from the cache" in ran.stderr) == (1, False)


def test_a_run_is_not_continued_with_other_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Checkpoint(tmp_path / "a.csv").save(Chunk(()), [b"a", b"b"])
    assert Checkpoint(tmp_path / "a.csv").read(Chunk(())) == [b"a", b"b"]
    monkeypatch.setitem(limits.IN_FORCE, "MAX_DEPTH", 1)
    assert Checkpoint(tmp_path / "a.csv").read(Chunk(())) is None


def test_the_page_has_every_limit() -> None:
    rows = re.findall(r"^\|.*?\| ([^|]*) \| `HEXREC_(\w+)` \|", TABLE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {name: value for value, name in rows} == {
        name: _written(name, value) for name, value in limits.IN_FORCE.items()
    }


def _written(name: str, value: int) -> str:
    return limits.in_words(value) if name.endswith(("BYTES", "MEMORY")) else f"{value:,}"


def test_the_page_has_every_limit_of_the_service() -> None:
    text = TABLE.read_text(encoding="utf-8")
    for each in fields(Limits):
        assert re.search(rf"^\|.*\| `{each.name}` \|", text, re.MULTILINE), each.name


@pytest.mark.parametrize(("size", "words"), [(8 * MEBIBYTE, "8 MiB"), (24 * 1024, "24 KiB"), (1_000, "1,000 bytes")])
def test_sizes_in_words(size: int, words: str) -> None:
    assert limits.in_words(size) == words
