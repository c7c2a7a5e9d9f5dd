"""`hexrec serve` as a process: how it begins, how it ends, what it writes."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Event
from typing import Any

import httpx
import pytest

from hexrec.server.app import listen
from tests.cli.conftest import Run
from tests.processes import PATIENCE, PROGRAM, with_signals
from tests.server.conftest import GAME, until
from tests.server.test_limits import CLOSER, LINES

posix = pytest.mark.skipif(os.name != "posix", reason="signals of another system")


class Server:
    """A running process, and the entries of its log so far."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.entries: list[dict[str, Any]] = []

    def wait_for(self, text: str) -> str:
        """Return the next event in the log that has a text."""
        assert self.process.stderr
        for line in self.process.stderr:
            self.entries.append(json.loads(line))
            if text in self.entries[-1]["event"]:
                return str(self.entries[-1]["event"])
        raise AssertionError(self.entries)

    def url(self) -> str:
        """Wait until it listens; return where."""
        return self.wait_for("listens on").split()[3]


@contextmanager
def started(*options: str, program: Sequence[str] = PROGRAM) -> Iterator[Server]:
    program = with_signals([*program, "serve", "--port", "0", "--workers", "1", *options])
    own: dict[str, Any] = {"start_new_session": True, "text": True, "encoding": "utf-8"}
    with subprocess.Popen(program, stderr=subprocess.PIPE, **own) as process:
        try:
            yield Server(process)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)


@pytest.mark.slow
@posix
def test_options_are_the_limits_and_requests_are_answered_before_it_ends() -> None:
    limits = ["--max-body", "1", "--max-records", "500", "--max-plies", "1000", "--max-seconds", "300"]
    with started(*limits, "--cors-origin", "https://example.org") as server, ThreadPoolExecutor() as threads:
        url = server.url()
        address, asked = f"{url}/v1/validate", {**LINES, "Origin": "https://example.org"}
        answer = httpx.post(address, content=json.dumps(GAME), headers=asked)
        assert answer.headers["access-control-allow-origin"] == "https://example.org"
        long = json.dumps({**GAME, "moves": ["pass"] * 1001}).encode()
        for content, kind in (
            (b" " * (1 << 20) + b" ", "body-too-large"),
            (b"{}\n" * 501, "too-many-records"),
            (long, "too-many-plies"),
        ):
            refused = httpx.post(address, content=content, headers=LINES).json()
            assert refused["type"] == f"urn:hexrec:problem:{kind}"
        ending = Event()

        def body() -> Iterator[bytes]:
            yield CLOSER
            assert ending.wait(PATIENCE)
            yield CLOSER

        scored = threads.submit(httpx.post, f"{url}/v1/score", content=body(), headers=LINES, timeout=PATIENCE)
        until(url, "hexrec_requests_with_body", 1)
        server.process.send_signal(signal.SIGTERM)
        server.wait_for("Shutting down")
        ending.set()
        assert len(scored.result().json()) == 2
        server.wait_for("Finished server process")
        assert server.process.wait(PATIENCE) == 0


#: The program, where the system starts no processes; twice, as most of its time goes into what it imports.
_WITHOUT_WORKERS = """
import json, os, sys
import hexrec.cli.serve, hexrec.server.app
from hexrec.__main__ import main
from hexrec.parallel import WorkersUnavailable
from hexrec.parallel.workers import Worker

async def refuse(prepare):
    raise WorkersUnavailable("no room")

Worker.start = refuse
for _ in range(2):
    if (child := os.fork()) == 0:
        main()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(json.dumps({"event": f"ended with {code}"}), file=sys.stderr, flush=True)
"""


@pytest.mark.slow
@posix
def test_a_signal_ends_it_while_no_worker_can_be_started() -> None:
    """The other test ends it by another signal."""
    with started(program=[sys.executable, "-c", _WITHOUT_WORKERS]) as server:
        for number, code in ((signal.SIGHUP, 0), (signal.SIGINT, 130)):
            url = server.url()
            process = int(server.wait_for("Started server process").split("[")[1].rstrip("]"))
            server.wait_for("a worker cannot be started")
            assert httpx.get(f"{url}/readyz").status_code == 503
            os.kill(process, number)
            assert server.wait_for("ended with") == f"ended with {code}"


def test_an_address_of_another_machine(hexrec: Run) -> None:
    ran = hexrec("serve", "--host", "192.0.2.1", "--port", "0")
    said = "hexrec: cannot listen on 192.0.2.1 at port 0: cannot assign requested address; choose another with --host\n"
    assert (ran.code, ran.err) == (2, said)


def test_it_listens_at_all_addresses_of_a_host_at_the_same_port(monkeypatch: pytest.MonkeyPatch) -> None:
    places = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 0)) for address in ("127.0.0.1", "127.0.0.2")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: places)
    first, second = listen("host", 0)
    with first, second:
        assert [each.getsockname()[0] for each in (first, second)] == ["127.0.0.1", "127.0.0.2"]
        assert first.getsockname()[1] == second.getsockname()[1]
