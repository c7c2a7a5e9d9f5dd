"""Messages between two processes: each arrives whole or not at all, and neither side waits longer than it wants to."""

from __future__ import annotations

from socket import socket
from struct import Struct
from time import monotonic

_LENGTH = Struct("!Q")


class Channel:
    """One end of a connection over which messages are sent.

    Deadlines are those of `time.monotonic`; None waits for ever. What `multiprocessing` has for this waits without a
    limit for the rest of a message that a stopped process has begun, and for room to send one.
    """

    def __init__(self, connection: socket) -> None:
        self._connection = connection

    def send(self, message: bytes, deadline: float | None = None) -> None:
        """Send a message. Raises TimeoutError, and another OSError if nobody is at the other end."""
        self._limit(deadline)
        self._connection.sendall(_LENGTH.pack(len(message)))
        self._limit(deadline)
        self._connection.sendall(message)

    def receive(self, deadline: float | None = None) -> bytes:
        """Return the next message. Raises TimeoutError; EOFError or OSError if the other end is gone before its end."""
        (length,) = _LENGTH.unpack(self._exactly(_LENGTH.size, deadline))
        return self._exactly(length, deadline)

    def close(self) -> None:
        """Close this end."""
        self._connection.close()

    def _exactly(self, length: int, deadline: float | None) -> bytes:
        received = bytearray()
        while len(received) < length:
            self._limit(deadline)
            part = self._connection.recv(min(length - len(received), 1 << 20))
            if not part:
                raise EOFError
            received += part
        return bytes(received)

    def _limit(self, deadline: float | None) -> None:
        """Let the next call wait until the deadline and no longer. Raises TimeoutError if it has passed."""
        rest = None if deadline is None else deadline - monotonic()
        if rest is not None and rest <= 0:
            raise TimeoutError
        self._connection.settimeout(rest)
