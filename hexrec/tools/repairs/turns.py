"""Edits of turns at or before an error. Each function yields those of one kind, the nearest to the error first."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, log

from hexrec.rules.grid import NOBODY
from hexrec.tools.repairs.line import Correction, Line, Splice, play
from hexrec.tools.repairs.texts import SEPARATORS

#: The number of turns before an error in which edits are tried.
_TURNS_BACK = 200
#: The maximum share of the work that is left for the search of a missing turn.
_MISSING_SHARE = 0.5
#: The maximum number of turns that are added at the end.
_MOST_ADDED = 3
#: The cost of a slip from which it is unlikely.
_FAR = 1.0
#: The costs of kinds of errors, apart from the logarithm of the number of places where each can be.
_EXCHANGED, _DOUBLED, _PASS, _JOINED, _SLIP, _LEFT_OUT, _ADDED, _MISSING = 4.0, 4.0, 5.0, 4.0, 5.0, 8.0, 5.0, 4.0


def _places(line: Line) -> Iterator[int]:
    """Yield the indexes of turns to edit, from the error back: no other than a text that is no turn on the board."""
    last = min(line.end, len(line.turns) - 1)
    if not line.is_started:
        return
    if line.is_unread:
        yield line.end
    else:
        yield from range(last, max(-1, last - _TURNS_BACK), -1)


def _cost(line: Line) -> float:
    """Return the logarithm of the number of turns, in any of which the error can be."""
    return log(max(1, len(line.turns)))


def replaced(line: Line) -> Iterator[Correction]:
    """Yield replacements of a turn by a legal one that a likely slip makes of it."""
    return _replaced(line, 0.0, _FAR)


def replaced_by_far(line: Line) -> Iterator[Correction]:
    """Yield replacements of a turn by a legal one that an unlikely slip makes of it."""
    return _replaced(line, _FAR, inf)


def _replaced(line: Line, least: float, below: float) -> Iterator[Correction]:
    base = _SLIP + _cost(line)
    for index in _places(line):
        is_clear = None if line.reads(line.turns[index]) else line.notation.count_within(line.turns[index]) < 2
        for cost, text in line.slips_to_legal(index):
            if least <= cost < below:
                yield Correction(base + cost, "", (Splice(index, 1, (text,)),), is_clear=is_clear)


def exchanged(line: Line) -> Iterator[Correction]:
    """Yield exchanges of a turn with the next one, or with the next one of the same player."""
    if line.is_unread:
        return
    turns, base = line.turns, _EXCHANGED + _cost(line)
    for distance, extra in ((1, 0.0), (2, 3.0)):
        for index in _places(line):
            if index + distance >= len(turns) or turns[index] == turns[index + distance]:
                continue
            first, *between, last = turns[index : index + distance + 1]
            # A text with several turns is split, not moved.
            is_clear = None if max(map(line.notation.count_within, (first, last))) < 2 else False
            splice = Splice(index, distance + 1, (last, *between, first))
            yield Correction(base + extra, "", (splice,), is_clear=is_clear)


def left_out(line: Line) -> Iterator[Correction]:
    """Yield the record without a turn; never without a text that contains turns."""
    turns = line.turns
    for index in _places(line):
        turn = turns[index]
        if line.notation.count_within(turn):
            continue
        is_double = turn in (*turns[max(0, index - 1) : index], *turns[index + 1 : index + 2])
        if index < line.end and turns[index + 1 : index + 2] == [turn]:
            continue  # it does not matter which of two equal turns is left out
        cost = _DOUBLED if is_double else _LEFT_OUT
        # Two passes may be right.
        is_clear = is_double and not line.is_annotated(index) and (turn != "pass" or None)
        yield Correction(cost + _cost(line), "", (Splice(index, 1, ()),), is_clear=is_clear)


def joined(line: Line) -> Iterator[Correction]:
    """Yield the record with two texts as one turn."""
    turns = line.turns
    for index in _places(line):
        for first in (index - 1, index):
            pair = turns[max(0, first) : first + 2]
            if first < 0 or len(pair) < 2 or first > line.end:
                continue
            for separator in ("", *SEPARATORS):
                turn = separator.join(pair)
                if len(turn) < 40 and line.reads(turn):
                    is_sure = not all(map(line.reads, pair))
                    cost = _JOINED + (0.0 if is_sure else 3.0) + _cost(line)
                    yield Correction(cost, "", (Splice(first, 2, (turn,)),), is_clear=is_sure or None)


def passes(line: Line) -> Iterator[Correction]:
    """Yield the record with a pass inserted."""
    if not line.notation.has_pass or not line.is_started:
        return
    ends = [line.end] if line.end == len(line.turns) and not line.is_complete else []
    for index in [*ends, *_places(line)]:
        if index <= line.end:
            yield Correction(_PASS + _cost(line), "", (Splice(index, 0, ("pass",)),))


def missing(line: Line) -> Iterator[Correction]:
    """Yield the record with any legal turn inserted, first where most later turns become legal.

    That is found with a turn of no effect, after which the other player is to move.
    """
    if line.unread:
        return
    grid, turns = line.grid, line.turns
    reserve = line.budget.left * (1 - _MISSING_SHARE)
    counts = {}
    for index in _places(line):
        grid.restore(line.state(index))
        grid.side = 1 - grid.side
        counts[index] = index + play(grid, turns, index)
        line.budget.left -= counts[index] - index
    for index in sorted(counts, key=lambda index: (-counts[index], -index)):
        if line.budget.left < reserve:
            return
        legal = [turn for turn in line.legal_turns(index) if turn != "pass"]
        cost = _MISSING + _cost(line) + log(max(1, len(legal)))
        for turn in legal:
            yield Correction(cost, "", (Splice(index, 0, (turn,)),), is_clear=False)


def missing_two(line: Line) -> Iterator[Correction]:
    """Yield the record with legal turns inserted at two places with which the recorded result is right.

    The places are those at which turns of no effect make most turns legal.
    """
    if line.unread or not line.is_checked:
        return
    grid, turns, budget = line.grid, line.turns, line.budget
    reserve = budget.left * (1 - _MISSING_SHARE)
    base = 2 * (_MISSING + _cost(line))
    for first, second in _two_places(line):
        for turn in line.legal_turns(first):
            grid.restore(line.state(first))
            played = play(grid, [turn, *turns[first:second]])
            budget.left -= played
            if budget.left < reserve:
                return
            if played <= second - first or grid.winner != NOBODY:
                continue
            before, legal, tail = grid.save(), grid.legal_turns(), ["", *turns[second:]]
            length = len(tail)
            for other in legal:
                grid.restore(before)
                tail[0] = other
                played = play(grid, tail)
                budget.left -= played
                if played == length and line.agrees:
                    changes = Splice(first, 0, (turn,)), Splice(second, 0, (other,))
                    words = f"insert {turn} at ply {first + 1} and {other} at ply {second + 2}"
                    yield Correction(base + log(len(legal)), words, changes, is_clear=False)


def _two_places(line: Line) -> list[tuple[int, int]]:
    """Return the pairs of places at which turns of no effect make most turns legal, the nearest to the error first."""
    grid, turns, count = line.grid, line.turns, len(line.turns)
    reached: dict[tuple[int, int], int] = {}
    for first in _places(line):
        if line.budget.is_spent:
            break
        grid.restore(line.state(first))
        grid.side = 1 - grid.side
        states = [grid.save()]
        for index in range(first, count):
            if not play(grid, [turns[index]]):
                break
            states.append(grid.save())
        line.budget.left -= len(states)
        for second in range(first + 1, first + len(states)):
            grid.restore(states[second - first])
            grid.side = 1 - grid.side
            reached[first, second] = second + play(grid, turns, second)
            line.budget.left -= reached[first, second] - second
    most = max(reached.values(), default=0)
    return [places for places, end in reached.items() if end == most]


def added(line: Line) -> Iterator[Correction]:
    """Yield the record with turns at the end that end the game, if all turns are legal and it is not over."""
    grid, count = line.grid, len(line.turns)
    if line.end < count or not line.is_checked:
        return
    grid.restore(line.state(count))
    if grid.winner != NOBODY:
        return

    def extend(turns: tuple[str, ...], cost: float, most: int) -> Iterator[Correction]:
        saved = grid.save()
        legal = grid.legal_turns()
        line.budget.left -= 20
        for turn in sorted(legal, key=lambda turn: turn != "pass"):
            if line.budget.is_spent:
                return
            more = cost + (0.7 if turn == "pass" else log(len(legal)) + 0.7)
            grid.restore(saved)
            play(grid, [turn])
            line.budget.left -= 1
            new = (*turns, turn)
            if grid.winner != NOBODY and len(new) == most:
                yield Correction(more, "", (Splice(count, 0, new),), is_clear=False)
            elif len(new) < most:
                yield from extend(new, more, most)

    for most in range(1, _MOST_ADDED + 1):
        grid.restore(line.state(count))
        yield from extend((), _ADDED, most)
