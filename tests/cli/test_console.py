"""What commands say, and to which streams: escaped for people, left alone for programs, whatever becomes of them."""

from __future__ import annotations

import io
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
import typer

from hexrec.cli.console import echo, exit_on_os_error, guard_streams
from hexrec.util.plugins import PluginWarning
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
    with guard_streams():
        print(FOREIGN)
        echo(FOREIGN)
    assert (sys.stdout, sys.stderr) == (out, err)
    for stream in (out, err):
        stream.flush()
    escape = "\\x1b" if terminal else "\x1b"
    assert written[0].getvalue().decode() == f"é\\udcff{escape}[2J\n::error::x\n"
    assert written[1].getvalue().decode() == "é\\udcff\\x1b[2J\\n::error::x\n"


def test_warnings(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """hexrec's are said in one line; others are shown as they always are."""
    shown: list[Any] = []

    def usual(*given: Any) -> None:
        shown.append(given)

    class HexrecLike(UserWarning):
        __module__ = "hexrecords.games"

    class Deep(UserWarning):
        __module__ = "hexrec.rules.games"

    monkeypatch.setattr(warnings, "showwarning", usual)
    ours, other, alike = PluginWarning("a package\nis broken"), UserWarning("old"), HexrecLike("of others")
    with guard_streams():
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
        with exit_on_os_error(Path("a.json"), "written"):
            raise error

    with pytest.raises(typer.Exit) as ended:
        refused()
    assert ended.value.exit_code == 2
    assert capsys.readouterr() == ("", f"hexrec: a.json: cannot be written: {said}\n")
