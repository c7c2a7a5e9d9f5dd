from __future__ import annotations

from typing import Any

import pytest

from hexrec.rules.engines import sundraval


@pytest.fixture
def ties(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many sets of groups ruling S-2 of Sundraval has chosen from, each time that it was asked."""
    seen: list[int] = []
    find = sundraval._independent_ties

    def remembered(undecided: Any) -> Any:
        found = find(undecided)
        seen.append(len({frozenset(tie) for tie in found}))
        return found

    monkeypatch.setattr(sundraval, "_independent_ties", remembered)
    return seen
