"""How much `hexrec serve` answers, how fast, and what becomes of good requests among hostile ones. On loopback.

Usage: python benchmarks/service.py [--requests N] [--clients N] [--workers N]

Starts the command as a user does, and an endpoint that only decodes a game and plays its turns. Asks both, in turn, to
validate a game of 60 turns a request. Then asks the command, over connections that stay open, to validate one game a
request; to validate many games in JSON Lines in one request; and again one game a request while other clients send
bodies that are too large, too deep, packed, never finished, or that keep a worker busy until it is killed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from itertools import cycle, islice
from math import inf
from pathlib import Path
from selectors import EVENT_READ, DefaultSelector
from socket import IPPROTO_TCP, TCP_NODELAY, create_connection, socket
from statistics import quantiles
from threading import Event
from time import perf_counter, sleep

FIXTURES = Path(__file__).parent.parent / "fixtures/suite"
JSON = {"Content-Type": "application/json"}
LINES = {"Content-Type": "application/x-ndjson", "Accept": "application/x-ndjson"}
_HEADER = (
    b"POST /v1/validate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
)
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
#: The least that an endpoint in Python must do for a request: decode the game, play its turns, answer.
_BARE = """
import json, sys
import uvicorn
from fastapi import FastAPI, Request
from hexrec.record.replay import play_clean
from hexrec.rules import games
from hexrec.rules.view import outcome_of

app, rules = FastAPI(), games.get("sundraval")

@app.post("/v1/validate")
async def validate(request: Request):
    data = json.loads(await request.body())
    outcome = outcome_of(rules, play_clean(data, rules, data["moves"]))
    return {"plies": len(data["moves"]), "winner": outcome and outcome.winner}

uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="warning", access_log=False)
"""
#: How long the work on a hostile request may take: less than a user would set, so that workers are killed often.
_SECONDS = 2


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure the service on loopback.")
    parser.add_argument("--requests", type=int, default=2000, help="how many requests each measurement has")
    parser.add_argument("--clients", type=int, default=8, help="how many of them there are at a time")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="how many workers the service has")
    options = parser.parse_args()
    games = [line for path in sorted(FIXTURES.glob("*/reference/games.jsonl")) for line in path.open("rb")]
    print(f"{options.workers} workers, {options.clients} clients, {len(games)} reference games in turn")
    with serving(options.workers) as (port, pid):
        ask(port, games[:50], options.clients)
        print(f"memory at the beginning: {memory(pid)}")
        compare(port, pid, options.requests // 8, options.clients)
        before = processor(pid)
        show("one game a request", *ask(port, spread(games, options.requests), options.clients))
        listener, others = (
            (now - then) / options.requests * 1000 for now, then in zip(processor(pid), before, strict=True)
        )
        print(f"  of a core, {listener:.2f} ms a request in the process that listens, {others:.2f} ms in the workers")
        stream(port, games, options.requests)
        print(f"memory then: {memory(pid)}")
        with flood(port, games) as sent:
            show("the same among hostile bodies", *ask(port, spread(games, options.requests), options.clients))
        print(f"  hostile answers: {', '.join(f'{count} x {status}' for status, count in sorted(sent.items()))}")
        print(f"memory at the end: {memory(pid)}")
        show("when they have gone", *ask(port, spread(games, options.requests), options.clients))


@contextmanager
def serving(workers: int) -> Iterator[tuple[int, int]]:
    """Run the service; give its port and the number of its process."""
    program = [sys.executable, "-m", "hexrec", "serve", "--port", "0", "--max-seconds", str(_SECONDS)]
    with (
        open(os.devnull, "w") as nowhere,
        subprocess.Popen([*program, "--workers", str(workers)], stderr=subprocess.PIPE, text=True) as process,
        ThreadPoolExecutor(1) as reader,
    ):
        assert process.stderr
        try:
            for line in process.stderr:
                event = json.loads(line)["event"]
                if "listens on" in event:
                    reader.submit(nowhere.writelines, process.stderr)
                    yield int(event.split()[3].rpartition(":")[2]), process.pid
                    break
        finally:
            process.terminate()


def compare(port: int, pid: int, count: int, clients: int) -> None:
    """Ask the service and the bare endpoint in turn for a game of some 60 turns; print the processor time of each."""
    lines = (FIXTURES / "sundraval/reference/games.jsonl").read_bytes().splitlines()
    game = min(lines, key=lambda line: abs(len(json.loads(line)["moves"]) - 60))
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        other = free.getsockname()[1]
    with subprocess.Popen([sys.executable, "-c", _BARE, str(other)]) as bare:
        try:
            while bare.poll() is None:
                try:
                    create_connection(("127.0.0.1", other)).close()
                    break
                except OSError:
                    sleep(0.05)
            least = dict.fromkeys((port, other), inf)
            for _ in range(16):
                for address, process in ((port, pid), (other, bare.pid)):
                    before = sum(processor(process))
                    ask(address, [game] * count, clients)
                    least[address] = min(least[address], (sum(processor(process)) - before) / count)
        finally:
            bare.terminate()
    own, others = (least[address] * 1e3 for address in (port, other))
    print(
        f"processor time of a request, all processes: {own:.2f} ms; bare endpoint {others:.2f} ms: {own / others:.2f}x"
    )


def spread(games: list[bytes], count: int) -> list[bytes]:
    """Return so many games, each kind of them as often."""
    return [game for game, _ in zip(cycle(games), range(count), strict=False)]


def ask(port: int, bodies: list[bytes], clients: int) -> tuple[list[float], Counter[int], float]:
    """Send bodies, one a request; return how long each took, how often each status came, and the whole time.

    The clients are connections of one thread that do as little as they can: the service has the same cores.
    """
    waiting = iter(bodies)
    times: list[float] = []
    statuses: Counter[int] = Counter()
    begun = perf_counter()
    with DefaultSelector() as selector:
        for body in islice(waiting, clients):
            plain = create_connection(("127.0.0.1", port), timeout=60)
            plain.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
            selector.register(plain, EVENT_READ, _Exchange(plain, body))
        while open_ones := selector.get_map():
            for key, _ in selector.select(60) or sys.exit(f"{len(open_ones)} requests are not answered"):
                exchange: _Exchange = key.data
                if (status := exchange.status()) is None:
                    continue
                times.append(perf_counter() - exchange.begun)
                statuses[status] += 1
                if (following := next(waiting, None)) is not None:
                    exchange.begin(following)
                else:
                    selector.unregister(exchange.connection)
                    exchange.connection.close()
    return times, statuses, perf_counter() - begun


class _Exchange:
    """A request on its connection, and as much as has come of the answer."""

    def __init__(self, connection: socket, body: bytes) -> None:
        self.connection = connection
        self.begin(body)

    def begin(self, body: bytes) -> None:
        """Send a request."""
        self._answer = b""
        self.begun = perf_counter()
        self.connection.sendall(_HEADER % len(body) + body)

    def status(self) -> int | None:
        """Take what has come; return the status once all is there."""
        part = self.connection.recv(1 << 16)
        assert part, "the service has closed the connection"
        self._answer += part
        header, _, body = self._answer.partition(b"\r\n\r\n")
        length = _LENGTH.search(header)
        return int(header.split(None, 2)[1]) if length and len(body) >= int(length[1]) else None


def show(what: str, times: list[float], statuses: Counter[int], seconds: float) -> None:
    """Print what was measured."""
    cuts = quantiles(times, n=100)
    shown = ", ".join(f"p{share} {cuts[share - 1] * 1000:.0f} ms" for share in (50, 95, 99))
    answers = ", ".join(f"{count} x {status}" for status, count in sorted(statuses.items()))
    print(f"{what}: {len(times) / seconds:,.0f} requests/s, {shown}, longest {max(times) * 1000:.0f} ms; {answers}")


def stream(port: int, games: list[bytes], count: int) -> None:
    """Send games in JSON Lines in one request, as many as the service works on in its time."""
    body = b"".join(spread(games, min(count, 500)))
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    start = perf_counter()
    connection.request("POST", "/v1/validate", body, LINES)
    verdicts = [json.loads(line) for line in connection.getresponse().read().splitlines()]
    seconds = perf_counter() - start
    assert all(verdict.get("valid") for verdict in verdicts), verdicts[-1]
    plies = sum(verdict["plies"] for verdict in verdicts)
    print(
        f"JSON Lines in one request: {len(verdicts) / seconds:,.0f} games/s, {plies / seconds:,.0f} turns/s, "
        f"{len(body) / 1e6 / seconds:.1f} MB/s"
    )


@contextmanager
def flood(port: int, games: list[bytes]) -> Iterator[Counter[str]]:
    """Send hostile bodies all the while, each kind by two clients; count what is answered."""
    endless = b"".join(spread(games, 5_000))
    kinds: list[tuple[dict[str, str], bytes, int]] = [
        (JSON, b"[" * 1_000_000, 0),
        (JSON, b" " * 17_000_000, 0),
        ({"Content-Type": "application/yaml"}, b"- x\n" * 250_000, 0),
        ({**LINES, "Content-Encoding": "gzip"}, b"\x1f\x8b" * 100_000, 0),
        (JSON, b"{", 1_000),
        (LINES, endless, 0),
        ({**LINES, "Accept": "application/json"}, endless, 0),
    ]
    over = Event()
    sent: Counter[str] = Counter()

    def attack(kind: tuple[dict[str, str], bytes, int]) -> None:
        headers, body, missing = kind
        while not over.is_set():
            connection = HTTPConnection("127.0.0.1", port, timeout=1 if missing else 60)
            try:
                length = {"Content-Length": str(len(body) + missing)} if missing else {}
                connection.request("POST", "/v1/validate", body, {**headers, **length})
                answer = connection.getresponse()
                answer.read()
                sent[str(answer.status)] += 1
            except (HTTPException, OSError):
                sent["connections given up"] += 1
            finally:
                connection.close()

    with ThreadPoolExecutor(2 * len(kinds)) as threads:
        for kind in kinds * 2:
            threads.submit(attack, kind)
        try:
            yield sent
        finally:
            over.set()


def family(pid: int) -> list[int]:
    """Return the numbers of a process and of those that it has started."""
    parents: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            found = re.search(r"^PPid:\s*(\d+)", status.read_text(), re.MULTILINE)
        except OSError:
            continue  # it has ended since
        if found:
            parents[int(status.parent.name)] = int(found[1])
    known = {pid}
    while more := {each for each, parent in parents.items() if parent in known} - known:
        known |= more
    return [pid, *(known - {pid})]


def memory(pid: int) -> str:
    """Return the memory of a process and of those that it has started, shared parts once for each."""
    pages = [int(Path(f"/proc/{each}/statm").read_text().split()[1]) for each in family(pid)]
    listener, whole = (count * os.sysconf("SC_PAGE_SIZE") / (1 << 20) for count in (pages[0], sum(pages)))
    return f"{listener:.0f} MiB in the process that listens, {whole:.0f} in all"


def processor(pid: int) -> list[float]:
    """Return how many seconds of a core the process that listens has taken, and all others together."""
    ticks = []
    for each in family(pid):
        _, _, fields = Path(f"/proc/{each}/stat").read_text().rpartition(") ")
        ticks.append(sum(map(int, fields.split()[11:13])))
    return [count / os.sysconf("SC_CLK_TCK") for count in (ticks[0], sum(ticks[1:]))]


if __name__ == "__main__":
    main()
