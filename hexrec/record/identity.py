"""Game hashes and symmetric hashes, as the format page defines them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, NamedTuple

from hexrec.record.canonical import canonical_turns
from hexrec.record.record import Record
from hexrec.record.replay import play_turns, replay
from hexrec.record.schema import RecordData
from hexrec.record.validation import RecordError
from hexrec.rules import games, position_text
from hexrec.rules.board import CELL_PATTERNS, Board, System, trim
from hexrec.rules.game import Game
from hexrec.rules.position import Position
from hexrec.rules.terms import RuleError
from hexrec.util.hashing import blake2b

_DIGEST_SIZE = 16
_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
#: The name of a cell in any coordinate system.
_CELL = f"({'|'.join(sorted({*CELL_PATTERNS.values()}))})"
#: The same in row coordinates and lower case.
_ROW_CELL = re.compile("((?:aa|[a-z])[1-9][0-9]?)")
#: Separator of turns while their cells are renamed: a lone surrogate, which no record contains.
_SEPARATOR = "\ud800"
#: The length of a turn whose images are cached: illegal turns may have any length.
_SHORT = 40


class LeastImage(NamedTuple):
    """A game as its least image: the same for all images of a game, and for no other game.

    Attributes:
        text: the folded game. That of a prefix of the game is the beginning of it.
        images: by turn, the first symmetry that folds the game up to and including it, as an index; the last item is
            for all further turns. Games with the same text and the same last item are the same without rotation.
    """

    text: bytes
    images: list[int]

    @property
    def digest(self) -> bytes:
        """A digest of the text."""
        return blake2b(self.text, digest_size=_DIGEST_SIZE).digest()


class Identity(NamedTuple):
    """The identifying parts of a game, in hash order.

    Cells are in row coordinates. Moves are turns in canonical notation; from an illegal one on, they are only trimmed.
    Readings have no part in hashes, but decide which turns are legal.
    """

    game: str
    ruleset: str
    variant: str | None
    size: int
    opening: Mapping[str, str] | None
    setup: str | None
    moves: Sequence[str]
    readings: Sequence[str] = ()

    def digest(self) -> bytes:
        """Return the game hash."""
        return _digest(f"{self._rules_text()}{self._text()}")

    def symmetric_digest(self) -> bytes:
        """Return the symmetric hash of a game with legal turns."""
        rules = games.get(self.game)
        if rules.synonyms or self.setup is not None:
            return min(image.digest() for image in self.images())
        # The images differ only in their cells.
        head, parts = self._rules_text(), _ROW_CELL.split(self._text())
        images = ["".join(map(names.get, parts, parts)) for names in renamings(rules.board(self.size))]
        return min([_digest(f"{head}{image}") for image in images])

    def fold(self, *, mirrored: bool = True) -> LeastImage:
        """Fold the game. Without `mirrored`, the game stays as it is and only equals itself."""
        stones = [*(self.opening or {}).values()]
        words = [*stones, *self.moves]
        if not mirrored:
            return LeastImage(self._folded_text(self.setup, words), [0])
        rules = games.get(self.game)
        board = rules.board(self.size)
        known = renamings(board)
        tied: Sequence[int] = range(len(known))
        setups: Sequence[str | None] = [None] * len(known)
        if self.setup is not None:
            setups = self._setup_images(tied)
            tied = _least(setups, tied)
        images: dict[int, list[str]] = {}  # their first words, as far as they are needed to tell the images apart
        count = 0
        chosen = []
        for place, word in enumerate(words):
            if len(tied) == 1:
                break
            if not rules.synonyms:
                tied = _tied(board, word) if len(tied) == len(known) else _least(_renamed(board, word), tied)
            else:
                if place == count:
                    count = 2 * place + 1
                    images = self._words_of(tied, count)
                tied = _least({number: images[number][place] for number in tied}, tied)
            chosen.append(tied[0])
        number = tied[0]
        if rules.synonyms:
            text = self._folded_text(setups[number], self._words_of([number], len(words))[number])
        else:
            text = self._folded_text(setups[number], words, _words(board)[number])
        return LeastImage(text, chosen[len(stones) :] or [number])

    def _words_of(self, symmetries: Sequence[int], count: int) -> dict[int, list[str]]:
        """Return the first `count` opening stones and turns of images of the game, by symmetry."""
        stones = self.opening or {}
        if count == 1 and not stones:
            turns = _first_turns(*self[:4], self.setup, self.moves[0], tuple(self.readings))
            return {number: [turns[number]] for number in symmetries}
        game = self._replace(moves=self.moves[: max(0, count - len(stones))])
        return {
            number: [*(image.opening or {}).values(), *image.moves]
            for number, image in zip(symmetries, game.images(symmetries), strict=True)
        }

    def _folded_text(self, setup: str | None, words: list[str], names: Mapping[str, str] | None = None) -> bytes:
        """Return the rules, a setup, opening stones and turns, each before a tab, with cells renamed."""
        text = "\t".join(words)
        if "\\" in text or text.count("\t") >= len(words):  # an illegal turn
            text = "\t".join(map(_json, words))
        if names is not None:
            try:
                text = "\t".join(map(names.__getitem__, words))
            except KeyError:  # some turns have several cells
                parts = _ROW_CELL.split(text)
                text = "".join(map(names.get, parts, parts))
        return f"{self._rules_text()}\t{setup or ''}\t{len(words) - len(self.moves)}\t{text}\t".encode()

    def _rules_text(self) -> str:
        return _rules_text(self.game, self.ruleset, self.variant, self.size)

    def _text(self) -> str:
        return _text(self.opening, self.setup, _strings(self.moves))

    def images(self, symmetries: Sequence[int] | None = None) -> Iterator[Identity]:
        """Yield the images of the game under symmetries of the board, given by index, by default all of them.

        The first symmetry leaves the game as it is.
        """
        rules = games.get(self.game)
        known = renamings(rules.board(self.size))
        numbers = range(len(known)) if symmetries is None else symmetries
        # Split all turns once, for all images: that is faster than to cache single turns, few of which recur.
        parts = _ROW_CELL.split(_SEPARATOR.join(self.moves))
        setups = [None] * len(numbers) if self.setup is None else self._setup_images(numbers)
        for number, setup in zip(numbers, setups, strict=True):
            names = known[number]
            opening = self.opening and {color: names.get(cell, cell) for color, cell in self.opening.items()}
            moves = self.moves and "".join(map(names.get, parts, parts)).split(_SEPARATOR)
            image = Identity(*self[:4], opening, setup, moves, self.readings)
            yield image._in_canonical_notation(rules) if rules.synonyms else image

    def _start(self, rules: Game) -> Position:
        return rules.start(
            self.size, self.opening, self.variant, position=self.setup, ruleset=self.ruleset, readings=self.readings
        )

    def _setup_images(self, symmetries: Iterable[int]) -> list[str]:
        """Return the images of the setup under symmetries, given by index."""
        position = self._start(games.get(self.game))
        board, contents = position.board, position.contents()
        images = []
        for number in symmetries:
            moved = [0] * board.span
            for cell, image in board.symmetries[number].items():
                moved[image] = contents[cell]
            rows, *_ = position_text.write(board, moved, 0, 0).split(" ")
            images.append(" ".join([rows, *(self.setup or "").split(" ")[1:]]))
        return images

    def _in_canonical_notation(self, rules: Game) -> Identity:
        """Return the game with its turns in canonical notation, up to the first illegal one."""
        spelled: list[str] = []
        with suppress(RuleError):
            spelled = play_turns(self._start(rules).grid, [*self.moves])
        return self._replace(moves=[*spelled, *self.moves[len(spelled) :]])


def _digest(text: str) -> bytes:
    return blake2b(text.encode(), digest_size=_DIGEST_SIZE).digest()


def _least(values: Mapping[int, Any] | Sequence[Any], numbers: Iterable[int]) -> list[int]:
    """Return the numbers with the least of the values."""
    least = min([values[number] for number in numbers])
    return [number for number in numbers if values[number] == least]


@lru_cache(maxsize=4096)
def _tied(board: Board, word: str) -> list[int]:
    """Return the symmetries with the least image of a cell or turn."""
    images = _renamed(board, word)
    return _least(images, range(len(images)))


def _renamed(board: Board, word: str) -> list[str]:
    """Return the images of a cell or turn by symmetry."""
    return _find_renamed(board, word) if len(word) < _SHORT else _find_renamed.__wrapped__(board, word)


@lru_cache(maxsize=4096)
def _find_renamed(board: Board, word: str) -> list[str]:
    """Return the images of a short cell or turn: games need them for their first turns, which many games share."""
    parts = _ROW_CELL.split(word)
    return ["".join(map(names.get, parts, parts)) for names in renamings(board)]


@lru_cache(maxsize=1024)
def _first_turns(
    game: str, ruleset: str, variant: str | None, size: int, setup: str | None, turn: str, readings: Sequence[str]
) -> list[str]:
    """Return the images of the first turn of a game by symmetry, in the canonical notation of the position."""
    identity = Identity(game, ruleset, variant, size, None, setup, [turn], readings)
    return [image.moves[0] for image in identity.images()]


@lru_cache(maxsize=32)
def _rules_text(game: str, ruleset: str, variant: str | None, size: int) -> str:
    """Return the start of the JSON, cached because many games share it."""
    return _json({"game": game, "ruleset": ruleset, "variant": variant, "size": size})[:-1]


def _text(opening: Mapping[str, str] | None, setup: str | None, turns: str) -> str:
    """Return the JSON of the opening, the setup and the turns, given as JSON, which follows that of the rules."""
    stones = "null"
    if opening:
        cells = [
            f'"{color}":"{cell}"' if cell.isalnum() else f'"{color}":{_json(cell)}' for color, cell in opening.items()
        ]
        stones = f"{{{','.join(cells)}}}"
    start = "null" if setup is None else _json(setup)
    return f',"opening":{stones},"setup":{start},"moves":[{turns}]}}'


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


class _Words(dict[str, str]):
    """The image of each cell under a symmetry. Words without cells are their own images."""

    def __missing__(self, word: str) -> str:
        if _ROW_CELL.search(word):
            raise KeyError(word)
        return word


@lru_cache(maxsize=32)
def _words(board: Board) -> list[_Words]:
    return [*map(_Words, renamings(board))]


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
        turns = [re.sub(_CELL, lambda name: known.get(name[0], f"{name[0]}?"), turn) for turn in turns]
    rules = record.game, record.ruleset, record.variant, record.size
    return Identity(*rules, opening or None, record.setup, turns, record.readings)


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


def hash_clean(data: RecordData, rules: Game, turns: list[str], *, plain: bool) -> str:
    """Return the game hash of a record without a setup, given its turns in canonical notation.

    In a `plain` record, JSON escapes no character of any string.
    """
    if data.get("coordinates", "row") != "row":
        record = Record(data, rules)
        record.canonical_turns = turns
        return hash_legal(record)
    stones = data.get("opening")
    opening = stones and {color: trim(stones[color]) for color in rules.opening if color in stones}
    head = _rules_text(rules.name, data.get("ruleset", rules.rulesets[0]), data.get("variant"), data["size"])
    moves = f'"{quoted}"' if plain and (quoted := '","'.join(turns)) else _strings(turns)
    return _digest(f"{head}{_text(opening, None, moves)}").hex()


def hash_legal(record: Record, *, symmetric: bool = False) -> str:
    """Return the game hash, or the symmetric hash, of a record whose turns are known to be legal."""
    identity = identify(record)
    digest = identity.symmetric_digest() if symmetric else identity.digest()
    return digest.hex()
