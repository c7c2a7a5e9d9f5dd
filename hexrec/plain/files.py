"""`hexrec validate` for a few small files of plain, valid records, as hooks give them, without the command line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from math import isinf
from typing import Any, NoReturn

from hexrec import kernel
from hexrec.games import Outcome, RuleError
from hexrec.plain import record as plain
from hexrec.plain.settings import content, demands_results
from hexrec.summary import Summary

#: More bytes are worth starting the whole program for, which shows progress and may have several workers.
_MOST = 256 * 1024


def validate(arguments: list[str]) -> Summary | None:
    """Do what the command's arguments ask for if that can be done here: return the sums, else None.

    It can be done if the arguments are files, and nothing else, in which all records are plain and valid, and the
    project's settings, if there are any, look for no more than errors.
    """
    if not arguments or any(argument.startswith("-") for argument in arguments):
        return None
    summary = Summary()
    left = _MOST
    try:
        for path in arguments:
            finished = demands_results(os.path.abspath(path))
            text = content(path, left)
            left -= len(text)
            for index, record in enumerate(_records(path, text)):
                plies = plies_if_valid(record, finished=finished)
                if plies is None:
                    return None
                summary.add(index, plies, valid=True)
    except (OSError, ValueError, RecursionError):
        return None
    return summary if summary.files == len(arguments) else None


def plies_if_valid(data: Any, *, finished: bool = False) -> int | None:
    """Return the number of turns in a plain, valid record; with `finished`, in one that has a result.

    None says nothing but that the record has to go the full way.
    """
    record = plain.read(data)
    if record is None:
        return None
    try:
        outcome = _played(record)
    except RuleError:
        return None
    valid = not finished if record.result is None else _agrees(record.result, outcome)
    return len(record.moves) if valid else None


def _played(record: plain.PlainRecord) -> Outcome | None:
    """Return how the game stands after all turns. Raises RuleError if one is illegal."""
    game, size, stones = record.GAME, record.size, record.stones
    ruleset, variant, coordinates = record.ruleset, record.variant, record.coordinates
    played = kernel.play(game, size, stones, record.moves, ruleset=ruleset, variant=variant, coordinates=coordinates)
    if played is not None:
        return played.outcome
    position = record.start()
    position.play_all(record.moves)
    return position.result()


def _agrees(claim: plain.PlainResult, outcome: Outcome | None) -> bool:
    """Return whether the result that a record claims is right."""
    if claim.termination != "rules":
        return outcome is None and claim.winner != "draw"  # a draw may be an error: not every termination has one
    return (
        outcome is not None
        and claim.winner in (None, outcome.winner)
        and (claim.score is None or claim.score._asdict() == outcome.score)
    )


def _records(path: str, text: str) -> Iterator[Any]:
    """Yield the data of the records in a text. Raises ValueError for anything but plain JSON."""
    suffix = os.path.splitext(path)[1]
    if suffix == ".json":
        yield _DECODER.decode(text)
    elif suffix in (".jsonl", ".ndjson"):
        for line in text.split("\n"):
            if line.strip():
                yield _DECODER.decode(line)
    else:
        raise ValueError(path)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise ValueError("a field twice")
    return data


def _finite(text: str) -> float:
    number = float(text)
    if isinf(number):
        raise ValueError(text)
    return number


def _refuse(text: str) -> NoReturn:
    raise ValueError(text)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_finite, parse_constant=_refuse)
