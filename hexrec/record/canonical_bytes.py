"""Canonical bytes of records: the canonical form as JSON by RFC 8785, but in the order of fields of the format."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from hexrec.record.canonical import canonical_form
from hexrec.record.game_shapes import record_shape
from hexrec.record.record import Record
from hexrec.record.shapes import Shape
from hexrec.record.validation import RecordError
from hexrec.util.diagnostics import Diagnostic, Path, pointer_to
from hexrec.util.hashing import blake2b

_DIGEST_SIZE = 16
_string = json.JSONEncoder(ensure_ascii=False).encode


def canonical_bytes(record: Record) -> bytes:
    """Return the canonical bytes of a record, whose turns need not be legal.

    Raises RecordError for an integer that is neither an exact double nor the shortest integer for one.
    """
    return _serialize(canonical_form(record), record_shape(record.rules), ()).encode()


def record_hash(record: Record) -> str:
    """Return BLAKE2b of the canonical bytes as 32 hexadecimal digits. Raises RecordError."""
    return blake2b(canonical_bytes(record), digest_size=_DIGEST_SIZE).hexdigest()


def _serialize(value: Any, shape: Shape | None, path: Path) -> str:
    """Return the JSON of a value with the shape of its objects; keys of other objects are sorted by code point."""
    if isinstance(value, dict):
        parts = []
        for name in value if shape else sorted(value):
            inner = shape.parts.get(name) if shape else None
            parts.append(f"{_string(name)}:{_serialize(value[name], inner, (*path, name))}")
        return f"{{{','.join(parts)}}}"
    if isinstance(value, list):
        return f"[{','.join([_serialize(item, shape, (*path, index)) for index, item in enumerate(value)])}]"
    if isinstance(value, str):
        return _string(value)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return _number(value, path)


def _number(value: float, path: Path) -> str:
    """Return a number as ECMAScript writes it. Raises RecordError."""
    try:
        written = _write(float(value))
    except OverflowError:
        written = ""
    # Doubles from 2^53 to 10^21 are written as integers, which need not be exact: 123456789012345680000.
    if written and (float(value) == value or written == str(value)):
        return written
    message = "this number is no exact double, so the record has no canonical bytes: write it as a string"
    raise RecordError([Diagnostic("convert/number", message, pointer=pointer_to(path))])


def _write(double: float) -> str:
    if not double:
        return "0"
    sign, digits, exponent = Decimal(repr(double)).normalize().as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits))
    point = len(text) + exponent
    if 0 < point <= 21:
        whole = text.ljust(point, "0")
        written = f"{whole[:point]}.{whole[point:]}".rstrip(".")
    elif -6 < point <= 0:
        written = f"0.{'0' * -point}{text}"
    else:
        written = f"{text[0]}.{text[1:]}".rstrip(".") + f"e{point - 1:+}"
    return "-" * sign + written
