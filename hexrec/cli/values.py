"""Conversion of the strings of a command line to the values of parameters, and choices among names.

Typer assigns strings to parameters and describes them. Its own conversion is not used: it imports pydantic since Typer
0.29, which takes as long as all else that a command imports, and its messages differ between versions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from inspect import Parameter
from pathlib import Path
from typing import Any, cast, get_args

from hexrec.cli.console import refuse
from hexrec.io.remote import Address, is_address
from hexrec.util.diagnostics import close_matches


def one_of(names: Collection[str]) -> dict[str, Any]:
    """Return the settings of an option or argument that takes one of some names."""
    return {"callback": lambda value: check_name(value, names), "autocompletion": lambda: names}


def check_name(value: str | None, names: Collection[str]) -> str | None:
    """Return a value that is one of some names, or None. Raises BadParameter for others."""
    if value is not None and value not in names:
        refuse(f"{value!r} is not one of {', '.join(names)}{nearest(value, names)}")
    return value


def nearest(value: str, names: Collection[str]) -> str:
    """Return a hint with the closest name to an unknown one, or an empty string."""
    near = close_matches(value.lower(), names, 1, 0.5)
    return f": did you mean {near[0]}?" if near else ""


def convert_values(parameter: Any, given: Parameter) -> None:
    """Let hexrec convert the values of a parameter of Click, which is `given` in the function."""
    convert = _converter(given)
    repeatable = parameter.multiple or parameter.nargs == -1
    process_by_typer = parameter.process_value

    def process_value(context: Any, value: Any) -> Any:
        if repeatable:
            value = tuple(map(convert, value or ()))
        elif value is not None:
            value = convert(value)
        if parameter.required and parameter.value_is_missing(value):
            return process_by_typer(context, value)  # reports it
        return parameter.callback(context, parameter, value) if parameter.callback else value

    parameter.process_value = process_value


def _converter(given: Parameter) -> Callable[[Any], Any]:
    """Return a function from a string, or the default, to the type of a parameter such as ``list[str] | None``."""
    kinds = {int, float, Path} & {given.annotation, *get_args(given.annotation)}
    if not kinds:
        return lambda value: value
    kind = kinds.pop()
    return to_path if kind is Path else partial(_number, kind, given.default.min, given.default.max)


def without_path(annotation: Any) -> Any:
    """Return the annotation of a parameter with a string in place of a path."""
    return {Path: str, Path | None: str | None}.get(annotation, annotation)


def to_path(value: str | Path) -> Path:
    """Return the path of a file. That of a URL is an `Address`, which has the methods that commands call."""
    return cast(Path, Address(str(value))) if is_address(str(value)) else Path(value)


def _number(kind: type[int] | type[float], least: float | None, most: float | None, value: str | float) -> float:
    """Return the number of a string. Raises BadParameter for a string without a number and one out of bounds."""
    noun = "a whole number" if kind is int else "a number"
    if most is not None:
        noun = f"{noun} from {least} to {most}"
    elif least is not None:
        noun = f"{noun} from {least} up"
    try:
        number = kind(value)
    except ValueError:
        refuse(f"{value!r} should be {noun}")
    # A NaN is not within any bounds.
    if (least is not None and not number >= least) or (most is not None and not number <= most):
        refuse(f"{value} should be {noun}")
    return number
