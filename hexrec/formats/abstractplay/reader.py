"""Reader for Abstract Play: converts the JSON data of its records to hexrec's format, with the places of the parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from hexrec.formats.abstractplay.envelope import (
    ENDINGS,
    HEADER_FIELDS,
    KEPT,
    PLAYER_FIELDS,
    SCORE_FIELDS,
    UNFINISHED,
    UNKNOWN_DATE,
    UNKNOWN_NAMES,
    UNKNOWN_SITE,
    RejectedError,
    RoundEntry,
    ending,
    find_leftovers,
    header_and_entries,
    is_empty_game,
    iter_entries,
    moment,
    our_turn,
    unusual_shapes,
    usual_readings,
)
from hexrec.formats.base import Document
from hexrec.formats.field_table import depth, difference
from hexrec.formats.places import Places
from hexrec.record.canonical import canonical_form
from hexrec.record.record import turn_of
from hexrec.record.validation import RecordError, read_record
from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.rules.terms import COLORS
from hexrec.util.diagnostics import Diagnostic, FirstFew, diagnose_error, pointer_to, shorten
from hexrec.util.limits import MAX_DEPTH
from hexrec.util.version import FORMAT_VERSION

#: A size in the notation of the site's engine, or of its records.
_SIZE = re.compile(r"size[- ]([0-9]{1,3})(?: board)?")
_OPENING = re.compile(r"(black):([^:;]*)(?:;(white):([^:;]*))?")


def claims(data: dict[str, Any]) -> bool:
    """Return whether an object is meant as a record of Abstract Play, by the first field that identifies a format."""
    for name, value in data.items():
        if name in ("hexrec", "game"):
            return False
        if name == "header" or (name == "moves" and isinstance(value, list) and value and isinstance(value[0], list)):
            return True
    return False


def translate(document: Document) -> Document:
    """Convert the document of a record to hexrec's format, with the places of its parts in the text."""
    try:
        reader = RecordReader()
        data = reader.record(document.data)
    except RejectedError as error:
        return Document(error=_locate(document, [error.diagnostic])[0], text=document.text)
    except Exception as error:
        return replace(document, data=None, error=diagnose_error(error, memory=False))
    warnings = _locate(document, reader.warnings.diagnostics("syntax/more"))
    places = partial(_places, document, reader)
    return Document(data=data, places=places, text=document.text, warnings=warnings)


def _locate(document: Document, diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Replace the pointers of diagnostics, which are not those of the record, by places in the JSON text."""
    if not diagnostics:
        return ()
    places = document.places([diagnostic.pointer or "" for diagnostic in diagnostics])
    spans = [places.find(diagnostic.pointer or "") for diagnostic in diagnostics]
    return tuple(
        diagnostic.at(pointer=None, **(span._asdict() if span else {}))
        for diagnostic, span in zip(diagnostics, spans, strict=True)
    )


def _places(document: Document, reader: RecordReader, pointers: Iterable[str] | None = None) -> Places:
    """Return the places of parts of a record that was converted from a document, by default of all converted parts."""
    origins = reader.origins()
    wanted = {pointer: _origin(pointer, origins) for pointer in (origins if pointers is None else pointers)}
    source_places = document.places(wanted.values())
    places = Places(wanted)
    for pointer, origin in wanted.items():
        span = source_places.find(origin)
        if span is not None:
            places.put(pointer, span)
    return places


def _origin(pointer: str, origins: Mapping[str, str]) -> str:
    """Return the pointer of the source of a part, or else of the nearest enclosing part with a source."""
    around = pointer
    while around not in origins:
        around = around.rpartition("/")[0]
    # Preserved data has the same parts as its source.
    return origins[around] + (pointer.removeprefix(around) if f"/{KEPT}" in around else "")


class RecordReader:
    """Reads one record.

    Attributes:
        warnings: warnings, with JSON Pointers into the source.
    """

    def __init__(self) -> None:
        self.warnings = FirstFew[Diagnostic]()
        self._origins = {"": "", "/players": "/header/players", "/moves": "/moves"}
        self._entries: list[RoundEntry] = []
        self._record: dict[str, Any] = {"hexrec": FORMAT_VERSION}
        #: The header of the source, and hexrec's part of it.
        self._header: dict[str, Any] = {}
        self._extension: dict[str, Any] = {}

    def record(self, data: Any) -> dict[str, Any]:
        """Convert the data of a record to hexrec's format. Raises RejectedError."""
        header = data.get("header") if isinstance(data, dict) else None
        if not isinstance(header, dict) or "moves" not in data:
            message = "this is no record of Abstract Play: it should be an object with a header and moves"
            raise RejectedError(message, "")
        game = _part(header, "game")
        site = _part(header, "site", {})
        self._header, self._extension = header, _part(header, "hexrec", {})
        if isinstance(version := self._extension.get("version"), str):
            self._set("hexrec", version, "/header/hexrec/version")
        seats = _seats(header)
        entries = list(iter_entries(data["moves"]))
        empty = is_empty_game([entry.content for entry in entries])
        stated = self._extension.get("termination")
        ends = bool(entries) and ending(entries[-1].content) is not None and not isinstance(stated, str)
        last = entries.pop() if ends else None

        rules = self._read_game(game)
        for name, path in HEADER_FIELDS.items():
            part = {"site": site, "hexrec": self._extension}.get(path[0], header)
            if path[-1] in part and not _is_placeholder(name, part[path[-1]]):
                self._set(name, part[path[-1]], pointer_to(("header", *path)))
        if type(number := site.get("gameid")) is int:
            self._set("id", str(number), "/header/site/gameid")
        if players := self._players(seats):
            self._record["players"] = players
        self._read_dates()
        if isinstance(unrated := header.get("unrated"), bool):
            self._set("rated", not unrated, "/header/unrated")
        self._read_readings(rules)
        self._read_opening(rules)
        self._read_pie()
        spelled = rules is not None and rules.name == "sunspot" and self._extension.get("turns") != "hexrec"
        surplus = entries if empty else []
        self._record["moves"] = self._moves([] if empty else entries, our_turn if spelled else str)
        result = self._result(seats, last, rules)
        if empty:
            message = "the site has this game without a turn: read as unfinished, and its result is skipped"
            self._note("convert/abstractplay-empty", message, "/moves")
        elif result is not None:
            self._record["result"] = result
        self._keep(data, seats, last, surplus)
        return self._record

    def _read_readings(self, rules: Game | None) -> None:
        """Add the readings: those that hexrec wrote, else those by which the site decides the game."""
        if "readings" in self._extension:
            if self._extension["readings"] != []:
                self._set("readings", self._extension["readings"], "/header/hexrec/readings")
        elif rules is not None and (usual := usual_readings(rules.name)):
            self._set("readings", usual, "/header/game")

    def _set(self, name: str, value: Any, origin: str) -> None:
        """Add a field to the record, with the JSON Pointer of its source."""
        self._record[name] = value
        self._origins[f"/{name}"] = origin

    def origins(self) -> dict[str, str]:
        """Return the JSON Pointers of the sources of all parts, by the pointers of the parts in the new record."""
        origins = dict(self._origins)
        for number, entry in enumerate(self._entries):
            here = f"/moves/{number}"
            within = isinstance(entry.content, dict) and "move" in entry.content
            origins[here] = origins[f"{here}/turn"] = f"{entry.pointer}/move" if within else entry.pointer
            origins[f"{here}/{KEPT}"] = entry.pointer
        return origins

    def _keep(
        self, data: dict[str, Any], seats: list[dict[str, Any]], last: RoundEntry | None, surplus: list[RoundEntry]
    ) -> None:
        """Add the parts of the source that the writer would not reproduce to the record, unchanged."""
        record = self._record
        try:
            valid = read_record(record, turns_unchecked=True)
        except RecordError:
            return  # invalid records are not written
        written, turns = header_and_entries(canonical_form(valid))
        header = {name: value for name, value in self._header.items() if name != "players"}
        preserved = {
            "record": {name: value for name, value in data.items() if name not in ("header", "moves")},
            "header": find_leftovers(header, written),
            "rounds": unusual_shapes(data["moves"]),
            "surplus": [entry.content for entry in surplus],
        }
        preserved = {name: value for name, value in preserved.items() if value}
        if last is not None and last.content not in tuple(ENDINGS):
            preserved["last"] = last.content
            self._origins[f"/{KEPT}/last"] = last.pointer
        if depth({KEPT: preserved}) > MAX_DEPTH:  # in the record, it is one or two levels deeper than in the source
            raise RejectedError(f"more than {MAX_DEPTH} levels of brackets to preserve", "", "syntax/too-deep")
        if preserved:
            record[KEPT] = preserved
        self._origins |= {f"/{KEPT}/record": "", f"/{KEPT}/header": "/header", f"/{KEPT}/rounds": "/moves"}
        for index, entry in enumerate(surplus):
            self._origins[f"/{KEPT}/surplus/{index}"] = entry.pointer
        for seat, color in enumerate(COLORS):
            if leftovers := find_leftovers(seats[seat], written["players"][seat]):
                record.setdefault("players", {}).setdefault(color, {})[KEPT] = leftovers
                self._origins.setdefault(f"/players/{color}", f"/header/players/{seat}")
                self._origins[f"/players/{color}/{KEPT}"] = f"/header/players/{seat}"
        moves = record["moves"]
        for number, (entry, turn) in enumerate(zip(self._entries[: len(moves)], turns, strict=False)):
            if entry.content != turn:
                within = isinstance(entry.content, dict)
                leftovers = difference(entry.content, {"move": turn}) if within else entry.content
                moves[number] = {"turn": turn_of(moves[number]), KEPT: leftovers}

    def _read_game(self, game: dict[str, Any]) -> Game | None:
        """Add the game, its variant and its size to the record."""
        if "name" in game:
            self._set("game", game["name"], "/header/game/name")
        name = game.get("name")
        variants = game.get("variants", [])
        if not isinstance(variants, list):
            raise RejectedError("variants should be an array", "/header/game/variants")
        rules = None
        if isinstance(name, str) and (known := games.find(name.strip())):
            rules = games.get(known)
            self._record["game"] = rules.name
            if rules.name == "sunspot":
                self._set("size", rules.recommended[0], "/header/game")
        for index, variant in enumerate(variants):
            pointer = f"/header/game/variants/{index}"
            field, value = _find_field(variant, rules)
            if field and self._origins.get(f"/{field}", "/header/game") == "/header/game":
                self._set(field, value, pointer)
            elif rules is not None:
                message = f'hexrec reads this game of {rules.title} without the variant "{shorten(str(variant))}"'
                self._note("convert/abstractplay-variant", message, pointer)
        return rules

    def _note(self, code: str, message: str, pointer: str) -> None:
        self.warnings.add(Diagnostic(code, message, "warning", pointer=pointer))

    def _players(self, seats: list[dict[str, Any]]) -> dict[str, Any]:
        players: dict[str, Any] = {}
        for seat, (color, player) in enumerate(zip(COLORS, seats, strict=True)):
            origin = f"/header/players/{seat}"
            player_data: dict[str, Any] = {}
            for name, fields in PLAYER_FIELDS.items():
                theirs = next((field for field in fields if field in player), None)
                if theirs is not None and (name, player[theirs]) != ("name", UNKNOWN_NAMES[seat]):
                    player_data[name] = player[theirs]
                    self._origins[f"/players/{color}/{name}"] = f"{origin}/{theirs}"
            if player_data:
                players[color] = player_data
                self._origins[f"/players/{color}"] = origin
        return players

    def _result(
        self, seats: list[dict[str, Any]], last: RoundEntry | None, rules: Game | None
    ) -> dict[str, Any] | None:
        """Return the result, or None if the game is unfinished."""
        numbers = [player.get("result") for player in seats]
        for seat, number in enumerate(numbers):
            if number is not None and not _is_number(number):
                raise RejectedError("the result of a player should be a number", f"/header/players/{seat}/result")
        termination = ending(last.content) if last else "rules"
        self._origins["/result/termination"] = last.pointer if last else "/header/players"
        if isinstance(stated := self._extension.get("termination"), str):
            termination = stated
            self._origins["/result/termination"] = "/header/hexrec/termination"
        elif numbers == [None, None] and last is None:
            return None
        if termination == UNFINISHED:
            return None
        self._origins["/result"] = last.pointer if last else "/header/players"
        result: dict[str, Any] = {}
        black, white = numbers
        # Two zeros mean a draw by agreement, but in other cases may mean a game without a winner.
        is_agreed_draw = last is not None and termination == "agreement"
        if black is not None and white is not None and (black or white or is_agreed_draw):
            ahead = 1 if white > black else 0
            result["winner"] = COLORS[ahead] if black != white else "draw"
            self._origins["/result/winner"] = f"/header/players/{ahead}/result"
        if termination != "rules":
            result["termination"] = termination
            if "illegal" in self._extension:
                result["illegal"] = self._extension["illegal"]
                self._origins["/result/illegal"] = "/header/hexrec/illegal"
            return result
        field = SCORE_FIELDS.get(rules.score or "") if rules is not None else None
        if field is not None and all(_is_score(player.get(field), field) for player in seats):
            result["score"] = {color: player[field] for color, player in zip(COLORS, seats, strict=True)}
            self._origins["/result/score"] = f"/header/players/0/{field}"
            for seat, color in enumerate(COLORS):
                self._origins[f"/result/score/{color}"] = f"/header/players/{seat}/{field}"
        return result

    def _read_dates(self) -> None:
        """Add the start and, if it is another time, the end of the game to the record."""
        before = UNKNOWN_DATE
        for name, theirs in (("date", "date-start"), ("date_end", "date-end")):
            if theirs not in self._header:
                continue
            date, stated = self._header[theirs], self._extension.get(name)
            self._origins[f"/{name}"] = f"/header/{theirs}"
            if isinstance(stated, str) and moment(stated) == date:
                self._record[name] = stated
            elif date not in (UNKNOWN_DATE, before):
                self._record[name] = date
            before = date

    def _read_opening(self, rules: Game | None) -> None:
        if rules is None or not rules.opening or "startingPosition" not in self._header:
            return
        position = self._header["startingPosition"]
        stones = _OPENING.fullmatch(position) if isinstance(position, str) else None
        if stones is None:
            message = f"startingPosition should name the opening {rules.piece}s, as in black:e5;white:k9"
            raise RejectedError(message, "/header/startingPosition")
        opening = {color: cell for color, cell in (stones.group(1, 2), stones.group(3, 4)) if color}
        self._set("opening", opening, "/header/startingPosition")

    def _read_pie(self) -> None:
        names = [name for name in ("pied", "pie-invoked") if isinstance(self._header.get(name), bool)]
        if names:
            decisive = next((name for name in names if self._header[name]), names[0])
            self._set("pie", {"chosen": "black" if self._header[decisive] else "white"}, f"/header/{decisive}")

    def _moves(self, entries: list[RoundEntry], convert_turn: Callable[[str], str]) -> list[Any]:
        self._entries = entries
        moves: list[Any] = []
        for number, entry in enumerate(entries):
            if entry.seat != number % 2:
                player, to_move = COLORS[entry.seat].title(), COLORS[1 - entry.seat].title()
                message = f"{player} plays here, but it is {to_move}'s turn"
                raise RejectedError(message, entry.pointer, "syntax/abstractplay-order")
            content = entry.content
            moves.append(convert_turn(content) if type(content) is str else _move(content, convert_turn))
        return moves


def _part(header: dict[str, Any], name: str, default: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a part of the header. Raises RejectedError if it is no object."""
    part = header.get(name, default)
    if part is None and default is None:
        raise RejectedError(f"the header should name the {name}", "/header")
    if not isinstance(part, dict):
        raise RejectedError(f"{name} should be an object", f"/header/{name}")
    return part


def _is_placeholder(name: str, value: object) -> bool:
    """Return whether the value of a field in the header is a placeholder, or has the wrong type for a record."""
    return (name == "site" and value == UNKNOWN_SITE) or (name == "id" and not isinstance(value, str))


def _seats(header: dict[str, Any]) -> list[dict[str, Any]]:
    if "players" not in header:
        raise RejectedError("the header should name the players", "/header")
    seats = header["players"]
    if not isinstance(seats, list) or len(seats) != 2:
        raise RejectedError("players should be an array of the game's two players, Black first", "/header/players")
    for seat, player in enumerate(seats):
        if not isinstance(player, dict):
            raise RejectedError("a player should be an object", f"/header/players/{seat}")
    return seats


def _move(content: Any, convert_turn: Callable[[str], str]) -> Any:
    """Convert the content of an entry to a move of a record."""
    if isinstance(content, str):
        return convert_turn(content)
    if not isinstance(content, dict):
        return content
    turn = content.get("move")
    if isinstance(turn, str):
        return convert_turn(turn)
    return {"turn": turn} if "move" in content else {}


def _find_field(variant: object, rules: Game | None) -> tuple[str, Any]:
    """Return the field of a record for a variant of the site, and its value; the field is empty if it has none."""
    text = variant.strip().lower() if isinstance(variant, str) else ""
    if size := _SIZE.fullmatch(text):
        return "size", int(size[1])
    return ("variant", text) if rules is not None and text in rules.variants else ("", None)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_score(value: object, field: str) -> bool:
    return isinstance(value, list) if field == "scores" else _is_number(value)
