from __future__ import annotations

from typing import Any

import pytest

from hexrec.games import sundraval


@pytest.fixture
def ties(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What ruling S-2 of Sundraval has been asked about: an entry for each time that groups were left undecided."""
    seen: list[object] = []
    find = sundraval._independent_ties

    def remembered(groups: Any, undecided: Any) -> Any:
        seen.append(undecided)
        return find(groups, undecided)

    monkeypatch.setattr(sundraval, "_independent_ties", remembered)
    return seen
