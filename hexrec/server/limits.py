"""Limits of the service for one request and for all requests."""

from __future__ import annotations

from dataclasses import dataclass

KIBIBYTE, MEBIBYTE = 1 << 10, 1 << 20


@dataclass(frozen=True)
class Limits:
    """The limits of a service. The limits of single records are in `hexrec.util.limits`.

    Attributes:
        body: maximum size of a body in bytes.
        records: maximum number of records in a body.
        plies: maximum number of turns in all records of a body.
        seconds: timeout of the workers for a request.
        memory: maximum memory of a worker in bytes.
        requests: maximum number of concurrent requests with a body.
        wait: timeout of a request in the queue, in seconds.
        body_seconds: timeout for receiving a part of a body, and for sending a part of a streamed response.
        head: maximum size in bytes of the first line and the header fields of a request.
    """

    body: int = 16 * MEBIBYTE
    records: int = 10_000
    plies: int = 1_000_000
    seconds: float = 30.0
    memory: int = 1024 * MEBIBYTE
    requests: int = 64
    wait: float = 10.0
    body_seconds: float = 30.0
    head: int = 64 * KIBIBYTE

    @property
    def connections(self) -> int:
        """Maximum number of connections, and of requests in progress: most of these have no body."""
        return 4 * self.requests + 100
