"""Mistakes that people make with command lines and files, and all that hexrec prints: `fixtures/mistakes.jsonl`.

A line has a command line, the files that it reads, stdin, the exit code and both outputs. To add a mistake, write a
line without the latter; `python -m tests.cli.test_mistakes` adds them. Read its diff as a new user would: does each
message name the cause and the remedy?
"""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from tests.cli.conftest import SHORT_GAME, Run, hexrec
from tests.fixtures import FIXTURES, without_games

TABLE = FIXTURES.parent / "mistakes.jsonl"
MISTAKES = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]

#: Files that every command line may name.
FILES = {
    "good.yaml": (
        'hexrec: "1"\ngame: sundraval\nsize: 3\nopening: {black: c3, white: b2}\nmoves: [a1, a2, pass, pass]\n'
    ),
    "games.jsonl": f"{json.dumps(SHORT_GAME)}\n" * 2,
}


def run(hexrec: Run, mistake: dict[str, Any], patch: pytest.MonkeyPatch, folder: Path) -> dict[str, Any]:
    """Return the code and the outputs of a command line in an empty folder; the folder is called HERE."""
    patch.chdir(folder)
    patch.setenv("GIT_CEILING_DIRECTORIES", str(folder))
    for name, text in {**FILES, **mistake.get("files", {})}.items():
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            path.mkdir()
        else:
            path.write_bytes(text.encode("latin-1" if "\xff" in text else "utf-8"))
    ran = hexrec(*shlex.split(mistake["command"])[1:], stdin=mistake.get("stdin", "").encode())
    here = os.path.realpath(folder)
    out, err = (without_games(text).replace(here, "HERE").replace(str(folder), "HERE") for text in (ran.out, ran.err))
    return {"code": ran.code, "out": out, "err": err}


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: f"{mistake['command']} {[*mistake.get('files', ())]}")
def test_mistake(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mistake: dict[str, Any]) -> None:
    """No traceback, no words of the libraries that noticed the mistake, and the text that was reviewed."""
    found = run(hexrec, mistake, monkeypatch, tmp_path)
    expected = {name: mistake[name] for name in ("code", "out", "err")}
    assert found == expected, "if that is right: python -m tests.cli.test_mistakes"


if __name__ == "__main__":
    lines = []
    for each in MISTAKES:
        home = os.getcwd()
        with TemporaryDirectory() as name, pytest.MonkeyPatch.context() as monkeypatch:
            known = {key: value for key, value in each.items() if key not in ("code", "out", "err")}
            call = hexrec.__wrapped__(monkeypatch)  # type: ignore[attr-defined]
            lines.append(json.dumps(known | run(call, each, monkeypatch, Path(name)), ensure_ascii=False))
            os.chdir(home)
    TABLE.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
