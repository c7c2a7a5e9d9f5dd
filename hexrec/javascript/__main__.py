"""`python -m hexrec.javascript check FILE…` checks rules.

`module FILE` writes the module for the wheel, which also exports the grid, for rules of other games. `check` prints the
first construct of each file that is not in the subset, and exits with 1 if there is any. `types FILE`
writes the types of the module of the page.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hexrec.errors import Error
from hexrec.javascript import assemble, declarations, read_rules
from hexrec.javascript.translator import translate


def check(files: list[str]) -> int:
    """Check files; return the number of those that are not in the subset."""
    problems = 0
    for file in files:
        try:
            translate(read_rules(Path(file), file))
        except Error as error:
            print(error, file=sys.stderr)
            problems += 1
    return problems


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["module", file]:
            Path(file).write_text(assemble(), encoding="utf-8")
        case ["types", file]:
            Path(file).write_text(declarations(with_boards=True), encoding="utf-8")
        case ["check", first, *others]:
            sys.exit(1 if check([first, *others]) else 0)
        case _:
            sys.exit(__doc__)
