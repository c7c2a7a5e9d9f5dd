"""Judge the rules of a game in a file: `python -m tests.rules.judge NAME FILE`, with HEXREC_PURE=1.

The judges are independent of the rules: the fixtures of the game, the conformance kit, the transcription of its page.
Prints the first that disagrees and exits with 1; exits with 0 if all agree.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hexrec.rules.position import Position

#: The most sequences of turns that are counted for a question of the kit.
CHEAP = 2_000
#: Random games that are compared with the transcription, for each size, variant and ruleset.
GAMES = 4


class FileFinder:
    """Finds a module in a file, whatever its directory."""

    def __init__(self, module: str, file: str) -> None:
        self.module, self.file = module, file

    def find_spec(self, name: str, path: Sequence[str] | None = None, _: object = None) -> ModuleSpec | None:  # noqa: ARG002
        """See `importlib.abc.MetaPathFinder`."""
        return spec_from_file_location(name, self.file) if name == self.module else None


def judge_reference(name: str) -> Iterator[bool]:
    """Yield whether the reference games have their results, and the reference positions their legal turns."""
    from hexrec.conformance import start_of
    from tests.fixtures import FIXTURES

    for path in sorted((FIXTURES / name / "reference").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            position = start_of({"ruleset": None, **entry})
            position.play_all(entry["moves"])
            if "legal" in entry:
                yield position.legal_turns() == sorted(entry["legal"])
                yield drawn_turns(position) == sorted(entry["legal"])
            elif stored := entry.get("result"):
                result = position.result()
                yield result is not None and (result.winner, result.score) == (stored["winner"], stored.get("score"))


class Chosen(random.Random):
    """Chooses the same number each time."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:  # noqa: ARG002
        """Return the number."""
        return self.number


def drawn_turns(position: Position) -> list[str]:
    """Return the turns that `random_turn` can draw, in order."""
    return [position.random_turn(Chosen(number)) for number in range(position.legal_count())]


def judge_kit(name: str) -> Iterator[bool]:
    """Yield whether the answers to the questions of the conformance kit are those in it."""
    from hexrec import conformance
    from tests.conformance.write import answered

    for file in conformance.FILES:
        for line in conformance.lines(file):
            about = line.get("start") or line["record"]
            if isinstance(about, dict) and about["game"] == name:
                counts = [count for count in line.get("counts", ()) if count <= CHEAP]
                asked = {**line, "counts": counts} if "counts" in line else line
                yield answered(asked) == asked


def judge_fixtures(name: str) -> Iterator[bool]:
    """Yield whether the records of the game have the diagnostics that they are known for."""
    from hexrec.io.discovery import Discovery
    from hexrec.validation.sources import check_sources
    from tests.fixtures import FIXTURES, expected, files

    for path in files("valid"):
        if path.is_relative_to(FIXTURES / name):
            yield not any(report.diagnostics for report in check_sources(Discovery([str(path)])))
    for path in files("invalid"):
        if path.is_relative_to(FIXTURES / name):
            first = next(
                (report.diagnostics[0] for report in check_sources(Discovery([str(path)])) if report.diagnostics), None
            )
            yield first is not None and (first.code, first.line, first.column) == expected(path)


def judge_transcription(name: str) -> Iterator[bool]:
    """Yield whether legal turns, stones and results are those of the transcription, turn by turn in random games."""
    from hexrec.rules.games import get
    from hexrec.rules.terms import COLORS
    from tests import literal
    from tests.rules.random_games import MAX_PLIES, of_other_rulesets, random_games, small_sizes

    seeds = range(GAMES)
    for played in (*random_games(name, small_sizes(name), seeds), *of_other_rulesets(name, seeds)):
        position, rng = played.start(), random.Random(str(played))
        board = get(name).board(played.size)
        opening = {color: position.names.names[cell] for color, cell in played.opening.items()}
        transcription = literal.start(name, played.size, opening, played.variant, played.ruleset)
        while transcription.ending is None and position.plies < MAX_PLIES:
            legal = transcription.turns()
            turns = sorted(legal)
            yield position.legal_turns() == turns
            turn = rng.choice(turns)
            position.play(turn)
            transcription.go_on(turn, legal[turn])
            stones = {
                board.axial(cell): (COLORS[stone.color], stone.height) for cell, stone in position.stacks().items()
            }
            yield (stones, position.turn) == (transcription.stones, transcription.mover)
        result = position.result()
        yield (result and (result.winner, result.score)) == transcription.ending


JUDGES: tuple[Callable[[str], Iterator[bool]], ...] = (
    judge_fixtures,
    judge_kit,
    judge_reference,
    judge_transcription,
)


def main(name: str, file: str) -> int:
    """Ask the judges in turn, up to the first that disagrees."""
    # Before anything imports the rules, and before the finder of their sources.
    import hexrec.rules.compiled  # noqa: F401

    sys.meta_path.insert(0, FileFinder(f"hexrec.rules.games.{name}.rules", file))
    for judge in JUDGES:
        try:
            agrees = all(judge(name))
        except Exception as error:
            print(f"{judge.__name__}: {error!r}")
            return 1
        if not agrees:
            print(judge.__name__)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
