"""Canonical form of records, in any coordinate system, and the game hashes that follow from it.

The format page defines the canonical form, the game hash and the symmetric hash.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from typing import Any, NamedTuple

from hexrec.record.game_shapes import any_shape, cells_in, record_shape, turns_in
from hexrec.record.kinds import Shape, is_extension, shape_of
from hexrec.record.record import Record, has_side_lines, turn_of
from hexrec.record.replay import replay_whole
from hexrec.record.schema import Move
from hexrec.record.validation import RecordError, read_record
from hexrec.rules import games, kernels, position_text
from hexrec.rules.board import CELL_PATTERNS, Board, CellNames, System, trim
from hexrec.rules.game import Game
from hexrec.rules.position import Position
from hexrec.rules.terms import IllegalTurn, RuleError
from hexrec.util.diagnostics import Diagnostic, FirstFew, pointer_to, shorten

_DIGEST_SIZE = 16
_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
#: The name of a cell in any coordinate system.
_CELL = re.compile(f"({'|'.join(sorted({*CELL_PATTERNS.values()}))})")
#: Separator of turns while their cells are renamed: a lone surrogate, which no record contains.
_SEPARATOR = "\ud800"


def canonical_form(record: Record) -> dict[str, Any]:
    """Return the record's canonical form as plain data, fields in the order of the format.

    Fields with default values and empty parts are left out. A turn without annotations is a string. Extension fields
    follow the others, sorted by name, with values unchanged. Turns have the canonical notation of the engine, also in
    variations, engine lines and takebacks. From the first illegal turn of a line on, they are only trimmed and
    lower-cased.
    """
    data = _without_defaults(record.data, record_shape(record.rules))
    for color in data.get("opening", {}):
        if color in record.rules.opening:
            data["opening"][color] = trim(data["opening"][color])
    _trim_marks(data)
    start = _start(record)
    return {**data, "moves": _moves(record.moves, spell(record.turns, start), start)}


def canonicalize(data: object) -> dict[str, Any]:
    """Return the canonical form of the data of a record, whose turns need not be legal. Raises RecordError."""
    return canonical_form(read_record(data, turns_unchecked=True))


def _start(record: Record) -> Position[Any] | None:
    """Return the start position, or None if it is illegal or the notation of turns does not depend on positions."""
    if record.rules.synonyms:
        with suppress(RuleError):
            return record.start()
    return None


def spell(turns: Iterable[str], start: Position[Any] | None) -> list[str]:
    """Return a line of turns from a position in canonical notation, up to the first illegal turn."""
    trimmed = [trim(turn) for turn in turns]
    if start is not None:
        position = start.copy()
        with suppress(IllegalTurn):
            position.play_all(trimmed)
        spelled = position.turns[start.plies :]
        trimmed[: len(spelled)] = spelled
    return trimmed


def _moves(moves: Sequence[str | Move], turns: list[str], start: Position[Any] | None) -> list[Any]:
    """Return a line of moves with canonical turns and variations, as plain data."""
    written: list[Any] = []
    position, played = start and start.copy(), 0
    for index, (move, turn) in enumerate(zip(moves, turns, strict=True)):
        move_data: dict[str, Any] = {}
        if isinstance(move, dict):
            move_data = {**_without_defaults(move, shape_of(Move)), "turn": turn}
            _trim_marks(move_data)
            if position is not None and has_side_lines(move):
                try:
                    position.play_all(turns[played:index])
                    played = index
                except IllegalTurn:
                    position = None
            if "taken_back" in move_data:
                move_data["taken_back"] = [spell([text], position)[0] for text in move_data["taken_back"]]
            if "line" in move_data.get("eval", {}):
                move_data["eval"]["line"] = spell(move_data["eval"]["line"], position)
            if "variations" in move_data:
                lines = move["variations"]
                move_data["variations"] = [
                    _moves(line, spell(map(turn_of, line), position), position) for line in lines
                ]
        written.append(move_data if len(move_data) > 1 else turn)
    return written


def _trim_marks(part: dict[str, Any]) -> None:
    for mark in part.get("marks", ()):
        mark["cells"] = [trim(cell) for cell in mark["cells"]]


def _without_defaults(part: Mapping[str, Any], shape: Shape) -> dict[str, Any]:
    """Return a copy of an object without default values and empty parts, except an empty result: the game is over.

    Extension fields are last, sorted by name. Turns are not copied.
    """
    copy: dict[str, Any] = {}
    for name in sorted(part, key=lambda name: name if is_extension(name) else ""):
        value = part[name]
        if not is_extension(name):
            if value == shape.fields[name].about.default:
                continue
            inner = None if name in ("moves", "variations") else shape.parts.get(name)
            if inner is not None and isinstance(value, dict):
                value = _without_defaults(value, inner)
                if not value and name != "result":
                    continue
            elif inner is not None:
                value = [_without_defaults(item, inner) for item in value]
        copy[name] = value if name in ("moves", "variations") else deepcopy(value)
    return copy


def in_coordinates(data: Mapping[str, Any], system: System) -> dict[str, Any]:
    """Return canonical data with all cells, in variations and marks too, named in a coordinate system.

    Comments and extension fields are unchanged. Raises RecordError with a diagnostic for every turn, mark and opening
    stone that names no cell of the board.
    """
    old: System = data.get("coordinates", "row")
    if system == old:
        return dict(data)
    game = games.get(data["game"])
    before, after = (game.board(data["size"]).names(name) for name in (old, system))
    expression = re.compile(game.turn_pattern(old))
    fields = {**data, "coordinates": system}
    if system == "row":
        del fields["coordinates"]
    renamed = deepcopy({name: fields[name] for name in (*any_shape().fields, *fields) if name in fields})
    refused = FirstFew[Diagnostic]()
    opening = ((("opening", color), cell) for color, cell in data.get("opening", {}).items() if not is_extension(color))
    marked = cells_in(("marks",), data.get("marks", ()))
    for path, text in chain(opening, marked, turns_in(("moves",), data["moves"], marks=True)):
        is_cell = "cells" in path or path[0] == "opening"
        try:
            name = _rename(text, None if is_cell else expression, before, after)
        except ValueError as problem:
            message = f"{problem}: it has no name in {system} coordinates"
            refused.add(Diagnostic("convert/cell", message, pointer=pointer_to(path)))
            continue
        part: Any = renamed
        for step in path[:-1]:
            part = part[step]
        part[path[-1]] = name
    if refused.kept:
        raise RecordError(refused.diagnostics("convert/more"))
    return renamed


def _rename(text: str, turn: re.Pattern[str] | None, old: CellNames, new: CellNames) -> str:
    """Return a cell, or a turn with a given notation, in new names. Raises ValueError with the reason."""
    if turn is None:
        cell = old.find(text)
        if cell is None:
            raise ValueError(f"{shorten(text)} is not a cell of the board")
        return new.single(cell)
    if turn.fullmatch(text) is None:
        raise ValueError(f"{shorten(text)} is not spelled like a turn")
    unknown = next((name for name in re.findall(CELL_PATTERNS[old.system], text) if name not in old.cells), None)
    if unknown is not None:
        raise ValueError(f"{unknown} in {shorten(text)} is not a cell of the board")
    return old.translate(text, new)


class SymmetricDigest(NamedTuple):
    """The symmetric hash of a game, and the index of the first symmetry whose image has this hash.

    Games with equal hash and index are equal without rotation or reflection.
    """

    digest: bytes
    image: int


class Identity(NamedTuple):
    """The identifying parts of a game, in hash order.

    Cells are in row coordinates. Moves are turns in canonical notation; from an illegal one on, they are only trimmed.
    """

    game: str
    ruleset: str
    variant: str | None
    size: int
    opening: Mapping[str, str] | None
    setup: str | None
    moves: Sequence[str]

    def digest(self) -> bytes:
        """Return the game hash."""
        return next(self._running_digests([len(self.moves)]))

    def symmetric_digest(self) -> SymmetricDigest:
        """Return the symmetric hash."""
        return next(self.prefix_digests([len(self.moves)]))

    def prefix_digests(self, lengths: Sequence[int]) -> Iterator[SymmetricDigest]:
        """Yield the symmetric hash of the first n turns for each n in `lengths`, which ascend."""
        for digests in zip(*[image._running_digests(lengths) for image in self.images()], strict=True):
            least = min(digests)
            yield SymmetricDigest(least, digests.index(least))

    def _running_digests(self, lengths: Sequence[int]) -> Iterator[bytes]:
        """Yield the game hash of the first n turns for each n in `lengths`, which ascend."""
        running = blake2b(self._text_before_moves().encode(), digest_size=_DIGEST_SIZE)
        hashed = 0
        for length in lengths:
            if length > hashed:
                more = _strings(self.moves[hashed:length])
                running.update((f",{more}" if hashed else more).encode())
                hashed = length
            whole = running.copy()
            whole.update(b"]}")
            yield whole.digest()

    def _text_before_moves(self) -> str:
        """Return the JSON of the game up to the opening bracket of its turns."""
        rules = _rules_text(self.game, self.ruleset, self.variant, self.size)
        stones = ",".join([f'"{color}":{_strings([cell])}' for color, cell in (self.opening or {}).items()])
        setup = "null" if self.setup is None else _json(self.setup)
        return f'{rules},"opening":{f"{{{stones}}}" if stones else "null"},"setup":{setup},"moves":['

    def images(self) -> Iterator[Identity]:
        """Yield the images of the game under the symmetries of the board, the game itself first."""
        rules = games.get(self.game)
        board = rules.board(self.size)
        # Split all turns once, for all images: that is faster than to cache single turns, few of which recur.
        parts = _CELL.split(_SEPARATOR.join(self.moves))
        for number, names in enumerate(renamings(board)):
            image = self._replace(
                opening=self.opening and {color: names.get(cell, cell) for color, cell in self.opening.items()},
                setup=self.setup and self._setup_image(rules, number),
                moves=self.moves and "".join([names.get(part, part) for part in parts]).split(_SEPARATOR),
            )
            yield image._in_canonical_notation(rules) if rules.synonyms else image

    def _setup_image(self, rules: Game, symmetry: int) -> str:
        """Return the image of the setup under the symmetry with an index."""
        board = rules.board(self.size)
        contents = rules.start(self.size, {}, self.variant, position=self.setup, ruleset=self.ruleset).contents()
        moved = [0] * board.span
        for cell in board.cells:
            moved[board.symmetries[symmetry][cell]] = contents[cell]
        rows, *_ = position_text.write(board, moved, 0, 0).split(" ")
        return " ".join([rows, *(self.setup or "").split(" ")[1:]])

    def _in_canonical_notation(self, rules: Game) -> Identity:
        """Return the game with its turns in canonical notation."""
        size, opening, variant, ruleset = self.size, self.opening or {}, self.variant, self.ruleset
        if self.setup is None:
            turns = [*self.moves]
            played = kernels.play(rules, size, opening, turns, ruleset=ruleset, variant=variant, coordinates="row")
            if played is not None:
                return self._replace(moves=played.turns)
        with suppress(RuleError):
            start = rules.start(size, opening, variant, position=self.setup, ruleset=ruleset)
            return self._replace(moves=spell(self.moves, start))
        return self


@lru_cache(maxsize=32)
def _rules_text(game: str, ruleset: str, variant: str | None, size: int) -> str:
    """Return the start of the JSON, cached because many games share it."""
    return _json({"game": game, "ruleset": ruleset, "variant": variant, "size": size})[:-1]


def _strings(strings: Sequence[str]) -> str:
    """Return the JSON array of strings without brackets. Strings without escapes, the usual case, are only joined."""
    joined = '","'.join(strings)
    if strings and joined.isprintable() and "\\" not in joined and joined.count('"') == 2 * len(strings) - 2:
        return f'"{joined}"'
    return _json(strings)[1:-1]


@lru_cache(maxsize=32)
def renamings(board: Board, system: System = "row") -> list[dict[str, str]]:
    """Return, for each symmetry of a board, the name of each cell's image by the name of the cell."""
    names = board.names(system)
    return [{name: names.names[image[cell]] for name, cell in names.cells.items()} for image in board.symmetries]


def identify(record: Record) -> Identity:
    """Return the identity of the game of a record. Its turns may be illegal."""
    opening, turns = record.opening, record.canonical_turns or spell(record.turns, _start(record))
    if record.coordinates == "row":
        opening = {color: trim(cell) for color, cell in opening.items()}
    else:
        board = record.rules.board(record.size)
        names, rows = board.names(record.coordinates), board.names("row").names
        opening = {
            color: cell if (index := names.find(cell)) is None else rows[index] for color, cell in opening.items()
        }
        # An illegal turn may name no cell. Mark the name, so that it is not read as a row coordinate.
        known = {name: rows[cell] for name, cell in names.cells.items()}
        turns = [_CELL.sub(lambda name: known.get(name[0], f"{name[0]}?"), turn) for turn in turns]
    return Identity(record.game, record.ruleset, record.variant, record.size, opening or None, record.setup, turns)


def can_recur(record: Record, plies: int) -> bool:
    """Return whether a game can be compared with others, given the number of executed turns.

    A game without turns or with a refused setup cannot.
    """
    return bool(record.moves) and (record.setup is None or plies > 0)


def game_hash(record: Record, *, symmetric: bool = False) -> str:
    """Return the game hash as 32 hexadecimal digits. It depends only on the game, not on other fields.

    With `symmetric`, return the hash that rotated and mirrored games share. Raises RecordError with the diagnostic of
    an illegal opening, setup or turn.
    """
    failure = replay_whole(record).failure
    if failure is not None:
        raise RecordError([failure])
    return hash_legal(record, symmetric=symmetric)


def hash_legal(record: Record, *, symmetric: bool = False) -> str:
    """Return the game hash, or the symmetric hash, of a record whose turns are known to be legal."""
    identity = identify(record)
    digest = identity.symmetric_digest()[0] if symmetric else identity.digest()
    return digest.hex()
