"""What is measured: random games, the reference games, and for each set chess games of the same lengths."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import chess
import chess.pgn

from hexrec import formats
from hexrec.io.discovery import Source
from hexrec.record.canonical import canonical_form
from hexrec.record.random import random_record
from hexrec.record.record import Record
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.rules.board import CELL_PATTERNS
from hexrec.validation.sources import check_sources

NO_LIMIT = 10_000


@dataclass(frozen=True)
class Material:
    """One set of games and its counterpart in chess.

    Attributes:
        game: the game's name.
        kind: ``random`` or ``reference``.
        source: the file of records, in JSON Lines.
        records: what the file holds; all of it is valid.
        plies: the number of turns in all records.
        pgn: the file of chess games.
        chess_plies: the number of moves in all chess games.
    """

    game: str
    kind: str
    source: Source
    records: list[Record]
    plies: int
    pgn: Path
    chess_plies: int

    @property
    def sizes(self) -> list[int]:
        """The board sizes in the set."""
        return sorted({record.size for record in self.records})


class InvalidMaterial(ValueError):
    """A set that holds an invalid record: its replay stops early, so its speed would mean nothing."""


def random_material(name: str, count: int, folder: Path) -> Material:
    """Return `count` random games, in turn on each of the recommended sizes, in files in a folder.

    Raises InvalidMaterial.
    """
    game = games.get(name)
    sizes = game.recommended
    made = (
        random_record(game, sizes[number % len(sizes)], None, f"benchmark/{number}", NO_LIMIT, "row")
        for number in range(count)
    )
    file = folder / f"{name}.random.jsonl"
    file.write_text("".join(formats.get("jsonl").write(made)), encoding="utf-8")
    return _material(name, "random", file, folder)


def reference_material(name: str, file: Path, folder: Path) -> Material:
    """Return the games of a file in JSON Lines and their images, with their counterpart in chess, in files in a folder.

    Raises InvalidMaterial.
    """
    played = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    lines = [json.dumps(image, separators=(",", ":")) for data in played for image in images(data)]
    made = folder / f"{name}.reference.jsonl"
    made.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return _material(name, "reference", made, folder)


def images(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a game as it is, and then rotated and mirrored in eleven ways."""
    names = games.get(data["game"]).board(data["size"]).names("row")
    for symmetry in games.get(data["game"]).board(data["size"]).symmetries:
        image = {names.single(cell): names.single(other) for cell, other in symmetry.items()}
        opening = {color: turned(cell, image) for color, cell in data.get("opening", {}).items()}
        moves = [turned(turn, image) for turn in data["moves"]]
        # The cells of a turn have another order in an image than in the notation of records.
        yield canonical_form(read_record({**data, **({"opening": opening} if opening else {}), "moves": moves}))


def turned(text: str, image: dict[str, str]) -> str:
    """Return a turn with other cells."""
    return re.sub(CELL_PATTERNS["row"], lambda cell: image.get(cell[0], cell[0]), text)


def _material(name: str, kind: str, file: Path, folder: Path) -> Material:
    source = Source(str(file), "jsonl")
    records = []
    for report in check_sources([source]):
        if report.record is None or not report.valid:
            raise InvalidMaterial(f"{kind} games of {name}, record {report.index}: {report.diagnostics[0].message}")
        records.append(report.record)
    lengths = [len(record.moves) for record in records]
    pgn = folder / f"{name}.{kind}.pgn"
    return Material(name, kind, source, records, sum(lengths), pgn, write_chess(lengths, pgn))


def write_chess(lengths: list[int], file: Path) -> int:
    """Write random chess games of the given lengths, or shorter where one ends before; return the number of moves."""
    total = 0
    with file.open("w", encoding="utf-8") as out:
        for number, plies in enumerate(lengths):
            board = chess.Board()
            rng = Random(f"benchmark/{number}")
            while board.ply() < plies and not board.is_game_over():
                board.push(rng.choice(list(board.legal_moves)))
            total += board.ply()
            print(chess.pgn.Game.from_board(board), end="\n\n", file=out)
    return total
