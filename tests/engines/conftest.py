from __future__ import annotations

import pytest

from hexrec.games import sundraval


@pytest.fixture
def ties(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What ruling S-2 of Sundraval has been asked about: an entry for each time that groups were left undecided."""
    seen: list[object] = []
    find = sundraval._independent_ties
    monkeypatch.setattr(
        sundraval, "_independent_ties", lambda groups, undecided: seen.append(undecided) or find(groups, undecided)
    )
    return seen
