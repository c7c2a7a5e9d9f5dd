"""The ways to reports on records, each a function from files to what it says of them."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import hexrec
from hexrec.__main__ import main
from hexrec.formats import by_content
from hexrec.server import local
from tests.cli.conftest import Ran, Run
from tests.differential.records import Input
from tests.properties import sample
from tests.server import in_process

#: By file, the entries of the JSON report, without the file's name: it differs.
Found = dict[str, list[dict[str, Any]]]
#: Without suggestions, which take as long as the rest: `tests/tools` compares them.
VALIDATE = ("validate", "--format", "json", "--suggest", "0")


class Given(NamedTuple):
    """Files, their directory and the reports that all ways must give; an empty directory, the command, its output."""

    inputs: list[Input]
    folder: Path
    reference: Found
    room: Path
    hexrec: Run
    output: pytest.CaptureFixture[str]


def by_file(ran: Ran) -> Found:
    """Return the entries of a JSON report by file, after a comparison with its totals and the exit code."""
    found: Found = {}
    for entry in ran.report["records"]:
        found.setdefault(Path(entry.pop("file")).name.removesuffix(".gz"), []).append(entry)
    records = [entry for entries in found.values() for entry in entries]
    assert "internal/error" not in {diagnostic["code"] for entry in records for diagnostic in entry["diagnostics"]}
    valid, plies = (sum(entry[key] for entry in records) for key in ("valid", "plies"))
    totals = {"records": len(records), "valid": valid, "invalid": len(records) - valid, "files": len(found)}
    assert ran.report["summary"] == {**totals, "accepted": 0, "plies": plies, "unreadable": 0}
    assert ran.code == int(valid < len(records))
    return found


def without_suggestions(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Take the suggestions out of entries: each way bounds the records that have some by its own limit."""
    for entry in entries:
        for diagnostic in entry["diagnostics"]:
            diagnostic.pop("suggestions", None)
    return entries


def some(given: Given, first: int, step: int) -> list[Input]:
    """Return in the suite one of every `step` files: ways that have to ask for each file share them."""
    return sample(given.inputs[first:] + given.inputs[:first], step)


def validate(given: Given, *arguments: str | Path, **options: Any) -> Found:
    return by_file(given.hexrec(*VALIDATE, *arguments, **options))


def cached(given: Given) -> Found:
    """Validate twice: first the cache is cold, then it has all reports."""
    arguments = ["--cache", "--cache-dir", given.room / "cache", given.folder]
    cold, warm = (given.hexrec(*VALIDATE, *arguments) for _ in range(2))
    assert "from the cache" in warm.err
    assert cold.out == warm.out
    return by_file(warm)


def zipped(given: Given) -> Found:
    with zipfile.ZipFile(given.room / "all.zip", "w") as archive:
        for each in given.inputs:
            archive.writestr(each.name, each.raw)
    return validate(given, "--jobs", "1", given.room / "all.zip")


def gzipped(given: Given) -> Found:
    for each in given.inputs:
        (given.room / f"{each.name}.gz").write_bytes(gzip.compress(each.raw, 1))
    return validate(given, "--jobs", "1", given.room)


def pure(given: Given) -> Found:
    """Validate with interpreted rules and the parser of YAML in Python: that is decided in a process that begins."""
    program = "import sys; sys.modules['yaml._yaml'] = None; from hexrec.__main__ import main; main()"
    command = [sys.executable, "-c", program, *VALIDATE, "--jobs", "1", str(given.folder)]
    ran = subprocess.run(command, env={**os.environ, "HEXREC_PURE": "1"}, capture_output=True, text=True, check=False)
    return by_file(Ran(ran.returncode, ran.stdout, ran.stderr))


def program(given: Given) -> Found:
    """Run the program without options: it writes the text report, which has the totals of the reference."""
    found: Found = {}
    for each in some(given, 0, 5):
        path, entries = given.folder / each.name, given.reference[each.name]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "argv", ["hexrec", "validate", str(path)])
            for stream in ("stdin", "stdout", "stderr"):
                patch.setattr(sys, stream, getattr(sys, stream))
            with pytest.raises(SystemExit) as ended:
                main()
        short = Ran(int(ended.value.code or 0), *given.output.readouterr())
        full = given.hexrec("validate", "--no-config", path)
        valid = sum(entry["valid"] for entry in entries)
        assert f" in 1 file: {valid:,} valid, {len(entries) - valid:,} invalid; " in full.out.splitlines()[-1]
        assert full.code == int(valid < len(entries))
        found[each.name] = entries if short == full else [{"program": short, "text report": full}]
    return found


def stdin(given: Given) -> Found:
    return {each.name: validate(given, "--from", each.format, "-", stdin=each.raw)["-"] for each in some(given, 0, 2)}


def stdin_by_content(given: Given) -> Found:
    """Validate files whose content tells the format: a JSON file of one line may as well be JSON Lines."""
    found: Found = {}
    for each in some(given, 1, 2):
        first, _, others = each.raw.partition(b"\n")
        over_lines = (
            each.format == "json" and first.startswith(b"{") and not first.strip().endswith(b"}") and others.strip()
        )
        if over_lines or each.format == by_content(each.raw[:8192]):
            found[each.name] = validate(given, "-", stdin=each.raw)["-"]
    return found


def service(given: Given, *, lines: bool = False) -> Found:
    """Ask the service; with `lines`, for JSON Lines, which are answered as they come: here each line comes alone."""
    kind = "application/x-ndjson" if lines else "application/json"
    found: Found = {}
    with in_process.client() as client:
        for each in some(given, 0 if lines else 1, 3):
            body = each.raw.splitlines(keepends=True) if lines else [each.raw]
            answer = client.post(f"/v1/validate?from={each.format}", content=iter(body), headers={"Accept": kind})
            entries = (
                [json.loads(line) for line in answer.text.split("\n") if line] if lines else answer.json()["records"]
            )
            found[each.name] = without_suggestions(
                [{name: value for name, value in entry.items() if name != "file"} for entry in entries]
            )
    return found


def page(given: Given) -> Found:
    """Ask what answers the page without a server, which draws one record at a time; the large files take too long."""
    found: Found = {}
    for each in some(given, 0, 2):
        if each.name.startswith("many"):
            continue
        entries = found[each.name] = []
        for number in count():
            status, body = local.answer(f"v1/replay?from={each.format}&record={number}", each.raw)
            assert status == 200, body
            answer = json.loads(body)
            entries += without_suggestions(
                [{name: value for name, value in answer["report"].items() if name != "file"}]
            )
            if number + 1 == answer["records"]:
                break
    return found


def entry_of(report: hexrec.Report) -> dict[str, Any]:
    (entry,) = without_suggestions([report.to_dict()])
    return {name: value for name, value in entry.items() if name != "file"}


def library(given: Given, jobs: int = 1) -> Found:
    found: Found = {}
    for report in hexrec.check(given.folder, jobs=jobs):
        assert report.file is not None
        found.setdefault(Path(report.file).name, []).append(entry_of(report))
    return found


def library_text(given: Given) -> Found:
    """Check the bytes of each file."""
    return {each.name: [*map(entry_of, hexrec.check_text(each.raw, each.format))] for each in some(given, 2, 3)}


def library_records(given: Given) -> Found:
    """Validate each record that is alone in its file and can be loaded; what formats warn of are warnings, too."""
    found: Found = {}
    for each in given.inputs:
        if len(given.reference[each.name]) > 1:
            continue
        with warnings.catch_warnings(action="ignore", category=hexrec.ConversionWarning), suppress(hexrec.RecordError):
            found[each.name] = [entry_of(hexrec.validate(hexrec.load(given.folder / each.name, each.format)))]
    return found


#: All ways but that to the reference, which is a run on the directory in one process without settings.
WAYS: dict[str, Callable[[Given], Found]] = {
    "directory": lambda given: validate(given, "--jobs", "1", given.folder),
    "two jobs": lambda given: validate(given, "--no-config", "--jobs", "2", given.folder),
    "files": lambda given: validate(given, "--jobs", "1", *(given.folder / each.name for each in given.inputs)),
    "program": program,
    "cache": cached,
    "zip": zipped,
    "gzip": gzipped,
    "stdin": stdin,
    "stdin, by content": stdin_by_content,
    "nothing compiled": pure,
    "service": service,
    "service, line by line": lambda given: service(given, lines=True),
    "page without a server": page,
    "library": library,
    "library, two jobs": lambda given: library(given, jobs=2),
    "library, text": library_text,
    "library, loaded records": library_records,
}
