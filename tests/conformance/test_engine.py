"""What an engine says of itself, what is asked of it, and what is said of one that does not answer."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest

from hexrec._version import __version__
from hexrec.conformance import engine as module
from hexrec.conformance.engine import Engine, EngineFailure, KnownRules
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


@pytest.mark.parametrize(
    ("games", "rules"),
    [
        ([], []),
        ([SUNSPOT], [KnownRules("sunspot", "2024")]),
        (
            [{**SUNSPOT, "variant": "other", "sizes": [4, 5]}, {**SUNSPOT, "variant": None, "sizes": []}],
            [
                KnownRules("sunspot", "2024", "other", frozenset({4, 5})),
                KnownRules("sunspot", "2024", None, frozenset()),
            ],
        ),
    ],
)
def test_what_an_engine_can_play(games: list[Any], rules: list[KnownRules]) -> None:
    assert module._introduction({"protocol": 1, "name": "x", "games": games, "more": 1}) == ("x", rules)


@pytest.mark.parametrize("protocol", [None, 0, 2, "1", []])
def test_an_engine_of_another_protocol(protocol: Any) -> None:
    with pytest.raises(EngineFailure) as raised:
        module._introduction({"protocol": protocol, "name": "x", "games": []})
    shown = json.dumps({"protocol": protocol, "name": "x", "games": []})
    assert str(raised.value) == f"does not speak version 1 of the protocol: {shown}"


@pytest.mark.parametrize(
    "said",
    [
        {"games": []},
        {"name": 1, "games": []},
        {"name": "x"},
        {"name": "x", "games": {}},
        *(
            {"name": "x", "games": [SUNSPOT, each]}
            for each in (
                "sunspot",
                {"game": "sunspot"},
                {"ruleset": "2024"},
                {**SUNSPOT, "game": 1},
                {**SUNSPOT, "ruleset": 2024},
                {**SUNSPOT, "variant": 1},
                {**SUNSPOT, "sizes": 4},
                {**SUNSPOT, "sizes": None},
                {**SUNSPOT, "sizes": [4, "5"]},
            )
        ),
    ],
)
def test_an_engine_that_does_not_introduce_itself(said: dict[str, Any]) -> None:
    with pytest.raises(EngineFailure) as raised:
        module._introduction({"protocol": 1, **said})
    shown = module._shown(json.dumps({"protocol": 1, **said}).encode())
    assert str(raised.value) == (
        "did not introduce itself with its name and a list of games, each with the names of game and ruleset: " + shown
    )


@pytest.mark.parametrize(
    ("rules", "start", "covered"),
    [
        (KnownRules("a", "1"), {"game": "a", "ruleset": "1", "size": 4}, True),
        (KnownRules("a", "1"), {"game": "a", "ruleset": "1", "size": 4, "variant": "v"}, False),
        (KnownRules("a", "1", "v"), {"game": "a", "ruleset": "1", "size": 4, "variant": "v"}, True),
        (KnownRules("a", "1", "v"), {"game": "a", "ruleset": "1", "size": 4}, False),
        (KnownRules("a", "1"), {"game": "b", "ruleset": "1", "size": 4}, False),
        (KnownRules("a", "1"), {"game": "a", "ruleset": "2", "size": 4}, False),
        (KnownRules("a", "1", None, frozenset({4})), {"game": "a", "ruleset": "1", "size": 4}, True),
        (KnownRules("a", "1", None, frozenset({5})), {"game": "a", "ruleset": "1", "size": 4}, False),
        (KnownRules("a", "1", None, frozenset({4})), {"game": "b", "ruleset": "1", "size": 4}, False),
    ],
)
def test_which_games_are_played_by_rules(rules: KnownRules, start: dict[str, Any], covered: bool) -> None:
    assert rules.covers(start) is covered


def test_how_rules_are_called() -> None:
    assert [str(KnownRules("a", "1")), str(KnownRules("a", "1", "v", frozenset({4})))] == ["a 1", "a 1 v"]


def test_what_is_asked_and_answered(started: Start) -> None:
    """The first request says which program asks; requests are lines of JSON without blanks."""
    player = started(
        "import sys; first = input(); "
        """print('{"protocol": 1, "name": ' + repr(first).replace('"', '\\\\"').replace("'", '"') + ', "games": []}',"""
        " flush=True); sys.stdout.write(sys.stdin.readline()); sys.stdout.flush()"
    )
    assert player.name == f'{{"command":"hello","protocol":1,"hexrec":"{__version__}"}}'
    assert player.ask({"command": "legal", "turns": ["é", 1]}) == {"command": "legal", "turns": ["é", 1]}


def test_one_request_after_the_other(started: Start) -> None:
    player = started(PLAYER, json.dumps({"hello": HELLO}))
    assert (player.name, player.rules) == ("x", [])
    for number in range(20):
        assert player.ask({"command": "play", "number": number}) == {"command": "play", "number": number}


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("no idea", "answered with something other than a JSON object: no idea"),
        ("[1]", "answered with something other than a JSON object: [1]"),
        ('{"a": Infinity}', 'answered with something other than a JSON object: {"a": Infinity}'),
        ("[" * 100_000, f"answered with something other than a JSON object: {'[' * 199}…"),
        ("\udcff", r"answered with something other than a JSON object: \xff"),
    ],
)
def test_what_is_no_answer(started: Start, answer: str, message: str) -> None:
    """The engine is ended then."""
    player = started(PLAYER, json.dumps({"hello": HELLO, "play": answer}))
    with pytest.raises(EngineFailure) as raised:
        player.ask({"command": "play"})
    assert str(raised.value) == message
    assert player._process.wait(PATIENCE) == -9


@pytest.mark.parametrize(
    ("then", "message"),
    [
        ("sys.exit(3)", "ended with exit code 3 in place of an answer"),
        ("sys.exit()", "ended with exit code 0 in place of an answer"),
        ("os.kill(os.getpid(), 15)", "was ended by SIGTERM in place of an answer"),
        ("os.kill(os.getpid(), 40)", "was ended by signal 40 in place of an answer"),
        (
            r"sys.stderr.write('\n'.join(map(str, range(9))) + '\n \n'); sys.exit(1)",
            "ended with exit code 1 in place of an answer; it said: 5 / 6 / 7 / 8",
        ),
        (
            "sys.stderr.write('x' * 1000 + 'y'); sys.exit(1)",
            f"ended with exit code 1 in place of an answer; it said: {'x' * 199}… / y",
        ),
    ],
)
def test_how_an_engine_has_ended(started: Start, then: str, message: str) -> None:
    player = started(f"import os, sys; input(); print({HELLO!r}, flush=True); input(); {then}")
    with pytest.raises(EngineFailure) as raised:
        player.ask({"command": "play"})
    assert str(raised.value) == message


def test_an_engine_that_closes_its_output(started: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_GRACE", 0.1)
    player = started(f"import os, time; input(); print({HELLO!r}, flush=True); input(); os.close(1); time.sleep(600)")
    with pytest.raises(EngineFailure, match=r"\Aclosed its standard output in place of an answer\Z"):
        player.ask({"command": "play"})


def test_an_engine_that_closes_its_input(started: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it is asked then reaches nobody; that is all."""
    raised: list[object] = []
    monkeypatch.setattr(threading, "excepthook", raised.append)
    player = started(
        f"import os, sys; input(); os.close(0); print({HELLO!r}, flush=True); sys.stdout.close(); os._exit(3)"
    )
    player._process.wait(PATIENCE)
    with pytest.raises(EngineFailure, match=r"\Aended with exit code 3 in place of an answer\Z"):
        player.ask({"command": "play"})
    player.close()
    for thread in player._threads:
        thread.join(PATIENCE)
    assert raised == []


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the process in /proc")
def test_what_an_engine_has_started_is_ended_once(started: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the engine, which has a group of its own; its number may be that of another process later."""
    killed: list[int] = []
    kill = os.killpg

    def counted(group: int, number: int) -> None:
        killed.append(group)
        kill(group, number)

    monkeypatch.setattr("os.killpg", counted)
    player = started(PLAYER, json.dumps({"hello": HELLO}))
    assert os.getpgid(player._process.pid) == player._process.pid
    player.close()
    player.close()
    assert killed == [player._process.pid]


def test_an_answer_that_is_too_long(started: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ANSWER_BYTES", 100)
    exact = '{"a":"' + "x" * 91 + '"}'
    assert len(exact) + 1 == 100
    player = started(PLAYER, json.dumps({"hello": HELLO, "play": exact, "legal": exact + " "}))
    assert player.ask({"command": "play"}) == json.loads(exact)
    with pytest.raises(EngineFailure, match=r"\Agave an answer of more than 100 bytes\Z"):
        player.ask({"command": "legal"})


def test_an_answer_that_is_too_long_need_not_end(started: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ANSWER_BYTES", 100)
    code = f"import time; input(); print({HELLO!r}, flush=True); input(); print('x' * 101, end='', flush=True)"
    player = started(f"{code}; time.sleep(600)")
    with pytest.raises(EngineFailure, match="gave an answer of more than 100 bytes"):
        player.ask({"command": "legal"})


def test_what_was_not_asked_for_is_no_answer(started: Start) -> None:
    player = started(f"import sys; input(); print({HELLO!r} + '\\n{{}}', flush=True); sys.stdin.read()")
    while player._answers.empty():
        pass
    with pytest.raises(EngineFailure, match=r"\Awrote something before it was asked: \{\}\Z"):
        player.ask({"command": "play"})


def test_an_engine_that_is_late(started: Start) -> None:
    player = started(f"import time; input(); print({HELLO!r}, flush=True); time.sleep(600)", timeout=PATIENCE)
    player._timeout = 0.25
    with pytest.raises(EngineFailure, match=r"\Agave no answer within 0\.25 seconds\Z"):
        player.ask({"command": "play"})
    assert player._process.wait(PATIENCE) == -9


def test_an_engine_that_does_not_introduce_itself_in_time(started: Start) -> None:
    with pytest.raises(EngineFailure, match=r"\Agave no answer within 0\.25 seconds\Z"):
        started("import time; time.sleep(600)", timeout=0.25)


def test_an_engine_ends_when_it_is_asked_no_more(started: Start) -> None:
    """By itself, if it does; its threads end, too."""
    player = started(PLAYER + "sys.exit(7)", json.dumps({"hello": HELLO}))
    player.close()
    assert player._process.returncode == 7
    assert not any(thread.is_alive() for thread in player._threads)
    assert all(thread.daemon for thread in player._threads)
    player.close()


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
    player.close()
    assert player._process.returncode == 0
    os.kill(int(player.name), signal.SIGKILL)  # which raises an error if it has ended


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(2, "No such file or directory"), "cannot be started: No such file or directory"),
        (OSError("odd"), "cannot be started: odd"),
        (ValueError("embedded null byte"), "cannot be started: embedded null byte"),
    ],
)
def test_an_engine_that_cannot_be_started(monkeypatch: pytest.MonkeyPatch, error: Exception, message: str) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(subprocess, "Popen", fail)
    with pytest.raises(EngineFailure) as raised:
        Engine(["engine"], 1)
    assert str(raised.value) == message


def test_an_engine_that_is_refused_is_ended() -> None:
    processes: list[Any] = []
    start = subprocess.Popen

    def popen(*arguments: Any, **options: Any) -> Any:
        processes.append(start(*arguments, **options))
        return processes[-1]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(subprocess, "Popen", popen)
        with pytest.raises(EngineFailure, match="does not speak"):
            Engine([sys.executable, "-I", "-S", "-c", "input(); print('{}', flush=True); input()"], PATIENCE)
    with suppress(subprocess.TimeoutExpired):
        processes[0].wait(0)
    assert processes[0].returncode is not None
