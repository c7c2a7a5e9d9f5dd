"""Kinds of errors in records: each makes a wrong record of a right one, as people and programs do.

`benchmarks/suggestions.py` and the tests measure with them how often `hexrec fix --suggestions` writes a wrong game.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

from hexrec.record.identity import renamings
from hexrec.rules import games
from hexrec.rules.board import letters

Record = dict[str, Any]
#: Returns the turns of a record with an error, or None if the record cannot have it.
_Turns = Callable[[Record, list[str], Random], list[str] | None]
#: Returns fields of a record that are wrong (None: missing, `...`: null), or None if the record cannot have the error.
_Fields = Callable[[Record, Random], Record | None]

_CELL = re.compile("([a-z])([0-9]{1,2})")
_CHARACTERS = "abcdefghijk123456789-/x"
_LOOK_ALIKE = {"0": "o", "1": "l", "5": "s", "8": "b", "b": "6", "d": "cl", "g": "q", "i": "1", "m": "rn"}
_CYRILLIC = {"a": "а", "c": "с", "e": "е", "k": "к", "x": "х"}


def typo(turn: str, rng: Random) -> str:
    """Return a turn with one character replaced, inserted or removed, or two exchanged."""
    while True:
        kind, at = rng.randrange(4), rng.randrange(len(turn))
        before, here, after = turn[:at], turn[at], turn[at + 1 :]
        other = rng.choice(_CHARACTERS)
        made = (
            before + other + after,
            before + other + here + after,
            before + after,
            before + after[:1] + here + after[1:],
        )
        if made[kind] not in ("", turn):
            return made[kind]


def _in_turn(change: Callable[[str, Random], str | None]) -> _Turns:
    """Return an error in one turn; a change that returns None or the same text is tried on other turns."""

    def apply(_: Record, turns: list[str], rng: Random) -> list[str] | None:
        for index in rng.sample(range(len(turns)), len(turns)):
            new = change(turns[index], rng)
            if new is not None and new != turns[index]:
                return [*turns[:index], new, *turns[index + 1 :]]
        return None

    return apply


def _in_all(change: Callable[[str], str]) -> _Turns:
    return lambda _, turns, __: [*map(change, turns)]


def _row(turn: str, rng: Random) -> str | None:
    cells = [*_CELL.finditer(turn)]
    if not cells:
        return None
    cell = rng.choice(cells)
    row = int(cell[2]) + rng.choice((-1, 1))
    return turn[: cell.start(2)] + str(row) + turn[cell.end(2) :] if row else None


def _column(turn: str, rng: Random) -> str | None:
    cells = [*_CELL.finditer(turn)]
    if not cells:
        return None
    cell = rng.choice(cells)
    letter = chr(ord(cell[1]) + rng.choice((-1, 1)))
    return turn[: cell.start(1)] + letter + turn[cell.end(1) :] if letter >= "a" else None


def _substitute(table: dict[str, str]) -> Callable[[str, Random], str | None]:
    def change(turn: str, rng: Random) -> str | None:
        places = [at for at, character in enumerate(turn) if character in table and turn != "pass"]
        if not places:
            return None
        at = rng.choice(places)
        return turn[:at] + table[turn[at]] + turn[at + 1 :]

    return change


def _without(pattern: str) -> Callable[[str, Random], str | None]:
    def change(turn: str, rng: Random) -> str | None:
        found = [*re.finditer(pattern, turn)] if turn != "pass" else []
        match = rng.choice(found) if found else None
        return match and turn[: match.start()] + turn[match.end() :]

    return change


def _transpose(turn: str, rng: Random) -> str | None:
    if len(turn) < 2 or turn == "pass":
        return None
    at = rng.randrange(len(turn) - 1)
    return turn[:at] + turn[at + 1] + turn[at] + turn[at + 2 :]


def _missing(count: int) -> _Turns:
    def apply(_: Record, turns: list[str], rng: Random) -> list[str] | None:
        for index in sorted(rng.sample(range(len(turns)), min(count, len(turns))), reverse=True):
            turns = [*turns[:index], *turns[index + 1 :]]
        return turns

    return apply


def _doubled(_: Record, turns: list[str], rng: Random) -> list[str]:
    index = rng.randrange(len(turns))
    return [*turns[:index], turns[index], *turns[index:]]


def _exchanged(_: Record, turns: list[str], rng: Random) -> list[str] | None:
    pairs = [index for index in range(len(turns) - 1) if turns[index] != turns[index + 1]]
    if not pairs:
        return None
    index = rng.choice(pairs)
    return [*turns[:index], turns[index + 1], turns[index], *turns[index + 2 :]]


def _joined(between: str) -> _Turns:
    def apply(_: Record, turns: list[str], rng: Random) -> list[str] | None:
        if len(turns) < 2:
            return None
        index = rng.randrange(len(turns) - 1)
        return [*turns[:index], turns[index] + between + turns[index + 1], *turns[index + 2 :]]

    return apply


def _pass_missing(_: Record, turns: list[str], rng: Random) -> list[str] | None:
    passes = [index for index, turn in enumerate(turns) if turn == "pass"]
    index = rng.choice(passes) if passes else None
    return None if index is None else [*turns[:index], *turns[index + 1 :]]


def _pass_otherwise(turn: str, rng: Random) -> str | None:
    return rng.choice(("--", "-", "p", "pas", "", "Pass.", "skip", "0")) if turn == "pass" else None


def _cut(_: Record, turns: list[str], rng: Random) -> list[str]:
    return turns[: -rng.randint(1, min(3, len(turns)))]


def _twice(change: _Turns) -> _Turns:
    def apply(record: Record, turns: list[str], rng: Random) -> list[str] | None:
        once = change(record, turns, rng)
        return once and change(record, once, rng)

    return apply


def _skip_i(turn: str) -> str:
    return turn if turn == "pass" else _CELL.sub(lambda cell: chr(ord(cell[1]) + (cell[1] >= "i")) + cell[2], turn)


def _from_zero(turn: str) -> str:
    return _CELL.sub(lambda cell: f"{cell[1]}{int(cell[2]) - 1}", turn)


def _exchange(cell: re.Match[str]) -> str:
    return f"{letters(int(cell[2]) - 1)}{ord(cell[1]) - ord('a') + 1}"


def _numbered(_: Record, turns: list[str], __: Random) -> list[str]:
    return [f"{1 + ply // 2}{'.' if ply % 2 == 0 else '...'} {turn}" for ply, turn in enumerate(turns)]


def _opening_exchanged(record: Record, _: Random) -> Record | None:
    opening = record.get("opening", {})
    return {"opening": {"black": opening["white"], "white": opening["black"]}} if len(opening) == 2 else None


def _opening_moved(record: Record, rng: Random) -> Record | None:
    opening = record.get("opening", {})
    if not opening:
        return None
    color = rng.choice([*opening])
    new = _row(opening[color], rng) if rng.random() < 0.5 else _column(opening[color], rng)
    return {"opening": {**opening, color: new}} if new else None


def _opening_mirrored(record: Record, rng: Random) -> Record | None:
    opening = record.get("opening", {})
    names = rng.choice(renamings(games.get(record["game"]).board(record["size"]))[1:])
    return {"opening": {color: names[cell] for color, cell in opening.items()}} if opening else None


def _mirrored(record: Record, turns: list[str], rng: Random) -> list[str] | None:
    names = rng.choice(renamings(games.get(record["game"]).board(record["size"]))[1:])
    return [_CELL.sub(lambda cell: names[cell[0]], turn) for turn in turns] if "opening" in record else None


def _opening_missing(record: Record, _: Random) -> Record | None:
    return {"opening": None} if "opening" in record else None


def _opening_played(record: Record, _: Random) -> Record | None:
    opening = record.get("opening")
    return opening and {"opening": None, "moves": [*opening.values(), *record["moves"]]}


def _opening_repeated(record: Record, _: Random) -> Record | None:
    opening = record.get("opening")
    return opening and {"moves": [*opening.values(), *record["moves"]]}


def _players_exchanged(_: Record, turns: list[str], __: Random) -> list[str]:
    return [turn for index in range(0, len(turns), 2) for turn in turns[index : index + 2][::-1]]


def _in_two_texts(_: Record, turns: list[str], rng: Random) -> list[str] | None:
    long = [index for index, turn in enumerate(turns) if len(turn) > 3 and turn != "pass"]
    if not long:
        return None
    index = rng.choice(long)
    at = rng.randrange(1, len(turns[index]))
    return [*turns[:index], turns[index][:at], turns[index][at:], *turns[index + 1 :]]


def _size(record: Record, rng: Random) -> Record | None:
    sizes = {record["size"] - 1, record["size"] + 1} & {*games.get(record["game"]).sizes}
    return {"size": rng.choice(sorted(sizes))}


def _game(record: Record, rng: Random) -> Record | None:
    return {"game": rng.choice([name for name in games.BUILT_IN if name != record["game"]])}


def _winner(record: Record, rng: Random) -> Record | None:
    result = record.get("result")
    if not result:
        return None
    winners = [winner for winner in ("black", "white") if winner != result.get("winner")]
    return {"result": {**result, "winner": rng.choice(winners)}}


def _score(record: Record, rng: Random) -> Record | None:
    result = record.get("result")
    if not result or not result.get("score"):
        return None
    score, color = result["score"], rng.choice(("black", "white"))
    wrong = [*score[color], 1] if isinstance(score[color], list) else score[color] + 1
    return {"result": {**result, "score": {**score, color: wrong}}}


def _field(name: str, change: Callable[[Any, Random], Any]) -> _Fields:
    """Return an error in the value of a field."""
    return lambda record, rng: {name: change(record[name], rng)} if name in record else None


def _date(date: str, rng: Random) -> str:
    year, month, day = date.split("-")
    other_orders = (
        f"{int(day)}.{int(month)}.{year}",
        f"{year}/{month}/{day}",
        f"{year}{month}{day}",
        f"{day} Nov {year}",
    )
    return rng.choice(other_orders)


def _key_misspelled(record: Record, rng: Random) -> Record:
    name = rng.choice([name for name in record if name not in ("hexrec", "game")])
    while (wrong := typo(name, rng)) in record or not wrong.isalpha():
        pass
    return {name: None, wrong: record[name]}


_TURNS: dict[str, _Turns] = {
    "one character wrong": _in_turn(typo),
    "characters exchanged": _in_turn(_transpose),
    "row off by one": _in_turn(_row),
    "column off by one": _in_turn(_column),
    "o for 0, l for 1": _in_turn(_substitute({"0": "o", "1": "l"})),
    "OCR look-alike": _in_turn(_substitute(_LOOK_ALIKE)),
    "Cyrillic letter": _in_turn(_substitute(_CYRILLIC)),
    "letter lost": _in_turn(_without("[a-w]")),
    "row lost": _in_turn(_without("[0-9]+")),
    "annotation sign": _in_turn(lambda turn, rng: turn + rng.choice(("!", "?", "!?", "+", "#"))),
    "turn missing": _missing(1),
    "two turns missing": _missing(2),
    "last turns lost": _cut,
    "turn doubled": _doubled,
    "neighbors exchanged": _exchanged,
    "pass missing": _pass_missing,
    "pass spelled otherwise": _in_turn(_pass_otherwise),
    "two turns merged": _joined(""),
    "two turns and a space": _joined(" "),
    "two turns and a comma": _joined(", "),
    "two rows off by one": _twice(_in_turn(_row)),
    "two OCR look-alikes": _twice(_in_turn(_substitute(_LOOK_ALIKE))),
    "letters skip i": _in_all(_skip_i),
    "rows from 0": _in_all(_from_zero),
    "row before column": _in_all(lambda turn: _CELL.sub(r"\2\1", turn)),
    "numbers as rows": _in_all(lambda turn: _CELL.sub(_exchange, turn)),
    "turns from another side": _mirrored,
    "move numbers in turns": _numbered,
    "turn in two texts": _in_two_texts,
    "players exchanged": _players_exchanged,
    "other separators": _in_all(lambda turn: turn.replace("-", "–").replace("x", "×")),
}
_FIELDS: dict[str, _Fields] = {
    "opening colors exchanged": _opening_exchanged,
    "opening stone off by one": _opening_moved,
    "opening from another side": _opening_mirrored,
    "opening missing": _opening_missing,
    "opening written as turns": _opening_played,
    "opening repeated as turns": _opening_repeated,
    "size off by one": _size,
    "wrong game": _game,
    "wrong winner": _winner,
    "wrong score": _score,
    "no version": _field("hexrec", lambda *_: None),
    "number for a string": _field("round", lambda text, _: int(text)),
    "string for a number": _field("size", lambda size, _: str(size)),
    "capital letters": _field("game", lambda name, _: name.capitalize()),
    "name for a player": _field(
        "players", lambda players, _: {color: player["name"] for color, player in players.items()}
    ),
    "turns in one string": _field("moves", lambda turns, rng: rng.choice((" ", ", ", "; ")).join(turns)),
    "turns in pairs": _field("moves", lambda turns, _: [turns[at : at + 2] for at in range(0, len(turns), 2)]),
    "date in another order": _field("date", _date),
    "null": lambda _, __: {"event": ...},
    "key misspelled": _key_misspelled,
}
#: Fields that some errors need.
FIELDS = {"players": {"black": {"name": "Ada"}, "white": {"name": "Ben"}}, "round": "3", "date": "2026-11-20"}
#: All kinds of errors.
KINDS = (*_TURNS, *_FIELDS)


def make_error(record: Record, kind: str, rng: Random) -> Record | None:
    """Return a record with an error of a kind, or None if it cannot have one. Turns are strings; see `FIELDS`."""
    if kind in _TURNS:
        turns = _TURNS[kind](record, record["moves"], rng)
        return None if turns is None else {**record, "moves": turns}
    fields = _FIELDS[kind](record, rng)
    changed = {**record, **(fields or {})}.items()
    return fields and {name: None if value is ... else value for name, value in changed if value is not None}
