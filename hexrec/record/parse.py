"""From plain data to a record: the schema stage. Every error becomes a diagnostic with the pointer of its place.

The models say what is wrong in pydantic's words; this module says it in the words of the record format.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any

from pydantic import ValidationError

from hexrec import games
from hexrec._version import FORMAT_VERSION
from hexrec.diagnostics import Diagnostic, FirstFew, shorten
from hexrec.games import Game, IllegalSetup
from hexrec.games.position_text import find_board
from hexrec.games.ruleset import descriptions
from hexrec.pointer import pointer_to
from hexrec.record.field_errors import Error, FieldErrors, errors_in, is_large
from hexrec.record.model import TURNS_UNCHECKED, AnyRecord, Record, record_model

#: What pydantic's type errors demand, in the words of the format.
_WANTED_TYPES = {
    "string_type": "a string",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "dict_type": "an object",
}

#: What is added to that for fields which people write as one text.
_FORMS = {
    "moves": " of turns, such as [e5, d4]",
    "result": " such as {winner: black}",
    "players": " such as {black: {name: Ada}, white: {name: Ben}}",
    "players.black": " such as {name: Ada}",
    "players.white": " such as {name: Ben}",
    "opening": " with the cells of the opening stones by colour, such as {black: e5}",
    "time_control": " of stages such as {seconds: 3600, increment: 30}",
    "tags": " of strings",
    "pie": " such as {chosen: black}",
}


#: What describes a position to those who have no record of its game.
POSITION_FIELDS = ("game", "ruleset", "variant", "size", "coordinates", "position", "opening", "moves")

#: Codes whose messages need not say what the value is.
_SAYING_ALL = ("schema/null", "schema/score", "schema/opening-and-setup", "schema/time", "schema/mark")


class RecordError(ValueError):
    """Data that is not a record; `diagnostics` says why, in the order of the fields."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("\n".join(": ".join(filter(None, (each.place, each.message))) for each in diagnostics))
        self.diagnostics = tuple(diagnostics)


def read_record(data: object, *, turns_unchecked: bool = False) -> Record:
    """Return the record that plain data (as JSON has it) means.

    With `turns_unchecked`, the spelling of the turns played is left for the engine to judge.
    Raises RecordError with a diagnostic for everything that is wrong with the fields and their types. Where the name
    of the game is nearly right, the record is checked as one of that game.
    """
    if not isinstance(data, dict):
        hint = " (a file of several records is JSON Lines or YAML)" if isinstance(data, list) else ""
        message = f"a record should be an object, not {_say(data)}{hint}"
        raise RecordError([Diagnostic("schema/type", message, pointer="")])
    game = data.get("game")
    if not isinstance(game, str) or not games.is_known(game):
        raise RecordError(list(_without_game(data)))
    model = record_model(game, setup="setup" in data)
    # Of data with many values, all errors at once could be too many to hold.
    if is_large(data) and (found := _explain(data, errors_in(model, data))):
        raise RecordError(found)
    try:
        return model.model_validate(data, context=TURNS_UNCHECKED if turns_unchecked else None)
    except ValidationError as error:
        raise RecordError(_explain(data, [FieldErrors([*error.errors(include_url=False)])])) from None


def read_position(data: object) -> Record:
    """Return a record that goes as far as a position, given the fields of a record that say which position it is.

    These are `POSITION_FIELDS`: ``position`` is the text of a position, which records have as their setup. Its rows say
    the size if ``size`` does not, and ``moves`` may be left out.
    Raises RecordError; its pointers are those of the data.
    """
    if not isinstance(data, dict):
        message = f"a position is described by an object, such as {{game: sunspot, size: 5}}, not by {_say(data)}"
        raise RecordError([Diagnostic("schema/type", message, pointer="")])
    known = ", ".join(POSITION_FIELDS)
    found = FirstFew[Diagnostic]()
    for name in data:
        if name not in POSITION_FIELDS:
            message = f'a position is described without a field "{shorten(name)}"; known here: {known}'
            found.add(Diagnostic("schema/unknown-field", message, pointer=pointer_to([name])))
    text = data.get("position")
    if "position" in data and not isinstance(text, str):
        found.add(Diagnostic("schema/type", f"position should be a string, not {_say(text)}", pointer="/position"))
    if found.kept:
        raise RecordError(found.diagnostics("schema/more"))
    described = {"hexrec": FORMAT_VERSION, "moves": [], **data}
    if isinstance(text, str):
        described["setup"] = described.pop("position")
        game, ruleset = data.get("game"), data.get("ruleset")
        if "size" not in data and isinstance(game, str) and games.is_known(game):
            described["size"] = _size_of(games.get(game), text, ruleset)
    return read_record(described, turns_unchecked=True)


def _size_of(game: Game, text: str, ruleset: object) -> int:
    """Return the size of the board that the text of a position has the rows of. Raises RecordError."""
    # What is wrong with the name of a ruleset is said elsewhere.
    sizes = game.ruleset(ruleset).sizes if isinstance(ruleset, str) and ruleset in game.rulesets else game.sizes
    try:
        return find_board(text, game.board, sizes).size
    except IllegalSetup as refusal:
        raise RecordError([setup_error(refusal).at(pointer="/position")]) from None


def setup_error(refusal: IllegalSetup) -> Diagnostic:
    """Return the diagnostic for a setup that is refused, at the character that is wrong."""
    message = f"{refusal.message} (column {refusal.column} of the setup)"
    return Diagnostic(refusal.code, message, pointer="/setup", within=refusal.column)


def _without_game(data: dict[str, Any]) -> Iterator[Diagnostic]:
    """Yield what is wrong with a record that names no game of hexrec's."""
    known = ", ".join(games.names())
    name = data.get("game")
    near = get_close_matches(name.strip().lower(), games.names(), 1) if isinstance(name, str) else []
    if "game" not in data:
        yield Diagnostic("schema/missing-field", f"the record should name its game, one of {known}", pointer="")
    elif isinstance(name, str):
        hint = f"; did you mean {near[0]}? The rest is checked as if it said so" if near else ""
        message = f'hexrec knows no game "{shorten(name)}", only {known}{hint}'
        yield Diagnostic("schema/unknown-game", message, pointer="/game")
    else:
        message = f"game should be the name of a game, one of {known}, not {_say(name)}"
        yield Diagnostic("schema/type", message, pointer="/game")
    # Of a game that is none of hexrec's the fields are unknown, and what has no field of a record is none.
    if near or (not isinstance(name, str) and data.keys() & {"hexrec", "size", "moves"}):
        supposed = {**data, "game": near[0] if near else ""}
        yield from _explain(supposed, errors_in(_model(supposed), supposed))


def _model(data: Mapping[str, Any]) -> type[Record]:
    """Return the model for records of the game that data names; of any game where that is an empty text."""
    return record_model(data["game"], setup="setup" in data) if data["game"] else AnyRecord


def _explain(data: dict[str, Any], parts: Iterable[FieldErrors]) -> list[Diagnostic]:
    """Return the diagnostics for pydantic's errors."""
    found = FirstFew[Diagnostic]()
    seen = set()
    for part in parts:
        if found.following is not None:
            found.left_out += part.total()
            continue
        for error in part.located():
            diagnostic = _translate(data, error)
            if diagnostic is None:
                continue
            # An alternative of types fails once for each alternative: one diagnostic a place is enough. (The place of a
            # missing field is the object around it, which may lack several.)
            key = diagnostic.message if diagnostic.code == "schema/missing-field" else diagnostic.pointer
            if key not in seen:
                seen.add(key)
                found.add(diagnostic)
        found.left_out += part.more
    return found.diagnostics("schema/more")


def _translate(data: dict[str, Any], details: Error) -> Diagnostic | None:
    """Return the diagnostic for one of pydantic's errors, or None for an alternative that was not meant."""
    kind = details["type"]
    context = details.get("ctx", {})
    path, value, rest = _follow(data, details["loc"])
    pointer = pointer_to(path)
    name = _name(path)
    if kind == "missing":
        field = rest[-1]
        return Diagnostic("schema/missing-field", f'{name} lacks the required field "{field}"', pointer=pointer)
    if kind in ("string_pattern_mismatch", "schema/unknown-field"):
        return _unknown_field(data, path, pointer)
    if kind == "schema/turn":
        return Diagnostic(kind, f"{_name(context['path'])}: {details['msg']}", pointer=pointer_to(context["path"]))
    if kind == "too_short":
        return Diagnostic("schema/mark", f"{name} should name at least one cell", pointer=pointer)
    if kind.startswith("schema/"):
        shown = "" if kind in _SAYING_ALL else f", not {_say(value)}"
        return Diagnostic(kind, f"{name} {details['msg']}{shown}", pointer=pointer)
    if kind == "literal_error":
        code = "schema/version" if path == ["hexrec"] else "schema/value"
        if not isinstance(value, str):
            code = "schema/type" if code == "schema/value" else code
        if path == ["ruleset"] and isinstance(value, str):
            return Diagnostic(
                "schema/ruleset", _unknown_ruleset(record_model(data["game"]).GAME, value), pointer=pointer
            )
        expected = context["expected"].replace("'", '"')
        message = f"{name} should be {expected}, not {_say(value)}{_quote_hint(value)}"
        return Diagnostic(code, message, pointer=pointer)
    if kind in ("greater_than_equal", "less_than_equal"):
        if path == ["size"]:
            game = record_model(data["game"]).GAME
            message = f"size should be {game.sizes[0]} to {game.sizes[-1]} for {game.title}, not {_say(value)}"
            return Diagnostic("schema/range", message, pointer=pointer)
        limit = context.get("ge", context.get("le"))
        bound = "at least" if "ge" in context else "at most"
        return Diagnostic("schema/range", f"{name} should be {bound} {limit}, not {_say(value)}", pointer=pointer)
    if _is_turn(path):
        if isinstance(value, dict):
            return None
        message = f"{name} should be a turn, which is a string or an object with the field turn, not {_say(value)}"
        return Diagnostic("schema/type", message + _quote_hint(value), pointer=pointer)
    wanted = _WANTED_TYPES.get(kind, "of another type")
    hint = _quote_hint(value) if wanted == "a string" else ""
    form = _FORMS.get(name, "")
    return Diagnostic("schema/type", f"{name} should be {wanted}{form}, not {_say(value)}{hint}", pointer=pointer)


def _follow(data: Any, location: tuple[int | str, ...]) -> tuple[list[int | str], Any, list[int | str]]:
    """Follow pydantic's location through the data. Return the path, the value there and what did not lead on.

    Pydantic puts the names of types that it tried between the fields; they are no part of the path.
    """
    path: list[int | str] = []
    rest: list[int | str] = []
    # What follows an element of moves is such a name, even where the element has a field of that name.
    names_type = False
    for step in location:
        leads_on = isinstance(step, int) if isinstance(data, list) else isinstance(data, dict) and step in data
        if leads_on and not names_type:
            data = data[step]
            path.append(step)
            names_type = _is_turn(path)
        else:
            rest.append(step)
            names_type = False
    return path, data, rest


def _is_turn(path: list[int | str]) -> bool:
    """Return whether a path leads to an element of ``moves`` or of a variation."""
    match path:
        case [*_, "moves", int()] | [*_, "variations", int(), int()]:
            return True
    return False


def _name(path: list[int | str]) -> str:
    """Say what a path leads to, as a person would: ``moves[3].clock``, ``players.black.name``."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".") or "the record"


def _unknown_field(data: dict[str, Any], path: list[int | str], pointer: str) -> Diagnostic:
    field = str(path[-1])
    parts = [step for step in path[:-1] if isinstance(step, str)]
    known = _known_fields(_model(data), *parts)
    close = get_close_matches(field, known, 1)
    hint = f"did you mean {close[0]}?" if close else f"known here: {', '.join(known)}"
    record = f"a record of {games.get(data['game']).title}" if data["game"] else "a record"
    message = f'{record} has no field "{shorten(field)}" here; {hint} (a field of your own begins with x-)'
    return Diagnostic("schema/unknown-field", message, pointer=pointer)


def _unknown_ruleset(game: Game, name: str) -> str:
    known = " and ".join(descriptions(map(game.ruleset, game.rulesets), game.sizes))
    return f'{game.title} has no ruleset "{shorten(name)}", only {known}'


@cache
def _schema(model: type[Record]) -> dict[str, Any]:
    return model.model_json_schema()


@cache
def _known_fields(model: type[Record], *path: str) -> list[str]:
    """Return the names of the fields that the object at a path of field names may have."""
    schema = _schema(model)
    definitions = schema["$defs"]

    def resolve(part: dict[str, Any]) -> dict[str, Any]:
        for choice in [part, *part.get("anyOf", [])]:
            if "$ref" in choice:
                found: dict[str, Any] = definitions[choice["$ref"].rpartition("/")[2]]
                return found
        return resolve(part["items"])

    for step in path:
        schema = resolve(schema["properties"][step])
    return [name for name, part in schema["properties"].items() if "not" not in part]


def _say(value: object) -> str:
    """Say what a value is, for a message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"the value {str(value).lower()}"
    if isinstance(value, int | float):
        return f"the number {shorten(repr(value)) if abs(value) < 10**60 else 'given'}"
    if isinstance(value, str):
        return f'the string "{shorten(value)}"' if value else "an empty string"
    return "a list" if isinstance(value, list) else "an object"


def _quote_hint(value: object) -> str:
    return " (write it in quotes)" if isinstance(value, bool | int | float) else ""
