"""`hexrec serve`: serve the commands and the page over HTTP."""

from __future__ import annotations

from errno import EACCES, EADDRINUSE

from hexrec.cli import LIMITS, option
from hexrec.cli.console import fail
from hexrec.cli.runs import cores
from hexrec.errors import extra

EXAMPLES = (
    ("hexrec serve --port 8080", "Serve on this machine only."),
    ("hexrec serve --host 0.0.0.0 --workers 4 --max-body 64", "Serve the network with four workers and larger bodies."),
)


def command(
    host: str = option("--host ADDRESS", "Listen on this address.", default="127.0.0.1"),
    port: int = option("--port N", "Listen on this port; 0 takes a free one.", default=8000, min=0, max=65535),
    workers: int | None = option("--workers N", "Use N worker processes [default: one per core].", min=1),
    max_body: int = option("--max-body MIB", "Limit the size of a body.", LIMITS, default=16, min=1),
    max_records: int = option("--max-records N", "Limit the records of a body.", LIMITS, default=10_000, min=1),
    max_plies: int = option(
        "--max-plies N", "Limit the turns of all records of a body.", LIMITS, default=1_000_000, min=1
    ),
    max_seconds: float = option(
        "--max-seconds SECONDS", "Limit the working time on a request.", LIMITS, default=30.0, min=0.1
    ),
    max_memory: int = option("--max-memory MIB", "Limit the memory of a worker.", LIMITS, default=1024, min=256),
    max_requests: int = option(
        "--max-requests N", "Limit the concurrent requests with a body.", LIMITS, default=64, min=1
    ),
    cors_origin: list[str] | None = option("--cors-origin ORIGIN", "Allow pages from this origin; repeatable."),
    allow_host: list[str] | None = option("--allow-host NAME", "Answer requests for this host name too; repeatable."),
) -> None:
    """Serve validation, scores, conversion and positions over HTTP.

    The page is at /, the description of all URLs at /docs, that for programs at /openapi.json.
    Logs go to stderr as JSON, one object per line. A first interrupt lets requests finish, a second does not.
    """
    with extra("server", "to serve, install", "fastapi", "prometheus_client", "starlette", "uvicorn"):
        from hexrec.server.app import create, listen, serve
        from hexrec.server.limits import MEBIBYTE, Limits
    limits = Limits(
        body=max_body * MEBIBYTE,
        records=max_records,
        plies=max_plies,
        seconds=max_seconds,
        memory=max_memory * MEBIBYTE,
        requests=max_requests,
    )
    try:
        sockets = listen(host, port)
    except OSError as error:
        # socket.create_server appends the address in parentheses to the reason.
        why = error.strerror.partition(" (")[0] if error.strerror else str(error)
        flag = "--port" if error.errno in (EADDRINUSE, EACCES) else "--host"
        fail(f"cannot listen on {host} at port {port}: {why[:1].lower()}{why[1:]}; choose another with {flag}")
    app = create(limits, workers or cores(), cors_origin or (), (host, *(allow_host or ())))
    serve(app, host, sockets)
