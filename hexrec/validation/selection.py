"""Rules that select, ignore or downgrade diagnostics by code or group of codes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from difflib import get_close_matches
from typing import Literal, Protocol

from hexrec.codes import all_codes
from hexrec.errors import ArgumentError, UnknownNameError
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import NOT_VALIDATED, Report

Action = Literal["select", "ignore", "warn"]

#: The suffix of codes that count further diagnostics. Their severity is that of the counted diagnostics.
COUNTING = "/more"
#: The precedence of rules for the same code.
_FIRST: tuple[Action, ...] = ("ignore", "warn", "select")


class UnknownCode(UnknownNameError, ValueError):
    """A name that is neither a code nor the beginning of codes; the message suggests similar names."""


def codes_named(name: str) -> tuple[str, ...]:
    """Return the code of this name, or else all codes that begin with its words: `move`, `move/`, `move/flip`.

    Raises UnknownCode if no code matches.
    """
    known = sorted(all_codes())
    if name in known:
        return (name,)
    beginnings = (name,) if name.endswith(("/", "-")) else (f"{name}/", f"{name}-")
    found = tuple(code for code in known if code.startswith(beginnings))
    if not found:
        groups = {code.partition("/")[0] for code in known}
        ends = {code.partition("/")[2]: code for code in known}
        near = get_close_matches(name, [*known, *sorted(groups)], 3) or [
            ends[end] for end in get_close_matches(name.rpartition("/")[2], ends, 3)
        ]
        hint = f": perhaps {' or '.join(near)}" if near else "; `hexrec explain` lists all codes"
        raise UnknownCode(f"unknown code {name!r}{hint}")
    return found


class Layer(Protocol):
    """A set of rules that may decide on a diagnostic."""

    def action(self, diagnostic: Diagnostic) -> Action | None:
        """Return the action for a diagnostic; None to leave the decision to the next layer."""


class Rules:
    """Rules from one source: the names given to each of the three options.

    Raises UnknownCode for a name that is no code, ValueError for a code that no rule may change.
    """

    def __init__(self, select: Iterable[str] = (), ignore: Iterable[str] = (), warn: Iterable[str] = ()) -> None:
        names: dict[Action, tuple[str, ...]] = {"ignore": tuple(ignore), "warn": tuple(warn), "select": tuple(select)}
        self.selective = bool(names["select"])
        ranked: dict[str, tuple[int, Action]] = {}
        for action in _FIRST:
            for name in names[action]:
                if name in NOT_VALIDATED and action != "select":
                    raise ArgumentError(f"{name} is always an error: what it reports has not been checked")
                if name.endswith(COUNTING):
                    group = name.removesuffix(COUNTING)
                    raise ArgumentError(f"{name} follows the codes that it counts: name {group} or some of its codes")
                length = len(name.rstrip("/-"))
                for code in codes_named(name):
                    if code not in ranked or length > ranked[code][0]:
                        ranked[code] = length, action
        self._actions = {code: action for code, (_, action) in ranked.items()}

    def __repr__(self) -> str:
        return f"Rules({self._actions}, {self.selective})"

    def action(self, diagnostic: Diagnostic) -> Action | None:
        """Return the action of the most specific rule for the code of a diagnostic; None if no rule applies."""
        return self._actions.get(diagnostic.code) or ("ignore" if self.selective else None)

    def asks_for_lint(self) -> bool:
        """Return whether these rules select, or warn of, lint codes."""
        return any(code.startswith("lint/") and action != "ignore" for code, action in self._actions.items())


def grade(report: Report, layers: Iterable[Layer]) -> Report:
    """Return a report with its diagnostics graded by rules in layers, of which the first with an action decides.

    Ignored diagnostics are removed; diagnostics with the action `warn` become warnings.
    """
    if not report.diagnostics:
        return report
    graded = (_grade(diagnostic, layers) for diagnostic in report.diagnostics)
    return replace(report, diagnostics=tuple(diagnostic for diagnostic in graded if diagnostic is not None))


def _grade(diagnostic: Diagnostic, layers: Iterable[Layer]) -> Diagnostic | None:
    # Otherwise, a run on a misspelled path could look like a run without errors.
    if diagnostic.code in NOT_VALIDATED:
        return diagnostic
    if diagnostic.code.endswith(COUNTING):
        # Graded as the most severe diagnostic of its group would be.
        group = codes_named(diagnostic.code.removesuffix(COUNTING))
        graded = [_grade(diagnostic.at(code=code), layers) for code in group if not code.endswith(COUNTING)]
        severity = min((member.severity for member in graded if member is not None), default=None)
        return None if severity is None else diagnostic.at(severity=severity)
    action = next(filter(None, (layer.action(diagnostic) for layer in layers)), None)
    if action == "ignore":
        return None
    return diagnostic.at(severity="warning") if action == "warn" else diagnostic
