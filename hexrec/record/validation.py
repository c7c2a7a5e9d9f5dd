"""Schema stage of validation: build records from data or from JSON bytes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from hexrec.errors import Error
from hexrec.record.game_shapes import RecordShape, any_shape, find_misspelled_turn, record_shape
from hexrec.record.kinds import VERSION_PATTERN, FieldProblem, is_newer, say
from hexrec.record.record import Record
from hexrec.record.schema import Move, RecordData
from hexrec.record.shapes import Shape, misspelled, shape_of
from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.rules.position_text import find_board
from hexrec.rules.terms import IllegalSetup
from hexrec.util.diagnostics import Diagnostic, FirstFew, Path, close_matches, pointer_to, shorten
from hexrec.util.limits import MAX_DEPTH, MAX_VALUES
from hexrec.util.strict_json import DECODER
from hexrec.util.version import FORMAT_VERSION

#: Fields that describe a position without a record.
POSITION_FIELDS = ("game", "ruleset", "variant", "readings", "size", "coordinates", "position", "opening", "moves")
#: The first key of a file of known diagnostics, which may lie among records.
BASELINE = "hexrec-baseline"
#: Fields other than the moves that a replay needs.
_REPLAYED = ("game", "ruleset", "variant", "readings", "size", "coordinates", "opening", "setup")

#: Yields once for each of the first 500 records of a process that has not imported the fast validator.
_FIRST = iter(range(500))

_GAME = re.compile(rb'"game"[ \t\r\n]*:[ \t\r\n]*"([a-z0-9_-]*)"')
_KEY = re.compile(rb'"[ \t\r\n]*:')
#: Larger numbers in extension fields are left to the located reader, which checks their range.
_LARGEST = 10**300
#: Moves of chess that are turns of no game here.
_CHESS = r"[KQRBN][a-h1-8]?x?[a-h][1-8][+#]?|O-O(?:-O)?[+#]?"
#: Depth of the fields of the format without variations.
_USUAL_DEPTH = 6


#: The data of a valid record, and its game.
Valid = tuple[RecordData, Game]


class RecordError(Error, ValueError):
    """Data that is not a valid record.

    Attributes:
        diagnostics: the problems, in the order of the fields.
        playable: the record without its invalid fields; None if the replay needs one of them.
    """

    def __init__(self, diagnostics: Sequence[Diagnostic], playable: Record | None = None) -> None:
        super().__init__(
            "\n".join(": ".join(filter(None, (diagnostic.place, diagnostic.message))) for diagnostic in diagnostics)
        )
        self.diagnostics = tuple(diagnostics)
        self.playable = playable


#: Returns the games that records in JSON name, in order, of which `read_json` takes the first.
games_named = _GAME.findall


def read_json(raw: bytes) -> Valid | None:
    """Return the data of a record in JSON bytes, and its game, or None if a closer look must be taken.

    None means that the located reader must read the bytes, which may be invalid. Nothing is accepted that the located
    reader refuses, except turns of the main line, which the replay checks. The first records of a process are read
    without the fast validator, whose import takes as long as reading a thousand records.
    """
    named = _GAME.search(raw)
    if named is None or len(raw) > MAX_VALUES or MAX_DEPTH < _USUAL_DEPTH:
        return None
    rules = _built_in(named[1])
    if rules is None:
        name = named[1].decode()
        if not games.is_known(name):
            return None
        rules = games.get(name)
    try:
        if "pydantic_core" not in sys.modules and next(_FIRST, None) is not None:
            return _read_slowly(raw)
        shape = record_shape(rules)
        data = shape.validator.validate_json(raw)
        if not _has_each_key_once(raw, data, shape):
            return None
    except ValueError:
        return None
    return None if next(shape.problems_together(data), None) else (data, rules)


def _read_slowly(raw: bytes) -> Valid:
    """Return the data of a record in JSON bytes, and its game. Raises ValueError."""
    _check_depth(raw)
    if b"\\ud" in raw or b"\\uD" in raw:
        raise ValueError("possibly half of a surrogate pair")
    record = read_record(DECODER.decode(raw.decode()), turns_unchecked=True)
    if is_newer(record.data["hexrec"]):
        raise ValueError("a newer version, of which a warning is given")
    return record.data, record.rules


@lru_cache(maxsize=64)
def _built_in(name: bytes) -> Game | None:
    """Return the built-in game with a name, or None."""
    known = name.decode()
    return games.get(known) if known in games.BUILT_IN else None


def _has_each_key_once(raw: bytes, data: dict[str, Any], shape: RecordShape) -> bool:
    """Return whether no object in the JSON bytes has a duplicate key, of which `data` has only the last.

    Every key is followed by a colon; other colons are in strings. So the number of colons, or of colons after a quote,
    equals the number of keys only without duplicates. Raises ValueError for other problems that pydantic-core ignores.
    """
    colons = raw.count(b":")
    keys = _count_keys(raw, data, shape, skip="moves")
    if keys == colons:  # so the moves have no objects
        return True
    if b'"variations"' in raw:
        _check_depth(raw)
    if shape.game is not None and find_misspelled_turn(shape.game, data["moves"], main_line=False):
        raise ValueError("a misspelled turn")
    keys += _count_keys(raw, data["moves"], shape_of(Move))
    return keys == colons or keys == len(_KEY.findall(raw))


def _count_keys(raw: bytes, part: Any, shape: Shape, skip: str = "") -> int:
    """Return the number of keys in an object or array of objects and in their parts. Raises ValueError."""
    if type(part) is list:
        return sum(_count_keys(raw, item, shape) for item in part if type(item) is not str)
    count, known = len(part), shape.fields.keys()
    for name, inner in shape.parts.items():
        if name in part and name != skip:
            count += _count_keys(raw, part[name], inner)
    if not part.keys() <= known:
        if shape.unknown(part):
            raise ValueError("an unknown field")
        _check_depth(raw)
        count += sum(_count_any_keys(part[name]) for name in part.keys() - known)
    return count


def _count_any_keys(value: Any) -> int:
    """Return the number of keys in the value of an extension field. Raises ValueError for numbers out of range."""
    if type(value) is dict:
        return len(value) + sum(map(_count_any_keys, value.values()))
    if type(value) is list:
        return sum(map(_count_any_keys, value))
    if type(value) in (int, float) and not -_LARGEST < value < _LARGEST:
        raise ValueError("a number out of range")
    return 0


def _check_depth(raw: bytes) -> None:
    """Raise ValueError if the number of opening brackets exceeds the maximum depth."""
    if raw.count(b"[") + raw.count(b"{") > MAX_DEPTH:
        raise ValueError("too many brackets")


def read_record(data: object, *, turns_unchecked: bool = False) -> Record:
    """Return the record with the given JSON data.

    With `turns_unchecked`, do not check the notation of the main line; the replay does. If the name of the game is
    misspelled, check the fields as those of the closest game. Raises RecordError with a diagnostic for every problem.
    """
    if not isinstance(data, dict):
        hint = " (only a file in JSON can be an array of records)" if isinstance(data, list) else ""
        message = f"a record should be an object, not {say(data)}{hint}"
        if isinstance(data, str):
            message = f'no record in JSON, YAML, SGF or HGN begins with "{shorten(data, 20)}": '
            message += "name another format, or read posts and tables with `hexrec import`"
        raise RecordError([Diagnostic("schema/type", message, pointer="")])
    name = data.get("game")
    if not games.is_known(name):
        raise _refuse_game(data)
    rules = games.get(name)
    shape = record_shape(rules)
    if next(shape.problems_within(data), None) is not None:
        diagnostics, wrong = _diagnose(data, shape)
        raise RecordError(diagnostics, _playable(data, shape, rules, wrong))
    valid: Any = shape.normalize(data)
    problem = find_misspelled_turn(rules, valid["moves"], main_line=not turns_unchecked)
    if problem is not None:
        raise RecordError([_diagnostic(shape, problem)], _playable(data, shape, rules, {problem.path[:2]}))
    return Record(valid, rules)


def warn_of_version(record: Record) -> Iterator[Diagnostic]:
    """Yield a warning if a record has a newer minor version of the format."""
    if is_newer(version := record.data["hexrec"]):
        message = f"version {version} of the record format is newer than {FORMAT_VERSION}: fields that hexrec does not "
        yield Diagnostic("schema/newer-version", f"{message}know are not checked", "warning", pointer="/hexrec")


def _diagnose(data: dict[str, Any], shape: RecordShape) -> tuple[list[Diagnostic], set[Path]]:
    """Return the diagnostics of data, and the paths of the invalid fields, cut to two steps."""
    problems = FirstFew[FieldProblem]()
    wrong = set()
    for problem in shape.problems_within(data):
        problems.add(problem)
        wrong.add(problem.path[:2])
    return problems.diagnostics("schema/more", partial(_diagnostic, shape)), wrong


def _diagnostic(shape: RecordShape, problem: FieldProblem) -> Diagnostic:
    message = problem.message if isinstance(problem.message, str) else problem.message(shape.owner)
    return Diagnostic(problem.code, message, pointer=pointer_to(problem.path))


def _playable(data: dict[str, Any], shape: RecordShape, rules: Game, wrong: set[Path]) -> Record | None:
    """Return the record without the invalid fields at the paths `wrong`, or None if it cannot be replayed."""
    version, moves = data.get("hexrec"), data.get("moves")
    if (isinstance(version, str) and re.search(VERSION_PATTERN, version) is None) or not isinstance(moves, list):
        return None
    fields = {name: data[name] for name in _REPLAYED if name in data}
    if isinstance(fields.get("opening"), dict):
        fields["opening"] = {name: fields["opening"][name] for name in rules.opening if name in fields["opening"]}
    fields["moves"] = [
        move["turn"] if ("moves", index) in wrong and isinstance(move, dict) and "turn" in move else move
        for index, move in enumerate(moves)
    ]
    if "result" in data and not any(path[:1] == ("result",) for path in wrong):
        fields["result"] = data["result"]
    valid = {"hexrec": version if is_newer(version) else FORMAT_VERSION, **fields}
    return None if next(shape.problems_within(valid), None) else Record(shape.normalize(valid), rules)


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _refuse_game(data: dict[str, Any]) -> RecordError:
    """Return the error of a record that names no known game."""
    known = ", ".join(games.names())
    name = data.get("game")
    key = misspelled("game", any_shape().unknown(data)) if "game" not in data else None
    near: str | None = None
    spelled = False
    if BASELINE in data:
        message = "this is a baseline, not a record: name it with --baseline or in the settings, or move it"
        first = Diagnostic("schema/missing-field", message, pointer="")
    elif key is not None and games.is_known(data[key]):
        message = f'a record has no field "{shorten(str(key))}": did you mean "game"?'
        first = Diagnostic("schema/unknown-field", message, pointer=pointer_to([key]))
        near, spelled = data[key], True
        data = {other: value for other, value in data.items() if other != key}
    elif "game" not in data:
        message = f'the record lacks the field "game": name one of {known}'
        if any(isinstance(turn, str) and re.fullmatch(_CHESS, turn) for turn in _list(data.get("moves"))):
            message = f"this is a game of chess, which hexrec does not have: it has {known}"
        first = Diagnostic("schema/missing-field", message, pointer="")
    elif isinstance(name, str):
        wanted = name.strip().lower()
        near = next(iter(close_matches(wanted, games.names(), 1)), None)
        spelled = near == wanted
        message = f'unknown game "{shorten(name)}": '
        message += (
            f'did you mean "{near}"? The rest is checked as a game of that name' if near else f"hexrec has {known}"
        )
        if spelled:
            message = f'game should be "{near}", not "{shorten(name)}"'
        first = Diagnostic("schema/unknown-game", message, pointer="/game")
    else:
        message = f"game should be the name of a game, one of {known}, not {say(name)}"
        first = Diagnostic("schema/type", message, pointer="/game")
    # Check neither the fields of an unknown game, nor an object that is probably no record.
    own = {"hexrec", "size", "moves"} if "game" in data else {"size"}
    if near is None and (isinstance(name, str) or not data.keys() & own):
        return RecordError([first])
    rules = games.get(near) if near else None
    shape = record_shape(rules) if rules else any_shape()
    checked = {**data, "game": near or ""}
    diagnostics, wrong = _diagnose(checked, shape)
    # The replay needs no guess at the game if only the case or the key is wrong.
    playable = _playable(checked, shape, rules, wrong) if rules and spelled else None
    return RecordError([first, *diagnostics], playable)


def read_position(data: object) -> Record:
    """Return a record that ends in a position, given the fields `POSITION_FIELDS`.

    ``position`` is a position text, which becomes the setup and gives the size if ``size`` is missing. ``moves`` is
    optional. Raises RecordError with pointers into the data.
    """
    if not isinstance(data, dict):
        message = f"a position is described by an object, such as {{game: sunspot, size: 5}}, not by {say(data)}"
        raise RecordError([Diagnostic("schema/type", message, pointer="")])
    known = ", ".join(POSITION_FIELDS)
    errors = FirstFew[Diagnostic]()
    for name in data:
        if name not in POSITION_FIELDS:
            message = f'a position is described without a field "{shorten(name)}"; known here: {known}'
            errors.add(Diagnostic("schema/unknown-field", message, pointer=pointer_to([name])))
    text = data.get("position")
    if "position" in data and not isinstance(text, str):
        errors.add(Diagnostic("schema/type", f"position should be a string, not {say(text)}", pointer="/position"))
    if errors.kept:
        raise RecordError(errors.diagnostics("schema/more"))
    described = {"hexrec": FORMAT_VERSION, "moves": [], **data}
    if isinstance(text, str):
        described["setup"] = described.pop("position")
        game, ruleset = data.get("game"), data.get("ruleset")
        if "size" not in data and games.is_known(game):
            described["size"] = _size_of(games.get(game), text, ruleset)
    return read_record(described, turns_unchecked=True)


def _size_of(game: Game, text: str, ruleset: object) -> int:
    """Return the board size of a position text. Raises RecordError."""
    # An unknown ruleset is reported with the other fields.
    sizes = game.ruleset(ruleset).sizes if isinstance(ruleset, str) and ruleset in game.rulesets else game.sizes
    try:
        return find_board(text, game.board, sizes).size
    except IllegalSetup as refusal:
        raise RecordError([setup_error(refusal).at(pointer="/position")]) from None


def setup_error(refusal: IllegalSetup) -> Diagnostic:
    """Return the diagnostic of an illegal setup, at its wrong character."""
    message = f"{refusal.message} (column {refusal.column} of the setup)"
    return Diagnostic(refusal.code, message, pointer="/setup", within=refusal.column)
