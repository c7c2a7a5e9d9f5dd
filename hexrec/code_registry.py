"""What is said of every diagnostic code: data in `codes/`, one file a layer, read only when an explanation is wanted.

Code that finds faults knows the codes' names alone. `hexrec explain`, the page of codes and SARIF read the rest here; a
test holds that the codes raised by a layer and those in its file are the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from hexrec.diagnostics import Code


@cache
def explained_codes(layer: str) -> Mapping[str, Mapping[str, Code]]:
    """Return the explanations of a layer's codes by section and code. Raises OSError for a layer that has no file."""
    import tomllib  # only where explanations are wanted
    from pathlib import Path

    tables = tomllib.loads((Path(__file__).parent / "codes" / f"{layer}.toml").read_text(encoding="utf-8"))
    return {section: {code: Code(**fields) for code, fields in entries.items()} for section, entries in tables.items()}
