"""How much is read: each limit is a named constant, far above what any honest game needs.

Every limit keeps what one input can cost, in time and memory, in proportion to its size. What is beyond one is
refused with a diagnostic (``syntax/too-large``, ``syntax/too-deep``) that names it.
"""

from __future__ import annotations

#: The most bytes that one record may have. The longest games have some tens of kilobytes.
MAX_RECORD_BYTES = 8 * 1024 * 1024
#: The most levels of lists and objects in one another.
MAX_DEPTH = 100
#: The most values and brackets that one record may have: each takes some hundred bytes while it is read.
MAX_VALUES = 250_000
#: The most directives %TAG in a piece of YAML, where one is one too many: the parser compares each with all before it.
MAX_DIRECTIVES = 100
#: The most diagnostics of one kind (errors in fields, warnings of a notation, losses of a conversion) that are named in
#: one record; the others are counted.
MAX_DIAGNOSTICS = 100
#: The most bytes of a file of settings: `hexrec.toml`, or a `pyproject.toml` with the settings of many tools.
MAX_SETTINGS_BYTES = 1024 * 1024
#: The most bytes of an answer of an external engine: all legal turns of a large board are some tens of kilobytes.
MAX_ANSWER_BYTES = 4 * 1024 * 1024

# Compressed files and archives.

#: What a file may unpack to, however small it is: a million equal short records, of which a program may write half a
#: gigabyte that zstd packs 10,000 times smaller.
MAX_DECOMPRESSED_BYTES = 512 * 1024 * 1024
#: What it may unpack to beyond that, for each of its own bytes. Games compress 10 to 20 times, equal records with gzip
#: 300 times at most; gzip itself ends at 1,030, the others at 10,000 and more, and archives within
#: archives multiply.
MAX_COMPRESSION_RATIO = 500
#: The most members of an archive: what a zip archive says of so many takes 100 MB of memory.
MAX_MEMBERS = 200_000
#: The most bytes of a zip archive's list of its members.
MAX_DIRECTORY_BYTES = 24 * 1024 * 1024
#: The most bytes of what a tar archive says of one member: its name, its attributes.
MAX_HEADER_BYTES = 1024 * 1024
#: The most characters of a member's name: no system has longer paths.
MAX_NAME = 4096
#: The most memory that unpacking may take: in bytes, of which `xz -9` asks for 65 MiB; as a power of two for zstd,
#: whose option `--long` asks for this.
MAX_XZ_MEMORY = 128 * 1024 * 1024
MAX_ZSTD_WINDOW_LOG = 27
#: The most bytes of a bzip2 member of a zip archive that are unpacked at once: each 45 may give 900,000.
BZIP2_CHUNK = 256
