"""Shards: disjoint parts of an input for independent machines. Together they cover the whole input.

The files are concatenated in the order of discovery and divided into equal ranges of bytes. A large JSON Lines file is
split: a line belongs to the shard in which it begins. Every other file, including an archive, belongs to the shard of
its first byte. The rule depends only on paths and sizes, and the rows of all shards in order are the rows of one run.
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
    """A shard: its number, counted from 1, the number of shards, and the total size of the input, if it is known."""

    number: int
    of: int
    total: int | None = None

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def among(self, discovery: Discovery) -> Iterator[Source | Diagnostic]:
        """Yield the sources of the shard, complete or in part. Raises InputChanged."""
        total = total_size(discovery) if self.total is None else self.total
        begin, end = (total * number // self.of for number in (self.number - 1, self.number))
        at = 0
        for file in discovery.files():
            length = _size(file)
            own = range(max(begin - at, 0), min(end - at, length))
            if isinstance(file, Source) and length > CHUNK_LIMITS.size and _is_lines(file):
                if own:
                    yield replace(file, part=own)
            elif 0 in own:
                yield from discovery.open_archive(file)
            at += length


def shard(text: str) -> Shard:
    """Parse a shard such as ``2/5``. Raises ValueError."""
    match = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise ValueError(f"{text!r} is not I/N, with I from 1 to N")
    return Shard(int(match[1]), int(match[2]))


def total_size(discovery: Discovery) -> int:
    """Return the total size of all files in bytes."""
    return sum(map(_size, discovery.again().files()))


def _size(file: Source | Diagnostic) -> int:
    """Return the size of a file; 1 for an empty, remote or unreadable file, so that it belongs to one shard."""
    try:
        return max(1, os.path.getsize(file.name)) if isinstance(file, Source) else 1
    except (OSError, ValueError):
        return 1


def _is_lines(file: Source) -> bool:
    """Return whether a file can be split, by its name: local, uncompressed JSON Lines."""
    return file.format == "jsonl" and is_plain(file.name) and not is_address(file.name)
