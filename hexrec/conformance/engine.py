"""External engines: programs that read requests on stdin and write answers to stdout, one line of JSON each.

`docs/conformance.md` describes the protocol. hexrec never waits for an engine longer than the timeout.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from queue import Empty, Queue, SimpleQueue
from threading import Thread
from typing import IO, Any

from pydantic import TypeAdapter, ValidationError

from hexrec.errors import reason_of
from hexrec.util.escaping import shorten
from hexrec.util.limits import MAX_ANSWER_BYTES
from hexrec.util.version import __version__

#: The version of the protocol.
PROTOCOL = 1
#: Seconds that an engine may take to exit after its stdin is closed.
_GRACE = 1.0
#: The number of failures of an engine after which it is not started again.
MAX_FAILURES = 3
#: The number of last lines of stderr for messages.
_LAST_WORDS = 5


class EngineFailure(Exception):
    """An engine violated the protocol. The message is the predicate of a sentence about the engine."""


@dataclass(frozen=True)
class KnownRules:
    """A game, ruleset and variant that an engine supports.

    Attributes:
        game: the name of the game.
        ruleset: the name of the ruleset.
        variant: the variant; None for the normal game.
        sizes: the board sizes; None for all sizes of the ruleset.
        readings: the readings that a game can follow.
    """

    game: str
    ruleset: str
    variant: str | None = None
    sizes: frozenset[int] | None = None
    readings: tuple[str, ...] = ()

    def covers(self, start: Mapping[str, Any]) -> bool:
        """Return whether a game with this start is played by these rules."""
        same = (self.game, self.ruleset, self.variant) == (start["game"], start["ruleset"], start.get("variant"))
        return same and (self.sizes is None or start["size"] in self.sizes)

    def on_size(self, size: int) -> KnownRules:
        """Return the rules on one board size, on none if they do not support it."""
        return replace(self, sizes=frozenset({size}) if self.sizes is None else self.sizes & {size})

    def __str__(self) -> str:
        return " ".join(filter(None, [self.game, self.ruleset, self.variant]))


class Engine:
    """A running engine that has answered `hello`.

    Attributes:
        name: the name of the engine.
        rules: the supported rules.
        formats: the formats of documents that it validates.
        codes: whether it answers with the codes of errors.
        setups: whether its games can start from setups.
    """

    def __init__(self, command: Sequence[str], timeout: float, *, documents: bool = False) -> None:
        """Start an engine with a timeout in seconds for each answer. With `documents`, it is a validator.

        Raises EngineFailure if it cannot be started or does not introduce itself.
        """
        self._timeout = timeout
        self._killed = False
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=os.name == "posix",
            )
        except (OSError, ValueError) as error:
            reason = reason_of(error) if isinstance(error, OSError) else "its name is malformed"
            raise EngineFailure(f"cannot be started as a program: {reason}") from None
        # Threads read and write the pipes: on Windows, only queues support timeouts.
        self._requests: SimpleQueue[bytes | None] = SimpleQueue()
        self._answers: Queue[bytes] = Queue(maxsize=1)
        self._last_words: deque[bytes] = deque(maxlen=_LAST_WORDS)
        process = self._process
        pipes = {self._write: process.stdin, self._read: process.stdout, self._listen: process.stderr}
        self._threads = [Thread(target=work, args=(pipe,), daemon=True) for work, pipe in pipes.items()]
        for thread in self._threads:
            thread.start()
        try:
            answer = self.ask({"command": "hello", "protocol": PROTOCOL, "hexrec": __version__})
            introduction = _parse_introduction(answer, documents=documents)
            self.name, self.rules = introduction.name, introduction.games
            self.formats, self.codes = introduction.formats, introduction.codes
            self.setups = introduction.setups
        except BaseException:
            self.close()
            raise

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a request. Raises EngineFailure without a valid one and kills the engine then."""
        try:
            return self._ask(request)
        except EngineFailure:
            self._kill()
            raise

    def _ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        unsolicited = not self._answers.empty()
        self._requests.put(json.dumps(request, separators=(",", ":")).encode() + b"\n")
        try:
            line = self._answers.get(timeout=self._timeout)
        except Empty:
            raise EngineFailure(f"gave no answer within {self._timeout:g} seconds") from None
        if not line:
            raise EngineFailure(self._describe_exit())
        if unsolicited:
            raise EngineFailure(f"wrote something before it was asked: {_quote(line)}")
        if len(line) > MAX_ANSWER_BYTES:
            raise EngineFailure(f"gave an answer of more than {MAX_ANSWER_BYTES:,} bytes")
        try:
            answer = json.loads(line, parse_constant=_refuse)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise EngineFailure(f"answered with something other than a JSON object: {_quote(line)}")
        return answer

    def close(self) -> None:
        """Close stdin of the engine and kill it if it does not exit."""
        self._requests.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        self._kill()
        self._process.wait()
        with suppress(Empty):  # the reader may be waiting for space in the queue
            self._answers.get_nowait()
        for thread in self._threads:
            thread.join(_GRACE)

    def _kill(self) -> None:
        """Kill the engine and all processes that it started."""
        if self._killed:
            return  # its process id may have been reused
        self._killed = True
        with suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def _describe_exit(self) -> str:
        """Return the way the engine ended, with its last lines of stderr."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        self._threads[2].join(_GRACE)
        code = self._process.returncode
        if code is None:
            how = "closed its stdout"
        elif code < 0:
            names = {each.value: each.name for each in signal.Signals}
            how = f"was ended by {names.get(-code, f'signal {-code}')}"
        else:
            how = f"ended with exit code {code}"
        words = " / ".join(_quote(line) for line in list(self._last_words) if line.strip())
        return f"{how} instead of an answer" + (f"; stderr: {words}" if words else "")

    def _write(self, pipe: IO[bytes]) -> None:
        with suppress(OSError), pipe:
            while (request := self._requests.get()) is not None:
                pipe.write(request)
                pipe.flush()

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe:
            line = b"\n"
            while line and len(line) <= MAX_ANSWER_BYTES and not self._killed:
                line = pipe.readline(MAX_ANSWER_BYTES + 1)
                self._answers.put(line)

    def _listen(self, pipe: IO[bytes]) -> None:
        with pipe:
            self._last_words.extend(iter(lambda: pipe.readline(1000), b""))


class Session:
    """Requests to an engine, which is started again after a failure.

    Attributes:
        requests: the number of requests.
        failures: the number of failures of the engine.
    """

    def __init__(self, launch: Callable[[], Engine], running: Engine | None) -> None:
        """`launch` starts the engine; it is called if the engine is not running."""
        self._launch, self._running = launch, running
        self.requests = self.failures = 0

    @property
    def given_up(self) -> bool:
        """Whether the engine failed too often to go on."""
        return self.failures >= MAX_FAILURES

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer of the engine, which is started if necessary. Raises EngineFailure."""
        self.requests += 1
        try:
            if self._running is None:
                self._running = self._launch()
            return self._running.ask(request)
        except EngineFailure:
            self.failures += 1
            self.close()
            raise

    def close(self) -> None:
        """End the engine, if it is running."""
        if self._running is not None:
            self._running.close()
            self._running = None


@dataclass(frozen=True)
class _Introduction:
    name: str
    games: list[KnownRules]
    classes: list[str] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)
    codes: bool = False
    setups: bool = True


_INTRODUCTION = TypeAdapter(_Introduction)
#: The class of programs that validate documents.
_VALIDATOR = "validator"


def _parse_introduction(answer: Mapping[str, Any], *, documents: bool) -> _Introduction:
    """Return the name and games of an engine, or the formats of a validator, from its answer to `hello`.

    Raises EngineFailure.
    """
    if answer.get("protocol") != PROTOCOL:
        raise EngineFailure(f"does not speak version {PROTOCOL} of the protocol: {_quote(json.dumps(answer).encode())}")
    try:
        introduction = _INTRODUCTION.validate_python({"games": [], **answer} if documents else answer)
        if documents and (_VALIDATOR not in introduction.classes or not introduction.formats):
            raise EngineFailure(
                "did not introduce itself as a validator, with the class validator and an array of formats: "
                f"{_quote(json.dumps(answer).encode())}"
            )
        return introduction
    except ValidationError:
        raise EngineFailure(
            "did not introduce itself with its name and an array of games, each with the names of game and ruleset: "
            f"{_quote(json.dumps(answer).encode())}"
        ) from None


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _quote(line: bytes) -> str:
    return shorten(line.decode(errors="backslashreplace").strip(), 200)
