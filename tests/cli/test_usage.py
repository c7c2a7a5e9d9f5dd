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


if __name__ == "__main__":
    with pytest.MonkeyPatch.context() as patch:
        run = hexrec.__wrapped__(patch)  # type: ignore[attr-defined]
        lines = [json.dumps({**line, "error": without_games(run(*line["arguments"]).err)}) for line in LINES]
    KEPT.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
