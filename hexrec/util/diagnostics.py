"""Diagnostics and the codes that name them: the one vocabulary that every layer shares.

This module knows neither games nor files. A layer creates a `Diagnostic` with what it knows (the engine: code and
message; the record: pointer) and the layer above fills in the rest with `Diagnostic.at`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, NamedTuple, TypeVar

from hexrec.util.escaping import shorten as shorten
from hexrec.util.escaping import visible
from hexrec.util.limits import MAX_DIAGNOSTICS

Severity = Literal["error", "warning"]
T = TypeVar("T")
#: The keys and indexes that lead from a record to a value in it.
Path = tuple[int | str, ...]


class Code(NamedTuple):
    """What the documentation says of one diagnostic code.

    Attributes:
        meaning: what was found.
        fix: what a person can do about it.
        rule: the rule that what was found breaks, with the number of the ruling or the page that states it.
        example: a file that has this diagnostic first; empty where no short text can have it.
        format: what the example is written in.
        needs: what a game must have for the code to occur in its records; see `Game.has`. (The codes with which one
            game alone refuses turns are listed under that game and need not say so.)
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
        text: the characters as they are in the file, without the end of the line.
        column: the 1-based column of the first of them.
        cut: whether the line goes on after them.
    """

    text: str
    column: int
    cut: bool


class Edit(NamedTuple):
    """A change to the text of a record.

    Attributes:
        pointer: JSON Pointer of the value, or of the value that a changed key leads to.
        text: the new text; empty where a turn is left out.
        line, column, end_line, end_column: the place in the file that the text replaces; None where that is not known.
    """

    pointer: str
    text: str
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    end_column: int | None = None


class Suggestion(NamedTuple):
    """Edits that repair a record, or a part of it.

    Attributes:
        message: the edits in words, and what they lead to.
        edits: the edits, to be made together.
        complete: whether the whole record is valid after them.
    """

    message: str
    edits: tuple[Edit, ...]
    complete: bool

    def shifted(self, lines: int) -> Suggestion:
        """Return the suggestion for a record that has more lines before it in its file."""
        edits = (
            edit if edit.line is None else edit._replace(line=edit.line + lines, end_line=(edit.end_line or 0) + lines)
            for edit in self.edits
        )
        return self._replace(edits=tuple(edits))

    def to_dict(self) -> dict[str, Any]:
        """Return the suggestion as data that JSON can hold; places that are unknown are left out."""
        edits = [{name: value for name, value in edit._asdict().items() if value is not None} for edit in self.edits]
        return {"message": self.message, "complete": self.complete, "edits": edits}


#: The attributes of a diagnostic that say where it is in its file and its record.
_PLACES = ("line", "column", "end_line", "end_column", "pointer", "within", "ply", "turn")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One diagnostic in one record.

    Attributes:
        code: stable name such as ``move/occupied``, which `hexrec explain` explains.
        message: one or two sentences for a player: what was read, which rule it breaks, what would be right.
        severity: an ``error`` makes the record invalid, a ``warning`` does not.
        file: the file as it was named or found; None for a record that came from no file.
        record: 0-based index of the record in its file.
        id: the record's own id, where it has one.
        line, column: 1-based place of the offending value in the file, in characters.
        end_line, end_column: the place just past the value.
        pointer: JSON Pointer of the offending value in the record.
        within: 1-based place of the offending character in the text at `pointer`, where one character is at fault.
        ply: 1-based number of the turn.
        turn: the turn's text as it was read.
        source_line: the text at `line` of the file, around `column`.
        suggestions: edits that repair what was found, the best first.
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

    @property
    def place(self) -> str:
        """The place as compilers write it, ``file:line:column``, as far as it is known, fit to be shown."""
        file = None if self.file is None else visible(self.file)
        return ":".join(str(part) for part in (file, self.line, self.column) if part is not None)

    @property
    def statement(self) -> str:
        """The message, after the record and the turn that it is about."""
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
        return ": ".join(filter(None, [", ".join(which), self.message]))

    def __str__(self) -> str:
        """Return the diagnostic on one line, as the text report prints it: place, severity, code, statement."""
        place = f"{self.place}: " if self.place else ""
        return visible(f"{place}{self.severity} {self.code}: {self.statement}")

    def to_dict(self) -> dict[str, Any]:
        """Return the diagnostic as data that JSON can hold; places that are unknown are left out."""
        data: dict[str, Any] = {"code": self.code, "severity": self.severity, "message": self.message}
        data |= {name: value for name in _PLACES if (value := getattr(self, name)) is not None}
        if self.suggestions:
            data["suggestions"] = [suggestion.to_dict() for suggestion in self.suggestions]
        return data

    @property
    def advised(self) -> str:
        """The statement with the suggestions, for reports that have one text for both."""
        return "; help: ".join([self.statement, *(suggestion.message for suggestion in self.suggestions)])

    def at(self, **places: Any) -> Diagnostic:
        """Return a copy with the given attributes set."""
        return replace(self, **places)


@dataclass
class FirstFew(Generic[T]):
    """The first of what is found in one record; of the others it is known how many there are, and which was the first.

    Attributes:
        kept: as many as are named in a record.
        following: the first that is not.
        left_out: how many are not.
    """

    kept: list[T] = field(default_factory=list)
    following: T | None = None
    left_out: int = 0

    def add(self, found: T) -> None:
        """Take in one more."""
        if len(self.kept) < MAX_DIAGNOSTICS:
            self.kept.append(found)
            return
        if self.following is None:
            self.following = found
        self.left_out += 1

    def diagnostics(self, more: str, convert: Callable[[Any], Diagnostic] = lambda found: found) -> list[Diagnostic]:
        """Return a diagnostic for each that is kept, and one that counts the others, with the code `more`."""
        found = [convert(each) for each in self.kept]
        if self.following is not None:
            count = "1 more diagnostic" if self.left_out == 1 else f"{self.left_out:,} more diagnostics"
            message = f"{count} in this record after these first {MAX_DIAGNOSTICS}"
            found.append(convert(self.following).at(code=more, message=message))
        return found


# JSON Pointers (RFC 6901): between texts and paths of keys and indexes.


def pointer_to(path: Iterable[int | str]) -> str:
    """Return the pointer of a path."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def steps_of(pointer: str) -> list[str]:
    """Return the path that a pointer names, indexes as texts."""
    steps = pointer.split("/")[1:]
    return [step.replace("~1", "/").replace("~0", "~") for step in steps] if "~" in pointer else steps


def value_at(data: Any, pointer: str) -> Any:
    """Return what a pointer names in plain data. Raises LookupError if nothing is there."""
    for step in steps_of(pointer):
        data = data[int(step)] if isinstance(data, list) else data[step]
    return data
