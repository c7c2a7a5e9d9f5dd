"""Diagnostics, explanations of their codes, and the diagnostic on an internal error, shared by all layers.

This module depends on neither games nor files. Each layer sets the attributes of a `Diagnostic` that it knows (the
engine: code and message; the record: pointer). The layer above sets the others with `Diagnostic.at`.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from hexrec.util import plugins
from hexrec.util.escaping import shorten as shorten
from hexrec.util.escaping import visible
from hexrec.util.limits import MAX_DIAGNOSTICS
from hexrec.util.version import __version__

Severity = Literal["error", "warning"]
T = TypeVar("T")
#: Keys and indexes from a record to a value in it.
Path = tuple[int | str, ...]


class Code(NamedTuple):
    """Explanation of one diagnostic code.

    Attributes:
        meaning: the problem.
        fix: a repair for the user.
        rule: the broken rule, with the number of the ruling or the page that states it.
        example: a file whose first diagnostic has this code; empty if no short file has it.
        format: the format of the example.
        needs: the feature that a game must have for the code to occur in its records; see `Game.has`. Codes listed
            under one game leave it empty.
        severity: an ``error``, a ``warning`` or, for a code that counts others, ``error or warning``.
    """

    meaning: str
    fix: str
    rule: str
    example: str = ""
    format: str = "yaml"
    needs: str = ""
    severity: str = "error"


class Excerpt(NamedTuple):
    """A line of a file, or the part of a long one around a place.

    Attributes:
        text: the characters in the file, without the newline.
        column: the 1-based column of the first character.
        cut: whether the line continues after the excerpt.
    """

    text: str
    column: int
    cut: bool


class Edit(NamedTuple):
    """A change to the text of a record.

    Attributes:
        pointer: JSON Pointer of the value, or of the value whose key changes.
        text: the new text; empty to delete a turn.
        line, column, end_line, end_column: the replaced range in the file; None if unknown.
    """

    pointer: str
    text: str
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None


class Suggestion(NamedTuple):
    """Edits that repair a record or a part of it.

    Attributes:
        message: the edits and their effect in words.
        edits: edits to apply together.
        complete: whether the edits make the whole record valid.
        best: whether they are clearly the best, so that `hexrec fix --suggestions` makes them.
    """

    message: str
    edits: tuple[Edit, ...]
    complete: bool
    best: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the suggestion as JSON-compatible data, without unknown places."""
        edits = [{name: value for name, value in edit._asdict().items() if value is not None} for edit in self.edits]
        return {"message": self.message, "complete": self.complete, "edits": edits}


#: Attributes that locate a diagnostic in its file and its record.
_PLACES = ("line", "column", "end_line", "end_column", "pointer", "within", "ply", "turn")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One diagnostic in one record.

    Attributes:
        code: stable name such as ``move/occupied``, which `hexrec explain` explains.
        message: one or two sentences for a player: the problem, the broken rule, the fix.
        severity: an ``error`` makes the record invalid, a ``warning`` does not.
        by: the file whose rules ignore an error, or ``options``; None for an error that counts, and for a warning. An
            ignored error makes the record invalid too, but a record with ignored errors alone is accepted.
        downgraded: whether the rules ask to report the ignored error nevertheless, as they do of a warning.
        file: the file as named or found; None for a record without a file.
        record: 0-based index of the record in its file.
        id: the record's id, if it has one.
        line, column: 1-based place of the offending value in the file, in characters.
        end_line, end_column: the place just after the value.
        pointer: JSON Pointer of the offending value in the record.
        within: 1-based place of the offending character in the string at `pointer`; None unless there is one.
        ply: 1-based number of the turn.
        turn: the turn as read.
        source_line: the line of the file, or its part around `column`.
        suggestions: repairs, the best first.
    """

    code: str
    message: str
    severity: Severity = "error"
    file: str | None = None
    record: int | None = None
    id: str | None = None
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None
    pointer: str | None = None
    within: int | None = None
    ply: int | None = None
    turn: str | None = None
    source_line: Excerpt | None = field(default=None, repr=False)
    suggestions: tuple[Suggestion, ...] = ()
    by: str | None = None
    downgraded: bool = False

    @property
    def ignored(self) -> bool:
        """Whether rules or a baseline ignore the error."""
        return self.by is not None

    @property
    def suppressed(self) -> bool:
        """Whether reports for people leave out the ignored error, and count its record only."""
        return self.ignored and not self.downgraded

    @property
    def place(self) -> str:
        """The known parts of ``file:line:column``, escaped for display."""
        file = None if self.file is None else visible(self.file)
        return ":".join(str(part) for part in (file, self.line, self.column) if part is not None)

    @property
    def subject(self) -> str:
        """The record and the turn, as far as they are known."""
        which = []
        if self.record is not None and self.line is not None:
            name = f" ({shorten(self.id)})" if self.id else ""
            which.append(f"record {self.record}{name}")
        if self.ply is not None:
            which.append(f"ply {self.ply}")
        if self.turn is not None:
            turn = shorten(self.turn)
            quote = "" if turn == turn.strip() != "" else "'"
            which.append(f"turn {quote}{turn}{quote}")
        return ", ".join(which)

    @property
    def statement(self) -> str:
        """The message, preceded by the record and the turn."""
        return ": ".join(filter(None, [self.subject, self.message]))

    def __str__(self) -> str:
        """Return the diagnostic as a line of the text report: place, severity, code, statement."""
        place = f"{self.place}: " if self.place else ""
        note = f" (ignored by {self.by})" if self.ignored else ""
        return visible(f"{place}{self.severity} {self.code}{note}: {self.statement}")

    def to_dict(self) -> dict[str, Any]:
        """Return the diagnostic as JSON-compatible data, without unknown places."""
        data: dict[str, Any] = {"code": self.code, "severity": self.severity, "message": self.message}
        if self.ignored:
            data |= {"ignored": True, "by": self.by}
        data |= {name: value for name in _PLACES if (value := getattr(self, name)) is not None}
        if self.suggestions:
            data["suggestions"] = [suggestion.to_dict() for suggestion in self.suggestions]
        return data

    @property
    def advised(self) -> str:
        """The statement with the suggestions, for report formats with a single text field."""
        return "; help: ".join([self.statement, *(suggestion.message for suggestion in self.suggestions)])

    def at(self, **places: Any) -> Diagnostic:
        """Return a copy with the given attributes set."""
        copy = Diagnostic(*_attributes(self))
        for name, value in places.items():  # `dataclasses.replace` takes three times as long
            object.__setattr__(copy, name, value)
        return copy


_attributes = attrgetter(*(attribute.name for attribute in fields(Diagnostic)))


@dataclass(eq=False, repr=False)
class FirstFew(Generic[T]):
    """The first items found in one record, and the number of all items.

    Attributes:
        kept: the first items: up to `MAX_DIAGNOSTICS`, and the one after them.
        total: the number of all items.
    """

    kept: list[T] = field(default_factory=list)
    total: int = 0

    def add(self, item: T) -> None:
        """Add an item, or count it if the limit is reached."""
        self.total += 1
        if self.total <= MAX_DIAGNOSTICS + 1:
            self.kept.append(item)

    def diagnostics(self, more: str, convert: Callable[[Any], Diagnostic] = lambda item: item) -> list[Diagnostic]:
        """Return the diagnostics of the first items; one with the code `more` counts the others, at the next place."""
        diagnostics = [convert(item) for item in self.kept]
        left_out = self.total - MAX_DIAGNOSTICS
        if left_out > 0:
            count = "1 more diagnostic" if left_out == 1 else f"{left_out:,} more diagnostics"
            message = f"{count} in this record after these first {MAX_DIAGNOSTICS}"
            diagnostics[-1] = diagnostics[-1].at(code=more, message=message)
        return diagnostics


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics on one record, sorted by place."""
    return tuple(sorted(diagnostics, key=lambda diagnostic: (diagnostic.line or 0, diagnostic.column or 0)))


def close_matches(name: str, names: Iterable[str], most: int = 1, cutoff: float = 0.6) -> list[str]:
    """Return the names that are most similar to an unknown one, at most `most`, for a message."""
    from difflib import get_close_matches  # imported here because only messages need it

    return get_close_matches(name, list(names), most, cutoff)


# JSON Pointers (RFC 6901).


def pointer_to(path: Iterable[int | str]) -> str:
    """Return the JSON Pointer of a path of keys and indexes."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def steps_of(pointer: str) -> list[str]:
    """Return the keys and indexes of a JSON Pointer as strings."""
    steps = pointer.split("/")[1:]
    return [step.replace("~1", "/").replace("~0", "~") for step in steps] if "~" in pointer else steps


def value_at(data: Any, pointer: str) -> Any:
    """Return the value at a JSON Pointer in plain data. Raises LookupError if no value is there."""
    for step in steps_of(pointer):
        data = data[int(step)] if isinstance(data, list) else data[step]
    return data


# Internal errors.

#: The codes of unexpected exceptions: an error in hexrec, or in a package that extends it. Loops over records or files
#: catch `Exception` around each one and continue with the next. `hexrec/__main__.py` catches all other exceptions.
INTERNAL_ERROR, PLUGIN_ERROR = "internal/error", "internal/plug-in"
#: Environment variable that, if not empty, prints the tracebacks of such exceptions to stderr.
DEBUG = "HEXREC_DEBUG"

#: Errors of the machine rather than of the program.
_MACHINE = {errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EROFS}
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def diagnose_error(error: BaseException, what: str = "record", *, memory: bool = True) -> Diagnostic:
    """Return the diagnostic for an unexpected exception.

    `what` names the object of the work: a record, a file or a run. Without `memory`, raise MemoryError again, which an
    outer handler reports. With HEXREC_DEBUG set, print the traceback.
    """
    if isinstance(error, MemoryError) and not memory:
        raise error
    print_traceback(error)
    if isinstance(error, MemoryError):
        return Diagnostic(INTERNAL_ERROR, f"there was not enough memory for this {what}")
    if isinstance(error, OSError) and error.errno in _MACHINE:
        return Diagnostic(INTERNAL_ERROR, f"the system failed in the work on this {what}: {error}")
    package, _ = _origin(error)
    code, source, authors = INTERNAL_ERROR, f"hexrec {__version__}", ""
    if package:
        code, source, authors = PLUGIN_ERROR, package, " to its authors"
    problem = f"an error in {source}, {describe_error(error)}"
    return Diagnostic(code, f"{problem}: please report it{authors}, with the command and this {what}")


def print_traceback(error: BaseException) -> None:
    """Print the traceback of an unexpected exception to stderr if HEXREC_DEBUG is set."""
    if os.environ.get(DEBUG):
        import traceback

        traceback.print_exception(error)


def describe_error(error: BaseException) -> str:
    """Return an unexpected exception in words, with the place that raised it: in an extension package if one did."""
    message = shorten(str(error), 100)
    if not message and isinstance(error, NotImplementedError):
        from traceback import extract_tb

        message = f"define {extract_tb(error.__traceback__)[-1].name}"
    kind = f"{type(error).__name__}: {message}" if message else type(error).__name__
    return kind + _origin(error)[1]


def _origin(error: BaseException) -> tuple[str | None, str]:
    """Return the last extension package in a traceback and its place there, else None and the place in hexrec.

    A package comes first because hexrec may raise for the arguments of its calls, and for the values that it gets: then
    the package is that of the game which a function of hexrec works on.
    """
    from traceback import walk_tb

    package, place, owner = None, "", None
    for frame, line in walk_tb(error.__traceback__):
        code, module = frame.f_code, frame.f_globals.get("__name__", "")
        if module.partition(".")[0] == __package__.partition(".")[0]:
            if not package:
                file = code.co_filename  # relative in compiled modules
                if os.path.isabs(file):
                    file = os.path.relpath(file, os.path.dirname(_PACKAGE)).replace(os.sep, "/")
                place = f" in {code.co_name} ({file}, line {line})"
                owner = next(filter(None, map(_owner, map(frame.f_locals.get, _WORKED_ON))), owner)
        elif extension := plugins.package_of(module):
            package, place = extension, f" in {code.co_name} ({code.co_filename}, line {line})"
    return package or owner, place


#: Names of variables and attributes that are a game, or a record, position or grid of one.
_WORKED_ON = ("self", "game", "record", "position", "grid")


def _owner(value: object) -> str | None:
    """Return the extension package of a game, or of the game of a record, a position or a grid, else None."""
    rules = getattr(value, "rules", None)
    rules = getattr(rules, "rules", rules)
    kinds = (type(value), type(getattr(value, "grid", None)), rules)
    modules = (kind.__module__ for kind in kinds if isinstance(kind, type))
    return next(filter(None, map(plugins.package_of, modules)), None)
