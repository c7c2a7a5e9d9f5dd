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
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent.parent
FOUND = Path(__file__).parent / "found.json"
EQUIVALENT = Path(__file__).parent / "equivalent.toml"
PAGE = ROOT / "docs/mutants.md"

_EXAMPLES = ("tests/test_fixtures.py", "tests/test_messages.py")
#: By package, the tests that are to notice its mutants: those of the package itself, and the examples.
TESTS: dict[str, tuple[str, ...]] = {
    "hexrec": (
        *_EXAMPLES,
        "tests/check/test_plausibility.py",
        "tests/cli/test_foreign_text.py",
        "tests/cli/test_summaries.py",
        "tests/faults/test_boundary.py",
        "tests/limits",
        "tests/render/test_notebook.py",
        "tests/scores/test_tables.py",
        "tests/test_addresses_of_codes.py",
        "tests/test_code_registry.py",
        "tests/test_escaping.py",
        "tests/test_internal_error.py",
        "tests/test_library.py",
        "tests/test_plugins.py",
        "tests/test_program.py",
        "tests/test_shared.py",
    ),
    "hexrec.games": (
        *_EXAMPLES,
        "tests/engines",
        "tests/render/test_golden.py",
        "tests/render/test_marks.py",
        "tests/render/test_notebook.py",
        "tests/test_code_registry.py",
        "tests/test_examples.py",
    ),
    "hexrec.kernel": ("tests/kernel/test_kernels.py", "tests/test_fixtures.py"),
    "hexrec.board": ("tests/board", "tests/engines", "tests/test_fixtures.py"),
    "hexrec.record": (
        *_EXAMPLES,
        "tests/record",
        "tests/check/test_hashes.py",
        "tests/check/test_many_diagnostics.py",
        "tests/dedup",
        "tests/test_library.py",
        "tests/cli/test_schema_and_games.py",
    ),
    "hexrec.check": (
        *_EXAMPLES,
        "tests/check",
        "tests/cli/test_hash.py",
        "tests/cli/test_hints.py",
        "tests/cli/test_incremental.py",
        "tests/cli/test_lint.py",
        "tests/notations/test_abstractplay.py",
    ),
    "hexrec.plain": (*_EXAMPLES, "tests/plain", "tests/cli/test_validate.py", "tests/cli/test_configuration.py"),
    "hexrec.notations": (*_EXAMPLES, "tests/notations"),
    "hexrec.files": (
        "tests/files",
        "tests/notations/test_recognition.py",
        "tests/cli/test_incremental.py",
        "tests/cli/test_archives.py",
        "tests/cli/test_links.py",
    ),
    "hexrec.convert": (
        "tests/convert",
        "tests/notations/test_conversions.py",
        "tests/cli/test_convert.py",
        "tests/faults/test_boundary.py",
        "tests/check/test_many_diagnostics.py",
    ),
    "hexrec.batch": ("tests/batch", "tests/cli/test_score.py", "tests/cli/test_archives.py"),
    "hexrec.edit": (
        "tests/edit",
        "tests/cli/test_fix.py",
        "tests/cli/test_fmt.py",
        "tests/cli/test_foreign_text.py",
        "tests/cli/test_links.py",
        "tests/cli/test_meaning_kept.py",
        "tests/cli/test_summaries.py",
        "tests/notations/test_registered.py",
    ),
    "hexrec.dedup": ("tests/dedup", "tests/cli/test_dedupe.py"),
    "hexrec.scores": ("tests/scores", "tests/cli/test_score.py"),
    "hexrec.settings": (
        "tests/check/test_bounded_settings.py",
        "tests/check/test_many_diagnostics.py",
        "tests/cli/test_baseline.py",
        "tests/cli/test_configuration.py",
        "tests/cli/test_links.py",
        "tests/cli/test_lint.py",
        "tests/cli/test_selection.py",
    ),
    "hexrec.conformance": ("tests/conformance",),
    "hexrec.workers": ("tests/workers",),
    "hexrec.server": ("tests/server",),
    "hexrec.reporters": (
        *_EXAMPLES,
        "tests/reporters",
        "tests/cli/test_text_report.py",
        "tests/test_addresses_of_codes.py",
        "tests/test_code_registry.py",
    ),
    "hexrec.stats": ("tests/cli/test_stats.py",),
    "hexrec.completion": ("tests/cli/test_completion.py", "tests/determinism/test_locale.py"),
    "hexrec.cli": ("tests/cli", "tests/conformance/test_command.py", "tests/determinism/test_locale.py"),
}


#: What only draws is looked at, not tested in each number; what only saves time is measured.
LEFT_OUT = {"hexrec.stats.plots", "hexrec.server.warmup", "hexrec.batch.warmup"}


@dataclass
class Module:
    """What was found in a module.

    Attributes:
        name: the module's name.
        mutants: how many there are.
        tried: how many of them were tried.
        survivors: what those are called that no test noticed.
        minutes: of the processor that this took, without the tests that were run before; None if nobody measured them.
    """

    name: str
    mutants: int = 0
    tried: int = 0
    survivors: list[str] = field(default_factory=list)
    minutes: float | None = 0

    def write(self) -> None:
        """Keep it, in the place of what was found in the module before."""
        kept = read()
        kept[self.name] = {
            "source": digest(self.name),
            "mutants": self.mutants,
            "tried": self.tried,
            "minutes": self.minutes,
            "survivors": sorted(self.survivors),
        }
        FOUND.write_text(json.dumps(dict(sorted(kept.items())), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        PAGE.write_text(page(), encoding="utf-8")


def read() -> dict[str, dict[str, Any]]:
    """Return what was found, by module."""
    kept: dict[str, dict[str, Any]] = json.loads(FOUND.read_text(encoding="utf-8")) if FOUND.exists() else {}
    return kept


def digest(module: str) -> str:
    """Return what tells the present source of a module from others."""
    path = ROOT / module.replace(".", "/")
    return sha256((path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_bytes()).hexdigest()[:16]


def equivalents() -> dict[str, dict[str, str]]:
    """Return why mutants cannot be killed, by module and by what they are called."""
    return tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))


def all_modules() -> list[str]:
    """Return the modules of all packages with tests to notice their mutants, without those that are left out."""
    folders = ((ROOT / package.replace(".", "/"), package == "hexrec") for package in TESTS)
    paths = (path for folder, top in folders for path in sorted(folder.glob("*.py" if top else "**/*.py")))
    names = (".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in paths)
    return [name for name in names if name not in LEFT_OUT]


def package_of(module: str) -> str:
    """Return the package of hexrec that a module is in, or hexrec itself."""
    package = ".".join(module.split(".")[:2])
    return package if (ROOT / package.replace(".", "/")).is_dir() else "hexrec"


def by_tests(modules: Iterable[str]) -> dict[tuple[str, ...], list[str]]:
    """Return the modules by the tests that are to notice their mutants."""
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for module in modules:
        found[TESTS[package_of(module)]].append(module)
    return found


_HEAD = """\
# Mutation testing

A mutant is the code with one small fault: an operator, a number, a text, an argument exchanged or left out. A mutant
that no test notices shows what the tests do not hold. `nox -s mutants` puts the faults that
[mutmut](https://mutmut.readthedocs.io) makes into the functions of a module, one at a time, and runs the tests that
call the function; `nox -s mutants -- hexrec.games.nadraz` does so for one module, and writes this page. How, and why
mutmut and cosmic-ray do not run them themselves, is said in [`tests/mutants`](../tests/mutants/__main__.py).

Engines are tested without kernels, kernels uncompiled; the service answers in the process of the tests, which does the
work of its workers, too. A mutant gets tests of {longest:g} seconds of the processor, so that some that survive here
are noticed by the whole suite; tests that start other processes notice none there. Before the first mutant all these
tests run in such a process without one: those that fail there are left out, and nothing is tried if they are many.

`nox -s mutants -- --sample 10% hexrec.notations` tries a tenth of the mutants of each module of a package, always the
same; without `--sample` all are tried, those in functions that run at imports alone each in a Python that is started
anew. `--again` tries those again that survived; they may get more tests (`--seconds 20`). Of a package, the share that
is noticed is that of its modules, each with the weight of its mutants. The minutes are those of the processor for the
mutants, without those in which the tests run first; – stands for those that were not measured. What is left may be
noticed by tests that are marked slow, or take longer; or by others of the table, since many modules were tried with the
tests nearest to them (`--tests`). Modules may have changed since they were tried: a digest of each as it was then, and
what is left of its mutants, is in [`found.json`](../tests/mutants/found.json). Of a few modules only the functions that
had changed were tried again.

"""
_EQUIVALENT = """
## Equivalent mutants

No test can notice these, as far as is known. Each reason was given by whoever tried the module. On 2026-11-23 others,
who had given none, read the whole list with the source beside it and looked for inputs that prove a reason wrong. They
found some for 115 of the 1,161 mutants that it had then, which tests notice now; 66 more reasons had to be worded anew.
Most of those of the kernels were not read: instead, each such mutant took the place of its kernel in random games on
small boards, and in beginnings of them that an illegal turn ends, for some seconds. Of these 170, 164 were tried so;
none made a difference. Of 60 mutants that are not listed, games of the same kind showed 59.
"""
_COLUMNS = """\
| {what} | mutants | tried | noticed | equivalent | left | noticed of those that can be | minutes |
|---|---|---|---|---|---|---|---|
"""
#: A mutant gets tests of so many seconds of the processor, the quickest first: few need more, and all survivors would
#: have to wait for them.
LONGEST = 2.5
#: Those of these files come in any case: they take long, but alone read every message.
ALWAYS = {"test_messages.py", "test_words.py"}


def page() -> str:
    """Return the page of the documents."""
    reasons, packages = equivalents(), by_package()
    listed = ""
    for module, found in read().items():
        if same := [key for key in found["survivors"] if key in reasons.get(module, {})]:
            listed += f"\n### `{module}`\n\n"
            for reason in dict.fromkeys(reasons[module][key] for key in same):
                listed += f"* {reason}\n"
                keys = (key for key in same if reasons[module][key] == reason)
                listed += "".join(f"  * ``{key.replace('](', '] (')}``\n" for key in keys)  # no links
    text = _HEAD.format(longest=LONGEST) + _COLUMNS.format(what="package")
    text += "".join(_line(name, rows) for name, rows in packages.items())
    missing = [f"`{name}`" for name in _packages() if name not in packages]
    if missing:
        text += (
            f"\nNot tried, being presentation: {', '.join(missing)}. In the packages above, the modules that are not "
        )
        text += "in the next table have no mutants, only draw, or only save time.\n"
    text += "\n## By module\n\n" + _COLUMNS.format(what="module")
    text += "".join(_line(row.module, [row]) for rows in packages.values() for row in rows)
    return text + (_EQUIVALENT + listed if listed else "")


class Row(NamedTuple):
    """How many mutants a module has, how many of them were tried, are equivalent, are left, and in how many minutes."""

    module: str
    mutants: int
    tried: int
    equivalent: int
    left: int
    minutes: float | None

    @property
    def noticed(self) -> int:
        """How many mutants a test noticed."""
        return self.tried - self.equivalent - self.left


def by_package() -> dict[str, list[Row]]:
    """Return the modules that were tried, by package."""
    reasons = equivalents()
    packages: dict[str, list[Row]] = defaultdict(list)
    for module, found in read().items():
        same = sum(key in reasons.get(module, {}) for key in found["survivors"])
        left = len(found["survivors"]) - same
        packages[package_of(module)].append(Row(module, found["mutants"], found["tried"], same, left, found["minutes"]))
    return packages


def share(rows: Iterable[Row]) -> float:
    """Return which part of the mutants that can be noticed is; modules weigh as much as they have mutants."""
    shares = [(row.mutants, row.noticed / (row.noticed + row.left)) for row in rows if row.noticed + row.left]
    return sum(weight * each for weight, each in shares) / max(1, sum(weight for weight, _ in shares))


def _packages() -> list[str]:
    """Return hexrec and the packages that it has."""
    return ["hexrec", *(f"hexrec.{path.parent.name}" for path in sorted((ROOT / "hexrec").glob("*/__init__.py")))]


def _line(name: str, rows: list[Row]) -> str:
    mutants, tried, equivalent, left = (sum(column) for column in list(zip(*rows, strict=True))[1:5])
    minutes = [row.minutes for row in rows]
    spent = "–" if None in minutes else f"{sum(each or 0 for each in minutes):.1f}"
    which = "all" if tried == mutants else str(tried)
    cells = (mutants, which, tried - equivalent - left, equivalent, left, f"{100 * share(rows):.1f} %", spent)
    return f"| `{name}` | {' | '.join(map(str, cells))} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
