"""The server: the application on a port, until a signal ends it."""

from __future__ import annotations

import logging
import signal
import socket
import sys
from collections.abc import Collection

import uvicorn

from hexrec.server.app import create
from hexrec.server.limits import Limits
from hexrec.server.observability import log_to_standard_error

_LOG = logging.getLogger("hexrec.server")
#: How many connections may wait until they are accepted.
_BACKLOG = 2048
#: How many connections there may be for each request with a body, and how many more.
_CONNECTIONS_PER_REQUEST, _EXTRA_CONNECTIONS = 4, 100
#: The exit codes after the signals that end the service.
_EXIT_CODES = {signal.SIGINT: 130, signal.SIGTERM: 0}


class _Server(uvicorn.Server):
    """A server that says where it listens also if it is given sockets."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if sockets and self.started:
            host = f"[{self.config.host}]" if ":" in self.config.host else self.config.host
            _LOG.info(f"hexrec running on http://{host}:{self.config.port} (an interrupt ends it)")


def server(
    host: str,
    port: int,
    limits: Limits,
    workers: int,
    origins: Collection[str] = (),
    names: Collection[str] = (),
) -> uvicorn.Server:
    """Return a server that has not started. When it is shut down, open requests have the time to be answered.

    `names` are those by which it may be asked, beside its host.
    """
    return _Server(
        uvicorn.Config(
            create(limits, workers, origins, (host, *names)),
            host=host,
            port=port,
            # Slower than httptools, but it bounds headers and pipelined requests, and ignores requests to upgrade.
            http="h11",
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=_CONNECTIONS_PER_REQUEST * limits.requests + _EXTRA_CONNECTIONS,
            timeout_graceful_shutdown=int(limits.seconds) + 5,
        )
    )


def listen(host: str, port: int) -> list[socket.socket]:
    """Return sockets that listen at all addresses of a host, at the same port. Raises OSError."""
    found: list[socket.socket] = []
    for family, *_, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE):
        # Port 0 takes a free one, for the first address.
        at = (address[0], found[0].getsockname()[1] if found else port)
        found.append(socket.create_server(at, family=family, backlog=_BACKLOG))
    return found


def serve(
    host: str,
    sockets: list[socket.socket],
    limits: Limits,
    workers: int,
    origins: Collection[str],
    names: Collection[str],
) -> None:
    """Serve on sockets that listen, until a signal ends it, and exit; return only if it could not begin."""
    log_to_standard_error()
    running = server(host, sockets[0].getsockname()[1], limits, workers, origins, names)
    # When all is answered, the server hands the signal on. By then the log has said all there is to say.
    for number, code in _EXIT_CODES.items():
        signal.signal(number, lambda *_, code=code: sys.exit(code))
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        # The server itself knows two signals only.
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
    try:
        running.run(sockets)
    except SystemExit:
        if running.started:
            raise
