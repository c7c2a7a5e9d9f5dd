"""Games played by hexrec and by an external engine side by side, up to the first disagreement of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from random import Random
from typing import Any

from hexrec.conformance import kit
from hexrec.conformance.engine import Engine, EngineFailure, KnownRules
from hexrec.rules import games
from hexrec.rules.position import Position
from hexrec.rules.terms import RuleError

#: Says what is wrong with an answer; None if nothing is.
_Fault = Callable[[Mapping[str, Any]], str | None]
#: After so many failures of an engine, no more games are tried.
MAX_FAILURES = 3
#: At one in so many plies of a random game a turn is tried that is not legal any more.
_TRY_EVERY = 4
#: Where a random game is broken off: not every game ends soon.
_MAX_PLIES = 300


def is_known(rules: KnownRules) -> bool:
    """Return whether hexrec knows rules that an engine knows, on a board of one of their sizes at least."""
    if not games.is_known(rules.game):
        return False
    game = games.get(rules.game)
    if rules.ruleset not in game.rulesets or rules.variant not in (None, *game.variants):
        return False
    return rules.sizes is None or bool(rules.sizes & {*game.ruleset(rules.ruleset).sizes})


@dataclass(eq=False)
class Disagreement(Exception):
    """Where an engine does not do what hexrec does.

    Attributes:
        source: which game it is: a line of the kit, or the seed of a random game.
        start: what the game starts from.
        turns: the turns played before.
        position: the text of the position after them; None where a start is to be refused.
        request: what the engine was asked.
        expected: what it should have answered, in the words of the protocol.
        got: what it answered; None where it did not answer as the protocol says.
        message: the same in words.
    """

    source: str
    start: kit.Start
    turns: Sequence[str]
    position: str | None
    request: Mapping[str, Any]
    expected: Mapping[str, Any]
    got: Mapping[str, Any] | None
    message: str


@dataclass
class Comparison:
    """Compares an engine with hexrec, game by game.

    Attributes:
        launch: starts the engine; called again after a failure.
        engine: the engine, if it is running.
        rules: what is compared: the rules that the engine knows and hexrec too, or some of them.
        games: how many games were compared.
        requests: how many answers.
        failures: how many times the engine failed.
    """

    launch: Callable[[], Engine]
    engine: Engine | None
    rules: Sequence[KnownRules]
    games: int = field(default=0, init=False)
    requests: int = field(default=0, init=False)
    failures: int = field(default=0, init=False)

    @property
    def given_up(self) -> bool:
        """Whether the engine failed so often that no more games are tried."""
        return self.failures >= MAX_FAILURES

    def run(self, seed: int, count: int) -> Iterator[Disagreement]:
        """Compare the kit and `count` random games by each of the rules; yield the disagreements as they are found."""
        for source, start, play in chain(self._kit(), self._random(seed, count)):
            if self.given_up:
                return
            self.games += 1
            game = _SideBySide(self, source, start)
            try:
                play(game)
            except Disagreement as found:
                if found.got is None:
                    self.failures += 1
                    self.close()
                yield found

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the engine's answer, having started it if it is not running. Raises EngineFailure."""
        if self.engine is None:
            self.engine = self.launch()
        self.requests += 1
        return self.engine.ask(request)

    def close(self) -> None:
        """End the engine, if it is running."""
        if self.engine is not None:
            self.engine.close()
            self.engine = None

    def _kit(self) -> Iterator[_Played]:
        for name in kit.FILES:
            for number, line in enumerate(kit.lines(name), 1):
                start = line.get("start")
                if start is None or not any(rules.covers(start) for rules in self.rules):
                    continue
                yield f"{name}:{number}", start, partial(_play_line, line=line)
                for each in line.get("positions", ()):
                    if each["ply"] and "hash" in each:
                        setup = kit.going_on(start, each["position"])
                        rest = {**line, "moves": line["moves"][each["ply"] :], "positions": [{"ply": 0}]}
                        yield f"{name}:{number} from ply {each['ply']}", setup, partial(_play_line, line=rest)

    def _random(self, seed: int, count: int) -> Iterator[_Played]:
        for number in range(count):
            for rules in self.rules:
                game = games.get(rules.game)
                allowed = [size for size in game.ruleset(rules.ruleset).sizes if size in (rules.sizes or (size,))]
                sizes = [size for size in allowed if size <= game.recommended[0]] or allowed
                size = sizes[number % len(sizes)]
                rng = Random(f"{rules}/{size}/{seed}/{number}")
                start: dict[str, Any] = {
                    "game": rules.game,
                    "ruleset": rules.ruleset,
                    "variant": rules.variant,
                    "size": size,
                }
                start["opening"] = game.random_opening(rng, size)
                given = {name: value for name, value in start.items() if value}
                yield f"random game {number} of seed {seed}", given, partial(_play_at_random, rng=rng)


class _SideBySide:
    """One game on both sides. A different answer of the engine is raised as a Disagreement."""

    def __init__(self, comparison: Comparison, source: str, start: kit.Start) -> None:
        self._comparison, self._source, self._start = comparison, source, start
        self._position: Position[Any] | None = None
        self._turns: list[str] = []

    @property
    def position(self) -> Position[Any]:
        """The position on hexrec's side."""
        assert self._position is not None
        return self._position

    def start(self) -> None:
        """Start the game, which may be refused."""
        request = {"command": "start", **self._start}
        try:
            self._position = kit.start_of(self._start)
        except RuleError as refusal:
            self._refused(request, refusal)
        else:
            self._leads_to(request, self.position)

    def play(self, turn: str) -> None:
        """Play a turn, which may be refused."""
        request = {"command": "play", "turn": turn}
        after = self.position.copy()
        try:
            after.play(turn)
        except RuleError as refusal:
            self._refused(request, refusal)
        else:
            self._leads_to(request, after)
            self._position = after
            self._turns.append(turn)

    def legal(self) -> list[str]:
        """Ask for the legal turns; return them."""
        legal = self.position.legal_turns()

        def fault(answer: Mapping[str, Any]) -> str | None:
            turns = answer.get("turns")
            if not isinstance(turns, list) or not all(isinstance(turn, str) for turn in turns):
                return "the answer has no list of strings `turns`"
            if sorted(turns) == legal:
                return None
            lists = {"missing": sorted({*legal} - {*turns}), "not legal": sorted({*turns} - {*legal})}
            said = "; ".join(f"{name}: {', '.join(turns)}" for name, turns in lists.items() if turns)
            return f"the legal turns differ: {said or 'a turn is there more than once'}"

        self._ask({"command": "legal"}, {"turns": legal}, fault)
        return legal

    def result(self) -> None:
        """Ask for the result."""
        outcome = self.position.result()
        expected: dict[str, Any] | None = None
        if outcome is not None:
            expected = {"winner": outcome.winner} | ({} if outcome.score is None else {"score": outcome.score})

        def fault(answer: Mapping[str, Any]) -> str | None:
            result = answer.get("result", "")
            if expected is None:
                same = result is None
            else:
                same = isinstance(result, dict) and expected.items() <= result.items()
            return None if same else "the result differs"

        self._ask({"command": "result"}, {"result": expected}, fault)

    def _refused(self, request: Mapping[str, Any], refusal: RuleError) -> None:
        """Ask for something that the rules refuse."""

        def fault(answer: Mapping[str, Any]) -> str | None:
            illegal = answer.get("illegal")
            if not illegal:
                return f"it is illegal: {refusal.message}"
            # An engine need not name the rule; other texts than codes are its own words.
            named = isinstance(illegal, str) and "/" in illegal
            return f"it is illegal by another rule: {refusal.message}" if named and illegal != refusal.code else None

        self._ask(request, {"illegal": refusal.code}, fault)

    def _leads_to(self, request: Mapping[str, Any], position: Position[Any]) -> None:
        """Ask for something that leads to a position, and expect its text."""

        def fault(answer: Mapping[str, Any]) -> str | None:
            if answer.get("position") == position.text():
                return None
            return "it is legal" if answer.get("illegal") else "the position differs"

        self._ask(request, {"position": position.text()}, fault)

    def _ask(self, request: Mapping[str, Any], expected: Mapping[str, Any], fault: _Fault) -> None:
        """Ask the engine. Raises Disagreement if it fails, or if its answer has a fault."""
        got = None
        try:
            got = self._comparison.ask(request)
            message = fault(got)
        except EngineFailure as failure:
            message = f"the engine {failure}"
        if message:
            position = None if self._position is None else self._position.text()
            turns = tuple(self._turns)
            raise Disagreement(self._source, self._start, turns, position, request, expected, got, message)


_Played = tuple[str, kit.Start, Callable[[_SideBySide], None]]


def _play_line(game: _SideBySide, line: kit.Line) -> None:
    """Play what a line of the kit asks about, with the legal turns at its end; a start may have to be refused.

    Of a game, the result is asked for too, and both at the plies that the line names. Where a count of turns begins,
    they are listed only: an engine need not be able to take turns back.
    """
    game.start()
    if line["kind"] == "illegal start":
        return
    plies = {each["ply"] for each in line.get("positions", ())}
    for ply, turn in enumerate(line["moves"]):
        if ply in plies:
            game.legal()
            game.result()
        game.play(turn)
    if line["kind"] == "illegal turn":
        game.play(line["turn"])
    game.legal()
    if line["kind"] == "game":
        game.result()


def _play_at_random(game: _SideBySide, rng: Random) -> None:
    """Play random turns, list all legal ones at every ply, and now and then try one that is not legal any more."""
    game.start()
    before: list[str] = []
    while not game.position.is_over and game.position.plies < _MAX_PLIES:
        legal = game.legal()
        gone = sorted({*before} - {*legal})
        if gone and rng.randrange(_TRY_EVERY) == 0:
            tried = rng.choice(gone)
            # A turn that is not listed any more may be another spelling of one that is.
            if not game.position.is_legal(tried):
                game.play(tried)
        game.play(rng.choice(legal))
        before = legal
    game.legal()
    game.result()
