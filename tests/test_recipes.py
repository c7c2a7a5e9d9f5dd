"""The recipes: each gives the result that its page shows, and the right one in an archive of many kinds of records."""

from __future__ import annotations

import csv
import io
import random
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from json import dumps
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest

from hexrec.rules import games
from tests.cases import all_of
from tests.cli.conftest import Run, hexrec
from tests.rules.test_reference import entries

__all__ = ["hexrec"]  # a fixture

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "scores.md").read_text(encoding="utf-8").partition("## Recipes in SQL")[2]
#: A title, then a query or a program that readers paste, then its result.
RECIPE = re.compile(
    r"^### (?P<title>.+?)$(?:(?!^#+ ).)*?"
    r"^```(?:sql\n|sh\ncat > \S+ <<'END'\n)(?P<text>.*?)(?:^END\npython \S+\n)?^```\n\n"
    r"```csv\n(?P<result>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
RECIPES = {title: (text, result) for title, text, result in RECIPE.findall(PAGE)}
#: As many records as a program that keeps a state for each game could not rate.
RECORDS = 3_000
ARCHIVE = "mixed.jsonl"
POINTS = {"black": 1.0, "draw": 0.5, "white": 0.0}


def run_recipe(text: str) -> list[list[str]]:
    """Return the rows of a recipe, in SQL or Python, for the Parquet files in the current directory."""
    if text.startswith("import"):
        ran = subprocess.run([sys.executable, "-c", text], stdout=subprocess.PIPE, encoding="utf-8", check=True)
        return [*csv.reader(io.StringIO(ran.stdout))]
    found = duckdb.sql(text)
    assert found is not None
    rows = [found.columns, *found.fetchall()]
    return [["" if cell is None else str(cell) for cell in row] for row in rows]


def score(run: Run, archive: str) -> None:
    for command, file in (("score", "scores.parquet"), ("positions", "positions.parquet")):
        run(command, archive, "-o", file)


@pytest.mark.parametrize("title", RECIPES)
def test_the_page_shows_the_result(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, title: str) -> None:
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    monkeypatch.chdir(tmp_path)
    score(hexrec, "fixtures/recipes/games.jsonl")
    text, result = RECIPES[title]
    assert run_recipe(text) == [*csv.reader(io.StringIO(result))]


class Game(NamedTuple):
    """A record of the mixed archive, and the values of its row of scores that recipes use."""

    record: dict[str, Any]
    winner: str | None
    valid: bool = True

    def names(self) -> tuple[str, str] | None:
        """Return the names of the players, Black's first, if both are recorded and differ."""
        players = self.record.get("players", {})
        black, white = (players.get(color, {}).get("name") for color in ("black", "white"))
        return (black, white) if black and white and black != white else None

    def rules(self) -> tuple[str, str, str, str]:
        game = self.record["game"]
        ruleset = self.record.get("ruleset", games.get(game).rulesets[0])
        return game, ruleset, self.record.get("variant", ""), str(self.record["size"])


def mixed_archive() -> list[Game]:
    """Return games of all kinds by few players, with some fields missing, and some results or turns wrong."""
    rng = random.Random(45)
    # A shorter game could be over where it is cut.
    references = [entry.values[0] for entry in entries("hexrec") if len(entry.values[0]["moves"]) > 4]
    names = [f"Player, {number}" for number in range(40)]
    return [_make_game(rng, rng.choice(references), names) for _ in range(RECORDS)]


def _make_game(rng: random.Random, reference: dict[str, Any], names: list[str]) -> Game:
    record = {**reference, "moves": [*reference["moves"]]}
    if rng.random() < 0.5 and record["ruleset"] == games.get(record["game"]).rulesets[0]:
        del record["ruleset"]
    whole = rng.random() < 0.03
    if not whole:
        del record["moves"][rng.randrange(4) :]
        record.pop("result", None)
        if not record["moves"] and {*record.get("opening", {})} == {"black", "white"}:
            # The games with these openings have positions in common.
            record["opening"] = dict(
                zip(("black", "white"), rng.choice(["a1 b2", "b2 a1", "a2 b1"]).split(), strict=True)
            )
    winner = rng.choice(["black", "white", "draw", None])
    if whole:
        winner = record.get("result", {}).get("winner")
    elif winner:
        record["result"] = {"winner": winner, "termination": "agreement" if winner == "draw" else "resignation"}
    valid = True
    if record["moves"] and rng.random() < 0.02:
        record["moves"].append("zz9")
        valid = False
    elif whole and winner in ("black", "white") and rng.random() < 0.8:
        record["result"] = {"winner": "white" if winner == "black" else "black"}
        valid = False
    black, white = rng.choices(names, k=2)
    players = {"black": {"name": black}, "white": {"name": white}}
    for color in [color for color in players if rng.random() < 0.1]:
        del players[color]["name"]
    day = f"20{rng.randrange(10, 26)}-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}"
    time = f"{day}T{rng.randrange(24):02}:{rng.randrange(60):02}:00{rng.choice(['Z', '+05:30', '-08:00'])}"
    fields = {
        "players": players,
        "event": rng.choice(["City Open", "Club, evening"]),
        "site": rng.choice(["the club", "the \u201cHex\u201d"]),
        "date": rng.choice([day, day[:4], day[:7], time]),
        "rated": rng.random() < 0.7,
    }
    record |= {name: value for name, value in fields.items() if rng.random() < 0.6}
    return Game(record, winner, valid)


def count_openings(archive: list[Game]) -> list[list[str]]:
    counts: dict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
    for game in archive:
        if game.valid:
            board = games.get(game.record["game"]).board(game.record["size"])
            names = board.names("row")
            opening = [(color, names.cells_in(cell)[0]) for color, cell in game.record.get("opening", {}).items()]
            images = ([(color, symmetry[cell]) for color, cell in opening] for symmetry in board.symmetries)
            counts[(*game.rules(), *min(images))].update(["games", game.winner or "none"])
    return [[*key[:4], *(str(count[name]) for name in ("games", "black", "white"))] for key, count in counts.items()]


def make_crosstable(archive: list[Game]) -> list[list[str]]:
    points: dict[tuple[str, str], float] = defaultdict(float)
    for game in archive:
        names = game.names()
        if game.valid and game.winner and names and game.record.get("event") == "City Open":
            points[names] += POINTS[game.winner]
            points[names[::-1]] += 1 - POINTS[game.winner]
    players = sorted({name for pair in points for name in pair})
    return [[one, *(str(points[one, other]) if (one, other) in points else "" for other in players)] for one in players]


def rate(archive: list[Game]) -> list[list[str]]:
    def played(numbered: tuple[int, Game]) -> tuple[datetime, int]:
        date = numbered[1].record.get("date", "9999-01-01")
        date += "-01-01"[len(date) - 4 :] if len(date) < 10 else ""
        return datetime.fromisoformat(date if "T" in date else f"{date}T00:00:00Z").astimezone(UTC), numbered[0]

    ratings: dict[tuple[str, str], float] = {}
    for _, game in sorted(enumerate(archive), key=played):
        names = game.names()
        if game.valid and game.winner and names and game.record.get("rated", True):
            black, white = ((game.record["game"], name) for name in names)
            strengths = [10 ** (ratings.get(player, 1500) / 400) for player in (black, white)]
            change = 20 * (POINTS[game.winner] - strengths[0] / sum(strengths))
            ratings[black] = ratings.get(black, 1500) + change
            ratings[white] = ratings.get(white, 1500) - change
    return [[*player, str(round(rating))] for player, rating in ratings.items()]


def find_longest(archive: list[Game]) -> list[list[str]]:
    games = [(-len(game.record["moves"]), n, game.winner or "") for n, game in enumerate(archive) if game.valid]
    return [[ARCHIVE, str(number), str(-plies), winner] for plies, number, winner in sorted(games)]


def find_other_results(archive: list[Game]) -> list[list[str]]:
    return [
        [ARCHIVE, str(number), game.record["site"], claimed, game.winner or ""]
        for number, game in enumerate(archive)
        if "site" in game.record
        and (claimed := game.record.get("result", {}).get("winner", game.winner)) != game.winner
    ]


def find_duplicates(archive: list[Game]) -> list[list[str]]:
    places = defaultdict(list)
    for number, game in enumerate(archive):
        if "zz9" not in game.record["moves"]:
            places[dumps([game.rules(), game.record.get("opening"), game.record["moves"]])].append(
                f"{ARCHIVE}:{number}"
            )
    return [[str(len(same)), str(same)] for same in places.values() if len(same) > 1]


#: By title, the function that works out the whole result, without the columns named here, and in any order.
EXPECTED: dict[str, tuple[Callable[[list[Game]], list[list[str]]], str | None]] = {
    "Winners by opening": (count_openings, "opening"),
    "A crosstable": (make_crosstable, None),
    "Elo ratings": (rate, None),
    "Longest games": (find_longest, None),
    "Games with another result at a site": (find_other_results, None),
    "Duplicates across files": (find_duplicates, "hash"),
}


@pytest.fixture
def archive(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Game]:
    """The games of the mixed archive, with the Parquet files in the current directory."""
    archive = mixed_archive()
    monkeypatch.chdir(tmp_path)
    Path(ARCHIVE).write_text("".join(f"{dumps(game.record)}\n" for game in archive), encoding="utf-8")
    score(hexrec, ARCHIVE)
    return archive


@pytest.mark.slow
@all_of("title", RECIPES)
def test_a_mixed_archive(archive: list[Game], title: str) -> None:
    work_out, ignored = EXPECTED[title]
    header, *rows = run_recipe(re.sub(r" LIMIT \d+;", ";", RECIPES[title][0]))
    if ignored:
        column = header.index(ignored)
        rows = [row[:column] + row[column + 1 :] for row in rows]
    assert len(rows) > 20
    assert sorted(rows) == sorted(work_out(archive))


def test_all_recipes_have_results() -> None:
    assert RECIPES.keys() == EXPECTED.keys()
    assert len(RECIPES) == PAGE.count("\n### ") == PAGE.count("```csv")
