"""What one request may ask of the service, and all requests together."""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1 << 20
#: A body up to this size is small: large ones leave a worker free for it.
SMALL_BODY = 1 << 17


@dataclass(frozen=True)
class Limits:
    """The limits of a service. Those of single records are in `hexrec.util.limits`.

    Attributes:
        body: the bytes of a body.
        records: the records of a body.
        plies: the turns of all its records together.
        seconds: how long workers may be at work on a request.
        memory: the bytes of memory that a worker may have.
        requests: how many requests with a body there may be at a time.
        wait: how many seconds a request may wait for a worker.
        body_seconds: how long a body may take to come; also how long a client may take to accept a part of an answer.
        stream_seconds: the same for bodies that are answered as they come.
    """

    body: int = 16 * MEBIBYTE
    records: int = 10_000
    plies: int = 1_000_000
    seconds: float = 30.0
    memory: int = 1024 * MEBIBYTE
    requests: int = 64
    wait: float = 10.0
    body_seconds: float = 30.0
    stream_seconds: float = 300.0

    @property
    def bodies(self) -> int:
        """The bytes of all bodies together that are held at a time."""
        return 16 * self.body
