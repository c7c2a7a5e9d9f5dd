"""The identity of a game: the game hash that the format page defines, and its symmetric form."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from hexrec.record.canonical import canonical_turns, spell, trim
from hexrec.record.record import Record
from hexrec.record.replay import replay_whole
from hexrec.record.validation import RecordError
from hexrec.rules import games, kernels, position_text
from hexrec.rules.board import CELL_PATTERNS, Board
from hexrec.rules.game import Game
from hexrec.rules.terms import RuleError

_DIGEST_SIZE = 16
_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
#: The name of a cell, whatever the coordinate system.
_CELL = re.compile(f"({'|'.join(sorted({*CELL_PATTERNS.values()}))})")
#: Stands between turns while their cells are renamed: half of a surrogate pair, which no record holds.
_SEPARATOR = "\ud800"


class SymmetricDigest(NamedTuple):
    """The symmetric hash of a game, and the number of the first of its images whose hash it is.

    Games that have both in common are the same game as they are.
    """

    digest: bytes
    image: int


class Identity(NamedTuple):
    """The parts of a game that identify it, in the order in which they are hashed.

    Cells are in row coordinates. Moves are turns in canonical spelling; from an illegal one on, they are only trimmed.
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
        text = f"{self._text_before_moves()}{_strings(self.moves)}]}}"
        return blake2b(text.encode(), digest_size=_DIGEST_SIZE).digest()

    def symmetric_digest(self) -> SymmetricDigest:
        """Return the symmetric hash."""
        return _least([image.digest() for image in self._images()])

    def prefix_digests(self, lengths: Sequence[int]) -> Iterator[SymmetricDigest]:
        """Yield the symmetric hash of the game's first turns for each number of turns, in ascending order."""
        yield from map(_least, zip(*[image._running_digests(lengths) for image in self._images()], strict=True))

    def _running_digests(self, lengths: Sequence[int]) -> Iterator[bytes]:
        """Yield the game hash of the game's first turns for each number of turns, in ascending order."""
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
        """Return the JSON text of the game up to the bracket before its first turn."""
        rules = _rules_text(self.game, self.ruleset, self.variant, self.size)
        stones = ",".join([f'"{color}":{_strings([cell])}' for color, cell in (self.opening or {}).items()])
        setup = "null" if self.setup is None else _json(self.setup)
        return f'{rules},"opening":{f"{{{stones}}}" if stones else "null"},"setup":{setup},"moves":['

    def _images(self) -> Iterator[Identity]:
        """Yield the images of the game under the symmetries of the board, the game itself first."""
        rules = games.get(self.game)
        board = rules.board(self.size)
        # There are many images and few turns repeat another: all are taken apart once, together.
        parts = _CELL.split(_SEPARATOR.join(self.moves))
        for number, names in enumerate(_renamings(board)):
            image = self._replace(
                opening=self.opening and {color: names.get(cell, cell) for color, cell in self.opening.items()},
                setup=self.setup and self._setup_image(rules, number),
                moves=self.moves and "".join([names.get(part, part) for part in parts]).split(_SEPARATOR),
            )
            yield image._respelled(rules) if rules.synonyms else image

    def _setup_image(self, rules: Game, symmetry: int) -> str:
        """Return the image of the setup under a symmetry, given by its number."""
        board = rules.board(self.size)
        stones = rules.start(self.size, {}, self.variant, position=self.setup, ruleset=self.ruleset).stacks()
        moved = {board.symmetries[symmetry][cell]: stone for cell, stone in stones.items()}
        rows, *_ = position_text.write(board, moved, 0, 0, None, has_last=False).split(" ")
        return " ".join([rows, *(self.setup or "").split(" ")[1:]])

    def _respelled(self, rules: Game) -> Identity:
        """Return the game with its turns in canonical spelling again."""
        size, opening, variant, ruleset = self.size, self.opening or {}, self.variant, self.ruleset
        played = None
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
    """Return the beginning of the JSON text, which very many games share."""
    return _json({"game": game, "ruleset": ruleset, "variant": variant, "size": size})[:-1]


def _strings(strings: Sequence[str]) -> str:
    """Return strings in JSON, with commas between them. Joining is quicker, and cells and turns need no escapes."""
    joined = '","'.join(strings)
    if strings and joined.isprintable() and "\\" not in joined and joined.count('"') == 2 * len(strings) - 2:
        return f'"{joined}"'
    return _json(strings)[1:-1]


def _least(digests: Sequence[bytes]) -> SymmetricDigest:
    least = min(digests)
    return SymmetricDigest(least, digests.index(least))


@lru_cache(maxsize=32)
def _renamings(board: Board) -> list[dict[str, str]]:
    """Return the name of each cell's image by the name of the cell, for each of the symmetries of a board."""
    names = board.names("row")
    return [{name: names.names[image[cell]] for name, cell in names.cells.items()} for image in board.symmetries]


def identify(record: Record) -> Identity:
    """Return the identity of a record's game, which may have illegal turns."""
    opening, turns = record.opening, canonical_turns(record)
    if record.coordinates == "row":
        opening = {color: trim(cell) for color, cell in opening.items()}
    else:
        board = record.rules.board(record.size)
        names, rows = board.names(record.coordinates), board.names("row").names
        opening = {color: rows.get(names.find(cell) or -1, cell) for color, cell in opening.items()}
        # What is no cell, in an illegal turn, must not pass for the cell that has this name in rows.
        known = {name: rows[cell] for name, cell in names.cells.items()}
        turns = [_CELL.sub(lambda name: known.get(name[0], f"{name[0]}?"), turn) for turn in turns]
    return Identity(record.game, record.ruleset, record.variant, record.size, opening or None, record.setup, turns)


def can_recur(record: Record, plies: int) -> bool:
    """Return whether a game can be found again, given how many turns were executed.

    A game without turns has nothing to recognize it by, nor has one whose setup may have been refused.
    """
    return bool(record.moves) and (record.setup is None or plies > 0)


def game_hash(record: Record, *, symmetric: bool = False) -> str:
    """Return the game hash, as 32 hexadecimal digits: the same for the same game, whatever else records say of it.

    With `symmetric`, it is also the same for a game that is rotated or mirrored. Raises RecordError, with the
    diagnostic of the opening or the first turn that is illegal: such a game has no hash.
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
