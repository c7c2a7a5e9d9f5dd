"""`hexrec conformance`: engines that agree, disagree, fail, or never start, each said with an exit code of its own."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, sleep

import pytest

from hexrec import conformance
from hexrec.conformance import engine
from tests.cli.conftest import Run, hexrec
from tests.conformance.player import Engine, Player
from tests.fixtures import FIXTURES
from tests.processes import PATIENCE
from tests.properties import FACTOR

__all__ = ["hexrec"]

PLAYER = [sys.executable, str(Path(__file__).parent / "player.py")]
#: Greets, then does what follows.
GREETING = (
    "import os, sys, time; input(); "
    """print('{"protocol":1,"name":"x","games":[{"game":"sunspot","ruleset":"2024","sizes":[4]}]}', flush=True); """
)


def python(code: str) -> list[str]:
    """Return the command that runs some code, in a Python that starts quickly."""
    return [sys.executable, "-I", "-S", "-c", code]


@pytest.fixture
def run(hexrec: Run) -> Run:
    """Run hexrec with an engine that may take as long as a busy machine needs, unless the timeout is given."""
    return lambda command, *arguments: hexrec(command, "--timeout", PATIENCE, *arguments)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine may take as long to end."""
    monkeypatch.setattr(engine, "_GRACE", PATIENCE)


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The player answers in this process, with the fault that its command line names."""
    monkeypatch.setattr("hexrec.cli.conformance.Engine", lambda command, _: Engine(fault=command[-1]))


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ("--game nadraz --size 4 --count 1", "none"),
        ("--game sundraval --size 3 --count 1", "no-code"),
        ("--only random/valaturna/2023-first/7/0/0", "none"),
    ],
)
def test_agreement(run: Run, options: str, fault: str) -> None:
    """With variants, rulesets, setups and scores; an engine need not know the codes."""
    ran = run("conformance", *options.split(), *PLAYER, fault)
    assert (ran.code, ran.out) == (0, "")
    assert " games with player: " in ran.err
    assert ", 0 do not; " in ran.err


@pytest.mark.parametrize("setups", [True, False])
def test_an_engine_without_setups_is_asked_for_none(setups: bool, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine()
    engine.setups = setups
    monkeypatch.setattr("hexrec.cli.conformance.Engine", lambda *_: engine)
    assert run("conformance", "--game", "sundraval", "--size", "4", "--count", "1", "player").code == 0
    assert any("setup" in request for request in engine.asked) == setups


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")
@pytest.mark.parametrize(("game", "size"), [("sunspot", 4), ("frasvel", 3)])
def test_the_engines_in_javascript(run: Run, game: str, size: int) -> None:
    """On the boards on which the kit tries illegal turns; in a session, on all."""
    client = FIXTURES / f"engine/{game}.mjs"
    assert client.read_text(encoding="utf-8").count("\n") < 160
    options = ("--size", str(size)) if FACTOR == 1 else ()
    ran = run("conformance", *options, "--count", "2", "--seed", "7", "node", client)
    assert (ran.code, ran.out) == (0, "")


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize(
    ("fault", "message", "expected", "got"),
    [
        ("one-less", "the legal turns differ: missing: a1", None, None),
        ("twice", "the legal turns differ: a turn is there more than once", None, None),
        ("no-list", "the answer has no array of strings `turns`", None, {"turns": "e5"}),
        ("wrong-winner", "the result differs", None, None),
        ("wrong-position", "the position differs", None, {"position": "e5"}),
        ("accepts-all", "it is illegal: ", {"illegal": "move/board-full"}, {"position": "e5"}),
        ("other-code", "it is illegal by another rule: ", {"illegal": "move/board-full"}, {"illegal": "move/never"}),
        ("refuses-all", "it is legal", None, {"illegal": True}),
    ],
)
def test_disagreement(
    run: Run, fault: str, message: str, expected: dict[str, str] | None, got: dict[str, object] | None
) -> None:
    ran = run("conformance", "--game", "sunspot", "--size", "4", "--count", "0", "--format", "json", *PLAYER, fault)
    assert ran.code == 1
    report = ran.report
    first = report["disagreements"][0]
    assert first["message"].startswith(message)
    assert expected in (None, first["expected"])
    assert got in (None, first["got"])
    assert report["summary"]["disagreements"] == len(report["disagreements"]) <= report["summary"]["games"]
    assert (report["summary"]["failures"], report["summary"]["given_up"]) == (0, False)
    position = conformance.start_of(first["start"])
    position.play_all(first["turns"])
    assert first["position"] == position.text()
    assert first["board"] == str(position)
    file, number = first["source"].split(":")
    assert [*conformance.lines(file)][int(number) - 1]["start"] == first["start"]


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize("options", [["--size", "4", "--count", "0"], ["--size", "6", "--count", "2", "--seed", "-3"]])
def test_a_disagreement_is_repeated_alone(run: Run, options: list[str]) -> None:
    """The report draws the board and names the command that compares that game again."""
    game = ["--game", "nadraz"]
    ran = run("conformance", *game, *options, "--format", "json", *PLAYER, "wrong-winner")
    for each in ran.report["disagreements"][-2:]:
        assert each["start"]["size"] == int(options[1])
        words = shlex.split(each["repeat"])
        assert words[:4] == ["hexrec", "conformance", "--only", each["source"]]
        again = run(*words[1:])
        assert again.code == 1
        assert "1 games with player: 0 agree, 1 do not" in again.err
        assert "".join(f"    {row}\n" for row in each["board"].splitlines()) in again.out
        assert f"  repeat:   {each['repeat']}\n" in again.out


@pytest.mark.usefixtures("in_process")
@pytest.mark.parametrize(
    "name", ["games.jsonl:0", "games.jsonl:999", "random/sunspot/2024/99/0/0", "random/x/4/0/0", "x"]
)
def test_a_game_that_does_not_exist(run: Run, name: str) -> None:
    ran = run("conformance", "--only", name, *PLAYER, "none")
    assert ran.code == 2
    assert f"no game {name}" in ran.err


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    ("then", "message"),
    [
        ("sys.exit('no such piece: 17')", "ended with exit code 1 instead of an answer; stderr: no such piece: 17"),
        ("os.abort()", "was ended by SIGABRT instead of an answer"),
        ("input(); print('I think e5')", "answered with something other than a JSON object: I think e5"),
        ("input(); print('{\"turns\": NaN}')", "answered with something other than a JSON object: {"),
        ("input(); print('[' * 100_000)", "answered with something other than a JSON object: [[["),
    ],
)
def test_failure(run: Run, then: str, message: str) -> None:
    """An engine that fails is started again for the next game, but not for ever."""
    ran = run("conformance", *python(GREETING + then))
    assert ran.code == 1
    assert ran.out.count(f"the engine {message}") == 3
    assert "position: 4/5/6/7/6/5/4 b 0" in ran.out
    assert "hexrec: stopped after 3 failures of the engine" in ran.err


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["/nowhere/engine"], "cannot be started as a program: no such file or directory"),
        ([str(FIXTURES)], "cannot be started as a program: permission denied"),
        (python("raise SystemExit('no license')"), "ended with exit code 1 instead of an answer; stderr: no license"),
        (python("input(); print('hello')"), "answered with something other than a JSON object: hello"),
        (python("input(); print('\x1b[31m' * 3)"), r"answered with something other than a JSON object: \x1b[31m"),
        (python("input(); print('[' + '1' * 5_000_000)"), "gave an answer of more than 4,194,304 bytes"),
        (
            python("""input(); print('{"protocol":2,"name":"x","games":[]}')"""),
            "does not speak version 1 of the protocol",
        ),
        (
            python("""input(); print('{"protocol":1,"name":"x"}')"""),
            "did not introduce itself with its name and an array of games",
        ),
        (python("""input(); print('{"protocol":1,"name":"x","games":[{"game":"go"}]}')"""), "did not introduce itself"),
        (python("""input(); print('{"protocol":1,"name":"x","games":[]}')"""), "nothing to compare"),
        (
            python("""input(); print('{"protocol":1,"name":"x","games":[{"game":"sunspot","ruleset":"1999"}]}')"""),
            "nothing to compare",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_engine(run: Run, command: list[str], message: str) -> None:
    ran = run("conformance", *command)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err
    assert "\x1b" not in ran.err


def test_an_engine_that_says_nothing(run: Run) -> None:
    ran = run("conformance", "--timeout", "0.1", *python("import time; time.sleep(600)"))
    assert (ran.code, "gave no answer within 0.1 seconds" in ran.err) == (2, True)


class Introduced(engine.Engine):
    """An engine for which the timeout holds when it has introduced itself, however long it takes to start."""

    def __init__(self, command: Sequence[str], timeout: float) -> None:
        super().__init__(command, PATIENCE)
        self._timeout = timeout


@pytest.mark.parametrize(
    ("then", "seconds", "message"),
    [
        ("time.sleep(600)", 0.1, "the engine gave no answer within 0.1 seconds"),
        ("sys.stdin.close(); time.sleep(600)", 0.1, "the engine gave no answer within 0.1 seconds"),
        ("os.close(1); time.sleep(600)", PATIENCE, "the engine closed its stdout instead of an answer"),
        ("[print('{}', flush=True) for _ in range(10**9)]", PATIENCE, ""),
    ],
)
def test_an_engine_never_keeps_hexrec_waiting(
    run: Run, monkeypatch: pytest.MonkeyPatch, then: str, seconds: float, message: str
) -> None:
    monkeypatch.setattr("hexrec.cli.conformance.Engine", Introduced)
    monkeypatch.setattr(engine, "MAX_FAILURES", 1)
    monkeypatch.setattr(engine, "_GRACE", 0.1)
    ran = run("conformance", "--timeout", seconds, "--count", "0", *python(GREETING + then))
    assert ran.code == 1
    assert message in ran.out


def test_a_line_that_was_not_asked_for(run: Run) -> None:
    two = """print('{"position":"4/5/6/7/6/5/4 b 0"}\\n{}', flush=True)"""
    ran = run("conformance", "--count", "0", *python(GREETING + two))
    assert ran.code == 1
    assert "{}" in ran.out


@pytest.mark.skipif(sys.platform != "linux", reason="looks for the process in /proc")
def test_processes_that_an_engine_leaves_behind_are_ended(run: Run, tmp_path: Path) -> None:
    """They would keep its standard output open, so that its end would never come."""
    script = tmp_path / "engine.sh"
    script.write_text("#!/bin/sh\nsleep 600 &\necho $! > pid\nexit 1\n".replace("pid", str(tmp_path / "pid")))
    script.chmod(0o755)
    assert run("conformance", "--timeout", "2", script).code == 2
    number = int((tmp_path / "pid").read_text())
    end = monotonic() + PATIENCE
    while is_running(number):
        assert monotonic() < end
        sleep(0.01)


def is_running(number: int) -> bool:
    """Return whether there is a process with that number, other than one that nobody has waited for."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@pytest.mark.usefixtures("in_process")
def test_only_what_both_know_is_compared(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    known = [
        {"game": "sunspot", "ruleset": "2024", "sizes": [99, 6]},
        {"game": "sunspot", "ruleset": "1999"},
        {"game": "go", "ruleset": "1997"},
        {"game": "nadraz", "ruleset": "2023", "variant": "sideways"},
    ]
    monkeypatch.setattr(Player, "hello", lambda *_: {"games": known})
    ran = run("conformance", "--format", "json", "--count", "1", *PLAYER, "none")
    assert ran.code == 0
    assert ran.report["rules"] == [{"game": "sunspot", "ruleset": "2024", "variant": None}]
    lines = [line for name in conformance.FILES for line in conformance.lines(name) if "start" in line]
    six = [line for line in lines if (line["start"]["game"], line["start"]["size"]) == ("sunspot", 6)]
    setups = [each for line in six for each in line.get("positions", ()) if each["ply"] and "hash" in each]
    assert ran.report["summary"]["games"] == len(six) + len(setups) + 1
    for name in ("sunspot 1999", "go 1997", "nadraz 2023 sideways"):
        assert f"hexrec: skipped {name}: unknown to hexrec\n" in ran.err


@pytest.mark.usefixtures("in_process")
def test_the_same_seed_gives_the_same_games(run: Run) -> None:
    """Openings are random too, so that an engine that disagrees at once shows them."""
    options = ["--game", "frasvel", "--size", "3", "--count", "1", "--format", "json"]
    one, again, other = (run("conformance", "--seed", seed, *options, *PLAYER, "one-less") for seed in "112")
    assert one.out == again.out
    first, second = one.report["disagreements"][-1], other.report["disagreements"][-1]
    assert (first["source"], second["source"]) == ("random/frasvel/2024/3/1/0", "random/frasvel/2024/3/2/0")
    assert first["start"] != second["start"]


@pytest.mark.usefixtures("in_process")
def test_the_report_for_people(run: Run) -> None:
    ran = run("conformance", "--game", "sunspot", "--size", "4", "--count", "0", *PLAYER, "one-less")
    assert ran.code == 1
    first = ran.out.split("\n\n")[0].splitlines()
    assert [line.split(":")[0].strip() for line in first if ":" in line] == [
        *("games.jsonl", "start", "turns", "position", "asked", "expected", "got", "repeat")
    ]
    assert max(map(len, first)) < 500
    assert "more disagreements: --format json lists all\n" in ran.out


def test_where_the_suite_is(run: Run) -> None:
    ran = run("conformance", "--where")
    assert (ran.code, Path(ran.out.rstrip("\n"))) == (0, conformance.suite_folder())
    assert (conformance.suite_folder() / "manifest.jsonl").is_file()
    assert (conformance.folder() / "kit.schema.json").is_file()


def test_wrong_usage(run: Run) -> None:
    assert "name the one to compare" in run("conformance").err
    assert run("conformance").code == 2
    assert run("conformance", "--game", "go", "engine").code == 2


def test_the_conversation_in_the_documents() -> None:
    page = (FIXTURES.parent.parent / "docs/conformance.md").read_text(encoding="utf-8")
    engine = Player()
    said = 0
    for asked, answered in re.findall(r"^> (.*)\n< (.*)$", page, re.MULTILINE):
        request, answer = json.loads(asked), json.loads(answered)
        if request["command"] != "hello":
            assert getattr(engine, request["command"])(request) == answer
            said += 1
    assert said > 5
