"""Whole games are played by kernels where there are any."""

from __future__ import annotations

import pytest

from hexrec import kernel
from hexrec.games.sunspot import SunspotPosition
from hexrec.record import read_record
from hexrec.record.replay import replay, replay_whole


def test_the_engine_plays_nothing_that_a_kernel_has_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "get", lambda *setting: kernel.load("hexrec.kernel", *setting))
    synonym = "c3 d4 d3 e4 c4 d5 e3xd4xe3"
    record = read_record({"hexrec": "1", "game": "sunspot", "size": 4, "moves": synonym.split()})
    with monkeypatch.context() as patch:
        patch.setattr(SunspotPosition, "play_all", None)
        played = replay_whole(record)
    again = replay(record)
    assert (played.plies, played.outcome, played.failure) == (again.plies, again.outcome, again.failure)
    assert record.canonical_turns == synonym.replace("xe3", "xc3").split()
