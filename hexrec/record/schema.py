"""The record: the one definition of its fields, from which come validation, JSON Schemas, order and types.

The `TypedDict`s describe the data of records of all games; `game_shapes` adds what one game has of its own.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Required, TypedDict

from hexrec.record.kinds import About, Choice, Integer, ListOf, Number, Schema, Text
from hexrec.record.shapes import RULES, Rule
from hexrec.rules.board import CELL_PATTERNS, System
from hexrec.util.version import FORMAT_VERSION

Termination = Literal["rules", "resignation", "time", "forfeit", "agreement", "adjudication", "abandoned"]
Winner = Literal["black", "white", "draw"]
MarkKind = Literal["circle", "square", "triangle", "cross", "label", "arrow", "line", "area"]
#: The marks that lead from cell to cell.
LEADING = ("arrow", "line")

_WHITESPACE = r"[ \t\r\n]*"


def with_whitespace(pattern: str) -> str:
    """Return a pattern for the strings that consist of `pattern` and whitespace around it."""
    return f"^{_WHITESPACE}(?:{pattern}){_WHITESPACE}$"


def _whole(pattern: str) -> str:
    """Return a pattern that matches texts consisting of `pattern` alone."""
    # The end of the text and nothing else, in Python's regular expressions as in those of JSON Schema.
    return rf"^(?:{pattern})$(?!\n)"


# Dates of ISO 8601, and only dates that there are.
_LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
_MONTH = "(?!0000)[0-9]{4}(?:-(?:0[1-9]|1[0-2]))?"
_DAY = (
    "(?:(?!0000)[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    f"|(?!0000){_LEAP_YEAR}-02-29)"
)
_CLOCK_TIME = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_TIME = rf"T{_CLOCK_TIME}(?::[0-5][0-9](?:\.[0-9]+)?)?(?:Z|[+-]{_CLOCK_TIME})"

_AXIAL_PAIR = CELL_PATTERNS["axial"].removeprefix(r"\(").removesuffix(r"\)")
_CELL_PATTERN = with_whitespace(f"{CELL_PATTERNS['row']}|{CELL_PATTERNS['axial']}|{_AXIAL_PAIR}")
_LANGUAGE = _whole(
    "(?:[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?"
    "(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(?:-[0-9A-WY-Za-wy-z](?:-[A-Za-z0-9]{2,8})+)*"
    "(?:-[xX](?:-[A-Za-z0-9]{1,8})+)?|[xX](?:-[A-Za-z0-9]{1,8})+"
)
_DATE = Text(
    _whole(f"{_DAY}(?:{_TIME})?|{_MONTH}"),
    "schema/date",
    "should be a date such as 2026-11-20, 2026-11 or 2026, or a date and time with its zone such as "
    "2026-11-20T18:03:11Z",
)
#: A cell in any coordinate system.
CELL = Text(_CELL_PATTERN, "schema/cell", "should be the name of a cell, such as e5 (or 0,0 in axial coordinates)")

NonNegative = Annotated[float, Number(0)]
Natural = Annotated[int, Integer(0)]
Positive = Annotated[int, Integer(1)]
DateTime = Annotated[
    str,
    Text(
        _whole(f"{_DAY}{_TIME}"), "schema/date", "should be a date and time with its zone such as 2026-11-20T18:03:11Z"
    ),
]
Date = Annotated[str, _DATE]
Language = Annotated[str, Text(_LANGUAGE, "schema/language", "should be a language tag, such as en or pt-BR")]
Cells = Annotated[list[str], ListOf(CELL, at_least=1)]


class Player(TypedDict, total=False):
    """A player of the game."""

    name: Annotated[str, About("The player's name.", ("Ada",))]
    id: Annotated[str, About("The player's identity on the site that the game is from.")]
    rating: Annotated[float, About("The player's rating before the game.", (1850,))]
    title: Annotated[str, About("The player's title or grade.", ("2d",))]
    team: Annotated[str, About("The team that the player is in.", ("Alpha",))]
    country: Annotated[str, About("The country that the player plays for.", ("NOR",))]
    bot: Annotated[bool, About("Whether the player is a program.", default=False)]


class Players(TypedDict, total=False):
    """The two players, by the colors that they ended up playing."""

    black: Annotated[Player, About("Who played black.", form=" such as {name: Ada}")]
    white: Annotated[Player, About("Who played white.", form=" such as {name: Ben}")]


class Pie(TypedDict, total=False):
    """How the pie rule was used."""

    chosen: Required[Annotated[Literal["black", "white"], About("The color that the second player chose.")]]


class TimeStage(TypedDict, total=False):
    """A stage of a time control: `seconds` for its turns together, or `per_turn` for each of them."""

    turns: Annotated[
        Positive, About("How many turns of each player the stage has; left out, it lasts to the end.", (40,))
    ]
    seconds: Annotated[NonNegative, About("Time that each player has for the stage, in seconds.", (5400,))]
    increment: Annotated[NonNegative, About("Time that is added with each turn, in seconds.", (30,))]
    delay: Annotated[NonNegative, About("Time of each turn for which the clock does not run, in seconds.", (5,))]
    periods: Annotated[Positive, About("The number of byo-yomi periods of so many `seconds` each.", (3,))]
    per_turn: Annotated[NonNegative, About("Time that a player has for each turn, in seconds.", (259200,))]


class Mark(TypedDict, total=False):
    """A mark on cells of the board."""

    kind: Required[
        Annotated[
            MarkKind,
            About(
                "What is drawn: a circle, square, triangle, cross or label on each of the cells, an arrow or line "
                "along them, or an area that they make up."
            ),
        ]
    ]
    cells: Required[
        Annotated[
            Cells,
            About(
                "The cells that are marked each; for an arrow or a line those that it leads through, in order.",
                (["e5", "e8"],),
            ),
        ]
    ]
    text: Annotated[str, About("The text of the mark: what a label says.", ("A",))]
    colour: Annotated[str, About("The color of the mark.", ("red",))]


class Eval(TypedDict, total=False):
    """What a program says of the position in which a turn was played."""

    value: Annotated[float, Number(-1, 1), About("Who is ahead: from -1 (White wins) to 1 (Black wins).", (0.35,))]
    depth: Annotated[Natural, About("How many turns ahead the program has looked.", (12,))]
    engine: Annotated[str, About("The program, and its version.")]
    line: Annotated[
        list[str],
        About("The turns that the program expects, from the position in which the turn was played.", default=[]),
    ]


class Move(TypedDict, total=False):
    """A turn with something to say about it."""

    turn: Required[Annotated[str, About("The text of the turn, in the format of the game.")]]
    comment: Annotated[str, About("A comment on this turn.")]
    seconds: Annotated[NonNegative, About("Time spent on this turn, in seconds.", (41.5,))]
    clock: Annotated[NonNegative, About("Time left after this turn, in seconds.", (1200,))]
    at: Annotated[DateTime, About("When the turn was played: date and time with zone.", ("2026-11-20T18:03:11Z",))]
    nag: Annotated[
        list[Natural],
        About("Numeric annotation glyphs, as in PGN: 1 for a good move (!), 2 for a mistake (?).", ([1],), default=[]),
    ]
    eval: Annotated[Eval, About("What a program says of the position.")]
    marks: Annotated[list[Mark], About("Marks on the board, on the position after this turn.", default=[])]
    taken_back: Annotated[list[str], About("Turns that the player played here and took back, in order.", default=[])]
    variations: Annotated[
        list[list["str | Move"]],
        About("Other turns that could have been played instead of this one, each with what follows.", default=[]),
    ]


class Result(TypedDict, total=False):
    """How the game ended."""

    winner: Annotated[
        Winner,
        About("Who won, or `draw`. Left out where no winner is named, as of an abandoned game."),
    ]
    termination: Annotated[
        Termination,
        About(
            "What ended the game. With `rules`, it must be over by them, and the winner and the score are checked by "
            "replay; with anything else, it must not be over by them yet.",
            default="rules",
        ),
    ]
    score: Annotated[Any, About("The score that the rules give the final position.")]
    by: Annotated[str, About("Who decided.", ("the arbiter",))]
    reason: Annotated[str, About("Why the game ended like this.")]


class RecordData(TypedDict, total=False):
    """One game, as JSON has it."""

    hexrec: Required[
        Annotated[
            Literal["1"],
            Choice((FORMAT_VERSION,), "schema/version"),
            About("The version of the record format, a string.", (FORMAT_VERSION,)),
        ]
    ]
    id: Annotated[str, About("The record's own identity, unique within a collection.", ("ap-f47ac10b",))]
    game: Required[Annotated[str, About("The game's name.")]]
    ruleset: Annotated[str, About("The published revision of the game's rules.")]
    variant: Annotated[str, About("The variant; left out for the normal game.")]
    size: Required[Annotated[int, About("Cells along one side of the board.")]]
    coordinates: Annotated[
        System,
        About(
            "The coordinate system of every cell in this record. In `row`, a letter is a row, from the bottom, and a "
            "number a cell of it; in `skew`, both are straight lines of cells; in `axial`, a cell is q,r, and the "
            "center 0,0.",
            default="row",
        ),
    ]
    players: Annotated[Players, About("Who played.", form=" such as {black: {name: Ada}, white: {name: Ben}}")]
    event: Annotated[str, About("The tournament or match.", ("City Open",))]
    site: Annotated[str, About("Where the game was played: a place or a web site.")]
    round: Annotated[str, About("The round of the event.", ("3",))]
    stage: Annotated[str, About("The stage of the event.", ("final",))]
    board: Annotated[str, About("The board of the event on which it was played.", ("1",))]
    annotator: Annotated[str, About("Who wrote the comments.")]
    source: Annotated[str, About("Where this record comes from.")]
    comment: Annotated[str, About("A comment on the game as a whole.")]
    date: Annotated[
        Date,
        About(
            "When the game was played: a date, a date and time with zone, a month or a year.", ("2026-11-20", "2026-11")
        ),
    ]
    date_end: Annotated[Date, About("When the game ended, if that is not its date.", ("2026-12-01",))]
    rated: Annotated[bool, About("Whether the game counts for ratings.")]
    language: Annotated[Language, About("The language of the comments, a tag of BCP 47.", ("en", "pt-BR"))]
    time_control: Annotated[
        list[TimeStage],
        About(
            "How long the players have: stages in order, of which the last holds for the rest of the game.",
            ([{"turns": 40, "seconds": 5400, "increment": 30}, {"per_turn": 259200}],),
            default=[],
            form=" of stages such as {seconds: 3600, increment: 30}",
        ),
    ]
    tags: Annotated[list[str], About("What the game is filed under.", (["puzzle"],), default=[], form=" of strings")]
    opening: Annotated[Any, About("The stones set before the game, by color.")]
    setup: Annotated[
        str,
        About(
            "In place of an opening, the text of a position from which the game goes on: the rows from the top, the "
            "side to move, and how many passes have just been made."
        ),
    ]
    pie: Annotated[Pie, About("How the pie rule was used.", form=" such as {chosen: black}")]
    marks: Annotated[list[Mark], About("Marks on the board, on the position before the first turn.", default=[])]
    moves: Required[
        Annotated[
            list[str | Move],
            About(
                "The turns, strictly alternating, Black first unless a setup says otherwise: each the text of a turn, "
                "or an object where there is more to say of it.",
                form=" of turns, such as [e5, d4]",
            ),
        ]
    ]
    result: Annotated[
        Result,
        About("How the game ended; left out while it is unfinished.", form=" such as {winner: black}"),
    ]


def one_of(*fields: str) -> list[Schema]:
    """Return the `oneOf` of JSON Schema that demands exactly one of some fields."""
    # Validators in a strict mode want to see each field that is required.
    return [{"required": [field], "properties": {field: True}} for field in fields]


def first_day(text: str) -> str:
    """Return the first day of a date that is a day, a month or a year."""
    return text + "-01-01"[len(text) - len("2026") :]


def _times(stage: Mapping[str, Any]) -> tuple[str, str] | None:
    if ("seconds" in stage) == ("per_turn" in stage):
        return "", "should have seconds for the stage or per_turn for each turn"
    return None


def _ends(mark: Mapping[str, Any]) -> tuple[str, str] | None:
    if mark["kind"] in LEADING and len(mark["cells"]) < 2:
        return "", "should have at least two cells: an arrow or a line connects them"
    return None


def _score_after_rules(result: Mapping[str, Any]) -> tuple[str, str] | None:
    if "score" in result and result.get("termination", "rules") != "rules":
        return "score", "should be left out: there is a score only when the rules ended the game"
    return None


RULES[TimeStage] = Rule("schema/time", _times, {"oneOf": one_of("seconds", "per_turn")})
RULES[Mark] = Rule(
    "schema/mark",
    _ends,
    {
        "if": {"properties": {"kind": {"enum": [*LEADING]}}},
        "then": {"properties": {"cells": {"type": "array", "minItems": 2}}},
    },
)
SCORE_RULE = Rule(
    "schema/score",
    _score_after_rules,
    {"if": {"properties": {"termination": {"const": "rules"}}}, "else": {"properties": {"score": False}}},
)
