"""Counts of bodies that are read whole, while they arrive: one that is beyond a limit is not read to its end."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from math import inf

from hexrec.server.limits import SMALL_BODY
from hexrec.server.listing import BodyCount, CountRecords
from hexrec.server.tasks import Answer, Task

#: What every record but the first has in it or before it, and what every turn has: there are no more than these. What
#: escapes this (numbers in place of records, a mark that is cut in two) is counted when all of the body is there.
_JSON_MARKS = ((b"{",), (b",", b"["))
_MARKS = {
    "abstractplay": _JSON_MARKS,
    "json": _JSON_MARKS,
    "jsonl": ((b"\n",), (b",", b"[")),
    "sgf": ((b"(",), (b"[",)),
    "yaml": ((b"---",), (b"\n", b",", b"[")),
}
_ANY_MARKS = ((b"\n", b"{", b"("), (b"\n", b" ", b",", b";", b"["))


class ArrivingCount:
    """The count of a body of which more is to come. Workers count, and each part of a body once.

    Attributes:
        spent: how many seconds workers have been at work on it.
        waited: how many seconds it took until they were done.
    """

    def __init__(
        self, task: Task, seconds: float, run: Callable[[Task, float, int], Awaitable[tuple[Answer, float]]]
    ) -> None:
        """`task` is what will be done with the body, `seconds` how long workers may be at work on it.

        `run` has a task done, in so many seconds, for a body of such a size.
        """
        self.spent = self.waited = 0.0
        self._seconds = seconds
        self._run = run
        self._notation, self._records, self._plies = task.notation, task.records, task.plies
        #: How much of the body has been counted, and looked at for marks; which size is worth another count.
        self._counted = self._seen = 0
        self._due: float = SMALL_BODY
        self._marks = (0, 0)
        self._in_list = False

    async def check(self, body: bytearray) -> None:
        """Count what has arrived of a body if it may be beyond a limit. Raises Problem."""
        self._look_at(body[self._seen :])
        self._seen = len(body)
        if len(body) < self._due or (self._marks[0] < self._records and self._marks[1] < self._plies):
            return
        loop = asyncio.get_running_loop()
        begun = loop.time()
        begin = b"[" if self._in_list else b""
        part = begin + body[self._counted :]
        task = CountRecords(body=part, notation=self._notation, records=self._records, plies=self._plies)
        answer, spent = await self._run(task, self._seconds - self.spent, len(body))
        self.spent += spent
        self.waited += loop.time() - begun
        found = BodyCount(**json.loads(answer.body))
        self._notation, self._in_list = found.notation, found.in_list
        self._records -= found.records
        self._plies -= found.plies
        self._counted += max(0, found.end - len(begin))
        rest = body[self._counted :]
        self._marks = (0, 0)
        self._look_at(rest)
        # Where nothing says where a record ends, all that has arrived is counted again: not too often.
        self._due = inf if found.broken else len(body) + max(SMALL_BODY, len(rest))

    def _look_at(self, part: bytearray) -> None:
        kinds = _MARKS.get(self._notation or "", _ANY_MARKS)
        records, turns = (sum(map(part.count, marks)) for marks in kinds)
        self._marks = (self._marks[0] + records, self._marks[1] + turns)
