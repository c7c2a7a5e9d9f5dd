"""Edits of the start of a record, and of all its turns at once. Each function yields those of one kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, permutations
from math import log
from typing import Any

from hexrec.record.identity import renamings
from hexrec.rules import games
from hexrec.rules.board import SYSTEMS, trim
from hexrec.rules.terms import COLORS
from hexrec.tools.repairs import texts
from hexrec.tools.repairs.line import SET_UP, Correction, Line, Splice, play
from hexrec.util.escaping import shorten

#: The costs of kinds of errors.
_READ, _PLAYED, _COLORS, _CELLS, _SYSTEM, _MIRRORED = 1.0, 4.0, 4.0, 4.5, 5.0, 9.0
_SIZE, _GAME, _RULES, _MOVED, _UNKNOWN, _READING = 4.5, 5.0, 6.0, 8.0, 6.0, 3.0
#: The number of openings that are tried to see whether many will do, and of cells of the second stone to try the first.
_SAMPLE, _PROBES = 150, 5
#: The number of turns off the board that are few for as many expected ones.
_FEW = 3
#: The maximum number of alternatives to the likeliest reading of all texts.
_MOST_READINGS = 20
#: Ways to write the cells of all turns, each with a function that returns a text as the format has it.
_WAYS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("read the letters of all turns as without i", texts.without_i),
    ("count the numbers of all turns from 1", texts.count_from_one),
    ("write the letter of each cell first", texts.letter_first),
    (
        "write the letter of each cell first, and count from 1",
        lambda text: texts.count_from_one(texts.letter_first(text)),
    ),
    ("take the numbers of all cells as rows", texts.exchanged),
)
#: Ways that leave some cells as they are.
_PARTIAL = (texts.without_i, texts.exchanged)


def splices(old: Sequence[str], new: Sequence[tuple[str, ...]]) -> tuple[Splice, ...]:
    """Return the splices that replace each text by some turns."""
    pairs = enumerate(zip(old, new, strict=True))
    return tuple(Splice(index, 1, turns) for index, (text, turns) in pairs if turns != (text,))


def _example(line: Line, changes: tuple[Splice, ...]) -> str:
    index, _, new = changes[0]
    return f"{shorten(line.turns[index]) or 'the empty turn'} as {' and '.join(new) or 'no turn'}"


def read(line: Line) -> Iterator[Correction]:
    """Yield readings of the texts that are no turns: with signs, numbers and words, split, or with other separators."""
    readings = {index: found for index in line.unread if (found := line.notation.read(line.turns[index]))}
    readings = {index: found for index, found in readings.items() if found != [(line.turns[index],)]}
    if not readings:
        return

    def correction(chosen: Mapping[int, int], cost: float) -> Correction:
        """Return the record with the chosen readings by index, the first ones of other texts."""
        changes = tuple(Splice(index, 1, found[chosen.get(index, 0)]) for index, found in readings.items())
        words = f"read {len(changes)} texts as turns, {_example(line, changes)}" if len(changes) > 1 else ""
        return Correction(cost, words, changes, is_clear=True)

    yield correction({}, _READ)
    others = ((index, number) for index, found in readings.items() for number in range(1, len(found)))
    if len({tuple(found[1:]) for found in readings.values()}) == 1:
        for number in range(1, len(next(iter(readings.values())))):
            yield correction(dict.fromkeys(readings, number), _READ + number)
    for index, number in islice(others, _MOST_READINGS):
        yield correction({index: number}, _READ + number)


def _in_other_way(line: Line, way: Callable[[str], str]) -> list[tuple[str, ...]] | None:
    """Return the turns with cells written in another way; None if one is not written so, or is no turn then."""
    new: list[tuple[str, ...]] = []
    if all(way(texts.plain(turn)) == texts.plain(turn) for turn in line.turns):
        return None
    for turn in line.turns:
        text = turn if turn == "pass" else way(texts.plain(turn))
        if text == turn != "pass" and way not in _PARTIAL:
            return None
        found = [(text,)] if line.reads(text) else line.notation.read(text)
        if not found or not all(map(line.reads, found[0])):
            return None
        new.append(found[0])
    return new


def cells(line: Line) -> Iterator[Correction]:
    """Yield the record with all cells written in another way: without the letter i, numbered from 0, number first."""
    if line.record.coordinates == "axial":
        return
    opening = line.record.opening
    for words, way in _WAYS:
        if way is texts.without_i and any("i" in turn for turn in line.turns):
            continue
        new = _in_other_way(line, way)
        if new is None or not (changes := splices(line.turns, new)):
            continue
        words = f"{words}, {_example(line, changes)}"
        yield Correction(_CELLS, words, changes)
        changed = {color: way(texts.plain(cell)) for color, cell in opening.items()}
        if changed != opening:
            yield Correction(_CELLS, words, changes, {"opening": changed})


def coordinates(line: Line) -> Iterator[Correction]:
    """Yield the record in other coordinate systems."""
    for system in SYSTEMS:
        if system != line.record.coordinates:
            yield Correction(_SYSTEM, f"read its cells in {system} coordinates", (), {"coordinates": system})


def colors(line: Line) -> Iterator[Correction]:
    """Yield the record with the colors of opening stones or of all turns exchanged."""
    opening, turns = line.record.opening, line.turns
    exchanged = dict(zip(opening, [*opening.values()][::-1], strict=True))
    if len(opening) == 2:
        yield Correction(_COLORS, "exchange the colors of the opening stones", (), {"opening": exchanged})
    if line.is_unread:
        return
    pairs = [turn for index in range(0, len(turns) - 1, 2) for turn in (turns[index + 1], turns[index])]
    new = [(turn,) for turn in pairs + turns[len(pairs) :]]
    changes = splices(turns, new)
    if changes:
        yield Correction(_COLORS + 1, "exchange the turns of Black and White", changes)
        if len(opening) == 2:
            words = "exchange the turns and opening stones of Black and White"
            yield Correction(_COLORS + 2, words, changes, {"opening": exchanged})


def mirrored(line: Line) -> Iterator[Correction]:
    """Yield the record with all turns, or the opening, rotated or mirrored: each from another side of the board."""
    record = line.record
    if not line.turns or line.unread or (not record.opening and record.setup is None):
        return
    board, system = record.rules.board(record.size), record.coordinates
    for names in renamings(board, system)[1:]:
        images = [(board.names(system).rename(turn, names),) for turn in line.turns]
        if changes := splices(line.turns, images):
            example = f"{line.turns[changes[0].start]} to {changes[0].new[0]}"
            yield Correction(_MIRRORED, f"rotate or mirror all turns, {example}", changes)
        opening = {color: names.get(trim(cell), cell).strip("()") for color, cell in record.opening.items()}
        if opening and opening != record.opening:
            words = ", ".join(f"{color.capitalize()} to {cell}" for color, cell in opening.items())
            yield Correction(_MIRRORED + 0.5, f"rotate or mirror the opening, {words}", (), {"opening": opening})


def sizes(line: Line) -> Iterator[Correction]:
    """Yield the record with other board sizes, the nearest first."""
    record = line.record
    known = [size for size in record.rules.ruleset(record.ruleset).sizes if size != record.size]
    cells = len(record.rules.board(record.size).cells)
    for size in sorted(known, key=lambda size: abs(size - record.size)):
        # On a larger board, more turns than a few would be off the smaller one.
        outside = max(0.0, 1 - cells / len(record.rules.board(size).cells)) * len(line.turns)
        cost = _SIZE + 0.5 * abs(size - record.size) + max(0.0, outside - _FEW * len(line.unread))
        yield Correction(cost, f"set the size to {size}", (), {"size": size})


def rulesets(line: Line) -> Iterator[Correction]:
    """Yield the record with another ruleset or variant."""
    record = line.record
    for name in record.rules.rulesets:
        if name != record.ruleset and record.size in record.rules.ruleset(name).sizes:
            yield Correction(_RULES, f"set the ruleset to {name}", (), {"ruleset": name})
    for variant in (None, *record.rules.variants):
        if variant != record.variant:
            words = f"set the variant to {variant}" if variant else f"leave out the variant {record.variant}"
            yield Correction(_RULES, words, (), {"variant": variant})


def readings(line: Line) -> Iterator[Correction]:
    """Yield the record with one reading, if it names none."""
    known = () if line.record.readings else line.record.rules.ruleset(line.record.ruleset).readings
    for reading in known:
        words = f"under reading {reading.name}"
        # A person knows by which rules the game was played.
        yield Correction(_READING, words, (), {"readings": [reading.name]}, is_clear=False)


def moved(line: Line) -> Iterator[Correction]:
    """Yield the record with an opening stone on a cell whose name differs by a slip, or on a neighbor of its cell."""
    record = line.record
    board = record.rules.board(record.size)
    names = board.names(record.coordinates)
    slips = texts.Slips("".join(names.cells))
    for color, name in record.opening.items():
        cell = names.find(name)
        near = {names.names[other]: 0.5 for other in board.neighbors[cell]} if cell is not None else {}
        costs = near | {text: cost for text, cost in slips.of(trim(name)).items() if text in names.cells}
        costs |= {
            text: 0.0
            for found in [texts.plain(name), texts.letter_first(texts.plain(name))]
            for text in [found]
            if text in names.cells
        }
        for new in sorted(costs, key=lambda new: (costs[new], new)):
            if names.cells[new] == cell:
                continue
            words = f"move the opening stone of {color.capitalize()} from {shorten(trim(name))} to {new.strip('()')}"
            opening = {**record.opening, color: new.strip("()")}
            yield Correction(_MOVED + costs[new], words, (), {"opening": opening})


def played(line: Line) -> Iterator[Correction]:
    """Yield the record with its first turns as opening stones, or without them if they repeat the opening."""
    wanted, opening = line.record.rules.opening, line.record.opening
    count = len(wanted)
    if not wanted or line.record.setup is not None or len(line.turns) < count:
        return
    stones = [turn for text in line.turns[:count] for turn in (line.notation.read(text) or [(text,)])[0]]
    changes = (Splice(0, count, ()),)
    if [*map(trim, opening.values())] == stones:
        yield Correction(_PLAYED, "leave out the first turns, which repeat the opening", changes)
    if opening or len(stones) != count:
        return
    # A start from other stones is as likely, if many of them will do.
    is_clear = None if next(_sample(line), None) is None else False
    for order in permutations(stones):
        taken = dict(zip(wanted, order, strict=True))
        names = ", ".join(f"{color.capitalize()} {shorten(cell)}" for color, cell in taken.items())
        words = f"take the first {'turn' if count == 1 else 'turns'} as opening, {names}"
        cost = _PLAYED if list(order) == stones else _PLAYED + 1.5
        yield Correction(cost, words, changes, {"opening": taken}, is_clear)


def _sample(line: Line) -> Iterator[Line]:
    """Yield lines from some of all openings that meet the recorded result; first on cells that no turn names alone."""
    names = [*line.record.rules.board(line.record.size).names(line.record.coordinates).cells]
    wanted = line.record.rules.opening
    for known in ([name for name in names if name not in line.turns], names):
        every = max(1, len(known) ** len(wanted) // _SAMPLE)
        for cells in islice(permutations(known, len(wanted)), 0, None, every):
            opening = {color: cell.strip("()") for color, cell in zip(wanted, cells, strict=True)}
            after = line.after(Correction(0.0, "", (), {"opening": opening}))
            if after.is_complete:
                yield after


def unknown(line: Line) -> Iterator[Correction]:
    """Yield the record with any opening with which all turns are legal, if it has none."""
    record, grid = line.record, line.grid
    wanted = record.rules.opening
    if not wanted or record.opening or record.setup is not None or line.unread:
        return
    names = record.rules.board(record.size).names(record.coordinates).names
    empty = grid.save()

    def count(stones: Sequence[int]) -> int:
        """Return the number of legal turns from an opening."""
        grid.restore(empty)
        for color, cell in zip(wanted, stones, strict=True):
            grid.put(cell, COLORS.index(color), 1)
        played = play(grid, line.turns)
        line.budget.left -= played + SET_UP
        return played

    # Many cells of the first stone allow no first turn, wherever the second is.
    probes = [*names][:: max(1, len(names) // _PROBES)]
    reach = {
        cell: max(count([cell, *others]) for others in permutations(probes, len(wanted) - 1) if cell not in others)
        for cell in names
    }
    cost = _UNKNOWN + len(wanted) * log(len(names))
    likeliest = sorted(names, key=lambda cell: -reach[cell])
    for first in likeliest:
        for others in permutations(likeliest, len(wanted) - 1):
            if line.budget.is_spent:
                return
            stones = (first, *others)
            if first not in others and count(stones) == len(line.turns):
                opening = {color: names[cell].strip("()") for color, cell in zip(wanted, stones, strict=True)}
                words = ", ".join(f"{cell} for {color.capitalize()}" for color, cell in opening.items())
                yield Correction(cost, f"set the opening: {words}", (), {"opening": opening}, is_clear=False)


def other_starts(data: dict[str, Any]) -> Iterator[Correction]:
    """Yield the record as each other built-in game with its default ruleset, and in any size if its own is invalid."""
    if games.is_known(data.get("game")):
        rules = games.get(data["game"])
        ruleset = data.get("ruleset")
        known = rules.ruleset(ruleset if ruleset in rules.rulesets else None).sizes
        for size in known if data.get("size") not in known else ():
            yield Correction(_SIZE, f"set the size to {size}", (), {"size": size})
    for name in games.BUILT_IN:  # a search for games of other packages reads their metadata, which takes long
        if name != data.get("game"):
            keeps = data.get("ruleset") in games.get(name).rulesets
            yield Correction(
                _GAME, f"set the game to {name}", (), {"game": name, **({} if keeps else {"ruleset": None})}
            )
