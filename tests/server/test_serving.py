"""`hexrec serve` as a process: how it begins, how it ends, what it writes."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Thread
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
            if "running on" in entry["event"]:
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
@pytest.mark.parametrize(("ending", "code"), [("SIGTERM", 0), ("SIGINT", 130), ("SIGHUP", 0)])
def test_requests_are_answered_before_it_ends(ending: str, code: int) -> None:
    if not hasattr(signal, ending):
        pytest.skip("a signal of other systems")
    with started() as server:
        answers: list[httpx.Response] = []
        params = {"from": "jsonl"}
        ask = Thread(
            target=lambda: answers.append(
                httpx.post(f"{server.url}/v1/score", content=SLOW[: len(SLOW) // 10], params=params, timeout=PATIENCE)
            )
        )
        ask.start()
        until(server.url, "hexrec_workers_idle", 0)
        server.process.send_signal(getattr(signal, ending))
        ask.join()
        assert [answer.status_code for answer in answers] == [200]
        assert len(answers[0].json()) == 500
        *_, last = server.log()
        assert last["event"].startswith("Finished server process")
        assert server.process.wait(PATIENCE) == code


#: The program, where the system starts no processes.
_WITHOUT_WORKERS = """
from hexrec.__main__ import main
from hexrec.workers.process import Worker, WorkerStartError

async def refuse():
    raise WorkerStartError("no room")

Worker.spawn = refuse
main()
"""


def test_a_signal_ends_it_while_no_worker_can_be_started() -> None:
    with started(program=[sys.executable, "-c", _WITHOUT_WORKERS]) as server:
        assert "a worker cannot be started" in [entry["event"] for entry in server.entries]
        assert httpx.get(f"{server.url}/readyz").status_code == 503
        server.process.send_signal(signal.SIGTERM)
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


def test_a_port_that_is_taken(hexrec: Run, client: httpx.Client) -> None:
    program = [*PROGRAM, "serve", "--port", str(client.base_url.port), "--workers", "1"]
    ran = subprocess.run(program, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert ran.returncode == 2
    port = client.base_url.port
    said = f"hexrec: cannot listen on 127.0.0.1 at port {port}: address already in use; choose another with --port\n"
    assert ran.stderr == said
    assert hexrec("serve", "--port", "70000").code == 2


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


def test_without_the_extra() -> None:
    """In a process of its own: a package that is imported twice leaves tests with two of it."""
    program = "import sys; sys.modules['fastapi'] = None; from hexrec.cli import run; run(['serve'])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (ran.returncode, ran.stderr) == (2, "hexrec: to serve, install hexrec-games[server]\n")
