"""How many random games a second one core plays from the start, by the kernels and by the engines alone."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random
from time import process_time

from hexrec.rules import games

#: How many seconds each game is played for.
SECONDS = 3.0


def playouts(name: str) -> float:
    """Return the number of games of the recommended size that are played to the end in a second of processor time."""
    game, rng = games.get(name), Random(1)
    size = game.usual_size()
    start = game.start(size, game.random_opening(rng, size))
    played, begun = 0, process_time()
    while (passed := process_time() - begun) < SECONDS:
        start.copy().playout(rng)
        played += 1
    return played / passed


def main() -> None:
    if "HEXREC_PURE" in os.environ:
        print(*(playouts(name) for name in games.BUILT_IN))
        return
    pure = subprocess.run(
        [sys.executable, __file__], env=os.environ | {"HEXREC_PURE": "1"}, capture_output=True, text=True, check=True
    )
    for name, slow in zip(games.BUILT_IN, map(float, pure.stdout.split()), strict=True):
        game = games.get(name)
        print(f"| {game.title} | {game.usual_size()} | {playouts(name):.0f} | {slow:.0f} |", flush=True)


if __name__ == "__main__":
    main()
