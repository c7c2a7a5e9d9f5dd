"""Numbers that come from the environment: which are taken, which are refused, and in which words."""

from __future__ import annotations

import re

import pytest

from hexrec.limits import EnvironmentVariableError, number

NAME = "HEXREC_SOME_NUMBER"


@pytest.mark.parametrize(
    ("text", "least", "most", "value"),
    [
        (None, 10, 20, 7),
        ("", 10, 20, 7),
        ("1", 1, None, 1),
        ("10", 10, 20, 10),
        ("20", 10, 20, 20),
        ("0", 0, 0, 0),
        ("007", 1, None, 7),
        ("9" * 18, 1, None, 10**18 - 1),
    ],
)
def test_numbers_that_are_taken(
    monkeypatch: pytest.MonkeyPatch, text: str | None, least: int, most: int | None, value: int
) -> None:
    """The usual one need not be within the bounds."""
    monkeypatch.delenv(NAME, raising=False)
    if text is not None:
        monkeypatch.setenv(NAME, text)
    assert number(NAME, 7, least, most) == value


@pytest.mark.parametrize(
    ("text", "bounds", "said"),
    [
        ("0", (), "of 1 or more, not '0'"),
        ("9", (10,), "of 10 or more, not '9'"),
        ("9", (10, 20), "from 10 to 20, not '9'"),
        ("21", (10, 20), "from 10 to 20, not '21'"),
        ("-5", (), "of 1 or more, not '-5'"),
        ("1e3", (), "of 1 or more, not '1e3'"),
        (" 5", (), "of 1 or more, not ' 5'"),
        ("²", (), "of 1 or more, not '²'"),
        ("٣", (), "of 1 or more, not '٣'"),
        ("1" * 19, (), f"of 1 or more, not '{'1' * 19}'"),
        ("x" * 41, (), f"of 1 or more, not '{'x' * 40}'"),
    ],
)
def test_numbers_that_are_refused(
    monkeypatch: pytest.MonkeyPatch, text: str, bounds: tuple[int, ...], said: str
) -> None:
    monkeypatch.setenv(NAME, text)
    with pytest.raises(EnvironmentVariableError, match=f"^{NAME} should be a whole number {re.escape(said)}$"):
        number(NAME, 7, *bounds)
