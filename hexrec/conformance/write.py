"""Completes the conformance kit: `python -m hexrec.conformance.write` answers the questions that have no answer yet.

An answer that is there is compared. If it is another one than hexrec gives, nothing is written and the exit code is 1:
other programs rely on it, so it is hexrec that is wrong, or there has to be a new version of the kit.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

from hexrec.conformance.kit import FILES, Line, answered, folder, lines
from hexrec.files.atomic import atomic_write


def main() -> int:
    """Complete the kit's files; return the exit code."""
    made = {name: [(line, answered(line)) for line in lines(name)] for name in FILES}
    changed = [
        f"{name}:{number}: {field} is {line[field]!r}, but hexrec says {new.get(field)!r}"
        for name, pairs in made.items()
        for number, (line, new) in enumerate(pairs, 1)
        for field in changes(line, new)
    ]
    if changed:
        print(*changed, sep="\n", file=sys.stderr)
        return 1
    for name, pairs in made.items():
        with atomic_write(folder() / name) as out:
            out.writelines(json.dumps(new, separators=(",", ":")) + "\n" for _, new in pairs)
    return 0


def changes(line: Line, new: Line) -> Iterator[str]:
    """Yield the fields of a line that have another answer than its new form."""
    for field, value in line.items():
        if not _agrees(value, new.get(field)):
            yield field


def _agrees(old: object, new: object) -> bool:
    """Return whether two answers agree. In a list, an old one that is null is still to be given."""
    if isinstance(old, dict) and isinstance(new, dict):
        return all(_agrees(value, new.get(name)) for name, value in old.items())
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(a is None or _agrees(a, b) for a, b in zip(old, new, strict=True))
    return old == new


if __name__ == "__main__":
    sys.exit(main())
