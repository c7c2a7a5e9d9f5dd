"""What a target is, and the bounds of time and memory that hold for each input."""

from __future__ import annotations

import resource
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

FIXTURES = Path(__file__).parents[2] / "fixtures/suite"
#: The seconds of a processor that an input may take, and those beyond for each byte. Code that counts its coverage is
#: some times as slow as usual.
SECONDS, SECONDS_PER_BYTE = 1.0, 0.000_5
#: The bytes of memory, likewise.
ROOM, ROOM_PER_BYTE = 16_000_000, 10_000
_ROUNDS = 3
LONGEST_SEED = 4_000
_MOST_SEEDS = 300


@dataclass(frozen=True)
class Target:
    """What is fuzzed.

    Attributes:
        run: raises for an input with which a promise is broken.
        seeds: gives inputs to start with.
        format: the format of inputs after the selectors, where they are records.
        selectors: how many bytes at the beginning say what is done with the rest.
        words: what the mutator puts in, beside the words of the seeds.
    """

    run: Callable[[bytes], object]
    seeds: Callable[[], Sequence[bytes]]
    format: str | None = None
    selectors: int = 0
    words: tuple[bytes, ...] = ()

    def check(self, data: bytes) -> None:
        """Run an input. Raises AssertionError if it takes too long or too much memory, and whatever `run` raises."""
        before = peak()
        most = SECONDS + SECONDS_PER_BYTE * len(data)
        begun = perf_counter()
        self.run(data)
        if perf_counter() - begun > most:
            seconds = min(_seconds(self.run, data) for _ in range(_ROUNDS))
            assert seconds <= most, f"{seconds:.2f} s for {len(data)} bytes"
        if peak() - before > ROOM:
            self._check_memory(data)

    def _check_memory(self, data: bytes) -> None:
        """Run an input. Raises AssertionError if it takes too much memory, and whatever `run` raises."""
        tracemalloc.start()
        try:
            self.run(data)
            room = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        most = ROOM + ROOM_PER_BYTE * len(data)
        assert room <= most, f"{room:,} bytes of memory for {len(data)} bytes"


def _seconds(run: Callable[[bytes], object], data: bytes) -> float:
    begun = process_time()
    run(data)
    return process_time() - begun


def peak() -> int:
    """Return the most bytes of memory that this process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def small_fixtures(*suffixes: str, folder: str = "") -> list[bytes]:
    """Return fixtures with names that end so, the small ones, from all over if there are many."""
    paths = sorted(path for path in (FIXTURES / folder).rglob("*") if path.suffix in suffixes and path.is_file())
    small = [path.read_bytes() for path in paths if path.stat().st_size <= LONGEST_SEED]
    return small[:: len(small) // _MOST_SEEDS + 1]
