"""The command line, run in this process: arguments in, exit code and both outputs out."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from hexrec.cli import run

Run = Callable[..., "Ran"]

#: White's group of two strangles both single black stones; then the rest of the board is White's one territory:
#: one point, and the half point.
SHORT_GAME: dict[str, Any] = {
    "hexrec": "1",
    "game": "sundraval",
    "size": 3,
    "opening": {"black": "c3", "white": "b2"},
    "moves": ["a1", "a2", "pass", "pass"],
}


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        return dict(json.loads(self.out))


class Terminal(io.TextIOWrapper):
    """Text that goes to a terminal, as far as programs can tell."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def hexrec(monkeypatch: pytest.MonkeyPatch) -> Run:
    # pytest-xdist tells its processes how wide its own terminal is.
    monkeypatch.delenv("COLUMNS", raising=False)
    # Worker processes are started where a test asks for them, whatever machine it runs on.
    monkeypatch.setattr("hexrec.cli.runs.cores", lambda: 1)
    # A test that writes hundreds of files would wait for the disk most of its time.
    monkeypatch.setattr("os.fsync", lambda _: None)

    def call(*arguments: str | Path, stdin: bytes = b"", terminal: bool = False, watched: bool = False) -> Ran:
        """Run a command; with `terminal`, standard output says that it is one; `watched` is that of errors."""
        written = io.BytesIO(), io.BytesIO()
        out = (Terminal if terminal else io.TextIOWrapper)(written[0], encoding="utf-8")
        err = (Terminal if watched else io.TextIOWrapper)(written[1], encoding="utf-8")
        # The option --color sets variables.
        with mock.patch.dict(os.environ), monkeypatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin))))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", err)
            with pytest.raises(SystemExit) as ended:
                run([str(argument) for argument in arguments])
        for stream in (out, err):
            stream.flush()
        # A diff has the bytes of a file as they are, also where they are not UTF-8.
        texts = (stream.getvalue().decode(errors="surrogateescape") for stream in written)
        return Ran(int(ended.value.code or 0), *texts)

    return call


@pytest.fixture
def game() -> dict[str, Any]:
    """A short valid game, to be changed at will."""
    return dict(json.loads(json.dumps(SHORT_GAME)))
