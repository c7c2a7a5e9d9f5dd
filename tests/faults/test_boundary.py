"""An exception that nobody expected, in the work on one record or file: a diagnostic, exit code 2, the rest goes on."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hexrec import formats
from hexrec.formats import sgf
from hexrec.formats.base import Format, OnLoss, refuse
from hexrec.record.record import Record
from hexrec.record.replay import Replay, replay
from tests.cli.conftest import Ran, Run

CODE = "internal/error"


def record(number: int, **more: Any) -> dict[str, Any]:
    turns = ["a1", "E5", "b2", "c3"][: number + 1]
    return {"hexrec": "1", "game": "sunspot", "size": 5, "moves": turns, "id": f"r{number}", **more}


@pytest.fixture(autouse=True)
def _no_record_is_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave every record to the closer look, in whichever order the tests run."""
    monkeypatch.setattr("hexrec.validation.clean.read_json", lambda _: None)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    file = tmp_path / "games.jsonl"
    file.write_text("".join(json.dumps(record(number)) + "\n" for number in range(4)))
    return file


@pytest.fixture
def broken_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make hexrec fail on the record r1."""

    def fails(found: Record, *arguments: Any) -> Replay:
        if found.id == "r1":
            raise KeyError("oops")
        return replay(found, *arguments)

    monkeypatch.setattr("hexrec.validation.verdict.replay", fails)


def assert_reported(ran: Ran, text: str, place: str) -> None:
    assert ran.code == 2
    assert "Traceback" not in ran.out + ran.err
    (line,) = [line for line in text.splitlines() if CODE in line]
    assert place in line
    for part in (
        "an error in hexrec 1.",
        "KeyError: 'oops'",
        "hexrec/validation/verdict.py, line ",
        "please report it",
    ):
        assert part in line


@pytest.mark.usefixtures("broken_replay")
def test_validate(hexrec: Run, archive: Path) -> None:
    ran = hexrec("validate", archive, "--jobs", "1")
    assert_reported(ran, ran.out, f"{archive}:2:1: error {CODE}: record 1 (r1): ")
    assert "4 records in 1 file: 3 valid, 1 invalid" in ran.out


@pytest.mark.usefixtures("broken_replay")
def test_no_rule_hides_it(hexrec: Run, archive: Path) -> None:
    assert hexrec("validate", archive, "--jobs", "1", "--select", "move").code == 2
    assert "always an error" in hexrec("validate", archive, "--ignore", CODE).err


@pytest.mark.usefixtures("broken_replay")
def test_score(hexrec: Run, archive: Path) -> None:
    ran = hexrec("score", archive, "--jobs", "1", "--format", "jsonl")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert [row["code"] for row in rows] == [None, CODE, None, None]
    assert_reported(ran, rows[1]["code"] + rows[1]["message"], "")


@pytest.mark.parametrize("to", ["jsonl", "yaml", "sgf", "hgn", "abstractplay"])
@pytest.mark.usefixtures("broken_replay")
def test_convert(hexrec: Run, archive: Path, to: str) -> None:
    ran = hexrec("convert", archive, "--to", to)
    assert_reported(ran, ran.err, f"{archive}:2:1: error {CODE}: record 1 (r1): ")
    assert "4 records in 1 file: 3 converted, 1 left out" in ran.err
    again = hexrec("validate", "-", "--format", "jsonl", stdin=ran.out.encode())
    assert [json.loads(line)["plies"] for line in again.out.splitlines()] == [1, 3, 4]


@pytest.mark.parametrize("at_fault", ["r0", "r1", "r3"])
@pytest.mark.parametrize("to", ["jsonl", "yaml", "sgf", "hgn", "abstractplay"])
def test_a_writer_that_fails(
    hexrec: Run, archive: Path, monkeypatch: pytest.MonkeyPatch, to: str, at_fault: str
) -> None:
    """The others are written as if that record were not there."""
    known = formats.get(to)

    def write(records: Iterable[dict[str, Any]], on_loss: OnLoss = refuse, /) -> Iterator[str]:
        def checked() -> Iterator[dict[str, Any]]:
            for data in records:
                if data["id"] == at_fault:
                    raise KeyError("oops")
                yield data

        return known.write(checked(), on_loss)

    others = [line for line in archive.read_text().splitlines() if f'"{at_fault}"' not in line]
    expected = hexrec("convert", "-", "--to", to, stdin="\n".join(others).encode()).out
    broken = Format(known.name, known.title, known.read, write, known.recognizes)
    get = formats.get
    monkeypatch.setattr(formats, "get", lambda name: broken if name == to else get(name))
    ran = hexrec("convert", archive, "--to", to, "--from", "jsonl")
    assert (ran.code, ran.out) == (2, expected)
    assert f"error {CODE}: record {at_fault[1:]} ({at_fault}): an error in hexrec" in ran.err
    assert "4 records in 1 file: 3 converted, 1 left out" in ran.err


@pytest.mark.parametrize("command", [("dedupe", "--to", "jsonl"), ("stats",), ("hash",)])
@pytest.mark.usefixtures("broken_replay")
def test_what_reads_all(hexrec: Run, archive: Path, command: tuple[str, ...]) -> None:
    ran = hexrec(*command, archive)
    assert (ran.code, "Traceback" in ran.err) == (2, False)
    if command[0] == "dedupe":
        assert [json.loads(line)["id"] for line in ran.out.splitlines()] == ["r0", "r2", "r3"]
    elif command[0] == "hash":
        assert [line.rpartition(":")[2] for line in ran.out.splitlines()] == ["0", "2", "3"]
        assert CODE in ran.err
    else:
        assert CODE in ran.out


@pytest.mark.usefixtures("broken_replay")
def test_fix_leaves_the_record_and_does_the_others(hexrec: Run, archive: Path) -> None:
    wrong = {"winner": "black", "termination": "rules"}
    passes = {"game": "sundraval", "size": 3, "opening": {"black": "c3", "white": "b2"}}
    over = [record(number, **passes, result=wrong) | {"moves": ["a1", "a2", "pass", "pass"]} for number in range(3)]
    archive.write_text("".join(json.dumps(each) + "\n" for each in over))
    ran = hexrec("fix", archive, "--replace-results")
    assert_reported(ran, ran.err, f"{archive}:2:1: error {CODE}: record 1 (r1): ")
    winners = [json.loads(line)["result"]["winner"] for line in archive.read_text().splitlines()]
    assert winners == ["white", "black", "white"]


def test_fmt_leaves_the_file_and_does_the_others(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = {}
    for name in ("a.jsonl", "b.sgf", "c.jsonl", "d.hgn"):
        ran = hexrec("convert", "-", "--to", name[2:], stdin=json.dumps(record(1)).encode())
        texts[name] = ran.out.replace("e5", "E5")
        (tmp_path / name).write_text(texts[name])

    def write(*_: Any) -> Iterator[str]:
        raise KeyError("oops")

    broken = Format("sgf", "SGF", sgf.FORMAT.read, write, sgf.FORMAT.recognizes)
    get = formats.get
    monkeypatch.setattr(formats, "get", lambda name: broken if name == "sgf" else get(name))
    ran = hexrec("fmt", tmp_path)
    assert (ran.code, "Traceback" in ran.err) == (2, False)
    assert f"{tmp_path / 'b.sgf'}: error {CODE}: an error in hexrec" in ran.err
    changed = [name for name, text in texts.items() if (tmp_path / name).read_text() != text]
    assert changed == ["a.jsonl", "c.jsonl", "d.hgn"]


def test_a_reader_that_fails(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes after it in the file cannot be read; other files can."""

    def read(stream: Any) -> Iterator[Any]:
        yield next(sgf.FORMAT.read(stream))
        raise KeyError("oops")

    (tmp_path / "a.sgf").write_text("(;FF[4]GM[5001]SZ[5]HX[sunspot];B[e5])" * 2)
    (tmp_path / "b.json").write_text(json.dumps(record(1)))
    broken = Format("sgf", "SGF", read, sgf.FORMAT.write, sgf.FORMAT.recognizes)
    get = formats.get
    monkeypatch.setattr(formats, "get", lambda name: broken if name == "sgf" else get(name))
    ran = hexrec("validate", tmp_path, "--jobs", "1")
    assert ran.code == 2
    assert f"{tmp_path / 'a.sgf'}: error {CODE}: an error in hexrec" in ran.out
    assert "3 records in 2 files: 2 valid, 1 invalid" in ran.out


@pytest.mark.parametrize("name", ["jsonl", "yaml", "sgf", "hgn", "abstractplay"])
def test_a_reader_that_fails_on_one_record(
    hexrec: Run, archive: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    text = hexrec("convert", archive, "--to", name).out
    module, inner = {
        "jsonl": ("hexrec.formats.json", "parse"),
        "yaml": ("hexrec.formats.yaml.reader", "Builder"),
        "sgf": ("hexrec.formats.sgf.reader", "_Reading"),
        "hgn": ("hexrec.formats.hgn.reader", "_GameReader"),
        "abstractplay": ("hexrec.formats.abstractplay.reader", "RecordReader"),
    }[name]
    calls = 0
    usual: Callable[..., Any] = pytest.importorskip(module).__dict__[inner]

    def fails(*arguments: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise KeyError("oops")
        return usual(*arguments)

    monkeypatch.setattr(f"{module}.{inner}", fails)
    ran = hexrec("validate", "-", "--from", name, "--format", "jsonl", "--jobs", "1", stdin=text.encode())
    reports = [json.loads(line) for line in ran.out.splitlines()]
    codes = [[found["code"] for found in report["diagnostics"]] for report in reports]
    assert (ran.code, codes.count([CODE]), codes.count([])) == (2, 1, 3 if name != "yaml" else codes.count([]))
    (at,) = [report["index"] for report in reports if not report["valid"]]
    if name != "yaml":  # which makes a builder for the stream and one for each document
        assert at == 1


def test_memory(hexrec: Run, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(found: Record, *arguments: Any) -> Replay:
        if found.id == "r1":
            raise MemoryError
        return replay(found, *arguments)

    monkeypatch.setattr("hexrec.validation.verdict.replay", fails)
    ran = hexrec("validate", archive, "--jobs", "1")
    assert ran.code == 2
    assert f"{archive}:2:1: error {CODE}: record 1 (r1): there was not enough memory for this record" in ran.out
    assert "3 valid, 1 invalid" in ran.out


def test_a_disk_that_fails_is_no_error_of_ours(hexrec: Run, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(found: Record, *arguments: Any) -> Replay:
        if found.id == "r1":
            raise OSError(errno.EIO, "Input/output error", "somewhere")
        return replay(found, *arguments)

    monkeypatch.setattr("hexrec.validation.verdict.replay", fails)
    ran = hexrec("validate", archive, "--jobs", "1")
    assert ran.code == 2
    said = "the system failed in the work on this record: [Errno 5] Input/output error: 'somewhere'"
    assert f"{archive}:2:1: error {CODE}: record 1 (r1): {said}\n" in ran.out
    assert "3 valid, 1 invalid" in ran.out


def test_an_interrupt_is_no_fault(hexrec: Run, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> Replay:
        raise SystemExit(130)

    monkeypatch.setattr("hexrec.validation.verdict.replay", interrupted)
    ran = hexrec("convert", archive, "--to", "jsonl")
    assert (ran.code, CODE in ran.err) == (130, False)


@pytest.mark.usefixtures("broken_replay")
def test_the_traceback_is_there_for_those_who_ask(hexrec: Run, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXREC_DEBUG", "1")
    ran = hexrec("validate", archive, "--jobs", "1")
    assert "Traceback" in ran.err
    assert "KeyError: 'oops'" in ran.err


def test_sgf_without_a_size_is_left_and_the_others_are_formatted(hexrec: Run, tmp_path: Path) -> None:
    text = "(;FF[4]GM[5001]SZ[5]HX[sunspot];B[E5])\n(;FF[4]GM[5001]HX[sunspot];B[e5])\n"
    (tmp_path / "a.sgf").write_text(text)
    (tmp_path / "b.jsonl").write_text(json.dumps(record(1)) + "\n")
    ran = hexrec("fmt", tmp_path)
    assert ran.code == 1
    first, second = (tmp_path / "a.sgf").read_text().split("\n(")
    assert ";B[e5])" in first
    assert f"({second}" == text.splitlines(keepends=True)[1]
    assert "a.sgf:2:1: error schema/missing-field" in ran.err
    assert "e5" in (tmp_path / "b.jsonl").read_text()
