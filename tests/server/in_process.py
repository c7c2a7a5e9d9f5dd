"""The service without a server: it answers in this process, which also does what workers do.

It needs no thread, no socket and no other process.
"""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Collection
from typing import Any

import httpx
from fastapi import FastAPI
from starlette.types import Message

from hexrec.parallel import TaskTimeout
from hexrec.server.app import create
from hexrec.server.limits import Limits
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, Task, run_task


class Here:
    """Does tasks in this process, in the place of a pool. What they are and answer travels all the same.

    Attributes:
        tasks: those that were done, with their seconds and whether they count as large.
        took: how many seconds each is said to have taken.
    """

    def __init__(self) -> None:
        self.workers = 1
        self.tasks: list[tuple[Task, float, bool]] = []
        self.took = 0.0

    async def open(self) -> None:
        """Start nothing."""

    async def close(self) -> None:
        """End nothing."""

    async def run(self, task: Task, seconds: float, *, bulk: bool, **_: float) -> list[Answer | Problem]:
        if seconds <= 0:
            raise TaskTimeout("took too long", [])
        self.tasks.append((task, seconds, bulk))
        answer = pickle.loads(pickle.dumps(run_task(pickle.loads(pickle.dumps(task)))))
        return [answer if isinstance(answer, Problem) else answer._replace(seconds=self.took)]


class Transport(httpx.BaseTransport):
    """Hands requests to an application, which sees them as a server would show them."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        assert isinstance(request.stream, httpx.SyncByteStream)
        return asyncio.run(self._answer(request, [part for part in request.stream if part]))

    async def _answer(self, request: httpx.Request, parts: list[bytes]) -> httpx.Response:
        messages = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
        if messages and "content-length" in request.headers:
            messages[-1]["more_body"] = False
        else:
            messages.append({"type": "http.request", "body": b"", "more_body": False})
        sent: list[Message] = []

        async def receive() -> Message:
            await asyncio.sleep(0)
            if not messages:
                await asyncio.Event().wait()  # the client stays
            return messages.pop(0)

        async def send(message: Message) -> None:
            sent.append(message)

        scope: dict[str, Any] = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": request.method,
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
            "scheme": "http",
            "path": request.url.path,
            "raw_path": request.url.raw_path.partition(b"?")[0],
            "query_string": request.url.query,
            "root_path": "",
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 2),
        }
        await self.app(scope, receive, send)
        begin, *body = sent
        assert not body[-1].get("more_body", False)
        content = b"".join(message["body"] for message in body) if request.method != "HEAD" else b""
        headers = [(bytes(name), bytes(value)) for name, value in begin["headers"]]
        return httpx.Response(begin["status"], headers=headers, content=content)


def client(limits: Limits | None = None, origins: Collection[str] = (), hosts: Collection[str] = ()) -> httpx.Client:
    """Return a client of a service in this process."""
    app = create(limits, 1, origins, hosts)
    app.state.service.pool = Here()
    return httpx.Client(transport=Transport(app), base_url="http://localhost")
