"""Run targets on very many inputs, without counting branches: `python -m tests.fuzz.plain SECONDS [TARGET…]`.

Inputs are mutations of the fixtures and of what atheris has found, small ones most often. They come in chunks, and the
number of a chunk is the seed of all that is in it: with the same corpus, a chunk is the same each time. An input of a
new kind, as far as hexrec's answer tells, is mutated further in its chunk. Targets take turns, chunk by chunk; what was
done is added to the counts of earlier runs, and the next chunk follows on theirs.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import random
import signal
import sys
import traceback
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from time import monotonic, process_time
from typing import NamedTuple

from tests.fuzz import counts
from tests.fuzz.mutators import Mutator
from tests.fuzz.target import ROOM, Target, peak
from tests.fuzz.targets import TARGETS

#: The inputs of a chunk, and the most bytes of one.
CHUNK, LONGEST = 10_000, 1_200
#: One input in so many gets all that its target does, as do those of new kinds; the others the quick part of it.
WHOLE = 64
#: The memory is looked at after so many inputs, which takes as long as some of them; if it has grown, at each of them.
BLOCK = 50
#: How often a chunk's inputs of new kinds are mutated, in place of the corpus.
_OWN = 0.2
#: After so many seconds of a processor a chunk counts as endless.
_ENDLESS = 3_600
#: So many objects are made before Python looks for unreachable ones.
_GARBAGE = 50_000


class Corpus(NamedTuple):
    """What is mutated.

    Attributes:
        inputs: the small ones first.
        digest: another one for other inputs.
    """

    inputs: list[bytes]
    digest: str


class BrokenPromise(Exception):
    """What a target raised for an input.

    Attributes:
        data: the input.
        index: how many were before it in its chunk.
    """

    def __init__(self, data: bytes, index: int) -> None:
        super().__init__(f"input {index} of its chunk")
        self.data = data
        self.index = index


def corpus(name: str, folder: Path) -> Corpus:
    """Return what a target starts with, together with the inputs in a folder."""
    found = [path.read_bytes() for path in folder.iterdir()] if folder.is_dir() else []
    short = {data for data in (*TARGETS[name].seeds(), *found) if len(data) <= LONGEST}
    inputs = sorted(short, key=lambda data: (len(data), data))
    digest = hashlib.sha256()
    for data in inputs:
        digest.update(hashlib.sha256(data).digest())
    return Corpus(inputs, digest.hexdigest()[:12])


def chunk(name: str, given: Corpus, number: int, size: int) -> Iterator[bytes]:
    """Yield the inputs of a target's chunk, each after it was tried. Raises BrokenPromise."""
    target = TARGETS[name]
    mutator = Mutator(target)
    chance = random.Random(number)
    own: list[bytes] = []
    kinds: set[Hashable] = {None}  # of targets that do not tell kinds apart
    block: list[bytes] = []
    before = peak()
    for index in range(size):
        pool = own if own and chance.random() < _OWN else given.inputs
        parent = pool[int(len(pool) * chance.random() ** 2)]
        data = mutator.mutate(parent, LONGEST, chance.getrandbits(32))
        try:
            kind = target.timed(data, quick=True)
            if kind not in kinds:
                kinds.add(kind)
                own.append(data)
                target.timed(data)
            elif kind is not None and index % WHOLE == 0:
                target.timed(data)
        except Exception as error:
            raise BrokenPromise(data, index) from error
        yield data
        block.append(data)
        if len(block) == BLOCK or index + 1 == size:
            if peak() - before > ROOM:
                _fit(target, block, index + 1 - len(block))
            before = peak()
            block.clear()


def _fit(target: Target, block: list[bytes], first: int) -> None:
    """Find the input among some in a row that takes too much memory. Raises BrokenPromise if there is one."""
    for index, data in enumerate(block, first):
        try:
            target.fits(data)
        except Exception as error:
            raise BrokenPromise(data, index) from error


def _try(name: str, given: Corpus, number: int, folder: Path) -> counts.Done:
    """Try a chunk; keep the input that breaks a promise in a folder."""
    begun, tried, broken = process_time(), 0, False
    signal.setitimer(signal.ITIMER_PROF, _ENDLESS)
    try:
        for _ in chunk(name, given, number, CHUNK):
            tried += 1
    except BrokenPromise as error:
        tried, broken = tried + 1, True
        kept = folder / f"{name}-plain-{number}-{error.index}"
        folder.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(error.data)
        traceback.print_exception(error.__cause__)
        print(f"{kept.name} breaks a promise of {name}", file=sys.stderr)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return counts.Done(tried, broken, process_time() - begun)


def _end(*_: object) -> None:
    raise AssertionError(f"no answer in {_ENDLESS} seconds")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the arguments ask for; return the exit code, 1 if a promise was broken."""
    asked = argparse.ArgumentParser(prog="python -m tests.fuzz.plain", description=(__doc__ or "").partition("\n\n")[2])
    asked.add_argument("seconds", type=int, help="after these, no chunk is begun")
    asked.add_argument("targets", nargs="*", metavar="TARGET", help="all of them if none is named")
    asked.add_argument("--corpus", type=Path, default=Path("build/fuzz"), help="what `python -m tests.fuzz` has found")
    asked.add_argument("--counts", type=Path, default=Path("build/fuzz-plain.json"), help="what is added to")
    asked.add_argument("--most", type=int, default=10**7, help="a target with so many inputs gets no further chunk")
    asked.add_argument("--again", type=int, metavar="CHUNK", help="try this chunk only, and count nothing")
    options = asked.parse_args(arguments)
    names = options.targets or [*TARGETS]
    if unknown := set(names) - set(TARGETS):
        asked.error(f"no targets: {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    given = {name: corpus(name, options.corpus / name) for name in names}
    if options.again is not None:
        return int(sum(_try(name, given[name], options.again, options.corpus).broken for name in names) > 0)
    failed = False
    end = monotonic() + options.seconds
    while names and monotonic() < end:
        for name in [*names]:
            counted = counts.read(options.counts)
            if counts.inputs(counted, name) < options.most:
                done = _try(name, given[name], counts.next_chunk(counted, name), options.corpus)
                counts.add(counted, name, given[name].digest, done)
                counts.write(counted, options.counts)
                failed = failed or done.broken
                if not done.broken:
                    continue
            names.remove(name)
    return int(failed)


if __name__ == "__main__":
    signal.signal(signal.SIGPROF, _end)
    gc.freeze()
    gc.set_threshold(_GARBAGE)
    sys.exit(main())
