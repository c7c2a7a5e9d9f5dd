"""How the service begins to listen and what ends it, without a process of its own."""

from __future__ import annotations

import io
import json
import logging
import signal
import socket
import sys
from collections.abc import Callable
from errno import EADDRINUSE, EADDRNOTAVAIL
from typing import Any

import pytest
import uvicorn

from hexrec.escaping import GuardedStream
from hexrec.server import serving
from hexrec.server.limits import Limits
from hexrec.server.observability import JsonFormatter, log_to_standard_error

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


def test_what_the_server_is_told() -> None:
    limits = Limits(requests=7, seconds=12.9)
    config = serving.server("host", 80, limits, 1, ["https://example.org"]).config
    assert (config.host, config.port) == ("host", 80)
    assert (config.limit_concurrency, config.timeout_graceful_shutdown) == (128, 17)
    assert (config.ws, config.lifespan, config.log_config) == ("none", "on", None)
    assert (config.access_log, config.server_header, config.proxy_headers) == (False, False, False)
    app: Any = config.app
    assert app.state.service.limits is limits
    (told,) = [each.kwargs["allow_origins"] for each in app.user_middleware if "allow_origins" in each.kwargs]
    assert told == ["https://example.org"]
    app = serving.server("h", 1, limits, 1).config.app
    assert not any("allow_origins" in each.kwargs for each in app.user_middleware)


class Running:
    """A server that is ended by what `ends` raises."""

    def __init__(self, started: bool, ends: BaseException | None) -> None:
        self.started = started
        self.ends = ends
        self.sockets: object = None

    def run(self, sockets: object) -> None:
        self.sockets = sockets
        if self.ends:
            raise self.ends


@pytest.fixture
def handlers(monkeypatch: pytest.MonkeyPatch) -> dict[int, Callable[..., Any]]:
    found: dict[int, Callable[..., Any]] = {}
    monkeypatch.setattr(signal, "signal", found.__setitem__)
    return found


@pytest.fixture(autouse=True)
def logs_as_before() -> Any:
    names = ("hexrec.server", "uvicorn")
    before = [(logging.getLogger(name), dict(vars(logging.getLogger(name)))) for name in names]
    yield
    for logger, state in before:
        logger.handlers, logger.propagate = state["handlers"], state["propagate"]
        logger.setLevel(state["level"])


@pytest.mark.parametrize("ignored", [False, True])
def test_signals_end_it(
    monkeypatch: pytest.MonkeyPatch, handlers: dict[int, Callable[..., Any]], ignored: bool
) -> None:
    asked: list[object] = []
    raised: list[int] = []
    running = Running(True, SystemExit(5))

    def server(*arguments: object) -> Running:
        asked.append(arguments)
        return running

    monkeypatch.setattr(serving, "server", server)
    monkeypatch.setattr(signal, "getsignal", lambda _: signal.SIG_IGN if ignored else signal.SIG_DFL)
    monkeypatch.setattr(signal, "raise_signal", raised.append)
    limits = Limits()
    sockets: Any = [Listening(("127.0.0.1", 0), 0, 0)]
    with pytest.raises(SystemExit) as ended:
        serving.serve("host", sockets, limits, 3, ["o"])
    assert ended.value.code == 5
    assert asked == [("host", 4321, limits, 3, ["o"])]
    assert running.sockets is sockets
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 0)):
        with pytest.raises(SystemExit) as ended:
            handlers[number](number, None)
        assert ended.value.code == code
    if hasattr(signal, "SIGHUP"):
        assert (signal.SIGHUP in handlers) != ignored
        if not ignored:
            handlers[signal.SIGHUP](signal.SIGHUP, None)
            assert raised == [signal.SIGTERM]
    for name in ("hexrec.server", "uvicorn"):
        logger = logging.getLogger(name)
        (handler,) = logger.handlers
        assert isinstance(handler, logging.StreamHandler)
        assert isinstance(handler.formatter, JsonFormatter)
        assert (logger.level, logger.propagate) == (logging.INFO, False)


@pytest.mark.usefixtures("handlers")
def test_entries_stay_json_where_standard_error_is_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    below = io.StringIO()
    monkeypatch.setattr(sys, "stderr", GuardedStream(below, log=True))
    log_to_standard_error()
    logging.getLogger("uvicorn").info("##[error]a")
    assert json.loads(below.getvalue())["event"] == "##[error]a"


@pytest.mark.usefixtures("handlers")
def test_one_that_could_not_begin_returns(monkeypatch: pytest.MonkeyPatch) -> None:
    for ends in (SystemExit(3), None):
        monkeypatch.setattr(serving, "server", lambda *_, ends=ends: Running(False, ends))
        serving.serve("host", [Listening(("127.0.0.1", 0), 0, 0)], Limits(), 1, ())  # type: ignore[list-item]


def test_the_log_is_on_standard_error(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    log_to_standard_error()
    logging.getLogger("uvicorn.error").info("some\x1b thing")
    logging.getLogger("uvicorn").debug("nothing")
    line = capsys.readouterr().err
    assert line.endswith('"level": "info", "event": "some\\u001b thing"}\n')
    assert line.count("\n") == 1
    assert isinstance(serving.server("h", 1, Limits(), 1), uvicorn.Server)
