"""Warnings that commands print."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from hexrec.cli.console import guard_streams
from hexrec.util.plugins import PluginWarning


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
