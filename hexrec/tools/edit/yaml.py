"""Editor for YAML. Changes only the data that differs; preserves comments, layout, quotes and the order of fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hexrec.formats.places import ParseEvent
from hexrec.formats.yaml import ESCAPED_BREAKS, on_one_line, parse_events, write
from hexrec.tools.edit.tree import Patch

#: The escapes of line breaks within double quotes.
_ESCAPES = str.maketrans(ESCAPED_BREAKS)


class YamlPatch(Patch):
    """Edits of a YAML string."""

    def write(self, value: Any, style: str = "") -> str:
        """Return a value on one line, with the quotes of the replaced scalar if possible."""
        if style != '"':
            keeps_quotes = style == "'" and isinstance(value, str) and value == value.translate(_ESCAPES)
            text = "'" + value.replace("'", "''") + "'" if keeps_quotes else on_one_line(value)
            if "\n" not in text:
                return text
        return super().write(value).translate(_ESCAPES)

    def write_field(self, name: str, value: Any) -> str:
        """Return a field without brackets: an array or an object in block style, other values on the same line."""
        if isinstance(value, dict | list):
            return "".join(write([{name: value}]))
        return super().write_field(name, value)

    def parse_events(self) -> Iterator[ParseEvent]:
        """Yield the brackets and scalars of the documents."""
        return parse_events(self.source)
