"""A process that does tasks, as an event loop sees it: nothing here blocks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from socket import AddressFamily, socket
from typing import Any, cast

from hexrec.workers.channel import Incoming, framed
from hexrec.workers.process import (
    TaskFailed,
    TaskNotDelivered,
    TaskTimeout,
    Worker,
    WorkerDied,
    answer_in,
    task_message,
)

#: Is called with what came of a task, or with what kept it from being done.
Finish = Callable[[Any, Exception | None], None]


class Link(asyncio.Protocol):
    """The connection of an event loop to a worker. While there is one, the worker is not to be asked in another way.

    Attributes:
        worker: the worker.
        lost: whether the process can do no more tasks.
    """

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.lost = False
        self._incoming = Incoming()
        self._transport: asyncio.Transport | None = None
        self._finish: Finish | None = None
        self._timer: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        """Connect the running event loop to the worker."""
        connection: socket = self.worker.connection.dup()  # the event loop closes its own
        loop = asyncio.get_running_loop()
        local = getattr(AddressFamily, "AF_UNIX", None) == connection.family
        connect = loop.create_unix_connection if local else loop.create_connection
        await connect(lambda: self, sock=connection)

    def begin(self, task: object, seconds: float, finish: Finish) -> None:
        """Have a task done in so many seconds at most; `finish` is called once.

        The errors that it gets are TaskFailed; TaskTimeout, WorkerDied and TaskNotDelivered, after which the worker has
        to be ended. Raises what the task raises if it cannot travel.
        """
        assert self._finish is None
        message = framed(task_message(task))
        self._finish = finish
        self._timer = asyncio.get_running_loop().call_later(seconds, self._end, TaskTimeout())
        if self._transport is not None:
            self._transport.write(message)

    def close(self) -> None:
        """Cut the connection. A task that the worker is at work on ends with WorkerDied."""
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what sends."""
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        """Take a part of an answer."""
        message = self._incoming.add(data)
        if message is None:
            return
        try:
            answer = answer_in(message)
        except TaskFailed as error:
            self._call(None, error)
        except Exception:  # no process that is in order sends this
            self._end(WorkerDied())
        else:
            self._call(answer, None)

    def eof_received(self) -> None:
        """Note that the process is gone."""
        assert self._transport is not None
        self._end(TaskNotDelivered() if self._transport.get_write_buffer_size() else WorkerDied())

    def connection_lost(self, exc: Exception | None) -> None:
        """Note that the process is gone. A task of which a part could not be sent has not begun."""
        self._end(TaskNotDelivered() if isinstance(exc, BrokenPipeError) else WorkerDied())

    def _end(self, error: Exception) -> None:
        self.lost = True
        self.close()
        self._call(None, error)

    def _call(self, answer: Any, error: Exception | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        finish, self._finish, self._timer = self._finish, None, None
        if finish is not None:
            finish(answer, error)
