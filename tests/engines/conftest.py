from __future__ import annotations

from typing import Any

import pytest

from hexrec.games.rules import sundraval


@pytest.fixture
def ties(monkeypatch: pytest.MonkeyPatch) -> list[set[int]]:
    """What ruling S-2 of Sundraval has been asked about: the sets of groups each time that some were left undecided."""
    seen: list[set[int]] = []
    find = sundraval._independent_ties

    def remembered(groups: Any, undecided: Any) -> Any:
        found = find(groups, undecided)
        seen.append(set(found))
        return found

    monkeypatch.setattr(sundraval, "_independent_ties", remembered)
    return seen
