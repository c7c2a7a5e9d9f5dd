"""Inputs beyond each limit, and what commands take to refuse them.

A command runs as a process of its own, forked from one that has imported it. What counts is that process's time on a
processor, which waiting for one does not lengthen, and the most memory that it had.
"""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hexrec.util import limits

MEBIBYTE = 1024**2
_GAME = '"hexrec": "1", "game": "sunspot", "size": 5'
RECORD = f'{{{_GAME}, "moves": []}}\n'.encode()
_SGF = "(;FF[4]GM[5001]SZ[5]HX[sunspot]"
_HGN = '[Game "Sunspot"]\n[Size "5"]\n\n'

#: Imports what the command needs, and runs it in a process of its own; answers with what that took.
_MEASURE = """\
import gc, json, os, sys, tempfile
from hexrec.__main__ import main
import hexrec.cli.convert, hexrec.cli.fmt, hexrec.cli.validate
import hexrec.formats.abstractplay, hexrec.formats.hgn, hexrec.formats.json
import hexrec.formats.sgf, hexrec.formats.yaml, hexrec.record.validation
import bz2, gzip, lzma, zipfile
gc.freeze()  # at its end, no child looks through what it shares with this process
for line in sys.stdin:
    arguments, given = json.loads(line)
    with tempfile.TemporaryFile() as out:
        child = os.fork()
        if child == 0:
            os.dup2(os.open(given, os.O_RDONLY), 0)
            os.dup2(out.fileno(), 1)
            os.dup2(out.fileno(), 2)
            sys.stdin = open(0)
            sys.argv = ["hexrec", *arguments]
            main()
            sys.exit()
        _, status, used = os.wait4(child, 0)
        out.seek(0)
        said = out.read(1_000_000).decode(errors="replace")
    answer = os.waitstatus_to_exitcode(status), said, used.ru_utime + used.ru_stime, used.ru_maxrss
    print(json.dumps(answer), flush=True)
"""


class Ran(NamedTuple):
    """What a command did: exit code, the first million bytes that it printed, seconds of a processor, kilobytes."""

    code: int
    said: str
    seconds: float
    room: int


Measure = Callable[..., Ran]


@contextmanager
def measuring() -> Iterator[Measure]:
    """Give what runs hexrec with arguments, which reads `given` as its standard input."""
    with subprocess.Popen(
        [sys.executable, "-c", _MEASURE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        to, back = process.stdin, process.stdout

        def run(*arguments: str, given: str = os.devnull) -> Ran:
            to.write(json.dumps([arguments, given]) + "\n")
            to.flush()
            return Ran(*json.loads(back.readline()))

        yield run
        to.close()


def _text(name: str, text: str) -> Callable[[Path], str]:
    return _bytes(name, text.encode())


def _bytes(name: str, content: bytes) -> Callable[[Path], str]:
    def write(folder: Path) -> str:
        (folder / name).write_bytes(content)
        return str(folder / name)

    return write


def _listed(before: str, part: str, count: int, after: str, between: str = ",") -> str:
    return before + between.join([part] * count) + after


def _large(name: str, before: str, after: str) -> Callable[[Path], str]:
    def write(folder: Path) -> str:
        return _text(name, before + "a" * limits.MAX_RECORD_BYTES + after)(folder)

    return write


def _fields(count: int) -> str:
    return ", ".join(f'"a{number}": 1' for number in range(count))


def _move(name: str, part: str, count: int) -> str:
    return _listed(f'{{{_GAME}, "moves": [{{"turn": "e5", "{name}": [', part, count, "]}]}")


@cache
def _tar(name: str, content: bytes) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.GNU_FORMAT) as archive:
        about = tarfile.TarInfo(name)
        about.size = len(content)
        archive.addfile(about, io.BytesIO(content))
    return made.getvalue()


def _zip_of_many(folder: Path) -> str:
    """Write a zip archive whose list has more members than there may be, all of them without a name or content."""
    entry = b"PK\x01\x02" + bytes(42)
    count = limits.MAX_MEMBERS + 1
    listed = entry * count
    wide = b"PK\x06\x06" + (44).to_bytes(8, "little") + bytes(12)
    wide += b"".join(number.to_bytes(8, "little") for number in (count, count, len(listed), 0))
    where = b"PK\x06\x07" + bytes(4) + len(listed).to_bytes(8, "little") + (1).to_bytes(4, "little")
    end = b"PK\x05\x06" + bytes(4) + b"\xff" * 12 + bytes(2)
    return _bytes("a.zip", listed + wide + where + end)(folder)


def _zip_with_long_list(folder: Path) -> str:
    path = folder / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(limits.MAX_DIRECTORY_BYTES // 65_000 + 1):
            about = zipfile.ZipInfo(f"{number}.json")
            about.comment = bytes(65_000)
            archive.writestr(about, RECORD)
    return str(path)


def _large_settings(folder: Path) -> str:
    (folder / "hexrec.toml").write_bytes(b"#" * (limits.MAX_SETTINGS_BYTES + 1))
    return _bytes("a.json", RECORD)(folder)


def _large_baseline(folder: Path) -> str:
    (folder / "hexrec.toml").write_text('baseline = "known.json"')
    (folder / "known.json").write_bytes(b" " * (limits.MAX_BASELINE_BYTES + 1))
    return _bytes("a.json", RECORD)(folder)


def _wide_xz(folder: Path) -> str:
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": limits.MAX_XZ_MEMORY}]
    return _bytes("a.json.xz", lzma.compress(RECORD, filters=filters))(folder)


def _wide_zstd(folder: Path) -> str:
    # The header of a frame: its magic number, no size of the content, and a window of 2 to the power of 28 bytes.
    return _bytes("a.json.zst", b"\x28\xb5\x2f\xfd\x00" + bytes([(28 - 10) << 3]) + b"\x01\x00\x00")(folder)


class Case(NamedTuple):
    """What exceeds a limit: the name of that, if it has one, what writes the input, and a part of the answer."""

    limit: str
    write: Callable[[Path], str]
    answer: str


_DEEP = limits.MAX_DEPTH + 1
_MANY = limits.MAX_VALUES + 1
_FINDINGS = limits.MAX_DIAGNOSTICS + 1
CASES = {
    "a record in JSON": Case("MAX_RECORD_BYTES", _large("a.json", '{"x-a": "', '"}'), "syntax/too-large"),
    "a line": Case("MAX_RECORD_BYTES", _large("a.jsonl", '{"x-a": "', '"}'), "syntax/too-large"),
    "a record in YAML": Case("MAX_RECORD_BYTES", _large("a.yaml", 'x-a: "', '"'), "syntax/too-large"),
    "a record in SGF": Case("MAX_RECORD_BYTES", _large("a.sgf", f"{_SGF}C[", "])"), "syntax/too-large"),
    "a comment in HGN": Case("MAX_RECORD_BYTES", _large("a.hgn", f"{_HGN}e5 {{", "} *"), "syntax/too-large"),
    "a text": Case("MAX_RECORD_BYTES", _large("a.json", f'{{{_GAME}, "moves": ["e5"], "event": "', '"}'), "too-large"),
    "a record of Abstract Play": Case(
        "MAX_RECORD_BYTES", _large("a.json", '{"header": {"game": {"name": "Sunspot"}, "a": "', '"}}'), "too-large"
    ),
    "values in JSON": Case("MAX_VALUES", _text("a.json", _listed('{"x-a": [', "1", _MANY, "]}")), "syntax/too-large"),
    "values in YAML": Case("MAX_VALUES", _text("a.yaml", _listed("x-a: [", "1", _MANY, "]")), "syntax/too-large"),
    "nodes in SGF": Case("MAX_VALUES", _text("a.sgf", _listed(_SGF, ";B[e5]", _MANY, ")", "")), "syntax/too-large"),
    "turns in HGN": Case("MAX_VALUES", _text("a.hgn", _listed(_HGN, "e5 ", _MANY, "*", "")), "syntax/too-large"),
    "turns": Case("MAX_VALUES", _text("a.json", _listed(f'{{{_GAME}, "moves": [', '"e5"', _MANY, "]}")), "too-large"),
    "variations": Case("MAX_VALUES", _text("a.json", _move("variations", '["e5"]', _MANY // 3)), "syntax/too-large"),
    "keys": Case("MAX_VALUES", _text("a.json", f'{{{_GAME}, "moves": [], {_fields(_MANY // 2)}}}'), "too-large"),
    "comments in SGF": Case("MAX_VALUES", _text("a.sgf", _listed(_SGF, ";C[a]", _MANY, ")", "")), "too-large"),
    "nesting in JSON": Case(
        "MAX_DEPTH", _text("a.json", '{"x-a":' + "[" * _DEEP + "]" * _DEEP + "}"), "syntax/too-deep"
    ),
    "nesting in YAML": Case("MAX_DEPTH", _text("a.yaml", "[" * _DEEP + "]" * _DEEP), "syntax/too-deep"),
    "variations in variations": Case(
        "MAX_DEPTH", _text("a.hgn", f"{_HGN}e5 {'(e5 ' * _DEEP}{')' * _DEEP} *"), "syntax/too-deep"
    ),
    "directives": Case(
        "MAX_DIRECTIVES",
        _text("a.yaml", "".join(f"%TAG !a{n}! b\n" for n in range(limits.MAX_DIRECTIVES + 1)) + "--- {}\n"),
        "syntax/too-large",
    ),
    "empty documents": Case(
        "MAX_EMPTY_DOCUMENTS",
        _text("a.yaml", "---\n" * 200_000),
        "the rest of the file is not read (more than 100 empty",
    ),
    "empty documents with marks at their ends": Case(
        "MAX_EMPTY_DOCUMENTS", _text("a.yaml", "--- #\n...\n" * 100_000), "more than 100 empty documents"
    ),
    "newlines in a compressed file": Case(
        "", _bytes("a.jsonl.gz", gzip.compress(b"\n" * 8 * MEBIBYTE)), "the file is empty"
    ),
    "aliases": Case("", _text("a.yaml", "x-a: &a [1]\nx-b: *a\n"), "syntax/yaml-alias"),
    "digits": Case("", _text("a.json", f'{{"size": {"9" * 4_301}}}'), "syntax/number"),
    "findings of a record": Case(
        "MAX_DIAGNOSTICS", _text("a.json", f'{{{_GAME}, "moves": [], {_fields(_FINDINGS)}}}'), "schema/more"
    ),
    "members": Case("MAX_MEMBERS", _zip_of_many, "more than 200,000 members"),
    "the list of members": Case("MAX_DIRECTORY_BYTES", _zip_with_long_list, "the list of its members has more than"),
    "what is said of a member": Case(
        "MAX_HEADER_BYTES",
        _bytes("a.tar", _tar("a" * limits.MAX_HEADER_BYTES, RECORD)),
        "the headers of a member are larger than 1 MiB",
    ),
    "the name of a member": Case(
        "MAX_NAME", _bytes("a.tar", _tar("a" * (limits.MAX_NAME + 1), RECORD)), "more than 4,096 characters"
    ),
    "memory for xz": Case("MAX_XZ_MEMORY", _wide_xz, "unpacking it needs more memory than the limit"),
    "memory for zstd": Case("MAX_ZSTD_WINDOW_LOG", _wide_zstd, "syntax/unreadable"),
    "a file of settings": Case("MAX_SETTINGS_BYTES", _large_settings, "larger than 256 KiB: not read"),
    "a baseline": Case("MAX_BASELINE_BYTES", _large_baseline, "larger than 8 MiB: not read"),
}
