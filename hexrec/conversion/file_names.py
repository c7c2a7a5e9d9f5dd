"""File names made of what records say: safe on every system, and each used once in a run."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import PurePath, PurePosixPath
from string import Formatter
from typing import Any
from unicodedata import category, normalize

from hexrec.conversion.conversion import Converted

#: The text for what a record does not say.
_UNKNOWN = "unknown"
#: The most bytes that a name may have, with some left for a number and a suffix.
_LONGEST = 200
_RESERVED = re.compile(r"(?i)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?")

#: What a template may name: the field, and how to find its value in what was converted.
FIELDS: Mapping[str, Callable[[dict[str, Any], Converted], object]] = {
    **{
        name: lambda data, _, name=name: data.get(name)  # type: ignore[misc]
        for name in ("game", "variant", "size", "date", "event", "site", "round")
    },
    "ruleset": lambda _, converted: converted.report.record and converted.report.record.ruleset,
    "black": lambda data, _: data.get("players", {}).get("black", {}).get("name"),
    "white": lambda data, _: data.get("players", {}).get("white", {}).get("name"),
    "winner": lambda data, _: data.get("result", {}).get("winner"),
    "id": lambda _, converted: converted.report.id,
    "file": lambda _, converted: PurePath(converted.report.file or "").name.partition(".")[0],
    "index": lambda _, converted: converted.report.index,
}


class TemplateError(ValueError):
    """A template that cannot be followed; the message says why."""


class Template:
    """A pattern of file names such as ``{game}/{date}-{black}-{white}.yaml``; see `FIELDS` for what it may name."""

    def __init__(self, text: str) -> None:
        """Raises TemplateError."""
        try:
            parts = list(Formatter().parse(text))
        except ValueError as error:
            raise TemplateError(f"{text!r}: {error}") from None
        for _, name, spec, conversion in parts:
            if name is None:
                continue
            if name not in FIELDS:
                raise TemplateError(f"unknown field {{{name}}}; the fields are {', '.join(FIELDS)}")
            if conversion or not re.fullmatch(r"(?:0[0-9])?" if name in ("index", "size") else "", spec or ""):
                raise TemplateError(f"{{{name}:{spec}}}: only index and size take a width, as in {{index:04}}")
        path = PurePosixPath(text)
        if path.is_absolute() or ".." in path.parts or text.endswith("/") or not path.name:
            raise TemplateError(f"{text!r} should be the name of a file below the output folder")
        self._text = text
        self._used: set[str] = set()
        #: The number that a name was given last, for names that were met again.
        self._numbers: defaultdict[str, int] = defaultdict(lambda: 1)

    @property
    def file_name(self) -> str:
        """The last part of the template, whose ending names the notation."""
        return PurePosixPath(self._text).name

    def name(self, converted: Converted) -> PurePosixPath:
        """Return the name for a record that was converted; a number distinguishes it from the names given before."""
        path = PurePosixPath(*(_short(part) for part in PurePosixPath(self._fill(converted)).parts))
        stem, dot, suffix = path.name.partition(".")
        # On file systems that ignore case, names that differ in nothing else are the same.
        key = str(path).casefold()
        name = path
        while str(name).casefold() in self._used:
            self._numbers[key] += 1
            name = path.with_name(f"{stem}-{self._numbers[key]}{dot}{suffix}")
        self._used.add(str(name).casefold())
        return name

    def _fill(self, converted: Converted) -> str:
        values = {name: find(converted.data or {}, converted) for name, find in FIELDS.items()}
        return self._text.format(
            **{name: value if isinstance(value, int) else safe(value or "") for name, value in values.items()}
        )


def safe(value: object) -> str:
    """Return a text as a part of a file name: letters, digits and a few signs, the rest as underscores."""
    text = normalize("NFC", str(value))
    kept = "".join(char if category(char)[0] in "LMN" or char in "-+,()" else "_" for char in text)
    return re.sub("_+", "_", kept).strip("_-") or _UNKNOWN


def _short(part: str) -> str:
    """Return a name of a file or folder that every system takes: not too long, not reserved, with no dot in front."""
    stem, dot, suffix = part.lstrip(".").partition(".")
    # The template may hold bytes that are no text; what a cut leaves of a character is dropped.
    kept = stem.encode(errors="surrogateescape")
    stem = (stem if len(kept) <= _LONGEST else kept[:_LONGEST].decode(errors="ignore")) or _UNKNOWN
    return f"{stem}_{dot}{suffix}" if _RESERVED.fullmatch(stem) else f"{stem}{dot}{suffix}"
