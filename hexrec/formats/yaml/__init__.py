"""YAML: any number of records per file, one per document.

Documents are built from the events of PyYAML's C parser, not by its constructors. Plain scalars have their meaning in
JSON (`null`, `true`, `false`, numbers) and are strings otherwise, such as `no`, `2026-01-02`, `12:30` and `017`.
YAML readers disagree on `1e5`: it is a number in numeric fields and a string elsewhere. `~` and an empty value are
null. Aliases and tags other than `!!str` are errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from hexrec.formats import base
from hexrec.formats.yaml.reader import documents
from hexrec.formats.yaml.writer import write

#: Lines that start and end a document, even inside a string of several lines.
_START = re.compile(rb"---(?:[ \t\r\n]|$)")
_END = re.compile(rb"\.\.\.(?:[ \t\r\n]|$)")
_NO_CONTENT = re.compile(rb"(?:[ \t\r\n]*+(?:#.*)?|%.*)\n?")


def pieces(stream: BinaryIO) -> Iterator[base.Piece]:
    """Cut a stream where documents start and end."""
    has_content = ended = False

    def begins_document(line: bytes, at_start: bool) -> bool:
        nonlocal has_content, ended
        starts = at_start and _START.match(line.removeprefix(base.BYTE_ORDER_MARK)) is not None
        begins = ended or (starts and has_content)
        has_content = starts or has_content or not _NO_CONTENT.fullmatch(line)
        ended = at_start and has_content and _END.match(line) is not None
        has_content = has_content and not ended
        return begins

    return base.cut_records(stream, begins_document, documents)


# As the last format of the registry, it takes all other text.
FORMAT = base.Format("yaml", "YAML", base.reading(pieces), write, lambda _: True, pieces=pieces)
