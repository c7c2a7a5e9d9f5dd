"""A failing table of cases shows few of them, and the first lines of the test."""

from __future__ import annotations

import pytest

from tests.cases import all_of


@pytest.mark.parametrize(("failing", "shown", "more"), [(3, 3, ""), (5, 5, ""), (12, 5, "and 7 more")])
def test_at_most_five_cases_are_shown(failing: int, shown: int, more: str) -> None:
    @all_of("number", range(20))
    def check(number: int) -> None:
        assert number >= failing, f"too small: {number}"

    with pytest.raises(pytest.fail.Exception) as caught:
        check()
    said = str(caught.value)
    assert said.startswith(f"{failing} of 20 cases\nwith 0:\n")
    assert said.count("AssertionError: too small") == said.count("assert number >= failing") == shown
    assert said.endswith(more)
    assert 'cases.py", line' not in said.replace("test_cases.py", "")
