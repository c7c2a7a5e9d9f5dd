"""Checks of a game for its author: the description, the examples of codes, and the rules in random games.

Each check compares the game with itself: what it lists, allows, writes, reads and takes back. None knows the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from io import BytesIO
from random import Random
from time import process_time

from hexrec import formats
from hexrec.codes import game_codes, own_sections
from hexrec.conformance.random_game import MOST_PLIES, RandomGame
from hexrec.errors import UnknownNameError
from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.util.diagnostics import Code, describe_error, print_traceback
from hexrec.util.escaping import shorten
from hexrec.validation.verdict import check_document

#: The checks, each with the promise that it tests.
CHECKS = {
    "description": "each code of the rules has an explanation, and each explained code belongs to rules",
    "examples": "the example of each code is reported with this code",
    "games": "random games can be played, and end",
    "types": "methods return values of the right types",
    "turns": "a turn is legal exactly if it is listed, and a refused turn changes nothing",
    "random turns": "the legal turns that can be drawn are those that are listed",
    "parts": "any cell of a part of a turn stands for the part",
    "undo": "copies are independent, and a turn that is taken back leaves no trace",
    "positions": "a position text is read as the same position",
    "symmetries": "games that are rotated or reflected have the same turns and results",
    "coordinates": "games in other coordinate systems have the same turns and results",
    "words": "marks, overlays and explanations can be made of every position, and overlays keep their names",
    "records": "records of random games are valid, and other formats preserve them",
}
#: How many mistakes of a check are told.
MOST_MISTAKES = 3
#: The number of the smallest boards of each ruleset with games.
SIZES = 2
#: The maximum length of a mistake, in characters.
LONGEST = 400
#: Seconds for which the speed is measured.
_SECONDS = 0.5


@dataclass
class Check:
    """The outcome of a check.

    Attributes:
        name: the name, a key of `CHECKS`.
        cases: the number of codes, games or positions that were checked.
        mistakes: the mistakes, each in one line.
    """

    name: str
    cases: int = 0
    mistakes: list[str] = field(default_factory=list)


def mistakes(name: str) -> list[str]:
    """Return the mistakes that the checks find in a game, each in one line, for the tests of its package."""
    return [f"{check.name}: {mistake}" for check in check_game(games.get(name)) for mistake in check.mistakes]


def check_game(game: Game, seed: int = 0, count: int = 3) -> list[Check]:
    """Return the outcome of each check of a registered game, with `count` random games for each board and variant."""
    checks = {name: Check(name) for name in CHECKS}

    def run(name: str, find: Callable[[], Iterable[str]], place: str = "") -> None:
        check = checks[name]
        if len(check.mistakes) >= MOST_MISTAKES:
            return
        check.cases += 1
        found: list[str] = []
        try:
            found.extend(find())
        except Exception as error:  # the code of an author can fail in any way
            print_traceback(error)
            found.append(describe_error(error))
        lines = [shorten(place + mistake, LONGEST) for mistake in found]
        check.mistakes = list(dict.fromkeys([*check.mistakes, *lines]))[:MOST_MISTAKES]

    run("description", partial(_wrong_description, game))
    for code, explained in game_codes(game.name).items():
        run("examples", partial(_wrong_example, code, explained))
    for ruleset in map(game.ruleset, game.rulesets):
        for variant in (None, *game.variants):
            usual = game.usual_size(ruleset.name)
            for size in dict.fromkeys((*ruleset.sizes[:SIZES], usual)):
                for number in range(count if size in ruleset.sizes[:SIZES] else 1):
                    played = RandomGame(game, size, variant, ruleset.name, f"{seed}/{number}")
                    run("games", partial(played.check, run), f"{played}: ")
    return list(checks.values())


def measure_speed(game: Game) -> float:
    """Return the number of plies of random games in a second of processor time, on the usual size."""
    rng, plies = Random(0), 0
    begin = process_time()
    while (seconds := process_time() - begin) < _SECONDS:
        position = game.start(game.usual_size(), game.random_opening(rng))
        position.playout(rng, MOST_PLIES)
        plies += position.plies
    return plies / seconds


def _wrong_description(game: Game) -> Iterator[str]:
    explained = game_codes(game.name)
    codes = [code for ruleset in map(game.ruleset, game.rulesets) for code in ruleset.rules.codes()]
    for code in dict.fromkeys(codes):
        if code not in explained and code not in own_sections("games")["every"].codes:
            yield f"{code} has no explanation: add it to refusals"
    for code in explained:
        if code not in codes:
            yield f"{code} is in refusals, but no rules have it in codes(): remove it, or add it there"


def _wrong_example(code: str, explained: Code) -> Iterator[str]:
    if not explained.example:
        yield f"{code} has no example: add a record in which it is reported"
        return
    try:
        documents = list(formats.read(explained.format, BytesIO(explained.example.encode())))
    except UnknownNameError as error:
        yield f"the example of {code} is in no format: {error}"
        return
    reports = [check_document(document) for document in documents]
    reported = {found.code: found.message for report in reports for found in report.diagnostics}
    if code not in reported:
        first = next((": ".join(found) for found in reported.items()), "nothing: the record is valid")
        yield f"the example of {code} should be reported with {code}, but hexrec reports {first}"
