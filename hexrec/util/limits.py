"""Input limits: named constants, far above the needs of any real game.

They bound the time and memory of an input in proportion to its size. Input beyond a limit is refused with a message
that names the limit. The environment variable ``HEXREC_`` plus the name overrides it, also in child processes; no
input can change it. ``docs/guarantees.md`` lists the limits.
"""

from __future__ import annotations

import os

from hexrec.errors import Error

#: Enough digits for any number of bytes, and few enough to parse quickly.
_MAX_DIGITS = 18


class EnvironmentVariableError(Error, ValueError):
    """Invalid value of an environment variable; the message names the variable and the valid values."""


#: The limits in force, by name.
IN_FORCE: dict[str, int] = {}
_malformed: list[EnvironmentVariableError] = []


def _limit(name: str, default: int, minimum: int = 1, maximum: int | None = None) -> int:
    """Return a limit from the environment, or the default if it is unset or empty; register it in `IN_FORCE`."""
    IN_FORCE[name] = default
    if text := os.environ.get(f"HEXREC_{name}"):
        value = int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else -1
        if minimum <= value and (maximum is None or value <= maximum):
            IN_FORCE[name] = value
        else:  # importing hexrec should not fail: see `check_environment`
            reach = f"of {minimum} or more" if maximum is None else f"from {minimum} to {maximum}"
            message = f"HEXREC_{name} should be a whole number {reach}, not {text[:40]!r}"
            _malformed.append(EnvironmentVariableError(message))
    return IN_FORCE[name]


def check_environment() -> None:
    """Raise EnvironmentVariableError if a variable sets an invalid limit. Call it before reading any input."""
    if _malformed:
        raise _malformed[0]


def in_words(size: int) -> str:
    """Return a number of bytes with its unit: ``8 MiB``, ``1,000 bytes``."""
    for unit, name in ((1024**2, "MiB"), (1024, "KiB")):
        if size % unit == 0:
            return f"{size // unit:,} {name}"
    return f"{size:,} bytes"


# Records.

#: Maximum bytes of a record. The longest games have some tens of kilobytes.
MAX_RECORD_BYTES = _limit("MAX_RECORD_BYTES", 8 * 1024 * 1024)
#: Maximum depth of nested arrays and objects. Readers recurse, so it cannot be raised.
MAX_DEPTH = _limit("MAX_DEPTH", 100, maximum=100)
#: Maximum values and brackets of a record: each takes some hundred bytes while it is read.
MAX_VALUES = _limit("MAX_VALUES", 250_000)
#: Maximum %TAG directives in a piece of YAML: the parser compares each with all before it.
MAX_DIRECTIVES = _limit("MAX_DIRECTIVES", 100)
#: Maximum documents without a record in a file: four bytes make one, which takes a hundred microseconds.
MAX_EMPTY_DOCUMENTS = _limit("MAX_EMPTY_DOCUMENTS", 100)
#: Maximum diagnostics of one kind in a record (errors in fields, warnings of a format, losses of a conversion); the
#: others are only counted.
MAX_DIAGNOSTICS = _limit("MAX_DIAGNOSTICS", 100)

# Settings and engines.

#: The names of settings files.
SETTINGS_FILES = ("hexrec.toml", "pyproject.toml")
#: Maximum bytes of a settings file: `hexrec.toml`, or a `pyproject.toml` with the settings of many tools.
MAX_SETTINGS_BYTES = _limit("MAX_SETTINGS_BYTES", 256 * 1024)
#: Maximum bytes of a baseline that settings name: some 50,000 known diagnostics.
MAX_BASELINE_BYTES = _limit("MAX_BASELINE_BYTES", 8 * 1024 * 1024)
#: Maximum bytes of an answer of an external engine: all legal turns on a large board take some tens of kilobytes.
MAX_ANSWER_BYTES = _limit("MAX_ANSWER_BYTES", 4 * 1024 * 1024)

# Compressed files and archives.

#: Decompressed bytes allowed for a file of any size: a million equal short records take half a gigabyte, which zstd
#: compresses 10,000 times.
MAX_DECOMPRESSED_BYTES = _limit("MAX_DECOMPRESSED_BYTES", 512 * 1024 * 1024)
#: Further decompressed bytes for each compressed byte. Games compress 10 to 20 times, equal records at most 300 times
#: with gzip. gzip itself reaches 1,030, other formats 10,000 and more, and nested archives multiply.
MAX_COMPRESSION_RATIO = _limit("MAX_COMPRESSION_RATIO", 500)
#: Records allowed for a compressed file of any size, plus 20 for each compressed byte: gzip packs equal games to a byte
#: each, and 250 empty YAML documents to one byte.
MAX_COMPRESSED_RECORDS = _limit("MAX_COMPRESSED_RECORDS", 100_000)
#: Maximum members of an archive: the directory of a zip archive with 200,000 members takes 100 MB of memory.
MAX_MEMBERS = _limit("MAX_MEMBERS", 200_000)
#: Maximum bytes of the directory of a zip archive.
MAX_DIRECTORY_BYTES = _limit("MAX_DIRECTORY_BYTES", 24 * 1024 * 1024)
#: Maximum bytes of the header of a tar member: its name and attributes.
MAX_HEADER_BYTES = _limit("MAX_HEADER_BYTES", 1024 * 1024)
#: Maximum characters in the name of a member: no system has longer paths.
MAX_NAME = _limit("MAX_NAME", 4096)
#: Maximum memory for decompression: for xz in bytes (`xz -9` needs 65 MiB), for zstd as a power of two (that of its
#: option `--long`).
MAX_XZ_MEMORY = _limit("MAX_XZ_MEMORY", 128 * 1024 * 1024)
MAX_ZSTD_WINDOW_LOG = _limit("MAX_ZSTD_WINDOW_LOG", 27, 10, 31)
