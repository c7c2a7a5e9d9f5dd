"""Does once all that workers do, so that none of them imports anything, or makes a table, while it is timed.

The process that workers are forked from imports this module.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from hexrec import games, notations
from hexrec.record.json_schema import game_schema
from hexrec.server import listing, tasks
from hexrec.server.negotiation import REPORTS, ROWS
from hexrec.server.problems import Problem


def _sample_tasks() -> Iterator[tasks.Task]:
    about: dict[str, Any] = {"records": 10, "plies": 100, "notation": None}
    for name in games.names():
        game = game_schema(name)["examples"][0]
        broken = json.dumps({**game, "unknown": 1, "size": "a"}).encode()
        body = json.dumps(game).encode()
        yield tasks.ValidateRecords(**about, body=broken, report="json", lint=True)
        yield tasks.ReplayRecord(**about, body=body)
        for notation in notations.names():
            yield tasks.ConvertRecords(**about, body=body, to=notation, layout="text")
    yield from (tasks.ValidateRecords(**about, body=body, report=report, lint=True) for report in REPORTS.values())
    yield from (tasks.ScoreRecords(**about, body=body, format=format) for format in ROWS.values())
    yield listing.ListRecords(**about, body=body)
    yield tasks.ListLegalTurns(**about, body=body)
    yield tasks.ExplainResult(**about, body=body)
    yield tasks.RenderPosition(**about, body=body)
    for notation in notations.names():
        yield tasks.ValidateRecords(**{**about, "notation": notation}, body=b"(;[{", report="text")


for task in _sample_tasks():
    with suppress(Problem):
        task.run()
