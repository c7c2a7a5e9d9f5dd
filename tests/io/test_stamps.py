"""Whether a file is still as it was: by its path, and by a stream of it."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path

import pytest

from hexrec.io.stamps import InputChanged, Stamp, compare, expect_unchanged, stamp
from hexrec.util.diagnostics import Diagnostic

STAMP = Stamp(1, 2, 3)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.json"
    path.write_text("text")
    return path


def test_only_files_have_stamps(file: Path) -> None:
    with file.open("rb") as stream:
        assert stamp(file) == stamp(str(file)) == stamp(stream) == Stamp(file.stat().st_ino, 4, file.stat().st_mtime_ns)
    for other in (stream, file.parent, file.parent / "none", BytesIO()):  # the stream is closed
        assert stamp(other) is None


@pytest.mark.parametrize("now", [STAMP._replace(size=9), None])
def test_report_of_a_changed_file(now: Stamp | None) -> None:
    with pytest.raises(InputChanged) as changed:
        compare("a.json", STAMP, now)
    assert str(changed.value).startswith("a.json: was changed while it was read")
    assert changed.value.diagnostic == Diagnostic(
        "syntax/changed",
        "was changed while it was read, so nothing found in it is certain: run again when nothing writes to it",
        file="a.json",
    )


@pytest.mark.parametrize(("before", "now"), [(STAMP, Stamp(*STAMP)), (None, STAMP), (None, None)])
def test_nothing_to_report(before: Stamp | None, now: Stamp | None) -> None:
    compare("-", before, now)


def change(file: Path, error: type[OSError] | None) -> None:
    os.truncate(file, 1)
    if error:
        raise error


@pytest.mark.parametrize("error", [OSError, None])
@pytest.mark.parametrize("by_stream", [False, True])
def test_a_file_that_changes_within(file: Path, by_stream: bool, error: type[OSError] | None) -> None:
    name = "-" if by_stream else str(file)
    with file.open("rb") as opened:
        stream = opened if by_stream else None
        with expect_unchanged(name, stream):
            pass
        with pytest.raises(FileNotFoundError), expect_unchanged(name, stream):
            raise FileNotFoundError
        with pytest.raises(InputChanged, match=f"^{name}: "), expect_unchanged(name, stream):
            change(file, error)
