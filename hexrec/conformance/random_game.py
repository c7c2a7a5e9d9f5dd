"""A random game, and the checks of its positions against each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from io import BytesIO
from itertools import chain
from random import Random

from hexrec import formats
from hexrec.codes import game_codes, own_sections
from hexrec.record.random import random_record
from hexrec.rules.board import CELL_PATTERNS, SYSTEMS, Symmetry, System
from hexrec.rules.game import Game
from hexrec.rules.grid import BLACK, DRAW, FIRST_CODE, NOBODY, WHITE
from hexrec.rules.position import Position
from hexrec.rules.terms import IllegalSetup, IllegalTurn
from hexrec.util.escaping import shorten
from hexrec.validation.verdict import check_document

#: The maximum number of plies of a random game.
MOST_PLIES = 5_000
#: The plies of a game that are looked at: one in EVERY, up to LOOKED_AT.
EVERY, LOOKED_AT = 7, 210
#: The most legal turns, and the most strings of each shape, that are tried at a ply.
TRIED = 60
#: Runs a check: its name, the function that finds mistakes, and the place of these.
Run = Callable[[str, Callable[[], Iterable[str]], str], None]
_CELL = re.compile(CELL_PATTERNS["row"])
#: Formats that preserve the turns of a random game.
_FORMATS = ("json", "yaml", "sgf", "hgn", "abstractplay")


class RandomGame:
    """A random game, and the checks of its positions.

    Games with an odd last number avoid their end where they can, and fill the board further than chance does.

    Attributes:
        turns: the turns played so far, up to LOOKED_AT.
    """

    def __init__(self, game: Game, size: int, variant: str | None, ruleset: str, seed: str) -> None:
        self._game, self._size, self._variant, self._ruleset = game, size, variant, ruleset
        self._seed = f"{game.name}/{ruleset}/{variant}/{size}/{seed}"
        self._avoids_end = int(seed.rpartition("/")[2]) % 2 == 1
        self._rng = Random(self._seed)
        self.turns: list[str] = []
        #: The shapes of turns, with ``@`` for each cell.
        self._shapes: set[str] = set()

    def __str__(self) -> str:
        return " ".join([self._ruleset, *([self._variant] if self._variant else []), f"size {self._size}"])

    def start(self, coordinates: System = "row", image: Symmetry | None = None) -> Position:
        """Return the start position, or its image under a symmetry."""
        board = self._game.board(self._size)
        cells = Random(self._seed).sample(board.cells, len(self._game.opening))
        names = board.names(coordinates)
        opening: dict[str, str] = {
            color: names.single(cell if image is None else image[cell])
            for color, cell in zip(self._game.opening, cells, strict=True)
        }
        return self._game.start(self._size, opening, self._variant, coordinates, ruleset=self._ruleset)

    def check(self, run: Run) -> Iterator[str]:
        """Play the game and run the checks of it and of its positions; yield the mistake that it does not end."""
        position = self.start()
        while not position.is_over and position.plies < LOOKED_AT:
            if position.plies % EVERY == 0:
                self._check_position(run, position)
            legal = position.legal_turns()
            if not legal:
                yield f"{_after(position)}no turn is legal, and the game is not over: set winner when it ends"
                return
            turn = self._choose(position, legal)
            if not position.is_legal(turn):
                yield f"{_after(position)}{turn} is listed, but is not legal: {_refusal(position, turn)}"
                return
            position.play(turn)
            self.turns.append(turn)
            self._shapes.add(_CELL.sub("@", turn))
        self._check_position(run, position)
        if position.playout(self._rng, MOST_PLIES) is None:
            yield f"the game has not ended after {position.plies} random turns: every game has to end"
        symmetries = self._game.board(self._size).symmetries
        for image in self._rng.sample(symmetries, min(2, len(symmetries))):
            run("symmetries", partial(self._wrong_image, image), f"{self}: ")
        for system in SYSTEMS[1:]:
            run("coordinates", partial(self._wrong_coordinates, system), f"{self}: ")
        run("records", self._wrong_record, f"{self}: ")

    def _choose(self, position: Position, legal: list[str]) -> str:
        for _ in range(9 if self._avoids_end else 1):
            turn = self._rng.choice(legal)
            after = position.copy()
            if after.is_legal(turn):
                after.play(turn)
            if not after.is_over:
                break
        return turn

    def _check_position(self, run: Run, position: Position) -> None:
        finds: dict[str, Callable[[Position], Iterable[str]]] = {"types": _wrong_types, "words": self._wrong_words}
        if not position.is_over:
            finds |= {
                "turns": self._wrong_turns,
                "random turns": _wrong_draws,
                "parts": self._wrong_parts,
                "undo": self._wrong_undo,
                "positions": self._wrong_text,
            }
        for name, find in finds.items():
            run(name, partial(find, position.copy()), f"{self}: {_after(position)}")

    def _wrong_turns(self, position: Position) -> Iterator[str]:
        legal = position.legal_turns()
        if legal != sorted({*legal}):
            yield "legal turns are listed twice, or not in the order of their strings"
        known = {*legal}
        for turn in self._rng.sample(legal, min(len(legal), TRIED)):
            if not position.is_legal(turn):
                yield f"{turn} is listed, but is not legal: {_refusal(position, turn)}"
            elif position.canonical(f" {turn.upper()} ") != turn:
                yield f"{turn} is listed, but its canonical form is {position.canonical(turn)}"
        codes = {*own_sections("games")["every"].codes, *game_codes(self._game.name)}
        before = _see(position)
        for turn in self._strings(position):
            asked, after = position.copy(), position.copy()
            if asked.is_legal(turn):
                if asked.canonical(turn) not in known:
                    yield f"{turn} is legal, but not listed"
                continue
            try:
                after.play(turn)
            except IllegalTurn as refusal:
                if refusal.code not in codes:
                    yield f"{turn} is refused with {refusal.code}, which has no explanation: add it to refusals"
                if not isinstance(refusal.message, str) or not refusal.message.strip():
                    yield f"the message for {turn} ({refusal.code}) is {refusal.message!r}: return a sentence"
                if _see(after) != before:
                    yield f"{turn} is refused, but changes the position"
            else:
                yield f"{turn} can be played, but is_legal and code() say that it is not legal"

    def _strings(self, position: Position) -> Iterator[str]:
        """Yield strings of the shapes of the game: all with one cell, some with more, some almost legal."""
        cells = list(position.names.cells)
        for shape in sorted({*self._shapes, *({"pass"} if "pass" in self._game.turn else ())}):
            parts = shape.split("@")
            if len(parts) == 2:
                yield from (cell.join(parts) for cell in cells)
            else:
                for _ in range(TRIED if parts[1:] else 1):
                    yield parts[0] + "".join(self._rng.choice(cells) + part for part in parts[1:])
        for turn in self._rng.choices(position.legal_turns(), k=TRIED):
            if named := _CELL.findall(turn):
                yield turn.replace(self._rng.choice(named), self._rng.choice(cells), 1)

    def _wrong_words(self, position: Position) -> Iterator[str]:
        before = _see(position)
        names, first = (list(known.overlays()) for known in (position, self.start()))
        if names != first:
            yield f"the overlays are {names}, and {first} at the start: give the same names in every position"
        marks = [*position.highlights(), *chain.from_iterable(position.overlays().values())]
        for mark in marks:
            if not {*mark.cells} <= {*position.board.cells}:
                yield f"the mark {mark.name!r} has a cell that is not on the board"
        position.explain()
        for turn in position.legal_turns()[:3]:
            position.turn_effects(turn)
        if _see(position) != before:
            yield "marks, overlays, explanations or effects of turns change the position: restore it after trying turns"

    def _wrong_parts(self, position: Position) -> Iterator[str]:
        entries = position.after_turns()
        for turn, parts, _ in self._rng.sample(entries, min(len(entries), 20)):
            cells = [position.names.names[self._rng.choice(part)] for part in parts]
            named = len(_CELL.findall(turn))
            if len(cells) != named:
                yield f"{turn} has {len(cells)} parts and names {named} cells: give a part for each cell"
                continue
            other = _CELL.sub("{}", turn).format(*cells)
            if not position.is_legal(turn):
                continue  # a mistake of turns
            if not position.is_legal(other) or position.canonical(other) != turn:
                yield f"{other} should mean {turn}: its cells are in the same parts"

    def _wrong_undo(self, position: Position) -> Iterator[str]:
        before, legal = _see(position), position.legal_turns()
        branch = position.copy()
        states = [before]
        while not branch.is_over and len(states) < 6:
            branch.play(self._rng.choice(branch.legal_turns()))
            states.append(_see(branch))
        if _see(position) != before:
            yield "turns on a copy change the position: state() does not return all arrays that turns change"
        fresh = self.start()
        fresh.play_all(branch.turns)
        if _see(fresh) != states[-1] or fresh.legal_turns() != branch.legal_turns():
            yield f"a copy differs from a position with the same turns, {' '.join(branch.turns[position.plies :])}"
        for number in range(len(states) - 2, -1, -1):
            turn = branch.undo()
            if _see(branch) != states[number]:
                yield f"{turn} is not taken back completely: state() does not return all arrays that turns change"
                return
        if branch.legal_turns() != legal:
            yield "other turns are legal after turns were taken back"

    def _wrong_text(self, position: Position) -> Iterator[str]:
        text = position.text()
        try:
            again = self._game.start(self._size, None, self._variant, position=text, ruleset=self._ruleset)
        except IllegalSetup as refusal:
            yield f"the position text {text} is refused ({refusal.code}): {refusal.message}"
            return
        if again.text() != text:
            yield f"the position text {text} is read as {again.text()}"
        elif again.legal_turns() != position.legal_turns():
            yield f"other turns are legal in the position text {text}: put the missing state into position_fields"
        else:
            played = position.plies
            position.playout(Random(self._seed), MOST_PLIES)
            rest = position.turns[played:]
            again.play_all(rest)
            if (again.text(), again.result()) != (position.text(), position.result()):
                yield f"the game goes on otherwise from the position text {text}, with {' '.join(rest)}"

    def _wrong_image(self, image: Symmetry) -> Iterator[str]:
        position, mirror = self.start(), self.start(image=image)
        names = position.names.names
        spelling = {names[cell]: names[image[cell]] for cell in image}
        for ply, turn in enumerate(self.turns):
            if ply % EVERY == 0:
                turns = [_spell(legal, spelling) for legal in position.legal_turns()]
                wrong = next((turn for turn in turns if not mirror.is_legal(turn)), None)
                if wrong or len(turns) != mirror.legal_count():
                    yield f"{_after(position)}other turns are legal on the image of the board: {wrong or 'more'}"
                    return
            position.play(turn)
            if not mirror.is_legal(_spell(turn, spelling)):
                yield f"{_after(position)}the last turn is not legal on the image of the board"
                return
            mirror.play(_spell(turn, spelling))
            if mirror.stacks() != {image[cell]: stack for cell, stack in position.stacks().items()}:
                yield f"{_after(position)}the last turn has other effects on the image of the board"
                return
        # Ruling S-2 of Sundraval breaks ties by board order, which an image need not keep.
        if mirror.result() != position.result() and not any(getattr(position.grid, "undecided", ())):
            yield f"{_after(position)}the result is another on the image of the board"

    def _wrong_coordinates(self, system: System) -> Iterator[str]:
        position, other = self.start(), self.start(system)
        spelling = {name: other.names.names[cell] for name, cell in position.names.cells.items()}
        for ply, turn in enumerate(self.turns):
            if ply % EVERY == 0 and other.legal_turns() != sorted(_spell(t, spelling) for t in position.legal_turns()):
                yield f"{_after(position)}other turns are legal in {system} coordinates"
                return
            position.play(turn)
            other.play(_spell(turn, spelling))
        if other != position or other.result() != position.result():
            yield f"the game is another in {system} coordinates: use self.number_of and self.name_of for cells"

    def _wrong_record(self) -> Iterator[str]:
        data = random_record(self._game, self._size, self._variant, self._seed, MOST_PLIES, ruleset=self._ruleset)
        for name in _FORMATS:
            text = "".join(formats.get(name).write([data], lambda _: None)).encode()
            (document,) = formats.read(name, BytesIO(text))
            report = check_document(document)
            errors = [diagnostic for diagnostic in report.diagnostics if diagnostic.severity == "error"]
            if errors:
                yield f"a record in {formats.get(name).title} is invalid: {errors[0].code}: {errors[0].message}"
            elif report.record is None or report.record.turns != data["moves"]:
                yield f"a record in {formats.get(name).title} has other turns when it is read"


def _after(position: Position) -> str:
    """Return the turns of a position, as the place of a mistake."""
    return f"after {' '.join(position.turns)}: " if position.plies else "at the start: "


def _see(position: Position) -> tuple[object, ...]:
    """Return all that users see of a position, except the legal turns."""
    return position.text(), position.plies, position.is_over, position.result()


def _spell(turn: str, spelling: Mapping[str, str]) -> str:
    """Return a turn in row coordinates with each cell replaced."""
    return _CELL.sub(lambda cell: spelling[cell[0]], turn)


def _refusal(position: Position, turn: str) -> str:
    try:
        position.canonical(turn)
    except IllegalTurn as refusal:
        return refusal.message
    return "code() says so"


def _wrong_types(position: Position) -> Iterator[str]:
    """Yield the methods of a position's rules that return a value of a wrong type."""
    grid = position.copy().grid
    known = FIRST_CODE + len(grid.codes())
    moves = [] if position.is_over else grid.moves()
    values: dict[str, tuple[object, bool, str]] = {
        "codes()": (grid.codes(), _is_list(grid.codes(), str), "a list of strings"),
        "state()": (grid.state(), isinstance(grid.state(), list), "a list of arrays"),
        "fields()": (
            grid.fields(),
            _is_list(grid.fields(), int) and len(grid.fields()) == len(position.game.position_fields),
            "a list of integers, one for each of position_fields",
        ),
        "fault()": (grid.fault(), type(grid.fault()) is int, "LEGAL or a code"),
        "fault_cell()": (grid.fault_cell(), type(grid.fault_cell()) is int, "a cell or NONE"),
        "moves()": (moves, _is_list(moves, int), "a list of integers"),
        "winner": (grid.winner, grid.winner in (BLACK, WHITE, DRAW, NOBODY), "BLACK, WHITE, DRAW or NOBODY"),
    }
    if position.is_over and position.game.score:
        for color in (BLACK, WHITE):
            points, ranking = grid.points(color), grid.ranking(color)
            if position.game.score == "number":
                values["points()"] = points, type(points) in (int, float), "a number"
            else:
                descending = _is_list(ranking, int) and ranking == sorted(ranking, reverse=True)
                values["ranking()"] = ranking, descending, "integers in descending order"
    if moves and values["moves()"][1]:
        move = moves[len(moves) // 2]
        text = grid.write(move)
        values["write()"] = text, type(text) is str, "a string"
        values["read()"] = grid.read(text), grid.read(text) == move, f"the move that write() makes {text!r} of, {move},"
        cells = grid.named_cells(move)
        values["named_cells()"] = cells, _is_list(cells, int) and {*cells} <= {*grid.cells}, "cells of the board"
        values["count_moves()"] = grid.count_moves(), grid.count_moves() == len(moves), f"{len(moves)}, as moves() has"
        code = grid.take_turn(move)
        values["take_turn()"] = code, type(code) is int and 0 <= code < known, "LEGAL or a code"
        if values["take_turn()"][1]:
            code = position.copy().grid.code(move)
            values["code()"] = code, type(code) is int, "LEGAL or a code"
    for name, (value, is_right, wanted) in values.items():
        if not is_right:
            verb = "is" if name == "winner" else "returns"
            yield f"{name} {verb} {shorten(repr(value), 80)}: it should be {wanted.rstrip(',')}"


def _is_list(value: object, kind: type) -> bool:
    return isinstance(value, list) and all(type(entry) is kind for entry in value)


def _wrong_draws(position: Position) -> Iterator[str]:
    grid = position.copy().grid
    drawn = [grid.write(grid.move_at(index)) for index in range(grid.count_moves())]
    if drawn != position.legal_turns():
        yield "count_moves() and move_at() have other turns than moves(): they should be the same, in the same order"
