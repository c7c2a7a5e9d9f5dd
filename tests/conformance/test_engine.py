"""What an engine says of itself, what is asked of it, and what is said of one that does not answer."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator

import pytest

from hexrec.conformance import engine as module
from hexrec.conformance.engine import Engine
from tests.processes import PATIENCE

SUNSPOT = {"game": "sunspot", "ruleset": "2024"}
#: Answers each line by what a dictionary says of its command, or with the line itself.
PLAYER = """
import json, sys
answers = json.loads(sys.argv[1])
sys.stdout.reconfigure(errors="surrogateescape")
for line in sys.stdin:
    print(answers.get(json.loads(line)["command"], line.strip()), flush=True)
"""
HELLO = json.dumps({"protocol": 1, "name": "x", "games": []})


@pytest.fixture
def started() -> Iterator[Callable[..., Engine]]:
    """Starts engines, and ends them."""
    engines: list[Engine] = []

    def start(code: str, *arguments: str, timeout: float = PATIENCE) -> Engine:
        engines.append(Engine([sys.executable, "-I", "-S", "-c", code, *arguments], timeout))
        return engines[-1]

    yield start
    for each in engines:
        each.close()


Start = Callable[..., Engine]


def test_an_engine_ends_when_it_is_asked_no_more(started: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """By itself, if it does; its threads end, too."""
    monkeypatch.setattr(module, "_GRACE", PATIENCE)
    player = started(PLAYER + "sys.exit(7)", json.dumps({"hello": HELLO}))
    player.close()
    assert player._process.returncode == 7
    assert not any(thread.is_alive() for thread in player._threads)
    assert all(thread.daemon for thread in player._threads)
    player.close()


def test_an_engine_may_have_no_setups(started: Start) -> None:
    without = json.dumps({**json.loads(HELLO), "setups": False})
    assert [started(PLAYER, json.dumps({"hello": hello})).setups for hello in (HELLO, without)] == [True, False]


@pytest.mark.parametrize(
    "then", ["import time; time.sleep(600)", "\nwhile True: print('{}', flush=True)", "\nwhile True: pass"]
)
def test_an_engine_that_does_not_end_is_ended(started: Start, monkeypatch: pytest.MonkeyPatch, then: str) -> None:
    monkeypatch.setattr(module, "_GRACE", 0.1)
    player = started(f"input(); print({HELLO!r}, flush=True)" + ("; " if then[0] != "\n" else "") + then)
    player.close()
    assert player._process.returncode == -9
    for thread in player._threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()


@pytest.mark.skipif(os.name != "posix", reason="an engine has no group of processes")
def test_what_has_left_the_group_of_an_engine_is_not_waited_for(
    started: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may hold the pipes open for as long as it runs."""
    monkeypatch.setattr(module, "_GRACE", 0.1)
    left = "import subprocess, sys; left = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'], "
    said = "print(json.dumps({**json.loads(sys.argv[1]), 'name': str(left.pid)}), flush=True)"
    player = started(f"import json; {left}start_new_session=True); input(); {said}", HELLO)
    player._process.wait(PATIENCE)
    player.close()
    assert player._process.returncode == 0
    os.kill(int(player.name), signal.SIGKILL)  # which raises an error if it has ended
