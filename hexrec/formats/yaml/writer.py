"""Writes records as YAML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import yaml

from hexrec.formats import base
from hexrec.formats.yaml.events import PRIVATE

_DUMPER = yaml.CSafeDumper if yaml.__with_libyaml__ else yaml.SafeDumper
#: Characters that are newlines in YAML 1.1 but not in YAML 1.2, with their escapes in double quotes.
ESCAPED_BREAKS = {"\x85": "\\N", "\u2028": "\\L", "\u2029": "\\P"}
DISPUTED_BREAK = re.compile(f"[{''.join(ESCAPED_BREAKS)}]")


class _Dumper(_DUMPER):  # type: ignore[misc, valid-type] # one of two classes
    """Quotes every string that any version of YAML could read as another type, and writes no aliases."""

    def ignore_aliases(self, _: object) -> bool:
        """Return True: one object in memory may be two values of a record."""
        return True


for _tag, _pattern in (
    ("bool", "[yYnN]"),
    ("int", "[-+]?[0-9]+|0o[0-7]+"),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"),
):
    _Dumper.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"(?:{_pattern})$"), None)


def _represent_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = '"' if DISPUTED_BREAK.search(text) else None
    scalar: yaml.ScalarNode = dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)
    return scalar


_Dumper.add_representer(str, _represent_text)


def _dump(value: Any, flow: bool | None, width: int) -> str:
    """Return the YAML of a value.

    The emitter escapes all characters above U+FFFF, such as emoji. Private characters that the value does not contain
    replace them until the value has been written.
    """
    options: dict[str, Any] = {"sort_keys": False, "allow_unicode": True, "default_flow_style": flow, "width": width}
    text: str = yaml.dump(value, Dumper=_Dumper, **options)
    if "\\U" not in text:
        return text
    data = json.dumps(value, ensure_ascii=False)
    characters = set(data)
    free = (code for code in PRIVATE if chr(code) not in characters)
    stand_ins = dict(zip(sorted(ord(char) for char in characters if ord(char) > 0xFFFF), free, strict=False))
    text = yaml.dump(json.loads(data.translate(stand_ins)), Dumper=_Dumper, **options)
    return text.translate({stand_in: code for code, stand_in in stand_ins.items()})


def on_one_line(value: Any) -> str:
    """Return the YAML of a value in flow style."""
    return _dump([value], flow=True, width=-1)[1:-2]


def write(records: Iterable[dict[str, Any]], _: base.OnLoss = base.refuse, /) -> Iterator[str]:
    """Yield one document per record."""
    for index, record in enumerate(records):
        text = _dump(record, flow=None, width=100)
        yield f"---\n{text}" if index else text


def write_with_schema(records: Iterable[dict[str, Any]], address: str) -> Iterator[str]:
    """Yield one document per record, with the URL of a schema: editors apply it to one document, not to the file."""
    for index, record in enumerate(records):
        yield "---\n" if index else ""
        yield f"# yaml-language-server: $schema={address}\n"
        yield from write([record])
