"""Messages for usage errors, word for word, in `usage.jsonl`; and the output of commands with the least arguments.

A line has arguments and the text on standard error. To test others, add a line with an empty `error`;
`python -m tests.cli.test_usage` then writes the messages.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ran, Run, hexrec
from tests.fixtures import without_games

KEPT = Path(__file__).with_name("usage.jsonl")
LINES = [json.loads(line) for line in KEPT.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("line", LINES, ids=lambda line: " ".join(line["arguments"]))
def test_wrong_usage(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: dict[str, Any]) -> None:
    """Nothing is read, and nothing written."""
    monkeypatch.chdir(tmp_path)
    ran = hexrec(*line["arguments"])
    found = replace(ran, err=without_games(ran.err))
    assert found == Ran(2, "", line["error"]), "if that is right: python -m tests.cli.test_usage"
    assert not [*tmp_path.iterdir()]


def test_random_games_of_a_variant_and_of_the_usual_seed(hexrec: Run) -> None:
    usual = hexrec("random", "nadraz", "--variant", "reverse", "--plies", "3").out
    assert json.loads(usual)["variant"] == "reverse"
    assert hexrec("random", "nadraz", "--variant", "reverse", "--plies", "3", "--seed", "0").out == usual
    assert hexrec("random", "nadraz", "--plies", "3", "--seed", "1").out != usual


def test_random_games_and_positions_by_readings(hexrec: Run, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    assert (
        hexrec("random", "sunspot", "--size", "4", "--count", "9", "--seed", "5", "--reading", "P-1b", "-o", file).code
        == 0
    )
    games = list(map(json.loads, file.read_text(encoding="utf-8").splitlines()))
    assert all(game["readings"] == ["P-1b"] for game in games)
    assert hexrec("validate", file).code == 0
    file.write_text("".join(json.dumps({**game, "readings": []}) + "\n" for game in games), encoding="utf-8")
    assert hexrec("validate", file).code == 1
    start = "nadraz", "--position", "4/5/6/3w3/6/5/b3 b 0 -"
    assert hexrec("legal", *start, "--reading", "N-5b").out == "pass\n"
    assert "b2-b3\n" in hexrec("legal", *start).out
    assert "(N-5b)" in hexrec("show", *start, "--reading", "N-5b").out


if __name__ == "__main__":
    with pytest.MonkeyPatch.context() as patch:
        run = hexrec.__wrapped__(patch)  # type: ignore[attr-defined]
        lines = [json.dumps({**line, "error": without_games(run(*line["arguments"]).err)}) for line in LINES]
    KEPT.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
