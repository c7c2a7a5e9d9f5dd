"""Whether a file is still as it was: by its path, by a stream of it, on this machine and on another."""

from __future__ import annotations

import os
from io import BytesIO
from pathlib import Path

import pytest

from hexrec.diagnostics import Diagnostic
from hexrec.files import stamps
from hexrec.files.stamps import InputChanged, Stamp, Stamps, compare, host, stamp, unchanged

STAMP = Stamp("here", 1, 2, 3, 4, 5)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.json"
    path.write_text("text")
    return path


def test_what_a_stamp_holds(file: Path) -> None:
    about = file.stat()
    expected = Stamp(host(), about.st_dev, about.st_ino, 4, about.st_mtime_ns, about.st_ctime_ns)
    with file.open("rb") as stream:
        assert stamp(file) == stamp(str(file)) == stamp(stream) == expected
    assert stamp(stream) is None  # which is closed


def test_what_is_no_file_has_no_stamp(tmp_path: Path) -> None:
    assert stamp(tmp_path) is stamp(tmp_path / "none") is stamp(BytesIO()) is None


@pytest.mark.parametrize(
    ("field", "same_elsewhere"),
    [("device", True), ("inode", True), ("size", False), ("modified", False), ("changed", True)],
)
def test_what_makes_a_file_another(field: str, same_elsewhere: bool) -> None:
    """Another machine numbers devices and files in its own way."""
    other = Stamp(**{**STAMP._asdict(), field: 9})
    assert not STAMP.same_as(other)
    assert STAMP.same_as(other._replace(host="elsewhere")) is same_elsewhere
    assert STAMP.same_as(STAMP._replace(host="elsewhere"))


def test_what_is_said_of_a_file_that_has_changed() -> None:
    with pytest.raises(InputChanged) as changed:
        compare("a.json", STAMP, STAMP._replace(size=9))
    assert str(changed.value).startswith("a.json: was changed while it was read")
    assert changed.value.diagnostic == Diagnostic(
        "syntax/changed",
        "was changed while it was read, so nothing found in it is certain: run again when nothing writes to it",
        file="a.json",
    )
    with pytest.raises(InputChanged):
        compare("a.json", STAMP, None)
    compare("a.json", STAMP, STAMP)
    compare("-", None, STAMP)


def test_the_stamps_of_a_first_pass_are_kept(file: Path) -> None:
    known = Stamps()
    known.check(str(file))
    known.check(str(file))
    file.write_text("other")
    with pytest.raises(InputChanged, match=r"a\.json"):
        known.check(str(file))


def write_more(file: Path, error: type[OSError] | None) -> None:
    file.write_text(file.read_text() + "more")
    if error:
        raise error


@pytest.mark.parametrize("by_stream", [False, True])
def test_a_file_that_changes_within(file: Path, by_stream: bool) -> None:
    before = stamp(file)
    with file.open("rb") as opened:
        stream = opened if by_stream else None
        with unchanged(str(file), stream, before):
            pass
        with pytest.raises(FileNotFoundError), unchanged(str(file), stream):
            raise FileNotFoundError
        for error in (OSError, None):
            with pytest.raises(InputChanged, match=r"a\.json"), unchanged(str(file), stream):
                write_more(file, error)
        with pytest.raises(InputChanged, match=r"a\.json"), unchanged(str(file), stream, before):
            raise AssertionError("it had changed before")


def test_a_file_with_another_name_is_looked_at_by_its_stream(file: Path) -> None:
    with file.open("rb") as stream:
        with unchanged("-", stream):
            pass
        with pytest.raises(InputChanged, match="-"), unchanged("-", stream):
            write_more(file, None)


@pytest.mark.skipif(not hasattr(os, "uname"), reason="compared with the name that POSIX gives")
def test_the_name_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    assert host() == os.uname().nodename
    monkeypatch.setattr(stamps, "os", type("Windows", (), {"environ": {"COMPUTERNAME": "PC"}}))
    assert host() == "PC"
    monkeypatch.setattr(stamps, "os", type("Other", (), {"environ": {}}))
    assert host() == ""
