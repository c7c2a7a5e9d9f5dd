"""What editors remove, and diffs that are shown, at sizes at which each part must not be compared with every other."""

from __future__ import annotations

import io
import tracemalloc
from pathlib import Path

import pytest

from hexrec.formats.base import Document
from hexrec.tools.edit import files as edit
from hexrec.tools.edit.files import Segment
from hexrec.tools.edit.in_place import unified_diff
from hexrec.util.limits import MAX_RECORD_BYTES
from tests.cases import all_of
from tests.cli.conftest import Run, hexrec

__all__ = ["hexrec"]  # a fixture


def tidied(name: str, text: str, keep: set[str]) -> str:
    """Return a text without the fields that are not to be kept."""

    def change(document: Document) -> dict[str, object] | None:
        return None if document.error else {key: document.data[key] for key in document.data if key in keep}

    segments = edit.get(name, canonical=True)(io.BufferedReader(io.BytesIO(text.encode())), change)
    return b"".join(segment.new for segment in segments).decode()


def test_fields_between_others_are_removed() -> None:
    fields = [f"x-{number}: {number}" for number in range(300)]
    keep = {f"x-{number}" for number in range(0, 300, 3)}
    assert tidied("yaml", "\n".join(fields) + "\n", keep) == "\n".join(fields[::3]) + "\n"
    assert tidied("yaml", "{" + ", ".join(fields) + "}\n", keep) == "{" + ", ".join(fields[::3]) + "}\n"


def applied(old: list[bytes], diff: bytes) -> list[bytes]:
    """Return the lines that a unified diff makes of others."""
    made: list[bytes] = []
    at = 0
    for line in diff.splitlines(keepends=True)[2:]:
        if line.startswith(b"@@"):
            start = int(line.split(b",")[0].removeprefix(b"@@ -")) - 1
            made += old[at:start]
            at = start
        elif line.startswith(b"+"):
            made.append(line[1:])
        else:
            assert old[at] == line[1:]
            made += [line[1:]] if line.startswith(b" ") else []
            at += 1
    return made + old[at:]


def test_long_diffs_are_right_and_find_what_stays() -> None:
    """Every third line is different, and every other one of the same few."""
    old = [b"same %d\n" % (number % 5) if number % 2 else b"line %d\n" % number for number in range(3_000)]
    new = [line.upper() if number % 3 == 0 else line for number, line in enumerate(old) if number % 7]
    diff = b"".join(unified_diff([Segment(b"".join(old), b"".join(new))], "a"))
    assert applied(old, diff) == new
    lines = diff.splitlines()
    assert sum(line.startswith(b"-line") for line in lines) < 900
    assert b" line 2" in lines


def test_long_diffs_without_a_line_that_stays_are_one_change() -> None:
    old, new = [b"a\n"] * 2_000, [b"b\n"] * 2_000
    diff = b"".join(unified_diff([Segment(b"".join(old), b"".join(new))], "a"))
    assert applied(old, diff) == new
    assert diff.count(b"@@ -") == 1


@all_of("more", range(7))
@pytest.mark.parametrize("content", ["\n", "\r\n", " \t\n", " " * 50 + "\n", ""])
def test_the_end_of_a_line_that_is_too_long_is_kept(monkeypatch: pytest.MonkeyPatch, more: int, content: str) -> None:
    """Of a line that is read in parts, the last one may be blank."""
    for module in ("formats.base", "formats.json"):
        monkeypatch.setattr(f"hexrec.{module}.MAX_RECORD_BYTES", 10)
    for before in ("", '{"a":1}\n'):
        long = f"{before}{{{'x' * (9 + more)}}}{content}"
        assert tidied("jsonl", long, {"a"}) == long
        long = f"{long}\n".replace("\n\n", "\n")
        assert tidied("jsonl", f'{long}{{"a": 2}}\n', {"a"}) == f'{long}{{"a":2}}\n'


def test_a_file_that_is_too_large_is_not_held(hexrec: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b'{"x-a": "' + b"a" * (8 * MAX_RECORD_BYTES) + b'"}\n')
    tracemalloc.start()
    try:
        ran = hexrec("fmt", "--check", path)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "syntax/too-large" in ran.err
    assert most < 5 * MAX_RECORD_BYTES
