"""The modules of the package, parsed once for all tests that look into them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "hexrec"


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return the nodes of a module's tree, the module first."""
    return tuple(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
