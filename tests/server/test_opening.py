"""Nothing that is named in a body is opened, and nothing is imported for it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from hexrec.parallel.run import spread
from hexrec.server.negotiation import REPORTS, SVG
from hexrec.server.positions import ListLegalTurns, RenderPosition, ReplayRecord
from hexrec.server.problems import Problem
from hexrec.server.records import ConvertRecords, ScoreRecords, ValidateRecords
from hexrec.server.tasks import Answer, Task

NAMES = ["/etc/passwd", "file:///etc/passwd", "http://127.0.0.1:9/", "s3://a/b", "\\\\host\\share", "../../x", "x.zip"]


def _tasks(text: str) -> Iterator[Task]:
    about: dict[str, Any] = {"body": text.encode(), "notation": None, "records": 10, "plies": 100}
    yield from (Task(ValidateRecords(lint=True), **about, media_type=kind) for kind in REPORTS)
    for to in ("sgf", "hgn", "yaml", "abstractplay"):
        yield Task(ConvertRecords(to=to, report=True), **about)
    yield Task(ScoreRecords(), **about, media_type="text/csv")
    yield Task(RenderPosition(), **about, media_type=SVG)
    yield from (Task(operation, **about) for operation in (ListLegalTurns(), ReplayRecord()))


def _texts(name: str) -> list[str]:
    valid = {"hexrec": "1", "game": "sunspot", "size": 4, "moves": ["d4"], "source": name, "id": name}
    return [
        name,
        json.dumps(name),
        json.dumps({**valid, "site": name, "x-include": name}),
        json.dumps({**valid, "$schema": name, "$ref": name}),
        f"!include {name}\n",
        f"(;FF[4]AP[{name}]C[{name}])",
        f'[Site "{name}"]\n',
        f"<!ENTITY a SYSTEM '{name}'>",
    ]


class Opening(ListLegalTurns):
    """An operation that opens a file."""

    def run(self, task: Task) -> Answer:
        Path(__file__).read_bytes()
        return super().run(task)


def opened(names: list[str]) -> Iterator[list[str]]:
    """Yield what a task opens that opens a file, and then what tasks open that are given each name.

    A hook can only be added, and is called ever after: this runs in a process of its own.
    """
    events: list[str] = []

    def see(event: str, arguments: tuple[object, ...]) -> None:
        if event.partition(".")[0] in ("open", "os", "socket", "subprocess", "glob", "import"):
            events.append(f"{event} {arguments}")

    def run(*tasks: Task) -> list[str]:
        events.clear()
        for task in tasks:
            with suppress(Problem):
                task.answer()
        return [*events]

    run(*(task for text in _texts("name") for task in _tasks(text)))  # imports what tasks need
    sys.addaudithook(see)
    yield run(Task(Opening(), body=b"{}", notation=None, records=1, plies=10))
    for name in names:
        yield run(*(task for text in _texts(name) for task in _tasks(text)))


def test_nothing_named_in_a_body_is_opened() -> None:
    (first, *_), *others = spread(opened, [NAMES], 2)
    assert first.startswith(f"open ('{__file__}'")
    assert dict(zip(NAMES, others, strict=True)) == {name: [] for name in NAMES}
