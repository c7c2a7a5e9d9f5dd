"""From the JSON data of an Abstract Play record to that of a record of hexrec's, with the places of its parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from hexrec import games
from hexrec._version import FORMAT_VERSION
from hexrec.diagnostics import Diagnostic, FirstFew, shorten
from hexrec.games import COLOURS, Game
from hexrec.notations.abstractplay.turns import (
    HEADER_FIELDS,
    KEPT,
    PLAYER_FIELDS,
    SCORE_FIELDS,
    UNFINISHED,
    UNKNOWN_DATE,
    UNKNOWN_NAMES,
    UNKNOWN_SITE,
    ending,
    moment,
    our_turn,
)
from hexrec.notations.base import Document, GameEnd
from hexrec.notations.places import Places
from hexrec.pointer import pointer_to
from hexrec.record.model import ordered

#: A size as the site's engine names it, or as its records do.
_SIZE = re.compile(r"size[- ]([0-9]{1,3})(?: board)?")
_OPENING = re.compile(r"(black):([^:;]*)(?:;(white):([^:;]*))?")


def claims(data: dict[str, Any]) -> bool:
    """Return whether JSON data is a record of Abstract Play, or is meant to be one."""
    return isinstance(data.get("header"), dict) and "moves" in data


def translate(document: Document, game_end: GameEnd | None = None) -> Document:
    """Return the document of a record as hexrec's own, with the places that its parts have in the text.

    With `game_end`, it is without the turns that follow the end of a game of Sunspot.
    """
    reader = RecordReader(game_end)
    try:
        data = reader.record(document.data)
    except Refused as error:
        return refused(document, error.diagnostic)
    warnings = _located(document, reader.warnings.diagnostics("syntax/more"))
    may_go_on = game_end is None and data.get("game") == "sunspot"
    return Document(
        data=data,
        places=partial(_places, document, reader),
        text=document.text,
        warnings=warnings,
        with_rules=partial(translate, document) if may_go_on else None,
    )


def refused(document: Document, diagnostic: Diagnostic) -> Document:
    """Return the document of a record that is refused, for a diagnostic with a pointer into it."""
    (error,) = _located(document, [diagnostic])
    return Document(error=error, text=document.text)


def _located(document: Document, diagnostics: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return diagnostics with the places of their pointers in the JSON text; the pointers, not the record's, go."""
    if not diagnostics:
        return ()
    places = document.places([diagnostic.pointer or "" for diagnostic in diagnostics])
    spans = [places.find(diagnostic.pointer or "") for diagnostic in diagnostics]
    return tuple(
        diagnostic.at(pointer=None, **(span._asdict() if span else {}))
        for diagnostic, span in zip(diagnostics, spans, strict=True)
    )


def _places(document: Document, reader: RecordReader, pointers: Iterable[str] | None = None) -> Places:
    """Return the places of parts of a record that was made of a document; of all that it has named if none are said."""
    origins = reader.origins()
    wanted = {pointer: _origin(pointer, origins) for pointer in (origins if pointers is None else pointers)}
    found = document.places(wanted.values())
    places = Places(wanted)
    for pointer, origin in wanted.items():
        span = found.find(origin)
        if span is not None:
            places.put(pointer, span)
    return places


def _origin(pointer: str, origins: Mapping[str, str]) -> str:
    """Return the pointer of what a part of the record, or else what is nearest around it, was made of."""
    around = pointer
    while around not in origins:
        around = around.rpartition("/")[0]
    # What is kept as it was has the same parts.
    return origins[around] + (pointer.removeprefix(around) if f"/{KEPT}/" in around else "")


class Refused(Exception):
    """A record that cannot be taken apart; the diagnostic has the JSON Pointer of the part that is to blame."""

    def __init__(self, message: str, pointer: str, code: str = "syntax/abstractplay") -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, message, pointer=pointer)


class _RoundEntry(NamedTuple):
    """An entry of a round that is not null."""

    content: Any
    round: int
    seat: int

    @property
    def pointer(self) -> str:
        """Its JSON Pointer."""
        return f"/moves/{self.round}/{self.seat}"


class RecordReader:
    """Takes one record apart. What it has taken is gone from its copies of the parts, so that the rest can be kept.

    Attributes:
        warnings: warnings, with JSON Pointers into what was read.
    """

    def __init__(self, game_end: GameEnd | None = None) -> None:
        """Without `game_end`, turns that follow the end of the game are read like the others."""
        self._game_end = game_end
        self.warnings = FirstFew[Diagnostic]()
        self._origins = {"": "", "/players": "/header/players", "/moves": "/moves"}
        self._entries: list[_RoundEntry] = []

    def record(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return the data as hexrec's records have it. Raises Refused."""
        header = dict(data["header"])
        game = _part(header, "game")
        site = _part(header, "site", {})
        own = _part(header, "hexrec", {})
        seats = _seats(header)
        entries = list(_entries(data["moves"]))
        stated = own.get("termination")
        ends = bool(entries) and ending(entries[-1].content) is not None and not isinstance(stated, str)
        last = entries.pop() if ends else None

        record: dict[str, Any] = {"hexrec": FORMAT_VERSION}
        rules = self._game(record, game)
        if site.get("name") == UNKNOWN_SITE:
            del site["name"]
        for name, path in HEADER_FIELDS.items():
            part = {"site": site, "hexrec": own}.get(path[0], header)
            if path[-1] in part and (name != "id" or isinstance(part[path[-1]], str)):
                self._take(record, name, part, path[-1], pointer_to(("header", *path[:-1])))
        if type(number := site.get("gameid")) is int:  # kept as well, since it is to be a number again
            record["id"] = str(number)
            self._origins["/id"] = "/header/site/gameid"
        result = self._result(seats, own, last, rules)
        if players := self._players(seats):
            record["players"] = players
        self._date(record, header, own)
        self._opening(record, header, rules)
        self._pie(record, header)
        spelled = rules is not None and rules.name == "sunspot" and own.get("turns") != "hexrec"
        if own.get("turns") == "hexrec":
            del own["turns"]
        record["moves"] = self._moves(entries, our_turn if spelled else str)
        surplus = self._cut_past_end(record, entries)
        if result is not None:
            record["result"] = result
        if kept := self._kept(data, header, {"game": game, "site": site, "hexrec": own}, last, surplus):
            record[KEPT] = kept
        return ordered(record)

    def origins(self) -> dict[str, str]:
        """Return, by JSON Pointer of the parts of the new record, the pointers of what they come from."""
        origins = dict(self._origins)
        for number, entry in enumerate(self._entries):
            here, pointer = f"/moves/{number}", entry.pointer
            origins[here] = pointer
            if isinstance(entry.content, dict):
                origins[f"{here}/turn"] = f"{pointer}/move"
                if entry.content.keys() == {"move"}:
                    origins[here] = f"{pointer}/move"
                for name in entry.content:
                    step = pointer_to([name])
                    origins[f"{here}/{KEPT}{step}"] = pointer + step
        return origins

    def _take(self, record: dict[str, Any], name: str, source: dict[str, Any], theirs: str, origin: str) -> None:
        """Move a field from a part of the header, as it is, to the record."""
        record[name] = source.pop(theirs)
        self._origins[f"/{name}"] = f"{origin}/{theirs}"

    def _trace(self, names: Iterable[str], pointer: str, origin: str) -> None:
        """Note that fields at a pointer of the record are those of the same names at another of the data."""
        for name in names:
            step = pointer_to([name])
            self._origins[pointer + step] = origin + step

    def _kept(
        self,
        data: dict[str, Any],
        header: dict[str, Any],
        parts: dict[str, dict[str, Any]],
        last: _RoundEntry | None,
        surplus: list[_RoundEntry],
    ) -> dict[str, Any]:
        """Return what is left, in the shape of the data."""
        kept: dict[str, Any] = {}
        if rest := {name: value for name, value in data.items() if name not in ("header", "moves")}:
            kept["record"] = rest
            self._trace(rest, f"/{KEPT}/record", "")
        self._trace(header, f"/{KEPT}/header", "/header")
        for name, part in parts.items():
            if part:
                header[name] = part
                self._trace(part, f"/{KEPT}/header/{name}", f"/header/{name}")
        if header:
            kept["header"] = header
        if surplus:
            kept["surplus"] = [entry.content for entry in surplus]
            for index, entry in enumerate(surplus):
                self._origins[f"/{KEPT}/surplus/{index}"] = entry.pointer
        if last is not None and not isinstance(last.content, str):
            kept["last"] = last.content
            self._origins[f"/{KEPT}/last"] = last.pointer
        return kept

    def _game(self, record: dict[str, Any], game: dict[str, Any]) -> Game | None:
        """Put in the game, its variant and its size; leave in `game` what hexrec does not know."""
        if "name" in game:
            self._take(record, "game", game, "name", "/header/game")
        name = record.get("game")
        variants = game.pop("variants", [])
        if not isinstance(variants, list):
            raise Refused("variants should be a list", "/header/game/variants")
        rules = None
        if isinstance(name, str) and games.is_known(name.strip().lower()):
            record["game"] = name.strip().lower()
            rules = games.get(record["game"])
            if rules.name == "sunspot":
                record["size"] = rules.recommended[0]
                self._origins["/size"] = "/header/game"
        unknown = []
        for index, variant in enumerate(variants):
            pointer = f"/header/game/variants/{index}"
            field, value = _meaning(variant, rules)
            if field and self._origins.get(f"/{field}", "/header/game") == "/header/game":
                record[field] = value
                self._origins[f"/{field}"] = pointer
            else:
                unknown.append(variant)
                if rules is not None:
                    message = f"hexrec reads this game of {rules.title} without the variant {shorten(str(variant))!r}"
                    self.warnings.add(Diagnostic("convert/abstractplay-variant", message, "warning", pointer=pointer))
        if unknown:
            game["variants"] = unknown
        return rules

    def _players(self, seats: list[dict[str, Any]]) -> dict[str, Any]:
        players: dict[str, Any] = {}
        for seat, (colour, player) in enumerate(zip(COLOURS, seats, strict=True)):
            origin = f"/header/players/{seat}"
            if player.get("name") == UNKNOWN_NAMES[seat]:
                del player["name"]
            found: dict[str, Any] = {}
            for name, fields in PLAYER_FIELDS.items():
                theirs = next((field for field in fields if field in player), None)
                if theirs is not None:
                    found[name] = player.pop(theirs)
                    self._origins[f"/players/{colour}/{name}"] = f"{origin}/{theirs}"
            if found.get("bot") is False:
                del found["bot"]
            if player:
                found[KEPT] = player
                self._trace(player, f"/players/{colour}/{KEPT}", origin)
            if found:
                players[colour] = found
                self._origins[f"/players/{colour}"] = origin
        return players

    def _result(
        self, seats: list[dict[str, Any]], own: dict[str, Any], last: _RoundEntry | None, rules: Game | None
    ) -> dict[str, Any] | None:
        """Return the result, or None if the game is unfinished."""
        numbers = [player.pop("result", None) for player in seats]
        for seat, number in enumerate(numbers):
            if number is not None and not _is_number(number):
                raise Refused("the result of a player should be a number", f"/header/players/{seat}/result")
        termination = ending(last.content) if last else "rules"
        self._origins["/result/termination"] = last.pointer if last else "/header/players"
        if isinstance(own.get("termination"), str):
            termination = own.pop("termination")
            self._origins["/result/termination"] = "/header/hexrec/termination"
        elif numbers == [None, None] and last is None:
            return None
        if termination == UNFINISHED:
            return None
        self._origins["/result"] = last.pointer if last else "/header/players"
        result: dict[str, Any] = {}
        black, white = numbers
        if black is not None and white is not None and (black or white):
            ahead = 1 if white > black else 0
            result["winner"] = COLOURS[ahead] if black != white else "draw"
            self._origins["/result/winner"] = f"/header/players/{ahead}/result"
        if termination != "rules":
            return {**result, "termination": termination}
        field = SCORE_FIELDS.get(rules.score or "") if rules is not None else None
        if field is not None and all(_is_score(player.get(field), field) for player in seats):
            result["score"] = {colour: player.pop(field) for colour, player in zip(COLOURS, seats, strict=True)}
            self._origins["/result/score"] = f"/header/players/0/{field}"
            for seat, colour in enumerate(COLOURS):
                self._origins[f"/result/score/{colour}"] = f"/header/players/{seat}/{field}"
        return result

    def _date(self, record: dict[str, Any], header: dict[str, Any], own: dict[str, Any]) -> None:
        """Put in when the game was played; leave the other dates, unless they are the same."""
        first = next((name for name in ("date-start", "date-end") if name in header), None)
        if first is None:
            return
        date = header.pop(first)
        self._origins["/date"] = f"/header/{first}"
        if isinstance(own.get("date"), str) and moment(own["date"]) == date:
            record["date"] = own.pop("date")
        elif date != UNKNOWN_DATE:
            record["date"] = date
        for name in ("date-end", "date-generated"):
            if name in header and header[name] == date:
                del header[name]
            else:
                date = header.get(name, date)

    def _opening(self, record: dict[str, Any], header: dict[str, Any], rules: Game | None) -> None:
        if rules is None or not rules.opening or "startingPosition" not in header:
            return
        position = header.pop("startingPosition")
        self._origins["/opening"] = "/header/startingPosition"
        stones = _OPENING.fullmatch(position) if isinstance(position, str) else None
        if stones is None:
            message = f"startingPosition should name the opening {rules.piece}s, as in black:e5;white:k9"
            raise Refused(message, "/header/startingPosition")
        record["opening"] = {colour: cell for colour, cell in (stones.group(1, 2), stones.group(3, 4)) if colour}

    def _pie(self, record: dict[str, Any], header: dict[str, Any]) -> None:
        said = [name for name in ("pied", "pie-invoked") if isinstance(header.get(name), bool)]
        if said:
            decisive = next((name for name in said if header[name]), said[0])
            record["pie"] = {"chosen": "black" if header[decisive] else "white"}
            self._origins["/pie"] = f"/header/{decisive}"
            for name in said:
                del header[name]

    def _moves(self, entries: list[_RoundEntry], spelled: Callable[[str], str]) -> list[Any]:
        self._entries = entries
        moves: list[Any] = []
        for number, entry in enumerate(entries):
            if entry.seat != number % 2:
                message = f"{COLOURS[entry.seat]} plays here, but it is {COLOURS[1 - entry.seat]}'s turn"
                raise Refused(message, entry.pointer, "syntax/abstractplay-order")
            content = entry.content
            if isinstance(content, str):
                moves.append(spelled(content))
            elif isinstance(content, dict):
                moves.append(_move(content, spelled))
            else:
                moves.append(content)
        return moves

    def _cut_past_end(self, record: dict[str, Any], entries: list[_RoundEntry]) -> list[_RoundEntry]:
        """Take away the turns of Sunspot that follow the end of the game; return their entries."""
        end = self._game_end(record) if self._game_end and record.get("game") == "sunspot" else None
        if end is None:
            return []
        surplus = entries[end:]
        del record["moves"][end:]
        turns = "1 turn that follows was" if len(surplus) == 1 else f"{len(surplus)} turns that follow were"
        message = (
            f"a loop ended the game with turn {end} (ruling P-1), and the site's engine overlooks some loops: {turns} "
            "left out"
        )
        self.warnings.add(Diagnostic("convert/abstractplay-past-end", message, "warning", pointer=surplus[0].pointer))
        return surplus


def _part(header: dict[str, Any], name: str, default: dict[str, Any] | None = None) -> dict[str, Any]:
    """Take a part out of the header that should be an object."""
    part = header.pop(name, default)
    if part is None and default is None:
        raise Refused(f"the header lacks its {name}", "/header")
    if not isinstance(part, dict):
        raise Refused(f"{name} should be an object", f"/header/{name}")
    return dict(part)


def _seats(header: dict[str, Any]) -> list[dict[str, Any]]:
    if "players" not in header:
        raise Refused("the header lacks its players", "/header")
    seats = header.pop("players")
    if not isinstance(seats, list) or len(seats) != 2:
        raise Refused("players should be a list of the game's two players, Black first", "/header/players")
    for seat, player in enumerate(seats):
        if not isinstance(player, dict):
            raise Refused("a player should be an object", f"/header/players/{seat}")
    without = [{name: value for name, value in player.items() if name != "seat"} for player in seats]
    twins = without[0] == without[1] and [player.get("seat") for player in seats] == [1, 2]
    return without if twins else [dict(player) for player in seats]


def _entries(rounds: Any) -> Iterator[_RoundEntry]:
    """Yield the entries of all rounds that are not null, in the order of play."""
    if not isinstance(rounds, list):
        raise Refused("moves should be a list of rounds", "/moves")
    for number, turns in enumerate(rounds):
        if not isinstance(turns, list):
            raise Refused("a round should be a list with a turn of each player", f"/moves/{number}")
        before = 0
        for seat, content in enumerate(turns):
            if content is None:
                continue
            entry = _RoundEntry(content, number, seat)
            if seat > 1:
                raise Refused("a round has at most two turns, one for each player", entry.pointer)
            if isinstance(content, dict) and isinstance(sequence := content.get("sequence"), int):
                if sequence < before:
                    message = "this turn was played before Black's turn in the same round"
                    raise Refused(message, entry.pointer, "syntax/abstractplay-order")
                before = sequence
            yield entry


def _move(content: dict[str, Any], spelled: Callable[[str], str]) -> Any:
    """Return the move of a record for an entry that is an object."""
    rest = dict(content)
    move: dict[str, Any] = {}
    if "move" in rest:
        turn = rest.pop("move")
        move["turn"] = spelled(turn) if isinstance(turn, str) else turn
        if not rest and isinstance(turn, str):
            return move["turn"]
    return {**move, KEPT: rest} if rest else move


def _meaning(variant: object, rules: Game | None) -> tuple[str, Any]:
    """Return the field that a variant of the site gives a value to in hexrec's records, and that value."""
    text = variant.strip().lower() if isinstance(variant, str) else ""
    if size := _SIZE.fullmatch(text):
        return "size", int(size[1])
    return ("variant", text) if rules is not None and text in rules.variants else ("", None)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_score(value: object, field: str) -> bool:
    return isinstance(value, list) if field == "scores" else _is_number(value)
