"""Positions of games, folded by the symmetries of the board: all images of a position have the same key.

The representative of the images is the one with the smallest cells in reading order: an empty cell is smaller than a
stack, a lower stack smaller than a higher one, Black's smaller than White's. The key is a digest of its position string
without the number of passes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from hexrec.record.identity import identify
from hexrec.record.record import Record
from hexrec.record.replay import replay_states
from hexrec.rules.board import Board
from hexrec.rules.position import Position
from hexrec.rules.position_text import row_text
from hexrec.util.hashing import blake2b
from hexrec.validation.report import Report

#: By number of a color.
_COLORS = "bw"
#: The number of hexadecimal digits of a key.
_KEY_DIGITS = 16


class GamePositions(NamedTuple):
    """The positions of one record.

    Attributes:
        ruleset, variant, size: the values of the record.
        keys, turns: the key and the next turn of each position.
    """

    ruleset: str
    variant: str | None
    size: int
    keys: list[str]
    turns: list[str | None]


class Folded(NamedTuple):
    """A folded position.

    Attributes:
        digest: 16 bytes, which are the same for all images of the position.
        symmetries: the numbers of the board's symmetries that map the position to the representative.
    """

    digest: bytes
    symmetries: Sequence[int]

    @property
    def key(self) -> str:
        """The beginning of the digest, in hexadecimal digits."""
        return self.digest.hex()[:_KEY_DIGITS]


#: Most rows occur again.
_row_text = lru_cache(maxsize=1 << 16)(row_text)


@lru_cache(maxsize=32)
def _row_readers(board: Board) -> list[list[Callable[[Sequence[int]], tuple[int, ...]]]]:
    """Return functions that read a row of an image from the contents of the cells, by row from the top and symmetry."""
    origins = [{image: cell for cell, image in symmetry.items()} for symmetry in board.symmetries]
    return [[itemgetter(*(origin[cell] for cell in row)) for origin in origins] for row in board.rows]


def fold(board: Board, contents: Sequence[int], end: str) -> Folded:
    """Return a folded position, given the contents of its cells and the end of its position string."""
    symmetries: Sequence[int] = range(len(board.symmetries))
    rows, texts = iter(_row_readers(board)), []
    for images in rows:
        images_of_row = [images[number](contents) for number in symmetries]
        least = min(images_of_row)
        symmetries = [number for number, row in zip(symmetries, images_of_row, strict=True) if row == least]
        texts.append(_row_text(least))
        if len(symmetries) == 1:
            break
    # The first rows usually tell one image from the others: the rest of these is not read.
    texts += [_row_text(images[symmetries[0]](contents)) for images in rows]
    text = f"{'/'.join(texts)} {end}"
    return Folded(blake2b(text.encode(), digest_size=16).digest(), symmetries)


def fold_position(position: Position) -> Folded:
    """Return a folded position."""
    _, side, _, *last = position.text().split(" ")
    return fold(position.board, position.contents(), " ".join([side, *last]))


def game_positions(record: Record, _: Report) -> GamePositions:
    """Return the positions of a valid record."""
    return GamePositions(record.ruleset, record.variant, record.size, *positions(record))


def positions(record: Record) -> tuple[list[str], list[str | None]]:
    """Return the key and the folded next turn of each position of a record with legal turns.

    The next turn of the last position is None.
    """
    digests, turns = folded_positions(record)
    return [digest.hex()[:_KEY_DIGITS] for digest in digests], turns


def folded_positions(record: Record) -> tuple[list[bytes], list[str | None]]:
    """Return the digest and the folded next turn of each position, as `positions` does."""
    board = record.rules.board(record.size)
    # By ply, the images of the turn under all symmetries.
    images = [*zip(*(image.moves for image in identify(record).images()), strict=True)]
    digests: list[bytes] = []
    turns: list[str | None] = []
    for ply, (contents, side, values) in enumerate(replay_states(record)):
        folded = fold(board, contents, " ".join([_COLORS[side], *values]))
        digests.append(folded.digest)
        # A symmetric position has several images of its next turn.
        turns.append(min(images[ply][number] for number in folded.symmetries) if ply < len(images) else None)
    return digests, turns
