"""`hexrec serve` as a process: how it begins, how it ends, what it writes."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from hexrec.server.serving import listen
from tests.cli.conftest import Run
from tests.processes import PATIENCE, PROGRAM, with_signals
from tests.server.conftest import GAME, until
from tests.server.test_limits import LINES, SLOW


class Server:
    """A running process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.entries: list[dict[str, Any]] = []
        for entry in self.log():
            if "listens on" in entry["event"]:
                self.url = entry["event"].split()[3]
                return
        raise AssertionError(self.entries)

    def log(self) -> Iterator[dict[str, Any]]:
        """Yield the entries of the log as they come."""
        assert self.process.stderr
        for line in self.process.stderr:
            self.entries.append(json.loads(line))
            yield self.entries[-1]


@contextmanager
def started(*options: str, program: Sequence[str] = PROGRAM) -> Iterator[Server]:
    program = with_signals([*program, "serve", "--port", "0", "--workers", "1", *options])
    with subprocess.Popen(program, stderr=subprocess.PIPE, text=True, encoding="utf-8") as process:
        try:
            yield Server(process)
        finally:
            process.terminate()


@pytest.mark.slow
def test_requests_are_answered_before_it_ends() -> None:
    with started() as server, ThreadPoolExecutor() as threads:
        body, params = SLOW[: len(SLOW) // 10], {"from": "jsonl"}
        asked = threads.submit(httpx.post, f"{server.url}/v1/score", content=body, params=params, timeout=PATIENCE)
        until(server.url, "hexrec_workers_idle", 0)
        server.process.send_signal(signal.SIGTERM)
        assert len(asked.result().json()) == 500
        *_, last = server.log()
        assert last["event"].startswith("Finished server process")
        assert server.process.wait(PATIENCE) == 0


@pytest.mark.slow
def test_an_interrupt_ends_it_too() -> None:
    with started() as server:
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(PATIENCE) == 130


#: The program, where the system starts no processes.
_WITHOUT_WORKERS = """
from hexrec.__main__ import main
from hexrec.parallel import WorkersUnavailable
from hexrec.parallel.workers import Worker

async def refuse(prepare):
    raise WorkersUnavailable("no room")

Worker.start = refuse
main()
"""


def test_a_signal_ends_it_while_no_worker_can_be_started() -> None:
    with started(program=[sys.executable, "-c", _WITHOUT_WORKERS]) as server:
        assert any(entry["event"] == "a worker cannot be started" for entry in server.log())
        assert httpx.get(f"{server.url}/readyz").status_code == 503
        # The other tests end it by other signals; Windows has not this one.
        server.process.send_signal(getattr(signal, "SIGHUP", signal.SIGTERM))
        assert server.process.wait(PATIENCE) == 0


def test_options_are_the_limits() -> None:
    limits = ["--max-body", "1", "--max-records", "3", "--max-plies", "13", "--max-seconds", "20"]
    with started(*limits, "--cors-origin", "https://example.org") as server:
        address, asked = f"{server.url}/v1/validate", {**LINES, "Origin": "https://example.org"}
        answer = httpx.post(address, content=json.dumps(GAME), headers=asked)
        assert answer.headers["access-control-allow-origin"] == "https://example.org"
        long = json.dumps({**GAME, "moves": ["pass"] * 14}).encode()
        for content, kind in (
            (b" " * (1 << 20) + b" ", "body-too-large"),
            (b"{}\n" * 4, "too-many-records"),
            (long, "too-many-plies"),
        ):
            refused = httpx.post(address, content=content, headers=LINES).json()
            assert refused["type"] == f"urn:hexrec:problem:{kind}"


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
