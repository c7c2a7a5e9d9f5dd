"""An engine for all of hexrec's games, for the tests: their own rules behind the protocol, with a fault or none.

`python player.py FAULT`: each of the `FAULTS` changes answers. An `Engine` gives the same answers without a process.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent.parent))

from hexrec.conformance.engine import KnownRules
from hexrec.rules import games
from hexrec.rules.terms import RuleError

Data = dict[str, Any]


class Player:
    """Answers requests."""

    def __init__(self) -> None:
        self.position: Any = None

    def hello(self, _: Data) -> Data:
        known = [
            {"game": name, "ruleset": ruleset} | ({"variant": variant} if variant else {})
            for name in games.BUILT_IN
            for ruleset in games.get(name).rulesets
            for variant in (None, *games.get(name).variants)
        ]
        return {"protocol": 1, "name": "player", "games": known}

    def start(self, request: Data) -> Data:
        game = games.get(request["game"])
        try:
            self.position = game.start(
                request["size"],
                request.get("opening"),
                request.get("variant"),
                position=request.get("setup"),
                ruleset=request["ruleset"],
            )
        except RuleError as refusal:
            return {"illegal": refusal.code}
        return {"position": self.position.text()}

    def legal(self, _: Data) -> Data:
        return {"turns": self.position.legal_turns()}

    def play(self, request: Data) -> Data:
        try:
            self.position.play(request["turn"])
        except RuleError as refusal:
            return {"illegal": refusal.code}
        return {"position": self.position.text()}

    def result(self, _: Data) -> Data:
        outcome = self.position.result()
        return {"result": outcome and {"winner": outcome.winner, "score": outcome.score}}


#: What becomes of the answer to a request other than `hello`, by the request's command.
FAULTS: dict[str, dict[str, Callable[[Data], Data]]] = {
    "none": {},
    "no-list": {"legal": lambda _: {"turns": "e5"}},
    "twice": {"legal": lambda answer: {"turns": answer["turns"] * 2}},
    "one-less": {"legal": lambda answer: {"turns": answer["turns"][1:]}},
    "wrong-winner": {"result": lambda answer: {"result": answer["result"] and {**answer["result"], "winner": "draw"}}},
    "wrong-position": {"play": lambda answer: {**answer, "position": "e5"} if "position" in answer else answer},
    "accepts-all": {"play": lambda answer: {"position": "e5"} if "illegal" in answer else answer},
    "refuses-all": {"play": lambda _: {"illegal": True}},
    "other-code": {"play": lambda answer: {"illegal": "move/never"} if "illegal" in answer else answer},
    "no-code": {
        name: lambda answer: {"illegal": True} if "illegal" in answer else answer for name in ("play", "start")
    },
}


class Engine:
    """An engine in this process, which keeps what it is asked and what it answers."""

    name = "player"
    setups = True

    def __init__(self, player: type[Player] = Player, fault: str = "none") -> None:
        self.player, self.fault = player(), FAULTS[fault]
        self.asked: list[Data] = []
        self.answers: list[Data] = []
        known = self.player.hello({})["games"]
        self.rules = [KnownRules(**rules | {"sizes": frozenset(rules.get("sizes", ())) or None}) for rules in known]

    def ask(self, request: Data) -> Data:
        self.asked.append(dict(request))
        command = request["command"]
        answer = getattr(self.player, command)(request)
        if command in self.fault:
            answer = self.fault[command](answer)
        self.answers.append(dict(json.loads(json.dumps(answer))))
        return self.answers[-1]

    def close(self) -> None:
        pass


def main() -> None:
    engine = Engine(fault=sys.argv[1])
    for line in sys.stdin:
        print(json.dumps(engine.ask(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
