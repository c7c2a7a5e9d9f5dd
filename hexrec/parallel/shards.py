"""Shards: parts of an input for machines that know nothing of each other. Together they are the whole input, once.

All files lie one after the other, in the order in which they are found, and are cut at the same distances. A large file
in JSON Lines is cut there: a line belongs to the shard in which it begins. Every other file, an archive too, belongs to
the shard in which its first byte lies. So the rule depends on paths and sizes alone, and the rows of all shards, one
shard after the other, are the rows of one run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from hexrec.io.archives import is_plain
from hexrec.io.discovery import Discovery, Source
from hexrec.io.remote import is_address
from hexrec.parallel.chunks import CHUNK_LIMITS
from hexrec.util.diagnostics import Diagnostic


class Shard(NamedTuple):
    """A shard of so many, counted from 1."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def among(self, discovery: Discovery, size: int | None = None) -> Iterator[Source | Diagnostic]:
        """Yield the sources of the shard, some of them in part; `size` is that of all files. Raises InputChanged."""
        total = total_size(discovery) if size is None else size
        begin, end = (total * number // self.of for number in (self.number - 1, self.number))
        at = 0
        for file in discovery.files():
            length = _size(file)
            own = range(max(begin - at, 0), min(end - at, length))
            if isinstance(file, Source) and length > CHUNK_LIMITS.size and _is_lines(file):
                if own:
                    yield replace(file, part=own)
            elif 0 in own:
                yield from discovery.opened(file)
            at += length


def shard(text: str) -> Shard:
    """Return the shard that a text names. Raises ValueError."""
    found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise ValueError(f"{text!r} is not I/N, with I from 1 to N")
    return Shard(int(found[1]), int(found[2]))


def total_size(discovery: Discovery) -> int:
    """Return the size of all files together."""
    return sum(map(_size, discovery.again().files()))


def _size(file: Source | Diagnostic) -> int:
    """Return the size of a file; 1 for what is empty, remote or cannot be read, which has a place too."""
    try:
        return max(1, os.path.getsize(file.name)) if isinstance(file, Source) else 1
    except (OSError, ValueError):
        return 1


def _is_lines(file: Source) -> bool:
    """Return whether a file is in JSON Lines, and can be read from any place, as far as its name tells."""
    return file.format == "jsonl" and is_plain(file.name) and not is_address(file.name)
