"""Rounds of Abstract Play: convert rounds to entries in the order of play, and entries to rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from hexrec.util.diagnostics import Diagnostic

#: Shape of a round of two turns.
_USUAL = "bw"


class RejectedError(Exception):
    """A malformed record; the diagnostic has the JSON Pointer of the malformed part."""

    def __init__(self, message: str, pointer: str, code: str = "syntax/abstractplay") -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, message, pointer=pointer)


class RoundEntry(NamedTuple):
    """An entry of a round that is not null."""

    content: Any
    round: int
    seat: int

    @property
    def pointer(self) -> str:
        """Its JSON Pointer."""
        return f"/moves/{self.round}/{self.seat}"


def iter_entries(rounds: Any) -> Iterator[RoundEntry]:
    """Yield the entries of all rounds that are not null, in the order of play. Raises RejectedError."""
    if not isinstance(rounds, list):
        raise RejectedError("moves should be a list of rounds", "/moves")
    for number, turns in enumerate(rounds):
        if not isinstance(turns, list):
            raise RejectedError("a round should be a list with a turn of each player", f"/moves/{number}")
        before = 0
        for seat, content in enumerate(turns):
            if content is None:
                continue
            entry = RoundEntry(content, number, seat)
            if seat > 1:
                raise RejectedError("a round has at most two turns, one for each player", entry.pointer)
            if isinstance(content, dict) and isinstance(sequence := content.get("sequence"), int):
                if sequence < before:
                    message = "by its sequence, White's turn was played before Black's in this round: Black plays first"
                    raise RejectedError(message, entry.pointer, "syntax/abstractplay-order")
                before = sequence
            yield entry


def _shape(turns: list[Any]) -> str:
    """Return the shape of a round: ``b`` and ``w`` for an entry of Black and White, ``-`` for null."""
    return "".join("-" if turn is None else "bw"[seat] for seat, turn in enumerate(turns))


def unusual_shapes(rounds: list[list[Any]]) -> dict[str, str]:
    """Return, by their numbers from 0, the shapes of the rounds that `group_in_rounds` would not reproduce."""
    found = dict(enumerate(map(_shape, rounds)))
    if found and found[len(found) - 1] == "b-":
        del found[len(found) - 1]
    return {str(number): each for number, each in found.items() if each != _USUAL}


def group_in_rounds(turns: list[Any], shapes: Mapping[str, str]) -> Iterator[list[Any]]:
    """Yield the entries in rounds of two, except for the rounds in `shapes`."""
    rest = iter(turns)
    left, number = len(turns), 0
    while left or str(number) in shapes:
        seats = shapes.get(str(number), _USUAL)
        yield [None if seat == "-" else next(rest, None) for seat in seats]
        left = max(0, left - len(seats.replace("-", "")))
        number += 1
