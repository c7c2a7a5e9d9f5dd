"""JSON by the standard library, without what it accepts beyond the standard: duplicate keys, and numbers not finite."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any


class DuplicateKey(ValueError):
    """An object with two equal keys."""


class BadNumber(ValueError):
    """A number that is not finite; the message is its text."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise DuplicateKey
    return fields


def _finite_float(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise BadNumber(text)
    return value


DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_finite_float, parse_constant=_finite_float)
