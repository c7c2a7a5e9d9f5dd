"""Editor for YAML. Changes only the data that differs; preserves comments, layout, quotes and the order of fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from hexrec.formats.places import ParseEvent
from hexrec.formats.yaml.events import parse_events
from hexrec.formats.yaml.writer import ESCAPED_BREAKS, on_one_line, write
from hexrec.tools.edit.patch import Patch

#: The escapes of line breaks within double quotes.
_ESCAPES = str.maketrans(ESCAPED_BREAKS)
#: A number of JSON that is a string in YAML, such as 1e-07.
_EXPONENT = re.compile("(?<![.0-9])[0-9]+e")


class YamlPatch(Patch):
    """Edits of a YAML string."""

    def write(self, value: Any, style: str = "") -> str:
        """Return a value on one line, with the quotes of the replaced scalar if possible."""
        if style != '"':
            keeps_quotes = style == "'" and isinstance(value, str) and value == value.translate(_ESCAPES)
            text = "'" + value.replace("'", "''") + "'" if keeps_quotes else on_one_line(value)
            if "\n" not in text:
                return text
        return self.to_json(value)

    def to_json(self, value: Any, **layout: Any) -> str:
        """Return a value as JSON that is the same value in YAML."""
        text = super().to_json(value, **layout).translate(_ESCAPES)
        if _EXPONENT.search(text) and "\n" not in (flow := on_one_line(value)):
            return flow
        return text

    def write_field(self, name: str, value: Any) -> str:
        """Return a field without brackets: an array or an object in block style, other values on the same line."""
        if isinstance(value, dict | list):
            return "".join(write([{name: value}]))
        return super().write_field(name, value)

    def parse_events(self, begins: int = 0) -> Iterator[ParseEvent]:
        """Yield the brackets and scalars of the documents from an offset on."""
        return parse_events(self.source[begins:], begins)
