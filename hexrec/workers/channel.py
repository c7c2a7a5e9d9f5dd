"""Messages between two processes: each arrives whole or not at all, and neither side waits longer than it wants to."""

from __future__ import annotations

from contextlib import suppress
from socket import SHUT_RDWR, socket
from struct import Struct
from time import monotonic

_LENGTH = Struct("!Q")
#: How many bytes are taken from the connection at a time.
_PART = 1 << 16


def framed(message: bytes) -> bytes:
    """Return what is sent for a message: its length and the message."""
    return _LENGTH.pack(len(message)) + message


class Incoming:
    """What has arrived of the next messages."""

    def __init__(self) -> None:
        self._received = bytearray()

    def add(self, part: bytes) -> bytes | None:
        """Add the next bytes; return the next message if it is whole."""
        self._received += part
        if len(self._received) < _LENGTH.size:
            return None
        end = _LENGTH.size + _LENGTH.unpack_from(self._received)[0]
        if len(self._received) < end:
            return None
        message = bytes(memoryview(self._received)[_LENGTH.size : end])
        del self._received[:end]
        return message


class Channel:
    """One end of a connection over which messages are sent.

    Deadlines are those of `time.monotonic`; None waits for ever. What `multiprocessing` has for this waits without a
    limit for the rest of a message that a stopped process has begun, and for room to send one.
    """

    def __init__(self, connection: socket) -> None:
        # Each has a time limit of its own: one thread may send while another receives.
        self._receiver, self._sender = connection, connection.dup()
        self._incoming = Incoming()

    def send(self, message: bytes, deadline: float | None = None) -> None:
        """Send a message. Raises TimeoutError, and another OSError if nobody is at the other end."""
        _limit(self._sender, deadline)
        self._sender.sendall(framed(message))

    def receive(self, deadline: float | None = None) -> bytes:
        """Return the next message. Raises TimeoutError; EOFError or OSError if the other end is gone before its end."""
        message = self._incoming.add(b"")  # it may have come with the one before
        while message is None:
            _limit(self._receiver, deadline)
            part = self._receiver.recv(_PART)
            if not part:
                raise EOFError
            message = self._incoming.add(part)
        return message

    def shut_down(self) -> None:
        """End the connection: whoever waits for a message, or for room to send one, waits no longer."""
        with suppress(OSError):
            self._receiver.shutdown(SHUT_RDWR)

    def close(self) -> None:
        """Close this end, which nobody uses."""
        self._receiver.close()
        self._sender.close()


def _limit(connection: socket, deadline: float | None) -> None:
    """Let the next call wait until the deadline and no longer. Raises TimeoutError if it has passed."""
    rest = None if deadline is None else deadline - monotonic()
    if rest is not None and rest <= 0:
        raise TimeoutError
    if rest is not None or connection.gettimeout() is not None:
        connection.settimeout(rest)
