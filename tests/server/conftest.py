"""The service on a port of this machine, and the command line beside it."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from time import monotonic, sleep
from typing import Any

import httpx
import pytest

from hexrec.server.app import create, make_server
from hexrec.server.limits import Limits
from tests.cli.conftest import SHORT_GAME, hexrec
from tests.processes import PATIENCE
from tests.server import in_process

__all__ = [
    "GAME",
    "LINE",
    "Serve",
    "Upload",
    "client",
    "connection",
    "hexrec",
    "limited",
    "metric",
    "serve",
    "until",
    "upload",
]

Serve = Callable[..., httpx.Client]

GAME = SHORT_GAME
LINE = json.dumps(GAME).encode() + b"\n"


@contextmanager
def serving(limits: Limits, workers: int = 0, port: int = 0) -> Iterator[httpx.Client]:
    """Run a server in a thread; without workers, it does their tasks itself."""
    app = create(limits, workers)
    if not workers:
        app.state.service.pool = in_process.Here()
    running = make_server(app, "127.0.0.1", port)
    started = threading.Event()
    usual = running.startup

    async def startup(sockets: list[socket.socket] | None = None) -> None:
        await usual(sockets)
        started.set()

    running.startup = startup  # type: ignore[method-assign]
    thread = threading.Thread(target=running.run)
    thread.start()
    try:
        assert started.wait(PATIENCE)
        port = running.servers[0].sockets[0].getsockname()[1]
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as found:
            found.server = running  # type: ignore[attr-defined]
            yield found
    finally:
        running.should_exit = True
        thread.join()


@pytest.fixture(scope="session")
def client() -> Iterator[httpx.Client]:
    """A client of a service with the usual limits."""
    with serving(Limits()) as found:
        yield found


@pytest.fixture
def limited() -> Iterator[Serve]:
    """Offer a service with limits of its own, in this process, to tests that only ask and look at answers."""
    with ExitStack() as stack:
        yield lambda **limits: stack.enter_context(in_process.client(Limits(**limits)))


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start a service with limits of its own on a port."""
    with ExitStack() as stack:
        yield lambda workers=0, **limits: stack.enter_context(serving(Limits(**limits), workers))


def connection(client: httpx.Client) -> socket.socket:
    """Return a plain connection to a service, for requests that no client library makes."""
    return socket.create_connection((client.base_url.host, client.base_url.port or 0), timeout=PATIENCE)


def metric(client: httpx.Client | str, name: str) -> float:
    """Return what a service counts under a name, or a name with its first labels, all others together."""
    lines = (client.get("/metrics") if isinstance(client, httpx.Client) else httpx.get(f"{client}/metrics")).text
    return sum(float(line.split()[-1]) for line in lines.splitlines() if re.match(rf"{re.escape(name)}[ {{,}}]", line))


def until(client: httpx.Client | str, name: str, value: float) -> None:
    """Wait until a service counts so much under a name."""
    end = monotonic() + PATIENCE
    while (found := metric(client, name)) != value:
        assert monotonic() < end, f"{name} is {found}, not {value}"
        sleep(0.01)


class Upload:
    """A body of JSON Lines that is sent line by line, and answered in JSON Lines, on one plain connection."""

    def __init__(self, plain: socket.socket, path: str) -> None:
        self._plain = plain
        plain.sendall(
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nAccept: application/x-ndjson\r\n"
            "Content-Type: application/x-ndjson\r\n\r\n".encode()
        )

    def send(self, data: bytes) -> None:
        """Send some bytes of the body; none to end it."""
        self._plain.sendall(b"%x\r\n%s\r\n" % (len(data), data))

    def line(self, what: bytes = b"{") -> bytes:
        """Return the next line that begins so. What follows stays on the connection."""
        while True:
            line = bytearray()
            while not line.endswith(b"\n"):
                byte = self._plain.recv(1)
                assert byte, "the connection was closed"
                line += byte
            if line.startswith(what):
                return bytes(line)

    def answer(self) -> dict[str, Any]:
        """Return the next line of the answer."""
        return dict(json.loads(self.line()))


@pytest.fixture
def upload() -> Iterator[Callable[..., Upload]]:
    """Begin to send a body."""
    with ExitStack() as stack:
        yield lambda client, path="/v1/validate": Upload(stack.enter_context(connection(client)), path)
