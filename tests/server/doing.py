"""Tasks that do what a test wants, in processes that start quickly. They import this module: it imports little."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any, NamedTuple

from hexrec.parallel.child import Handler
from hexrec.validation.report import Summary


def prepare(_memory: int) -> Handler:
    return lambda task: [task.act()]


class Done(NamedTuple):
    """The answer to a task: its name, and the totals of no records."""

    name: str
    summary: Summary = Summary()


class Doing(NamedTuple):
    """A task: it notes that it has begun, and then does something.

    Attributes:
        name: the file with the notes, one for each time that it was begun.
        what: how that ends.
    """

    name: Path
    what: str = "answer"

    def act(self) -> Any:
        with self.name.open("a") as notes:
            notes.write("begun\n")
        match self.what:
            case "raise":
                raise ValueError("no reason")
            case "hang":
                os.kill(os.getpid(), signal.SIGSTOP)
            case "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            case "killed once" if self.begun == 1:
                os.kill(os.getpid(), signal.SIGKILL)
            case "wait":
                while not self.name.with_suffix(".go").exists():
                    time.sleep(0.001)
            case "problem":
                from hexrec.server.problems import Problem

                return Problem("bad-record", "why")
        return Done(self.name.name)

    @property
    def begun(self) -> int:
        """How often it was begun."""
        return len(self.name.read_text().splitlines()) if self.name.exists() else 0

    def go(self) -> None:
        """End the waiting."""
        self.name.with_suffix(".go").touch()
