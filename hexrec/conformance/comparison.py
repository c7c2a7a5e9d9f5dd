"""Comparison of hexrec with an external engine, game by game, up to the first disagreement in each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from random import Random
from typing import Any

from hexrec.conformance import FILES, Line, Start, going_on, lines, start_of
from hexrec.conformance.engine import Engine, EngineFailure, KnownRules, Session
from hexrec.rules import games
from hexrec.rules.position import Position
from hexrec.rules.terms import RuleError

#: Returns an error message for a wrong answer, or None.
_Check = Callable[[Mapping[str, Any]], str | None]
#: The name of a random game.
_RANDOM = re.compile(r"random/(?P<rules>.+)/(?P<size>\d+)/(?P<seed>-?\d+)/(?P<number>\d+)")
#: In a random game, one in this number of plies tries a turn that is no longer legal.
_TRY_EVERY = 4
#: The maximum length of a random game, in plies.
_MAX_PLIES = 300


def shared_sizes(rules: KnownRules) -> list[int]:
    """Return the board sizes on which both hexrec and an engine with these rules support them."""
    game = games.get(rules.game) if games.is_known(rules.game) else None
    if game is None or rules.ruleset not in game.rulesets or rules.variant not in (None, *game.variants):
        return []
    return [size for size in game.ruleset(rules.ruleset).sizes if rules.sizes is None or size in rules.sizes]


def shared_rules(offered: Iterable[KnownRules], game: str | None, size: int | None = None) -> list[KnownRules]:
    """Return the rules of an engine that hexrec supports, each once: of one game or all, on boards of a size or all."""
    rules = (known if size is None else known.on_size(size) for known in dict.fromkeys(offered))
    return [known for known in rules if game in (None, known.game) and shared_sizes(known)]


@dataclass(eq=False)
class Disagreement(Exception):
    """A difference between an engine and hexrec.

    Attributes:
        source: the name of the game: a line of the kit, or rules, size, seed and number of a random game.
        start: the start of the game.
        turns: the turns played before.
        position: the position after the turns; None if the game has not started.
        board: the drawing of that position; None if the game has not started.
        request: the request to the engine.
        expected: the expected answer.
        got: the answer; None if the engine failed.
        message: the difference in words.
    """

    source: str
    start: Start
    turns: Sequence[str]
    position: str | None
    board: str | None
    request: Mapping[str, Any]
    expected: Mapping[str, Any]
    got: Mapping[str, Any] | None
    message: str


class Comparison(Session):
    """Comparison of an engine with hexrec.

    Attributes:
        rules: the rules to compare, which the engine and hexrec support.
        games: the number of games compared.
    """

    def __init__(
        self, launch: Callable[[], Engine], running: Engine | None, rules: Sequence[KnownRules], *, setups: bool = True
    ) -> None:
        """With `setups`, also compare games that start from setups."""
        super().__init__(launch, running)
        self.rules = rules
        self.games = 0
        self._setups = setups

    def run(self, seed: int, count: int, only: str | None = None) -> Iterator[Disagreement]:
        """Compare the kit and `count` random games by each of the rules; yield the disagreements.

        With `only`, the source of a disagreement, compare that game alone, if there is one.
        """
        every = chain(self._kit(), self._random(seed, count)) if only is None else self._find(only)
        for source, start, play in every:
            if self.given_up:
                return
            self.games += 1
            game = _SideBySide(self, source, start)
            try:
                play(game)
            except Disagreement as disagreement:
                yield disagreement

    def _kit(self) -> Iterator[_Played]:
        for name in FILES:
            for number, line in enumerate(lines(name), 1):
                start = line.get("start")
                if start is None or not any(rules.covers(start) for rules in self.rules):
                    continue
                if "setup" in start and not self._setups:
                    continue
                yield f"{name}:{number}", start, partial(_play_line, line=line)
                for position in line.get("positions", ()) if self._setups else ():
                    if position["ply"] and "hash" in position:
                        setup = going_on(start, position["position"])
                        remaining = {**line, "moves": line["moves"][position["ply"] :], "positions": [{"ply": 0}]}
                        yield f"{name}:{number}:{position['ply']}", setup, partial(_play_line, line=remaining)

    def _random(self, seed: int, count: int) -> Iterator[_Played]:
        for number in range(count):
            for rules in self.rules:
                allowed = shared_sizes(rules)
                sizes = [size for size in allowed if size <= games.get(rules.game).recommended[0]] or allowed
                yield _random_game(rules, sizes[number % len(sizes)], seed, number)

    def _find(self, source: str) -> Iterator[_Played]:
        """Yield the game with a name."""
        if named := _RANDOM.fullmatch(source):
            size, seed, number = map(int, named.group("size", "seed", "number"))
            for rules in self.rules:
                if str(rules) == named["rules"].replace("/", " ") and size in shared_sizes(rules):
                    yield _random_game(rules, size, seed, number)
        else:
            yield from (played for played in self._kit() if played[0] == source)


def _random_game(rules: KnownRules, size: int, seed: int, number: int) -> _Played:
    """Return a random game, which depends on nothing but the arguments; the readings of the rules take turns."""
    game = games.get(rules.game)
    known = [reading.name for reading in game.ruleset(rules.ruleset).readings if reading.name in rules.readings]
    readings = [[], *([name] for name in known)][number % (1 + len(known))]
    rng = Random("/".join([f"{rules}/{size}/{seed}/{number}", *readings]))
    opening = game.random_opening(rng, size)
    chosen = {"game": rules.game, "ruleset": rules.ruleset, "variant": rules.variant, "readings": readings}
    start = {**chosen, "size": size, "opening": opening}
    given = {name: value for name, value in start.items() if value}
    source = f"random/{str(rules).replace(' ', '/')}/{size}/{seed}/{number}"
    return source, given, partial(_play_at_random, rng=rng)


class _SideBySide:
    """One game on both sides. All methods raise Disagreement if the engine answers differently."""

    def __init__(self, comparison: Comparison, source: str, start: Start) -> None:
        self._comparison, self._source, self._start = comparison, source, start
        self._position: Position | None = None

    @property
    def position(self) -> Position:
        """The position on hexrec's side."""
        assert self._position is not None
        return self._position

    def start(self) -> None:
        """Start the game, or expect a refusal if the rules refuse it."""
        request = {"command": "start", **self._start}
        try:
            self._position = start_of(self._start)
        except RuleError as refusal:
            self._expect_refusal(request, refusal)
        else:
            self._expect_position(request, self.position)

    def play(self, turn: str) -> None:
        """Play a turn, or expect a refusal if it is illegal."""
        request = {"command": "play", "turn": turn}
        after = self.position.copy()
        try:
            after.play(turn)
        except RuleError as refusal:
            self._expect_refusal(request, refusal)
        else:
            self._expect_position(request, after)
            self._position = after

    def legal(self) -> list[str]:
        """Request the legal turns and return them."""
        legal = self.position.legal_turns()

        def check(answer: Mapping[str, Any]) -> str | None:
            turns = answer.get("turns")
            if not isinstance(turns, list) or not all(isinstance(turn, str) for turn in turns):
                return "the answer has no array of strings `turns`"
            if sorted(turns) == legal:
                return None
            lists = {"missing": sorted({*legal} - {*turns}), "not legal": sorted({*turns} - {*legal})}
            difference = "; ".join(f"{name}: {', '.join(turns)}" for name, turns in lists.items() if turns)
            return f"the legal turns differ: {difference or 'a turn is there more than once'}"

        self._ask({"command": "legal"}, {"turns": legal}, check)
        return legal

    def result(self) -> None:
        outcome = self.position.result()
        expected: dict[str, Any] | None = None
        if outcome is not None:
            expected = {"winner": outcome.winner} | ({} if outcome.score is None else {"score": outcome.score})

        def check(answer: Mapping[str, Any]) -> str | None:
            result = answer.get("result", "")
            if expected is None:
                same = result is None
            else:
                same = isinstance(result, dict) and expected.items() <= result.items()
            return None if same else "the result differs"

        self._ask({"command": "result"}, {"result": expected}, check)

    def _expect_refusal(self, request: Mapping[str, Any], refusal: RuleError) -> None:
        def check(answer: Mapping[str, Any]) -> str | None:
            illegal = answer.get("illegal")
            if not illegal:
                return f"it is illegal: {refusal.message}"
            # Engines need not give the code: a string without a slash is a message.
            named = isinstance(illegal, str) and "/" in illegal
            return f"it is illegal by another rule: {refusal.message}" if named and illegal != refusal.code else None

        self._ask(request, {"illegal": refusal.code}, check)

    def _expect_position(self, request: Mapping[str, Any], position: Position) -> None:
        def check(answer: Mapping[str, Any]) -> str | None:
            if answer.get("position") == position.text():
                return None
            return "it is legal" if answer.get("illegal") else "the position differs"

        self._ask(request, {"position": position.text()}, check)

    def _ask(self, request: Mapping[str, Any], expected: Mapping[str, Any], check: _Check) -> None:
        """Send a request to the engine. Raises Disagreement if it fails or if the check of its answer does."""
        got = None
        try:
            got = self._comparison.ask(request)
            message = check(got)
        except EngineFailure as failure:
            message = f"the engine {failure}"
        if message:
            at = self._position
            position, board, turns = (at.text(), str(at), at.turns) if at else (None, None, [])
            raise Disagreement(self._source, self._start, turns, position, board, request, expected, got, message)


_Played = tuple[str, Start, Callable[[_SideBySide], None]]


def _play_line(game: _SideBySide, line: Line) -> None:
    """Play a line of the kit and request the legal turns at its end.

    For a game, request the result too, and both at the plies that the line names. For a perft line, request only the
    legal turns at its start, because engines need not take turns back.
    """
    game.start()
    if line["kind"] == "illegal start":
        return
    plies = {position["ply"] for position in line.get("positions", ())}
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
    """Play random turns, request the legal turns at every ply, and sometimes try one that is no longer legal."""
    game.start()
    before: list[str] = []
    while not game.position.is_over and game.position.plies < _MAX_PLIES:
        legal = game.legal()
        gone = sorted({*before} - {*legal})
        if gone and rng.randrange(_TRY_EVERY) == 0:
            tried = rng.choice(gone)
            # A turn that is no longer listed may still be another notation of a legal one.
            if not game.position.is_legal(tried):
                game.play(tried)
        game.play(rng.choice(legal))
        before = legal
    game.legal()
    game.result()
