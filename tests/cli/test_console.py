"""What commands say, and to which streams: escaped for people, left alone for programs, whatever becomes of them."""

from __future__ import annotations

import io
import os
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
import typer

from hexrec.cli.console import guarded_streams, or_fail, say_last
from hexrec.plugins import PluginWarning
from tests.cli.conftest import Terminal

#: Letters, a byte that is no text, what acts on a terminal, a line that CI services take for a command.
FOREIGN = "é\udcff\x1b[2J\n::error::x"


@pytest.mark.parametrize("terminal", [False, True])
def test_streams(monkeypatch: pytest.MonkeyPatch, terminal: bool) -> None:
    """Both take every text, whatever their encoding was, and are as they were afterwards."""
    written = io.BytesIO(), io.BytesIO()
    out = (Terminal if terminal else io.TextIOWrapper)(written[0], encoding="ascii")
    err = io.TextIOWrapper(written[1], encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    with guarded_streams():
        for stream in (sys.stdout, sys.stderr):
            print(FOREIGN, file=stream)
    assert (sys.stdout, sys.stderr) == (out, err)
    for stream in (out, err):
        stream.flush()
    seen = "é\\udcff\\x1b[2J\n"
    plain = seen if terminal else "é\\udcff\x1b[2J\n"
    assert written[0].getvalue().decode() == f"{plain}::error::x\n"
    assert written[1].getvalue().decode() == f"{seen}\\x3a:error::x\n"


def test_streams_of_other_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    out, err = io.StringIO(), io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    with guarded_streams():
        print("é\x1b")
        print("é\x1b", file=sys.stderr)
    assert (out.getvalue(), err.getvalue()) == ("é\x1b\n", "é\\x1b\n")


def test_warnings(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """hexrec's are said in one line; others are shown as they always are."""
    shown: list[Any] = []

    def usual(*given: Any) -> None:
        shown.append(given)

    class HexrecLike(UserWarning):
        __module__ = "hexrecords.games"

    class Deep(UserWarning):
        __module__ = "hexrec.games.registry"

    monkeypatch.setattr(warnings, "showwarning", usual)
    ours, other, alike = PluginWarning("a package\nis broken"), UserWarning("old"), HexrecLike("of others")
    with guarded_streams():
        for warning in (ours, other, alike, Deep("deep")):
            warnings.showwarning(warning, type(warning), "file.py", 3)
    assert warnings.showwarning is usual
    assert shown == [(other, UserWarning, "file.py", 3), (alike, HexrecLike, "file.py", 3)]
    assert capsys.readouterr() == ("", "hexrec: a package\\nis broken\nhexrec: deep\n")


@pytest.mark.parametrize(
    ("error", "said"),
    [(OSError(28, "No space left on device"), "No space left on device"), (OSError("it is odd"), "it is odd")],
    ids=["number", "text"],
)
def test_what_the_system_refuses(capsys: pytest.CaptureFixture[str], error: OSError, said: str) -> None:
    def refused() -> None:
        with or_fail(Path("a.json"), "written"):
            raise error

    with pytest.raises(typer.Exit) as ended:
        refused()
    assert ended.value.exit_code == 2
    assert capsys.readouterr() == ("", f"hexrec: a.json: cannot be written: {said}\n")


class Broken(io.StringIO):
    """A stream that takes nothing."""

    def __init__(self, error: Exception, number: int | None = None) -> None:
        super().__init__()
        self.error = error
        self.number = number

    def write(self, _: str) -> int:
        raise self.error

    def fileno(self) -> int:
        if self.number is None:
            raise ValueError("it is closed")
        return self.number


@pytest.mark.parametrize("names", [("terminal", "terminal"), ("out", "err")], ids=["same", "apart"])
def test_last_words_that_nobody_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, str]) -> None:
    """What is written to a terminal that is gone goes nowhere from then on, and a file is left alone."""
    with open(tmp_path / names[0], "w") as out, open(tmp_path / names[1], "w") as err:
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", Broken(OSError(5, "Input/output error"), err.fileno()))
        say_last("the end")
        with open(os.devnull, "w") as nowhere:
            gone = [os.path.sameopenfile(stream.fileno(), nowhere.fileno()) for stream in (out, err)]
            assert gone == [names[0] == names[1], True]
        os.write(err.fileno(), b"more")
    assert (tmp_path / names[1]).read_bytes() == b""


@pytest.mark.parametrize(
    ("error", "number"),
    [(RuntimeError("reentrant call"), None), (OSError(5, "Input/output error"), None), (OSError(9, "Bad file"), -1)],
    ids=["line", "closed", "no file"],
)
def test_last_words_that_cannot_be_said(monkeypatch: pytest.MonkeyPatch, error: Exception, number: int | None) -> None:
    """They come in the middle of another line; or there is no such stream any more."""
    monkeypatch.setattr(sys, "stderr", Broken(error, number))
    say_last("the end")
    assert isinstance(sys.stderr, Broken)


def test_last_words(capsys: pytest.CaptureFixture[str]) -> None:
    say_last("the\nend")
    assert capsys.readouterr() == ("", "hexrec: the\\nend\n")
