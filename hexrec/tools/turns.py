"""Games and their turns as the rows of two tables, for questions in SQL."""

from __future__ import annotations

from typing import Any, NamedTuple, get_args
from unicodedata import normalize

from hexrec.record.identity import identify, renamings
from hexrec.record.record import Record
from hexrec.record.schema import Termination, Winner
from hexrec.rules.terms import COLORS
from hexrec.tools.positions import folded_positions
from hexrec.validation.report import Report


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        kind: `string`, `word` (one of few strings), `integer`, `number`, `boolean`, `date`, `digest` (16 bytes),
            `integers` or `numbers` (arrays of them).
        meaning: the description in the schema.
        words: the values of a `word`, if they are known beforehand.
    """

    name: str
    kind: str
    meaning: str
    words: tuple[str, ...] = ()


#: The columns by which the rows of both tables are sorted. The turns of a game are sorted by `ply`, too.
ORDER = ("hash", "file", "index")
#: The columns whose values are directories of the data set.
PARTITION = (
    Column("game", "word", "The name of the game."),
    Column("size", "integer", "The number of cells along one side of the board."),
)
_KEYS = (
    Column("hash", "digest", "The game hash: the same for the same turns from the same start."),
    Column("file", "word", "The file of the record."),
    Column("index", "integer", "The index of the record in its file, from 0."),
)


def _player(color: str) -> tuple[Column, ...]:
    name = color.capitalize()
    return (
        Column(f"{color}_name", "string", f"{name}'s name, as recorded."),
        Column(f"{color}_player", "string", f"{name}'s name in lower case, without accents and repeated spaces."),
        Column(f"{color}_id", "string", f"{name}'s id, as recorded."),
        Column(f"{color}_rating", "number", f"{name}'s rating, as recorded."),
        Column(f"{color}_bot", "boolean", f"Whether {name} is a program, as recorded."),
    )


#: The columns of the games, but for those of the partition.
GAMES = (
    *_KEYS,
    Column("symmetric_hash", "digest", "The symmetric hash: the same for rotated and mirrored games."),
    Column("id", "string", "The id of the record."),
    Column("ruleset", "word", "The ruleset."),
    Column("variant", "word", "The variant; null for the normal game."),
    Column("readings", "word", "The readings that hold instead of rulings, separated by spaces."),
    Column("opening", "string", "The opening stones, Black's first, turned and mirrored to the smallest names."),
    Column("setup", "string", "The position that the game starts from, if it has a setup."),
    Column("plies", "integer", "The number of turns."),
    Column("winner", "word", "The winner; null for an unfinished game.", get_args(Winner)),
    Column("termination", "word", "How the game ended.", get_args(Termination)),
    Column("black", "numbers", "Black's score: one number or several; null without a score."),
    Column("white", "numbers", "White's score: one number or several; null without a score."),
    Column("event", "string", "The event, as recorded."),
    Column("site", "string", "The site, as recorded."),
    Column("round", "string", "The round, as recorded."),
    Column("date", "date", "The date on which the game began; the first day of a month or year without a day."),
    Column("date_precision", "word", "What the record has of the date.", ("year", "month", "day", "time")),
    Column("rated", "boolean", "Whether the game counts for ratings, as recorded."),
    *(column for color in COLORS for column in _player(color)),
)
#: The columns of the turns, but for those of the partition.
TURNS = (
    *_KEYS,
    Column("ply", "integer", "The number of turns before this one."),
    Column("player", "word", "Whose turn it is.", COLORS),
    Column("turn", "string", "The turn, in canonical notation and row coordinates."),
    Column("key", "digest", "The position before the turn: the same for rotated and mirrored positions."),
    Column("folded_turn", "string", "The turn in the orientation of the key, comparable between games."),
    Column("legal", "integer", "The number of legal turns."),
    Column("elapsed", "number", "The time spent on the turn, in seconds."),
    Column("clock", "number", "The time left after the turn, in seconds."),
    Column("eval", "number", "The evaluation of the position before the turn, from -1 (White wins) to 1 (Black wins)."),
    Column("exact", "boolean", "Whether the evaluation is proved; null without one."),
    Column("nag", "integers", "The numeric annotation glyphs."),
    Column("black", "numbers", "Black's score if the game ended before the turn; null in games without a score."),
    Column("white", "numbers", "White's score if the game ended before the turn; null in games without a score."),
)


class GameRows(NamedTuple):
    """The rows of a record.

    Attributes:
        partition: game and size.
        game: the values of the columns of `GAMES`.
        turns: by column of `TURNS`, the values of all turns.
    """

    partition: tuple[str, int]
    game: tuple[Any, ...]
    turns: tuple[list[Any], ...]


def rows_of(record: Record, report: Report) -> GameRows:
    """Return the rows of a valid record."""
    identity = identify(record)
    where = (identity.digest(), report.file, report.index)
    data, outcome = record.data, report.result
    score: Any = (outcome and outcome.score) or {}
    date, precision = _date(record.date)
    game = (
        *where,
        identity.symmetric_digest(),
        record.id,
        record.ruleset,
        record.variant,
        " ".join(record.readings) or None,
        _fold_opening(record, identity.opening),
        record.setup,
        report.plies,
        outcome.winner if outcome else None,
        outcome.termination if outcome else None,
        *(_as_list(score.get(color)) for color in COLORS),
        *(data.get(name) for name in ("event", "site", "round")),
        date,
        precision,
        data.get("rated"),
        *(value for color in COLORS for value in _player_values(record.players.get(color, {}))),
    )
    return GameRows((record.game, record.size), game, _turn_columns(record, where, identity.moves))


def _turn_columns(record: Record, where: tuple[Any, ...], turns: Any) -> tuple[list[Any], ...]:
    count = len(turns)
    keys, folded = folded_positions(record)
    position = record.start()
    players, legal, scores = [], [], []
    for turn in record.turns:
        players.append(position.turn)
        legal.append(position.legal_count())
        scores.append(position.score())
        position.play(turn)
    moves: list[Any] = [move if isinstance(move, dict) else {} for move in record.moves]
    evaluations: list[Any] = [move.get("eval", {}) for move in moves]
    return (
        *([value] * count for value in where),
        [*range(count)],
        players,
        [*turns],
        keys[:count],
        folded[:count],
        legal,
        [move.get("seconds") for move in moves],
        [move.get("clock") for move in moves],
        [evaluation.get("value") for evaluation in evaluations],
        [evaluation.get("exact", False) if evaluation else None for evaluation in evaluations],
        [move.get("nag") for move in moves],
        *([_as_list(score and score[color]) for score in scores] for color in COLORS),
    )


def _as_list(score: Any) -> list[float] | None:
    return score if isinstance(score, list) or score is None else [score]


def _date(text: str | None) -> tuple[str | None, str | None]:
    """Return the day of a date of the format as YYYY-MM-DD, and its precision."""
    if text is None:
        return None, None
    day = text[:10]
    return f"{day}{'-01-01'[len(day) - 10 :] if len(day) < 10 else ''}", {4: "year", 7: "month", 10: "day"}.get(
        len(text), "time"
    )


def _fold_opening(record: Record, opening: Any) -> str | None:
    """Return the smallest image of the opening stones."""
    if not opening:
        return None
    return min(
        " ".join(names[cell] for cell in opening.values()) for names in renamings(record.rules.board(record.size))
    )


def _player_values(player: Any) -> tuple[Any, ...]:
    name = player.get("name")
    plain = (
        None if name is None else "".join(c for c in normalize("NFKD", name.casefold()) if not 0x300 <= ord(c) < 0x370)
    )
    return name, plain and " ".join(plain.split()), player.get("id"), player.get("rating"), player.get("bot")


#: By kind of a column, its type in Table Schema.
_TABLE_TYPES = {
    **dict.fromkeys(("string", "word", "digest"), "string"),
    **dict.fromkeys(("integers", "numbers"), "array"),
    **{kind: kind for kind in ("integer", "number", "boolean", "date")},
}


def data_package() -> dict[str, Any]:
    """Return the description of the tables: a Data Package whose resources have a Table Schema."""
    tables = (("games", GAMES, ["file", "index"]), ("turns", TURNS, ["file", "index", "ply"]))
    return {
        "$schema": "https://datapackage.org/profiles/2.0/datapackage.json",
        "name": "hexrec-tables",
        "title": "Games on hexagonal boards, and their turns",
        "resources": [
            {
                "name": name,
                "path": f"{name}/game=*/size=*/*.parquet",
                "format": "parquet",
                "schema": {"fields": [*map(_field, (*PARTITION, *columns))], "primaryKey": key},
            }
            for name, columns, key in tables
        ],
    }


def _field(column: Column) -> dict[str, Any]:
    name, kind, meaning, words = column
    field: dict[str, Any] = {"name": name, "type": _TABLE_TYPES[kind], "description": meaning}
    if kind == "digest":
        field["format"] = "binary"
    return {**field, "constraints": {"enum": [*words]}} if words else field
