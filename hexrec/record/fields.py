"""The types that fields of a record have, each defined once for the models and the JSON Schemas alike.

A value is accepted by a type here exactly when the JSON Schema that pydantic derives from it accepts the value.
Where Python and JSON disagree on a type (5.0 is an integer in JSON, true is a number in Python), JSON wins.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError, PydanticKnownError

from hexrec.board.coordinates import CELL_PATTERNS
from hexrec.dates import DATE, DATE_AND_TIME, whole_text

T = TypeVar("T")

_BLANK = r"[ \t\r\n]*"


def integer_in(values: range) -> Any:
    """Return the type of the whole numbers in a range (of step 1)."""
    return Annotated[int, Field(strict=True, ge=values[0], le=values[-1]), BeforeValidator(_integral)]


def optional(kind: Any) -> Any:
    """Return the type of an optional field for a type that is made while the program runs; see `Maybe`."""
    return Annotated[kind | None, BeforeValidator(_refuse_null)]


def empty_list(description: str, examples: list[Any] | None = None) -> Any:
    """Return the description of a field with a list that may be left out.

    A list made anew for each object takes far less time than pydantic's deep copy of a default.
    """
    return Field(default_factory=list, description=description, examples=examples, json_schema_extra={"default": []})


def blank_around(pattern: str) -> str:
    """Return a pattern that matches texts consisting of `pattern`, with blanks around it disregarded."""
    return f"^{_BLANK}(?:{pattern}){_BLANK}$"


def _matching(pattern: str, code: str, message: str) -> AfterValidator:
    expression = re.compile(pattern)

    def check(text: str) -> str:
        if expression.search(text) is None:
            raise PydanticCustomError(code, message)
        return text

    return AfterValidator(check)


def _refuse_null(value: Any) -> Any:
    if value is None:
        raise PydanticCustomError("schema/null", "should not be null: leave the field out, or give it a value")
    return value


def _refuse_field(_: Any) -> Any:
    raise PydanticCustomError("schema/unknown-field", "is not a field here")


def _refuse_beside_setup(_: Any) -> Any:
    raise PydanticCustomError("schema/opening-and-setup", "should be left out: the setup takes its place")


def _integral(value: Any) -> Any:
    return int(value) if type(value) is float and value.is_integer() else value


def _integral_entries(value: Any) -> Any:
    return [_integral(entry) for entry in value] if isinstance(value, list) and float in map(type, value) else value


def _number(minimum: float | None = None, maximum: float | None = None) -> PlainValidator:
    def check(value: Any) -> int | float:
        if type(value) not in (int, float) or value != value or value in (float("inf"), float("-inf")):
            raise PydanticKnownError("float_type")
        if minimum is not None and value < minimum:
            raise PydanticKnownError("greater_than_equal", {"ge": minimum})
        if maximum is not None and value > maximum:
            raise PydanticKnownError("less_than_equal", {"le": maximum})
        # One number, one form: 1200.0 is written 1200.
        return int(value) if value == int(value) else value

    return PlainValidator(check)


#: An optional field: left out, or a value; never null.
Maybe = Annotated[T | None, BeforeValidator(_refuse_null)]
#: A field that this game's records do not have.
Absent = Annotated[None, BeforeValidator(_refuse_field), WithJsonSchema({"not": {}})]
#: The opening of a game that goes on from a setup.
TakenBySetup = Annotated[None, BeforeValidator(_refuse_beside_setup), WithJsonSchema({"not": {}})]
Text = Annotated[str, Field(strict=True)]
Flag = Annotated[bool, Field(strict=True)]
Integer = Annotated[int, Field(strict=True), BeforeValidator(_integral)]
NaturalNumber = Annotated[int, Field(strict=True, ge=0), BeforeValidator(_integral)]
PositiveInteger = Annotated[int, Field(strict=True, ge=1), BeforeValidator(_integral)]
#: The same as a list of `PositiveInteger`, whose entries would take a call each.
PositiveIntegers = Annotated[list[Annotated[int, Field(strict=True, ge=1)]], BeforeValidator(_integral_entries)]
Number = Annotated[int | float, _number(), WithJsonSchema({"type": "number"})]
NonNegative = Annotated[int | float, _number(0), WithJsonSchema({"type": "number", "minimum": 0})]
#: What a program says of a position.
Evaluation = Annotated[int | float, _number(-1, 1), WithJsonSchema({"type": "number", "minimum": -1, "maximum": 1})]
Date = Annotated[
    str,
    Field(strict=True, json_schema_extra={"pattern": DATE}),
    _matching(
        DATE,
        "schema/date",
        "should be a date such as 2026-11-20, 2026-11 or 2026, or a date and time with its zone such as "
        "2026-11-20T18:03:11Z",
    ),
]
DateTime = Annotated[
    str,
    Field(strict=True, json_schema_extra={"pattern": DATE_AND_TIME}),
    _matching(DATE_AND_TIME, "schema/date", "should be a date and time with its zone such as 2026-11-20T18:03:11Z"),
]
_AXIAL_PAIR = CELL_PATTERNS["axial"].removeprefix(r"\(").removesuffix(r"\)")
#: How cells are spelled in any coordinate system.
CELL = blank_around(f"{CELL_PATTERNS['row']}|{CELL_PATTERNS['axial']}|{_AXIAL_PAIR}")
Cell = Annotated[
    str,
    Field(strict=True, json_schema_extra={"pattern": CELL}),
    _matching(CELL, "schema/cell", "should be the name of a cell, such as e5 (or 0,0 in axial coordinates)"),
]
Cells = Annotated[list[Cell], Field(min_length=1)]
_LANGUAGE = whole_text(
    "(?:[A-Za-z]{2,3}(?:-[A-Za-z]{3}){0,3}|[A-Za-z]{4,8})(?:-[A-Za-z]{4})?(?:-(?:[A-Za-z]{2}|[0-9]{3}))?"
    "(?:-(?:[A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))*(?:-[0-9A-WY-Za-wy-z](?:-[A-Za-z0-9]{2,8})+)*"
    "(?:-[xX](?:-[A-Za-z0-9]{1,8})+)?|[xX](?:-[A-Za-z0-9]{1,8})+"
)
Language = Annotated[
    str,
    Field(strict=True, json_schema_extra={"pattern": _LANGUAGE}),
    _matching(_LANGUAGE, "schema/language", "should be a language tag, such as en or pt-BR"),
]
ExtensionName = Annotated[str, StringConstraints(pattern="^x-")]
