"""All targets, by name."""

from __future__ import annotations

from tests.fuzz import records, rules, state
from tests.fuzz.target import Target

TARGETS: dict[str, Target] = {**records.TARGETS, **state.TARGETS, **rules.TARGETS}
