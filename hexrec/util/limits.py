"""How much is read: each limit is a named constant, far above what any honest game needs.

Every limit keeps what one input can cost, in time and memory, in proportion to its size. What is beyond one is
refused with a message that names it. The environment variable ``HEXREC_`` and the name sets another: processes that
share the work inherit it, and nothing that is read can change it. ``docs/limits.md`` has them in a table.
"""

from __future__ import annotations

import os

from hexrec.errors import Error

#: More than enough for any number of bytes, and few enough to be turned into an integer at no cost.
_MOST_DIGITS = 18


class EnvironmentVariableError(Error, ValueError):
    """A variable whose value cannot be used; the message names it and says what it should be."""


def number(name: str, usual: int, least: int = 1, most: int | None = None) -> int:
    """Return the whole number that an environment variable holds, or the usual one if it is not set or empty.

    Raises EnvironmentVariableError.
    """
    text = os.environ.get(name)
    if not text:
        return usual
    if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
        value = int(text)
        if least <= value and (most is None or value <= most):
            return value
    reach = f"of {least} or more" if most is None else f"from {least} to {most}"
    raise EnvironmentVariableError(f"{name} should be a whole number {reach}, not {text[:40]!r}")


#: The limits that hold, by name.
IN_FORCE: dict[str, int] = {}
_malformed: list[EnvironmentVariableError] = []


def _limit(name: str, usual: int, least: int = 1, most: int | None = None) -> int:
    """Return the limit that the environment sets, by default the usual one."""
    try:
        IN_FORCE[name] = number(f"HEXREC_{name}", usual, least, most)
    except EnvironmentVariableError as error:  # importing hexrec should not fail: see `check_environment`
        _malformed.append(error)
        IN_FORCE[name] = usual
    return IN_FORCE[name]


def check_environment() -> None:
    """Raise EnvironmentVariableError if a variable sets no limit that there can be. Called before anything is read."""
    if _malformed:
        raise _malformed[0]


def in_words(size: int) -> str:
    """Return a number of bytes as people write it: ``8 MiB``, ``1,000 bytes``."""
    for unit, name in ((1024**2, "MiB"), (1024, "KiB")):
        if size % unit == 0:
            return f"{size // unit:,} {name}"
    return f"{size:,} bytes"


# Records.

#: The most bytes that one record may have. The longest games have some tens of kilobytes.
MAX_RECORD_BYTES = _limit("MAX_RECORD_BYTES", 8 * 1024 * 1024)
#: The most levels of lists and objects in one another. Readers recurse, so no more can be had.
MAX_DEPTH = _limit("MAX_DEPTH", 100, most=100)
#: The most values and brackets that one record may have: each takes some hundred bytes while it is read.
MAX_VALUES = _limit("MAX_VALUES", 250_000)
#: The most directives %TAG in a piece of YAML, where one is one too many: the parser compares each with all before it.
MAX_DIRECTIVES = _limit("MAX_DIRECTIVES", 100)
#: The most diagnostics of one kind (errors in fields, warnings of a format, losses of a conversion) that are named in
#: one record; the others are counted.
MAX_DIAGNOSTICS = _limit("MAX_DIAGNOSTICS", 100)

# What is not records.

#: The most bytes of a file of settings: `hexrec.toml`, or a `pyproject.toml` with the settings of many tools.
MAX_SETTINGS_BYTES = _limit("MAX_SETTINGS_BYTES", 256 * 1024)
#: The most bytes of an answer of an external engine: all legal turns of a large board are some tens of kilobytes.
MAX_ANSWER_BYTES = _limit("MAX_ANSWER_BYTES", 4 * 1024 * 1024)

# Compressed files and archives.

#: What a file may unpack to, however small it is: a million equal short records, of which a program may write half a
#: gigabyte that zstd packs 10,000 times smaller.
MAX_DECOMPRESSED_BYTES = _limit("MAX_DECOMPRESSED_BYTES", 512 * 1024 * 1024)
#: What it may unpack to beyond that, for each of its own bytes. Games compress 10 to 20 times, equal records with gzip
#: 300 times at most; gzip itself ends at 1,030, the others at 10,000 and more, and archives within
#: archives multiply.
MAX_COMPRESSION_RATIO = _limit("MAX_COMPRESSION_RATIO", 500)
#: The most records of a compressed file, however small it is, in addition to 20 for each of its own bytes: gzip packs
#: equal games to a byte each, and 250 empty documents of YAML to one.
MAX_COMPRESSED_RECORDS = _limit("MAX_COMPRESSED_RECORDS", 100_000)
#: The most members of an archive: what a zip archive says of so many takes 100 MB of memory.
MAX_MEMBERS = _limit("MAX_MEMBERS", 200_000)
#: The most bytes of a zip archive's list of its members.
MAX_DIRECTORY_BYTES = _limit("MAX_DIRECTORY_BYTES", 24 * 1024 * 1024)
#: The most bytes of what a tar archive says of one member: its name, its attributes.
MAX_HEADER_BYTES = _limit("MAX_HEADER_BYTES", 1024 * 1024)
#: The most characters of a member's name: no system has longer paths.
MAX_NAME = _limit("MAX_NAME", 4096)
#: The most memory that unpacking may take: in bytes, of which `xz -9` asks for 65 MiB; as a power of two for zstd,
#: whose option `--long` asks for this.
MAX_XZ_MEMORY = _limit("MAX_XZ_MEMORY", 128 * 1024 * 1024)
MAX_ZSTD_WINDOW_LOG = _limit("MAX_ZSTD_WINDOW_LOG", 27, 10, 31)
