"""Game hashes and symmetric hashes, as the format page defines them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from hexrec.record.canonical import canonical_turns
from hexrec.record.record import Record
from hexrec.record.replay import replay
from hexrec.record.validation import RecordError
from hexrec.rules import games, position_text
from hexrec.rules.board import CELL_PATTERNS, Board, System, trim
from hexrec.rules.game import Game
from hexrec.util.hashing import blake2b

_DIGEST_SIZE = 16
_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
#: The name of a cell in any coordinate system.
_CELL = re.compile(f"({'|'.join(sorted({*CELL_PATTERNS.values()}))})")
#: Separator of turns while their cells are renamed: a lone surrogate, which no record contains.
_SEPARATOR = "\ud800"


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
        whole = f"{self._text_before_moves()}{_strings(self.moves)}]}}"
        return blake2b(whole.encode(), digest_size=_DIGEST_SIZE).digest()

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
        opening = (self.opening or {}).items()
        stones = ",".join(
            [f'"{color}":"{cell}"' if cell.isalnum() else f'"{color}":{_json(cell)}' for color, cell in opening]
        )
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

    def _record(self, rules: Game) -> Record:
        data: Any = {name: value for name, value in self._asdict().items() if value is not None}
        return Record(data, rules)

    def _setup_image(self, rules: Game, symmetry: int) -> str:
        """Return the image of the setup under the symmetry with an index."""
        board = rules.board(self.size)
        contents = self._record(rules).start().contents()
        moved = [0] * board.span
        for cell in board.cells:
            moved[board.symmetries[symmetry][cell]] = contents[cell]
        rows, *_ = position_text.write(board, moved, 0, 0).split(" ")
        return " ".join([rows, *(self.setup or "").split(" ")[1:]])

    def _in_canonical_notation(self, rules: Game) -> Identity:
        return self._replace(moves=canonical_turns(self._record(rules)))


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
    opening, turns = record.opening, canonical_turns(record)
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
    failure = replay(record).failure
    if failure is not None:
        raise RecordError([failure])
    return hash_legal(record, symmetric=symmetric)


def hash_legal(record: Record, *, symmetric: bool = False) -> str:
    """Return the game hash, or the symmetric hash, of a record whose turns are known to be legal."""
    identity = identify(record)
    digest = identity.symmetric_digest()[0] if symmetric else identity.digest()
    return digest.hex()
