"""The server: the application on a port, until a signal ends it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable

import uvicorn

from hexrec.server.app import create
from hexrec.server.limits import Limits
from hexrec.server.observability import log_to_standard_error

#: How many connections there may be for each request with a body, and how many more.
_CONNECTIONS_PER_REQUEST, _EXTRA_CONNECTIONS = 4, 100
#: The exit codes after the signals that end the service.
_EXIT_CODES = {signal.SIGINT: 130, signal.SIGTERM: 0}


def server(host: str, port: int, limits: Limits, workers: int, origins: Iterable[str] = ()) -> uvicorn.Server:
    """Return a server that has not started. When it is shut down, open requests have the time to be answered."""
    return uvicorn.Server(
        uvicorn.Config(
            create(limits, workers, origins),
            host=host,
            port=port,
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


def serve(host: str, port: int, limits: Limits, workers: int, origins: Iterable[str]) -> None:
    """Serve until a signal ends it, and exit; return only if it could not begin."""
    log_to_standard_error()
    running = server(host, port, limits, workers, origins)
    # When all is answered, the server hands the signal on. By then the log has said all there is to say.
    for number, code in _EXIT_CODES.items():
        signal.signal(number, lambda *_, code=code: sys.exit(code))
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        # The server itself knows two signals only.
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
    try:
        running.run()
    except SystemExit:
        if running.started:
            raise
