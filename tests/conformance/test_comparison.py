"""What engines are asked and what is said of their answers, with an engine in this process and a small kit."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from hexrec import __version__
from hexrec.conformance import kit
from hexrec.conformance.comparison import Comparison, Disagreement, is_known
from hexrec.conformance.engine import EngineFailure, KnownRules
from tests.cli.conftest import Ran, Run
from tests.cli.conftest import hexrec as run
from tests.conformance import write
from tests.conformance.player import FAULTS, Player

__all__ = ["run"]

OPENING = {"black": "b4", "white": "c1"}
START = {"game": "sundraval", "ruleset": "2023", "size": 3, "opening": OPENING}
SMALL = KnownRules("sundraval", "2023", None, frozenset({3}))
Line = dict[str, Any]
#: What is said of each fault: `python -m tests.conformance.test_comparison` writes it. Read the diff.
SAID = Path(__file__).parent / "said.json"


def game_line() -> Line:
    """A game with four positions: the first one of the game, two within it, and one that has ended it."""
    line = {"kind": "game", "start": START, "moves": ["a1", "b1", "pass", "pass"]}
    return write.answered({**line, "positions": [{"ply": ply} for ply in (0, 1, 2, 4)]})


KIT: dict[str, list[Line]] = {
    "games.jsonl": [{"start": {**START, "game": "sunspot", "ruleset": "2024", "size": 4}}, game_line()],
    "turns.jsonl": [{"kind": "illegal turn", "start": START, "moves": ["a1"], "turn": "b4"}],
    "starts.jsonl": [{"kind": "illegal start", "start": {**START, "opening": {**OPENING, "white": "b4"}}}],
    "perft.jsonl": [
        {"kind": "perft", "start": {**START, "size": 4}, "moves": []},
        {"kind": "perft", "start": START, "moves": ["a1"]},
    ],
    "verdicts.jsonl": [{"kind": "verdict", "record": 0}],
    "invalid.jsonl": [],
}


@pytest.fixture(autouse=True)
def small_kit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kit, "lines", lambda name: iter(KIT[name]))


class Engine:
    """An engine in this process, which keeps what it is asked."""

    asked: list[Line]
    begun = closed = 0

    def __init__(self, fault: Callable[[str, Line], Line] = lambda _, answer: answer) -> None:
        self.player, self.fault = Player(), fault
        self.name, self.rules = "player", [SMALL, SMALL, KnownRules("go", "1997")]
        Engine.begun += 1

    def ask(self, request: Any) -> Line:
        self.asked.append(dict(request))
        return self.fault(request["command"], getattr(self.player, request["command"])(request))

    def close(self) -> None:
        Engine.closed += 1


@pytest.fixture(autouse=True)
def fresh() -> None:
    Engine.asked, Engine.begun, Engine.closed = [], 0, 0


def faulty(name: str) -> Callable[[str, Line], Line]:
    return lambda command, answer: FAULTS[name][command](answer) if command in FAULTS[name] else answer


def compare(
    fault: Callable[[str, Line], Line], *rules: KnownRules, **options: Any
) -> tuple[Comparison, list[Disagreement]]:
    made = Comparison(lambda: Engine(fault), None, rules or (SMALL,))  # type: ignore[arg-type, return-value]
    return made, list(made.run(options.get("seed", 1), options.get("count", 0)))


def test_what_an_engine_is_asked() -> None:
    made, found = compare(faulty("none"))
    start, legal, result = {"command": "start", **START}, {"command": "legal"}, {"command": "result"}

    def play(*turns: str) -> list[Line]:
        return [{"command": "play", "turn": turn} for turn in turns]

    _, after_one, after_two, _ = game_line()["positions"]
    going_on = {"command": "start", "game": "sundraval", "ruleset": "2023", "size": 3}
    assert Engine.asked == [
        *(start, legal, result, *play("a1"), legal, result, *play("b1"), legal, result),
        *(*play("pass", "pass"), legal, result),
        *({**going_on, "setup": after_one["position"]}, legal, result, *play("b1", "pass", "pass"), legal, result),
        *({**going_on, "setup": after_two["position"]}, legal, result, *play("pass", "pass"), legal, result),
        *(start, *play("a1", "b4"), legal),
        {**start, "opening": {**OPENING, "white": "b4"}},
        *(start, *play("a1"), legal),
    ]
    assert (found, made.games, made.requests, made.failures, made.given_up) == ([], 6, len(Engine.asked), 0, False)
    made.close()
    made.close()
    assert (Engine.begun, Engine.closed, made.engine) == (1, 1, None)


def fails_if_illegal(answer: Line) -> Line:
    return fails("what is illegal")(answer) if "illegal" in answer else answer


def fails(command: str) -> Callable[[Line], Line]:
    def ask(_: Line) -> Line:
        raise EngineFailure(f"failed at {command}")

    return ask


#: More faults than those that the engine of the other tests has.
MORE: dict[str, dict[str, Callable[[Line], Line]]] = {
    "fails-at-start": {"start": fails("start")},
    "fails-at-legal": {"legal": fails("legal")},
    "fails-at-result": {"result": fails("result")},
    "fails-at-refusals": dict.fromkeys(("play", "start"), fails_if_illegal),
    "no-result": {"result": lambda _: {}},
    "illegal-turns": {"legal": lambda answer: {"turns": ["z9", *answer["turns"][2:], "z8"]}},
    "numbers": {"legal": lambda answer: {"turns": [*answer["turns"], 1]}},
    "another-order": {"legal": lambda answer: {"turns": answer["turns"][::-1]}},
    "nothing": {name: lambda _: {} for name in ("start", "play", "result")},
    "wrong-score": {"result": lambda answer: {"result": answer["result"] and {**answer["result"], "score": None}}},
    "no-winner": {"result": lambda answer: {"result": answer["result"] and {"score": answer["result"]["score"]}}},
    "never-over": {"result": lambda _: {"result": None}},
    "always-over": {"result": lambda answer: {"result": answer["result"] or {"winner": "draw"}}},
    "in-other-words": {
        name: lambda answer: {"illegal": "you cannot"} if "illegal" in answer else answer for name in ("play", "start")
    },
    "other-code-of-start": {"start": lambda answer: {"illegal": "opening/no"} if "illegal" in answer else answer},
}


def disagreements(fault: str) -> list[Line]:
    """Return what is said of an engine with a fault, and how often it was started and asked."""
    Engine.asked, Engine.begun, Engine.closed = [], 0, 0
    changes = {**FAULTS, **MORE}[fault]
    made, found = compare(
        lambda command, answer: changes[command](answer) if command in changes else answer, SMALL, count=1
    )
    totals = {name: getattr(made, name) for name in ("games", "requests", "failures", "given_up")}
    return [*map(asdict, found), {**totals, "begun": Engine.begun, "closed": Engine.closed}]


@pytest.mark.parametrize("fault", [*FAULTS, *MORE])
def test_what_is_said_of_a_fault(fault: str) -> None:
    expected = json.loads(SAID.read_text(encoding="utf-8"))[fault]
    assert json.loads(json.dumps(disagreements(fault))) == expected


@pytest.mark.parametrize(
    ("rules", "count", "asked"),
    [
        (KnownRules("sundraval", "2023"), 2, "ca87cc7f467364a4"),
        (KnownRules("sunspot", "2024", None, frozenset({4, 99})), 2, "2a9cad5605fe0a00"),
        (KnownRules("nadraz", "2023", "reverse", frozenset({4, 5})), 2, "2c38b382497fc92f"),
    ],
    ids=str,
)
def test_random_games_stay_as_they_are(
    rules: KnownRules, count: int, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has a seed can look at the same games with any version."""
    monkeypatch.setattr(kit, "lines", lambda _: iter(()))
    made, found = compare(faulty("none"), rules, seed=5, count=count)
    text = "\n".join(json.dumps(request) for request in Engine.asked)
    assert (found, made.games) == ([], count)
    assert sha256(text.encode()).hexdigest()[:16] == asked


class StrictPlayer(Player):
    """Accepts a turn in the canonical spelling only, which is all that the protocol asks of an engine."""

    def play(self, request: Line) -> Line:
        if request["turn"] not in self.position.legal_turns():
            return {"illegal": True}
        return super().play(request)


def test_a_turn_that_is_legal_in_another_spelling_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such turns are frequent in Sunspot: any stone of an edge subgroup stands for all of them."""
    monkeypatch.setattr(kit, "lines", lambda _: iter(()))
    monkeypatch.setattr(f"{__name__}.Player", StrictPlayer)
    answers: list[Line] = []

    def keep(_: str, answer: Line) -> Line:
        answers.append(answer)
        return answer

    _, found = compare(keep, KnownRules("sunspot", "2024", None, frozenset({4})), seed=1, count=40)
    assert [disagreement.message for disagreement in found] == []
    assert {"illegal": True} in answers, "turns that are legal in no spelling are tried"


def test_random_games_that_do_not_end_are_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexrec.conformance.comparison._MAX_PLIES", 4)
    monkeypatch.setattr(kit, "lines", lambda _: iter(()))
    compare(faulty("none"), KnownRules("sunspot", "2024"), count=1)
    assert [request["command"] for request in Engine.asked] == ["start", *["legal", "play"] * 4, "legal", "result"]


@pytest.mark.parametrize(
    ("rules", "sizes"),
    [
        (KnownRules("sunspot", "2024"), [4, 5, 6, 7, 4]),
        (KnownRules("sunspot", "2024", None, frozenset({6, 7, 8})), [6, 7, 6, 7, 6]),
        (KnownRules("sunspot", "2024", None, frozenset({9, 8})), [8, 9, 8, 9, 8]),
        (KnownRules("valaturna", "2023-first"), [7] * 5),
    ],
    ids=repr,
)
def test_random_games_take_turns_in_sizes(rules: KnownRules, sizes: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Those above the recommended one take long, and are played only if there are no others."""
    monkeypatch.setattr("hexrec.conformance.comparison._MAX_PLIES", 0)
    monkeypatch.setattr(kit, "lines", lambda _: iter(()))
    compare(faulty("none"), rules, count=5)
    assert [request["size"] for request in Engine.asked if request["command"] == "start"] == sizes


def test_a_result_without_a_score(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kit, "lines", lambda _: iter(()))
    _, (found,) = compare(faulty("wrong-winner"), KnownRules("sunspot", "2024", None, frozenset({4})), count=1)
    assert found.expected in ({"result": {"winner": "black"}}, {"result": {"winner": "white"}})


@pytest.mark.parametrize(
    ("rules", "known"),
    [
        (KnownRules("sundraval", "2023"), True),
        (KnownRules("sundraval", "1999"), False),
        (KnownRules("sundraval", "2023", "reverse"), False),
        (KnownRules("nadraz", "2023", "reverse"), True),
        (KnownRules("go", "2023"), False),
        (KnownRules("valaturna", "2023-first", None, frozenset({6, 8})), False),
        (KnownRules("sundraval", "2023", None, frozenset({3, 99})), True),
        (KnownRules("sundraval", "2023", None, frozenset({2, 99})), False),
    ],
    ids=repr,
)
def test_which_rules_are_compared(rules: KnownRules, known: bool) -> None:
    assert is_known(rules) == known


TEXT = """\
turns.jsonl:1: it is illegal: b4 is occupied by an enemy stone: place on an empty cell
  start:    {"game": "sundraval", "ruleset": "2023", "size": 3, "opening": {"black": "b4", "white": "c1"}}
  turns:    a1
  position: 3/4/w4/3b/b2 w 0
  asked:    {"command": "play", "turn": "b4"}
  expected: {"illegal": "move/occupied"}
  got:      {"position": "e5"}

"""


def test_the_report_for_people(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexrec.cli.conformance.Engine", lambda *_: Engine(faulty("accepts-all")))
    ran = run("conformance", "--count", "0", "it")
    assert ran == Ran(
        1,
        TEXT,
        "hexrec: not compared: go 1997, which hexrec does not know\n"
        f"6 games with player: 5 agree, 1 do not; {len(Engine.asked)} requests\n",
    )
    assert run("conformance", "--count", "0", "--quiet", "it") == Ran(1, TEXT, "")


def test_the_report_for_programs(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexrec.cli.conformance.Engine", lambda *_: Engine(faulty("accepts-all")))
    report = run("conformance", "--count", "0", "--format", "json", "it").report
    (disagreement,) = report.pop("disagreements")
    assert report == {
        "hexrec": __version__,
        "protocol": 1,
        "kit": kit.VERSION,
        "engine": "player",
        "rules": [{"game": "sundraval", "ruleset": "2023", "variant": None}],
        "summary": {"games": 6, "disagreements": 1, "requests": len(Engine.asked), "failures": 0, "given_up": False},
    }
    found = json.loads(SAID.read_text(encoding="utf-8"))["accepts-all"][0]
    assert disagreement == found


def test_very_many_disagreements_are_counted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexrec.cli.conformance.Engine", lambda *_: Engine(faulty("one-less")))
    ran = run("conformance", "--count", "20", "--quiet", "it")
    shown = ran.out.count("  start: ")
    assert "more" not in run("conformance", "--count", str(shown - 5), "--quiet", "it").out, "as many as are shown"
    assert (ran.code, ran.err) == (1, "")
    assert ran.out.endswith(f"\n\n… and {25 - shown} more disagreements; --format json has them all\n")


def test_an_engine_that_agrees(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program is started with the arguments that follow it, and has ten seconds for an answer."""
    started = []

    def launch(*arguments: object) -> Engine:
        started.append(arguments)
        return Engine(faulty("none"))

    monkeypatch.setattr("hexrec.cli.conformance.Engine", launch)
    ran = run("conformance", "--quiet", "it", "--fast", "--seed")
    assert ran == Ran(0, "", "")
    asked = list(Engine.asked)
    assert run("conformance", "--timeout", "0.5", "--seed", "0", "--count", "5", "it") == Ran(
        0,
        "",
        "hexrec: not compared: go 1997, which hexrec does not know\n"
        f"11 games with player: 11 agree, 0 do not; {len(asked)} requests\n",
    )
    assert Engine.asked == asked * 2, "the usual seed and number of games"
    assert started == [(["it", "--fast", "--seed"], 10.0), (["it"], 0.5)]
    Engine.asked.clear()
    run("conformance", "--seed", "1", "it")
    assert Engine.asked != asked


def test_what_cannot_be_compared(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> Engine:
        raise EngineFailure("cannot be started: it is asleep")

    assert run("conformance", "--where") == Ran(0, f"{kit.folder()}\n", "")
    missing = run("conformance")
    assert (missing.code, missing.out) == (2, "")
    assert "Invalid value for COMMAND: name the program to be compared" in missing.err
    monkeypatch.setattr("hexrec.cli.conformance.Engine", refuse)
    assert run("conformance", "it", "x") == Ran(2, "", "hexrec: it: cannot be started: it is asleep\n")
    monkeypatch.setattr("hexrec.cli.conformance.Engine", lambda *_: Engine(faulty("none")))
    said = "hexrec: it: knows nothing that could be compared: {} that hexrec knows\n"
    assert run("conformance", "--game", "nadraz", "it", "x") == Ran(2, "", said.format("nadraz by a ruleset"))
    monkeypatch.setattr("hexrec.cli.conformance.is_known", lambda _: False)
    assert run("conformance", "it", "x") == Ran(2, "", said.format("a game, ruleset and size"))
    assert (Engine.begun, Engine.closed) == (2, 2)


def test_long_lists_are_cut_and_other_letters_are_kept(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the report for people; that for programs has all."""

    def answer(command: str, answer: Line) -> Line:
        if command == "legal":
            return {"turns": ["é" * 70] * 20}
        return {"position": "é", "illegal": "é"} if command == "start" and "illegal" in answer else answer

    monkeypatch.setattr("hexrec.cli.conformance.Engine", lambda *_: Engine(answer))
    ran = run("conformance", "--count", "0", "--quiet", "it")
    first, *_ = ran.out.split("\n\n")
    assert "  turns:    none\n" in first
    (got,) = [line for line in first.splitlines() if line.startswith("  got: ")]
    assert "é" * 70 in got
    assert 100 < len(got) < 500
    assert got.endswith("…")
    (expected,) = [line for line in first.splitlines() if line.startswith("  expected: ")]
    assert len(expected) > 80
    assert '"' + "é" * 70 + '"' in run("conformance", "--count", "0", "--format", "json", "it").out


def test_a_start_that_is_refused_has_no_position(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = MORE["other-code-of-start"]
    monkeypatch.setattr(
        "hexrec.cli.conformance.Engine",
        lambda *_: Engine(lambda command, answer: changes[command](answer) if command in changes else answer),
    )
    assert "\n  turns:    none\n  position: none\n" in run("conformance", "--count", "0", "--quiet", "it").out


def test_turns_are_listed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexrec.cli.conformance.Engine", lambda *_: Engine(faulty("wrong-winner")))
    assert "\n  turns:    a1 b1 pass pass\n" in run("conformance", "--count", "0", "--quiet", "it").out


def test_an_engine_that_is_given_up(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    changes = MORE["fails-at-legal"]
    engine = partial(Engine, lambda command, answer: changes[command](answer) if command in changes else answer)
    monkeypatch.setattr("hexrec.cli.conformance.Engine", lambda *_: engine())
    ran = run("conformance", "--count", "0", "--quiet", "it")
    assert (ran.code, ran.err) == (1, "hexrec: given up after 3 failures of the engine\n")
    assert ran.out.count("the engine failed at legal\n") == 3
    assert "got:" not in ran.out
    assert (Engine.begun, Engine.closed) == (3, 3)


if __name__ == "__main__":
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kit, "lines", lambda name: iter(KIT[name]))
        texts = [f"{json.dumps(fault)}: {json.dumps(disagreements(fault))}" for fault in (*FAULTS, *MORE)]
    SAID.write_text("{\n" + ",\n".join(texts) + "\n}\n", encoding="utf-8")
