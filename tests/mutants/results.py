"""Which mutants of which modules survived: kept in `found.json`, told in `docs/mutants.md`.

`equivalent.toml` says of mutants that no test can kill why that is so.
"""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
FOUND = Path(__file__).parent / "found.json"
EQUIVALENT = Path(__file__).parent / "equivalent.toml"
PAGE = ROOT / "docs/mutants.md"

_EXAMPLES = ("tests/test_fixtures.py", "tests/test_messages.py")
#: By package, the tests that are to notice its mutants: those of the package itself, and the examples.
TESTS: dict[str, tuple[str, ...]] = {
    "hexrec/games": (*_EXAMPLES, "tests/engines", "tests/render/test_golden.py", "tests/render/test_marks.py"),
    "hexrec/kernel": ("tests/kernel",),
    "hexrec/board": ("tests/board", "tests/engines", "tests/test_fixtures.py"),
    "hexrec/record": (*_EXAMPLES, "tests/record", "tests/test_library.py"),
    "hexrec/check": (*_EXAMPLES, "tests/check", "tests/cli/test_lint.py", "tests/cli/test_hints.py"),
}


@dataclass
class Module:
    """What was found in a module.

    Attributes:
        name: the module's name.
        tried: how many mutants.
        survivors: what those are called that no test noticed.
    """

    name: str
    tried: int = 0
    survivors: list[str] = field(default_factory=list)

    def write(self) -> None:
        """Keep it, in the place of what was found in the module before."""
        kept = read()
        kept[self.name] = {"source": digest(self.name), "mutants": self.tried, "survivors": sorted(self.survivors)}
        FOUND.write_text(json.dumps(dict(sorted(kept.items())), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        PAGE.write_text(page(), encoding="utf-8")


def read() -> dict[str, dict[str, Any]]:
    """Return what was found, by module."""
    kept: dict[str, dict[str, Any]] = json.loads(FOUND.read_text(encoding="utf-8")) if FOUND.exists() else {}
    return kept


def digest(module: str) -> str:
    """Return what tells the present source of a module from others."""
    return sha256((ROOT / (module.replace(".", "/") + ".py")).read_bytes()).hexdigest()[:16]


def equivalents() -> dict[str, dict[str, str]]:
    """Return why mutants cannot be killed, by module and by what they are called."""
    return tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))


def all_modules() -> list[str]:
    """Return the modules of all packages with tests to notice their mutants."""
    paths = (path for package in TESTS for path in sorted((ROOT / package).glob("*.py")) if path.stem[0] != "_")
    return [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths]


def by_tests(modules: Iterable[str]) -> dict[tuple[str, ...], list[str]]:
    """Return the modules by the tests that are to notice their mutants."""
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for module in modules:
        found[TESTS["/".join(module.split(".")[:2])]].append(module)
    return found


_HEAD = """\
# Mutation testing

A mutant is the code with one small fault: an operator, a number, a text, an argument exchanged or left out. A mutant
that no test notices shows what the tests do not hold. `nox -s mutants` puts the faults that
[mutmut](https://mutmut.readthedocs.io) makes into the functions of a module, one at a time, and runs the tests that
call the function; `nox -s mutants -- hexrec.games.nadraz` does so for one module, and writes this page. How, and why
mutmut and cosmic-ray do not run them themselves, is said in [`tests/mutants`](../tests/mutants/__main__.py).

Engines are tested without compiled kernels, kernels uncompiled. Tests that take more than {longest:g} second of the
processor, watched, are left out, so that some mutants that survive here are noticed by the whole suite.
Modules that are not in the table have not been tried yet.

| module | mutants | noticed | equivalent | left | noticed of those that can be |
|---|---|---|---|---|---|
"""
#: Tests that take more than so many seconds of the processor are left out: few mutants need them, and all survivors
#: would have to wait for them.
LONGEST = 1.0


def page() -> str:
    """Return the page of the documents."""
    reasons = equivalents()
    text = _HEAD.format(longest=LONGEST)
    listed = ""
    for module, found in read().items():
        same = [key for key in found["survivors"] if key in reasons.get(module, {})]
        left = len(found["survivors"]) - len(same)
        noticed = found["mutants"] - len(found["survivors"])
        share = 100 * noticed / max(1, noticed + left)
        text += f"| `{module}` | {found['mutants']} | {noticed} | {len(same)} | {left} | {share:.1f} % |\n"
        if same:
            listed += f"\n### `{module}`\n\n"
            listed += "".join(f"* ``{key}``\n\n  {reasons[module][key]}\n" for key in same)
    return text + ("\n## Equivalent mutants\n\nNo test can notice these:\n" + listed if listed else "")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
