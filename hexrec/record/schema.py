"""Definition of the fields of records: the source of validation, JSON Schemas, field order and types.

The `TypedDict`s describe the records of all games; `shapes` adds the fields that differ by game.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, NamedTuple, Required, TypedDict

from hexrec.record.kinds import Integer, ListOf, Number, Schema, Text, Version
from hexrec.rules.board import CELL_PATTERNS, System
from hexrec.util.version import FORMAT_VERSION

Termination = Literal["rules", "resignation", "time", "forfeit", "agreement", "adjudication", "abandoned", "illegal"]
Winner = Literal["black", "white", "draw"]
MarkKind = Literal["circle", "square", "triangle", "cross", "label", "arrow", "line", "area"]
#: Kinds of marks that connect cells.
LEADING = ("arrow", "line")

_WHITESPACE = r"[ \t\r\n]*"


def with_whitespace(pattern: str) -> str:
    """Return a pattern for `pattern` with optional whitespace around it."""
    return f"^{_WHITESPACE}(?:{pattern}){_WHITESPACE}$"


def _anchor(pattern: str) -> str:
    """Return a pattern for strings that match `pattern` completely."""
    # In Python, `$` alone also matches before a final newline; in JSON Schema it does not.
    return rf"^(?:{pattern})$(?!\n)"


# Dates of RFC 3339 that exist.
_LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
_MONTH = "(?!0000)[0-9]{4}(?:-(?:0[1-9]|1[0-2]))?"
_DAY = (
    "(?:(?!0000)[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    f"|(?!0000){_LEAP_YEAR}-02-29)"
)
_CLOCK_TIME = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_TIME = rf"T{_CLOCK_TIME}:[0-5][0-9](?:\.[0-9]+)?(?:Z|[+-]{_CLOCK_TIME})"
#: The characters of a URL by RFC 3986.
_URL = _anchor(r"https?://[!#-;=?-\[\]_a-z~]+")

_AXIAL_PAIR = CELL_PATTERNS["axial"].removeprefix(r"\(").removesuffix(r"\)")
_CELL_PATTERN = with_whitespace(f"{CELL_PATTERNS['row']}|{CELL_PATTERNS['axial']}|{_AXIAL_PAIR}")
_LANGUAGE = _anchor(
    "(?:[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?"
    "(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(?:-[0-9A-WY-Za-wy-z](?:-[A-Za-z0-9]{2,8})+)*"
    "(?:-[xX](?:-[A-Za-z0-9]{1,8})+)?|[xX](?:-[A-Za-z0-9]{1,8})+"
)
_DATE = Text(
    _anchor(f"{_DAY}(?:{_TIME})?|{_MONTH}"),
    "schema/date",
    "should be a date such as 2026-11-20, 2026-11 or 2026, or a date and time with its zone such as "
    "2026-11-20T18:03:11Z",
)
#: A cell in any coordinate system.
CELL = Text(_CELL_PATTERN, "schema/cell", "should be the name of a cell, such as e5 (or 0,0 in axial coordinates)")


class About(NamedTuple):
    """Documentation of a field.

    Attributes:
        description: the description in the JSON Schema.
        examples: valid values.
        default: the value that a missing field means; `...` without a default.
        form: text after the type in a message about a wrong type, such as " of strings".
    """

    description: str
    examples: tuple[Any, ...] = ()
    default: Any = ...
    form: str = ""


NonNegative = Annotated[float, Number(0)]
Natural = Annotated[int, Integer(0)]
Positive = Annotated[int, Integer(1)]
DateTime = Annotated[
    str,
    Text(
        _anchor(f"{_DAY}{_TIME}"), "schema/date", "should be a date and time with its zone such as 2026-11-20T18:03:11Z"
    ),
]
Date = Annotated[str, _DATE]
Language = Annotated[str, Text(_LANGUAGE, "schema/language", "should be a language tag, such as en or pt-BR")]
Url = Annotated[str, Text(_URL, "schema/url", "should be a URL that begins with https:// or http:// and has no spaces")]
Cells = Annotated[list[str], ListOf(CELL, at_least=1)]


class Player(TypedDict, total=False):
    """A player of the game."""

    name: Annotated[str, About("The player's name.", ("Ada",))]
    id: Annotated[str, About("The player's id on the site of the game.")]
    rating: Annotated[float, About("The player's rating before the game.", (1850,))]
    title: Annotated[str, About("The player's title or grade.", ("2d",))]
    team: Annotated[str, About("The player's team.", ("Alpha",))]
    country: Annotated[str, About("The country that the player plays for.", ("NOR",))]
    bot: Annotated[bool, About("Whether the player is a program.", default=False)]


class Players(TypedDict, total=False):
    """The two players, by final color."""

    black: Annotated[Player, About("The player of Black.", form=" such as {name: Ada}")]
    white: Annotated[Player, About("The player of White.", form=" such as {name: Ben}")]


class Pie(TypedDict, total=False):
    """Use of the pie rule."""

    chosen: Required[Annotated[Literal["black", "white"], About("The color that the second player chose.")]]


class TimeStage(TypedDict, total=False):
    """A stage of a time control: `seconds` for all its turns, or `per_turn` for each turn."""

    turns: Annotated[
        Positive, About("Turns of each player in the stage; without it, the stage lasts to the end.", (40,))
    ]
    seconds: Annotated[NonNegative, About("Time of each player for the stage, in seconds.", (5400,))]
    increment: Annotated[NonNegative, About("Time added with each turn, in seconds.", (30,))]
    delay: Annotated[NonNegative, About("Time of each turn for which the clock does not run, in seconds.", (5,))]
    periods: Annotated[Positive, About("The number of byo-yomi periods, each of `seconds`.", (3,))]
    per_turn: Annotated[NonNegative, About("Time of a player for each turn, in seconds.", (259200,))]


class Mark(TypedDict, total=False):
    """A mark on cells of the board."""

    kind: Required[
        Annotated[
            MarkKind,
            About(
                "The shape: a circle, square, triangle, cross or label on each of the cells, an arrow or line along "
                "them, or the area that they form."
            ),
        ]
    ]
    cells: Required[
        Annotated[
            Cells,
            About(
                "The marked cells; for an arrow or a line, the cells along it, in order.",
                (["e5", "e8"],),
            ),
        ]
    ]
    text: Annotated[str, About("The text of the mark, as of a label.", ("A",))]
    color: Annotated[str, About("The color of the mark.", ("red",))]


class Eval(TypedDict, total=False):
    """Engine evaluation of the position before a turn."""

    value: Annotated[float, Number(-1, 1), About("Evaluation from -1 (White wins) to 1 (Black wins).", (0.35,))]
    exact: Annotated[bool, About("Whether the value is proved, for best play by both sides.", default=False)]
    depth: Annotated[Natural, About("Search depth of the program, in turns.", (12,))]
    playouts: Annotated[Natural, About("Number of random games that estimated the value.", (400,))]
    engine: Annotated[str, About("The program and its version.")]
    line: Annotated[
        list[str],
        About("The turns that the program expects, from the position before this turn.", default=[]),
    ]


class Move(TypedDict, total=False):
    """An annotated turn."""

    turn: Required[Annotated[str, About("The turn, in the notation of the game.")]]
    comment: Annotated[str, About("A comment on this turn.")]
    seconds: Annotated[NonNegative, About("Time spent on this turn, in seconds.", (41.5,))]
    clock: Annotated[NonNegative, About("Time left after this turn, in seconds.", (1200,))]
    at: Annotated[DateTime, About("Date and time of the turn, with zone.", ("2026-11-20T18:03:11Z",))]
    nag: Annotated[
        list[Natural],
        About("Numeric annotation glyphs, as in PGN: 1 for a good move (!), 2 for a mistake (?).", ([1],), default=[]),
    ]
    eval: Annotated[Eval, About("Engine evaluation of the position before this turn.")]
    marks: Annotated[list[Mark], About("Marks on the position after this turn.", default=[])]
    taken_back: Annotated[list[str], About("Turns that the player played here and took back, in order.", default=[])]
    variations: Annotated[
        list[list["str | Move"]],
        About("Lines of turns that begin with an alternative to this turn.", default=[]),
    ]


class Illegal(TypedDict, total=False):
    """The illegal turn that lost the game. It is no part of the moves."""

    turn: Annotated[
        str,
        About(
            "The turn, in the notation of the game; its cells may lie off the board. Left out if the notation cannot "
            "express it: `reason` describes it."
        ),
    ]
    by: Required[
        Annotated[Literal["black", "white"], About("The player of the turn: the side to move after the moves.")]
    ]


class Result(TypedDict, total=False):
    """The result of the game."""

    winner: Annotated[
        Winner,
        About("The winner, or `draw`. Left out if no winner is named, as in an abandoned game."),
    ]
    termination: Annotated[
        Termination,
        About(
            "The cause of the end. With `rules`, the rules must have ended the game, and replay checks the winner and "
            "the score. With another cause, the rules must not have ended the game.",
            default="rules",
        ),
    ]
    illegal: Annotated[
        Illegal,
        About("The turn that lost the game, with the termination `illegal`.", form=" such as {turn: k9, by: black}"),
    ]
    score: Annotated[Any, About("The score of the final position by the rules.")]
    by: Annotated[str, About("The person who decided the result.", ("the arbiter",))]
    reason: Annotated[str, About("The reason for the result.")]


class RecordData(TypedDict, total=False):
    """One game, as JSON data."""

    hexrec: Required[Annotated[str, Version(), About("The version of the record format, a string.", (FORMAT_VERSION,))]]
    id: Annotated[str, About("The id of the record, unique within a collection.", ("ap-f47ac10b",))]
    url: Annotated[Url, About("The address of the game.", ("https://example.org/g/17",))]
    game: Required[Annotated[str, About("The game's name.")]]
    ruleset: Annotated[str, About("The published revision of the game's rules.")]
    variant: Annotated[str, About("The variant; left out for the normal game.")]
    readings: Annotated[
        list[str],
        About(
            "The readings by which the game was played instead of rulings of hexrec.",
            default=[],
            form=" of names, such as [P-1b]",
        ),
    ]
    size: Required[Annotated[int, About("The number of cells along one side of the board.")]]
    coordinates: Annotated[
        System,
        About(
            "The coordinate system of all cells in the record. In `row`, a letter is a row from the bottom, and a "
            "number a cell in it. In `skew`, both are straight lines of cells. In `axial`, a cell is q,r, and "
            "the center 0,0.",
            default="row",
        ),
    ]
    players: Annotated[Players, About("The players.", form=" such as {black: {name: Ada}, white: {name: Ben}}")]
    event: Annotated[str, About("The tournament or match.", ("City Open",))]
    site: Annotated[str, About("The place or web site of the game.")]
    round: Annotated[str, About("The round of the event.", ("3",))]
    stage: Annotated[str, About("The stage of the event.", ("final",))]
    board: Annotated[str, About("The board number in the event.", ("1",))]
    annotator: Annotated[str, About("The author of the comments.")]
    source: Annotated[str, About("The source of the record.")]
    comment: Annotated[str, About("A comment on the game as a whole.")]
    date: Annotated[
        Date,
        About("The date of the game: a date, a date and time with zone, a month or a year.", ("2026-11-20", "2026-11")),
    ]
    date_end: Annotated[Date, About("The date of the end, if it differs from `date`.", ("2026-12-01",))]
    rated: Annotated[bool, About("Whether the game counts for ratings.")]
    language: Annotated[Language, About("The language of the comments, a tag of BCP 47.", ("en", "pt-BR"))]
    time_control: Annotated[
        list[TimeStage],
        About(
            "The time control: stages in order, the last for the rest of the game.",
            ([{"turns": 40, "seconds": 5400, "increment": 30}, {"per_turn": 259200}],),
            default=[],
            form=" of stages such as {seconds: 3600, increment: 30}",
        ),
    ]
    tags: Annotated[list[str], About("Tags to file the game under.", (["puzzle"],), default=[], form=" of strings")]
    opening: Annotated[Any, About("The stones set before the game, by color.")]
    setup: Annotated[
        str,
        About(
            "Instead of an opening, the position text that the game starts from: the rows from the top, the side to "
            "move, and the number of passes just made."
        ),
    ]
    pie: Annotated[Pie, About("Use of the pie rule.", form=" such as {chosen: black}")]
    marks: Annotated[list[Mark], About("Marks on the position before the first turn.", default=[])]
    moves: Required[
        Annotated[
            list[str | Move],
            About(
                "The turns, strictly alternating, Black first unless a setup says otherwise. Each is a string, or an "
                "object if it is annotated.",
                form=" of turns, such as [e5, d4]",
            ),
        ]
    ]
    result: Annotated[
        Result,
        About("The result; left out for an unfinished game.", form=" such as {winner: black}"),
    ]


class Rule(NamedTuple):
    """Constraint on a combination of fields that are valid one by one.

    Attributes:
        code: the code of the diagnostic.
        broken: returns the name of the wrong field, empty for the object, and the message after the name; None if the
            object obeys the rule.
        json_schema: the rule in JSON Schema.
    """

    code: str
    broken: Callable[[Mapping[str, Any]], tuple[str, str] | None]
    json_schema: Schema

    def enforce(self, part: dict[str, Any]) -> dict[str, Any]:
        """Return an object unchanged. Raises ValueError, which pydantic-core catches, if it breaks the rule."""
        if self.broken(part) is not None:
            raise ValueError("the object breaks a rule")
        return part


def one_of(*fields: str) -> list[Schema]:
    """Return the value of `oneOf` in JSON Schema that requires exactly one of the fields."""
    # Strict validators require a property for each required field.
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


def _illegal_with_termination(result: Mapping[str, Any]) -> tuple[str, str] | None:
    is_lost = result.get("termination") == "illegal"
    if "illegal" in result and not is_lost:
        return "illegal", "should be left out: only a result with the termination illegal has it"
    if is_lost and "illegal" not in result:
        return "", "should name the illegal turn and its player, such as illegal: {turn: k9, by: black}"
    return None


#: Rules by `TypedDict`, which can have no attributes.
RULES: Mapping[Any, Rule] = {
    TimeStage: Rule("schema/time", _times, {"oneOf": one_of("seconds", "per_turn")}),
    Mark: Rule(
        "schema/mark",
        _ends,
        {
            "if": {"properties": {"kind": {"enum": [*LEADING]}}},
            "then": {"properties": {"cells": {"type": "array", "minItems": 2}}},
        },
    ),
    Result: Rule(
        "schema/illegal",
        _illegal_with_termination,
        {
            "if": {"properties": {"termination": {"const": "illegal"}}, "required": ["termination"]},
            "then": {"required": ["illegal"], "properties": {"illegal": True}},
            "else": {"properties": {"illegal": False}},
        },
    ),
}
SCORE_RULE = Rule(
    "schema/score",
    _score_after_rules,
    {"if": {"properties": {"termination": {"const": "rules"}}}, "else": {"properties": {"score": False}}},
)
