"""Rules that select, ignore or downgrade diagnostics by their codes, and by the paths of files."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from hexrec.codes import beginnings, built_in_codes, codes_named
from hexrec.errors import ArgumentError
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.streams import STANDARD_INPUT
from hexrec.validation.report import NOT_VALIDATED, OPTIONS, Report

if TYPE_CHECKING:
    from hexrec.util.path_pattern import PathPattern

Action = Literal["select", "ignore", "warn"]

#: The suffix of codes that count further diagnostics. Their severity is that of the counted diagnostics.
COUNTING = "/more"


class Rules:
    """Rules from one source: the names given to each of the three options.

    Raises UnknownCode for a name that is no code, ValueError for a code that no rule may change.

    Attributes:
        by: the file of the rules, or ``options``.
    """

    def __init__(
        self, select: Iterable[str] = (), ignore: Iterable[str] = (), warn: Iterable[str] = (), by: str = OPTIONS
    ) -> None:
        self.by = by
        # In the order of precedence for equally specific names.
        names: dict[Action, tuple[str, ...]] = {"ignore": tuple(ignore), "warn": tuple(warn), "select": tuple(select)}
        self.selective = bool(names["select"])
        #: Each name, its action, and the beginnings of the codes that it stands for.
        self._named: list[tuple[str, Action, tuple[str, ...]]] = []
        for action, given in names.items():
            for name in dict.fromkeys(given):
                if name in NOT_VALIDATED and action != "select":
                    raise ArgumentError(f"{name} is always an error: what it reports has not been checked")
                if name.endswith(COUNTING):
                    group = name.removesuffix(COUNTING)
                    raise ArgumentError(f"{name} follows the codes that it counts: name {group} or some of its codes")
                self._named.append((name, action, beginnings(name)))

    def __repr__(self) -> str:
        return f"Rules({self._named})"

    def __bool__(self) -> bool:
        return bool(self._named)

    def action(self, diagnostic: Diagnostic) -> Action | None:
        """Return the action of the most specific rule for the code of a diagnostic; None if no rule applies."""
        return self._action(diagnostic.code) or ("ignore" if self.selective else None)

    def _action(self, code: str) -> Action | None:
        """Return the action of the most specific name that stands for a code."""
        most, decided = 0, None
        for name, action, begun in self._named:
            length = len(name.rstrip("/-"))
            if length > most and (code == name or code.startswith(begun)):
                most, decided = length, action
        return decided

    def asks_for_lint(self) -> bool:
        """Return whether these rules select, or warn of, lint codes."""
        return any(self._action(code) in ("select", "warn") for code in built_in_codes() if code.startswith("lint/"))


@dataclass(eq=False)
class PathIgnores:
    """Rules, from the file `by`, for the files that match a pattern by their paths relative to a directory."""

    folder: str
    rules: tuple[tuple[PathPattern, Rules], ...]
    by: str = field(default=OPTIONS, repr=False)
    #: The rules for the latest file: all diagnostics of a file are graded together.
    _latest: dict[str, list[Rules]] = field(default_factory=dict, init=False, repr=False)

    def __bool__(self) -> bool:
        return bool(self.rules)

    def action(self, diagnostic: Diagnostic) -> Action | None:
        """Return `ignore` if a pattern matches the file of a diagnostic and its rules name the code."""
        if diagnostic.file is None or diagnostic.file == STANDARD_INPUT:
            return None
        if diagnostic.file not in self._latest:
            self._latest.clear()
            self._latest[diagnostic.file] = self._find(diagnostic.file)
        return "ignore" if any(rules.action(diagnostic) for rules in self._latest[diagnostic.file]) else None

    def _find(self, file: str) -> list[Rules]:
        """Return the rules for a file."""
        from pathlib import Path

        try:
            parts = Path(os.path.abspath(file)).relative_to(self.folder).parts
        except ValueError:
            return []
        return [rules for pattern, rules in self.rules if pattern.matches(parts)]


#: Rules that may decide on a diagnostic.
Layer = Rules | PathIgnores


def grade(report: Report, layers: Sequence[Layer]) -> Report:
    """Return a report with its diagnostics graded by rules in layers, of which the first with an action decides.

    Errors with the action `ignore` or `warn` are marked with the source of the rule. Ignored warnings are removed.
    """
    if not layers or not report.diagnostics:
        return report
    graded = (_grade(diagnostic, layers) for diagnostic in report.diagnostics)
    return report.copy(diagnostics=tuple(diagnostic for diagnostic in graded if diagnostic is not None))


def _grade(diagnostic: Diagnostic, layers: Iterable[Layer]) -> Diagnostic | None:
    # Otherwise, a run on a misspelled path could look like a run without errors.
    if diagnostic.code in NOT_VALIDATED or diagnostic.ignored:
        return diagnostic
    if diagnostic.code.endswith(COUNTING):
        # Graded as the most severe diagnostic of its group would be.
        group = codes_named(diagnostic.code.removesuffix(COUNTING))
        members = (_grade(diagnostic.at(code=code), layers) for code in group if not code.endswith(COUNTING))
        graded = min(filter(None, members), key=lambda member: (member.ignored, member.suppressed), default=None)
        return graded and graded.at(code=diagnostic.code)
    for layer in layers:
        if action := layer.action(diagnostic):
            return diagnostic if action == "select" else ignore(diagnostic, layer.by, downgrade=action == "warn")
    return diagnostic


def ignore(diagnostic: Diagnostic, by: str, *, downgrade: bool = False) -> Diagnostic | None:
    """Return an error as ignored by a file or ``options``; None for a warning, unless it is to `downgrade`."""
    if diagnostic.severity == "error":
        return diagnostic.at(by=by, downgraded=downgrade)
    return diagnostic if downgrade else None
