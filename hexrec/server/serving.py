"""Run the application on a port until a signal ends it."""

from __future__ import annotations

import logging
import signal
import socket
import sys

import uvicorn
from fastapi import FastAPI

from hexrec.server.observability import log_to_stderr

_LOG = logging.getLogger("hexrec.server")
#: Exit codes by signal.
_EXIT_CODES = {signal.SIGINT: 130, signal.SIGTERM: 0}


def make_server(app: FastAPI, host: str, port: int) -> uvicorn.Server:
    """Return a server that has not started. A shutdown waits for open requests."""
    limits = app.state.service.limits
    return uvicorn.Server(
        uvicorn.Config(
            app,
            host=host,
            port=port,
            # Slower than httptools, but it limits headers and pipelined requests and ignores upgrades.
            http="h11",
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            # Connections: most of them are idle, or send short requests.
            limit_concurrency=4 * limits.requests + 100,
            timeout_graceful_shutdown=int(limits.seconds) + 5,
        )
    )


def listen(host: str, port: int) -> list[socket.socket]:
    """Return listening sockets for all addresses of a host, on the same port. Raises OSError."""
    sockets: list[socket.socket] = []
    for family, *_, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE):
        # With port 0, the first address takes a free port and the others use the same.
        at = (address[0], sockets[0].getsockname()[1] if sockets else port)
        sockets.append(socket.create_server(at, family=family))
    return sockets


def serve(app: FastAPI, host: str, sockets: list[socket.socket]) -> None:
    """Serve on listening sockets until a signal, then exit."""
    log_to_stderr()
    port = sockets[0].getsockname()[1]
    running = make_server(app, host, port)
    # The server raises the signal again after its shutdown: exit then without a traceback.
    for number, code in _EXIT_CODES.items():
        signal.signal(number, lambda *_, code=code: sys.exit(code))
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        # uvicorn handles SIGINT and SIGTERM only.
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
    _LOG.info(f"hexrec listens on http://{f'[{host}]' if ':' in host else host}:{port} (Ctrl+C stops it)")
    running.run(sockets)
