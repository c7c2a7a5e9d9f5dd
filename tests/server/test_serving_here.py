"""How the service begins to listen and what ends it, without a process of its own."""

from __future__ import annotations

import io
import json
import logging
import socket
import sys
from errno import EADDRINUSE, EADDRNOTAVAIL
from typing import Any

import pytest

from hexrec.escaping import GuardedStream
from hexrec.server import serving
from hexrec.server.observability import log_to_standard_error

Address = tuple[str, int]


class Listening:
    """A socket that only seems to listen."""

    def __init__(self, at: Address, family: int, backlog: int, free: int = 4321) -> None:
        """Port 0 is that which is `free`."""
        self.at = at if at[1] else (at[0], free)
        self.family = family
        self.backlog = backlog
        self.closed = False

    def getsockname(self) -> Address:
        return self.at

    def close(self) -> None:
        self.closed = True


class Machine:
    """A machine with some addresses.

    Attributes:
        made: the sockets that listen or did.
        asked: what it was asked for.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, addresses: dict[str, int | None]) -> None:
        """`addresses` are those of the host, with the errors of listening there."""
        self.made: list[Listening] = []
        self.asked: list[tuple[Any, ...]] = []
        self._addresses = addresses
        monkeypatch.setattr(socket, "getaddrinfo", self._look_up)
        monkeypatch.setattr(socket, "create_server", self._listen)

    def _look_up(self, host: str, port: int, **options: Any) -> list[tuple[Any, ...]]:
        self.asked.append((host, port, options))
        family = {True: socket.AF_INET6, False: socket.AF_INET}
        return [(family[":" in each], socket.SOCK_STREAM, 6, "", (each, port, 0, 0)) for each in self._addresses]

    def _listen(self, at: Address, *, family: int, backlog: int) -> Listening:
        if (error := self._addresses[at[0]]) is not None:
            raise OSError(error, "refused")
        self.made.append(Listening(at, family, backlog, 4321 + len(self.made)))
        return self.made[-1]


@pytest.mark.parametrize(
    ("addresses", "port", "listens"),
    [
        ({"::1": None, "127.0.0.1": None}, 0, [("::1", 4321), ("127.0.0.1", 4321)]),
        ({"::1": None, "127.0.0.1": None}, 80, [("::1", 80), ("127.0.0.1", 80)]),
        ({"::1": EADDRNOTAVAIL, "127.0.0.1": None}, 0, [("127.0.0.1", 4321)]),
        ({"127.0.0.1": None, "::1": EADDRNOTAVAIL}, 0, [("127.0.0.1", 4321)]),
    ],
)
def test_it_listens_at_all_addresses_that_there_are(
    monkeypatch: pytest.MonkeyPatch, addresses: dict[str, int | None], port: int, listens: list[Address]
) -> None:
    machine = Machine(monkeypatch, addresses)
    found: list[Any] = [*serving.listen("host", port)]
    assert found == machine.made
    assert [each.at for each in machine.made] == listens
    assert [each.family for each in machine.made] == [
        socket.AF_INET6 if ":" in host else socket.AF_INET for host, _ in listens
    ]
    assert not any(each.closed for each in machine.made)
    assert {each.backlog for each in machine.made} == {2048}
    assert machine.asked == [("host", port, {"type": socket.SOCK_STREAM, "flags": socket.AI_PASSIVE})]


@pytest.mark.parametrize(
    ("addresses", "error", "tried"),
    [
        ({"::1": None, "127.0.0.1": EADDRINUSE}, EADDRINUSE, 1),
        ({"127.0.0.1": EADDRINUSE, "::1": None}, EADDRINUSE, 0),
        ({"::1": EADDRNOTAVAIL, "127.0.0.1": EADDRINUSE}, EADDRINUSE, 0),
        ({"::1": EADDRNOTAVAIL}, EADDRNOTAVAIL, 0),
    ],
)
def test_where_it_cannot_listen(
    monkeypatch: pytest.MonkeyPatch, addresses: dict[str, int | None], error: int, tried: int
) -> None:
    machine = Machine(monkeypatch, addresses)
    with pytest.raises(OSError, match="refused") as refused:
        serving.listen("host", 80)
    assert refused.value.errno == error
    assert [each.closed for each in machine.made] == [True] * tried


@pytest.fixture(autouse=True)
def logs_as_before() -> Any:
    names = ("hexrec.server", "uvicorn")
    before = [(logging.getLogger(name), dict(vars(logging.getLogger(name)))) for name in names]
    yield
    for logger, state in before:
        logger.handlers, logger.propagate = state["handlers"], state["propagate"]
        logger.setLevel(state["level"])


def test_entries_stay_json_where_standard_error_is_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    below = io.StringIO()
    monkeypatch.setattr(sys, "stderr", GuardedStream(below, log=True))
    log_to_standard_error()
    logging.getLogger("uvicorn").info("##[error]a")
    assert json.loads(below.getvalue())["event"] == "##[error]a"


def test_the_log_is_on_standard_error(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    log_to_standard_error()
    logging.getLogger("uvicorn.error").info("some\x1b thing")
    logging.getLogger("uvicorn").debug("nothing")
    line = capsys.readouterr().err
    assert line.endswith('"level": "info", "event": "some\\u001b thing"}\n')
    assert line.count("\n") == 1
