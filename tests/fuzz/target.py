"""What a target is, and the bounds of time and memory that hold for each input."""

from __future__ import annotations

import resource
import tracemalloc
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time

FIXTURES = Path(__file__).parents[2] / "fixtures"
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
        notation: the notation of inputs after the selectors, where they are records.
        selectors: how many bytes at the beginning say what is done with the rest.
        words: what the mutator puts in, beside the words of the seeds.
        kind: raises like `run` where most of that is looked at, in a fraction of its time; returns what kind of input
            it was given, as seen from what hexrec says of it. None where `run` is quick.
    """

    run: Callable[[bytes], Hashable]
    seeds: Callable[[], Sequence[bytes]]
    notation: str | None = None
    selectors: int = 0
    words: tuple[bytes, ...] = ()
    kind: Callable[[bytes], Hashable] | None = None

    def check(self, data: bytes) -> None:
        """Run an input. Raises AssertionError if it takes too long or too much memory, and whatever `run` raises."""
        before = peak()
        self.timed(data)
        if peak() - before > ROOM:
            self.fits(data)

    def timed(self, data: bytes, *, quick: bool = False) -> Hashable:
        """Run an input, or `kind` with it where there is one and `quick` asks for it; return what that returns.

        Raises AssertionError if it takes too long, and whatever it raises.
        """
        run = self.kind if quick and self.kind is not None else self.run
        most = SECONDS + SECONDS_PER_BYTE * len(data)
        begun = perf_counter()
        answer = run(data)
        if perf_counter() - begun > most:
            seconds = min(_seconds(run, data) for _ in range(_ROUNDS))
            assert seconds <= most, f"{seconds:.2f} s for {len(data)} bytes"
        return answer

    def fits(self, data: bytes) -> None:
        """Run an input. Raises AssertionError if it takes too much memory, and whatever `run` raises."""
        tracemalloc.start()
        try:
            self.run(data)
            room = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        most = ROOM + ROOM_PER_BYTE * len(data)
        assert room <= most, f"{room:,} bytes of memory for {len(data)} bytes"


def _seconds(run: Callable[[bytes], Hashable], data: bytes) -> float:
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
