"""Every target takes what it starts with, and what its mutator makes of that: quick, the same each time, unguided."""

from __future__ import annotations

import pytest

from tests.fuzz import target
from tests.fuzz.mutators import mutations
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS


@pytest.mark.parametrize("name", TARGETS)
def test_every_target(name: str) -> None:
    tried = TARGETS[name]
    seeds = tried.seeds()
    few = 2 if name.startswith("games") else 7
    for data in [*seeds[:: len(seeds) // few + 1], *mutations(tried, few)]:
        tried.check(data)


def test_what_takes_too_long_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target, "SECONDS", -1)
    with pytest.raises(AssertionError, match="s for 1 bytes"):
        Target(lambda _: None, list).check(b"x")


def test_what_takes_too_much_memory_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target, "peak", iter([0, target.ROOM + 1]).__next__)
    with pytest.raises(AssertionError, match="bytes of memory for 1 bytes"):
        Target(lambda _: bytearray(2 * target.ROOM).clear(), list).check(b"x")
