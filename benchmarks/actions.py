"""How fast programs that learn play random games by actions, next to Hex of OpenSpiel if it is installed.

Usage: python benchmarks/actions.py [--seconds N]
"""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable
from importlib.metadata import version
from operator import attrgetter
from random import Random
from typing import Any

from rules import GAMES, Task, measure
from run import print_table

from hexrec.rules import compiled, games
from hexrec.rules.position import Position
from hexrec.util.version import __version__

try:
    import pyspiel
except ModuleNotFoundError:
    pyspiel = None

TITLE = "Thousands a second of CPU time in random games, next to Hex of OpenSpiel"
TASKS = ("actions", "planes", "plies")


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description="Measure random games by actions next to Hex of OpenSpiel.")
    parser.add_argument("--seconds", type=float, default=1.5, metavar="N", help="the time for each task (default: 1.5)")
    seconds = parser.parse_args().seconds
    cells = {name: len(games.get(name).board(games.get(name).usual_size()).cells) for name in games.BUILT_IN}
    sizes = {name: round(count**0.5) for name, count in cells.items()}
    tasks = {name: tasks_of(name) for name in games.BUILT_IN}
    if pyspiel:
        tasks |= {f"hex {size}": hex_tasks(size) for size in {*sizes.values()}}
    costs = measure(tasks, seconds)
    rows = []
    for name in games.BUILT_IN:
        row = [name, str(games.get(name).usual_size()), str(cells[name]), str(sizes[name] ** 2)]
        other = costs.get(f"hex {sizes[name]}", {})
        for task, cost in costs[name].items():
            row += [f"{1e3 / cost:.1f}", "-", "-"]
            if other:
                row[-2:] = [f"{1e3 / other[task]:.0f}", f"{other[task] / cost:.3f}"]
        rows.append(row)
    rules = "interpreted" if compiled.OBSTACLE else "compiled"
    used = f"OpenSpiel {version('open_spiel')}" if pyspiel else "OpenSpiel is not installed"
    print(f"CPython {platform.python_version()}, hexrec {__version__}, {rules} rules, {used}", end="\n\n")
    columns = [column for task in TASKS for column in (task, f"Hex {task}", "ratio")]
    print_table(TITLE, ["game", "size", "cells", "cells of Hex", *columns], rows)


def tasks_of(name: str) -> dict[str, Task]:
    """Return the tasks for a game: actions that Python chooses, the same with planes, and plies in one call."""
    game, rng = games.get(name), Random(name)
    size = game.usual_size()
    starts = [game.start(size, game.random_opening(rng, size)) for _ in range(GAMES)]

    def play() -> int:
        played = [start.copy() for start in starts]
        for position in played:
            position.playout(Random(1))
        return sum(position.plies for position in played)

    def enter(look: Callable[[Position], object] | None = None) -> int:
        copies = [start.copy() for start in starts]
        return _enter(copies, attrgetter("is_over"), Position.legal_actions, Position.play_action, look)

    return _tasks(enter, Position.planes, play)


def hex_tasks(size: int) -> dict[str, Task]:
    """Return the same tasks for Hex; bots of OpenSpiel play a game in one call."""
    game = pyspiel.load_game(f"hex(board_size={size})")
    state = pyspiel.State

    def play() -> int:
        played = [game.new_initial_state() for _ in range(GAMES)]
        for seed, each in enumerate(played):
            pyspiel.evaluate_bots(each, [pyspiel.make_uniform_random_bot(player, seed) for player in (0, 1)], seed)
        return sum(each.move_number() for each in played)

    def enter(look: Callable[[Any], object] | None = None) -> int:
        starts = [game.new_initial_state() for _ in range(GAMES)]
        return _enter(starts, state.is_terminal, state.legal_actions, state.apply_action, look)

    return _tasks(enter, state.observation_tensor, play)


def _enter(
    starts: list[Any],
    is_over: Callable[[Any], bool],
    legal_actions: Callable[[Any], list[int]],
    play_action: Callable[[Any, int], object],
    look: Callable[[Any], object] | None,
) -> int:
    """Play random games, and look at each position; return the number of actions."""
    count, rng = 0, Random(1)
    for position in starts:
        while not is_over(position):
            if look:
                look(position)
            play_action(position, rng.choice(legal_actions(position)))
            count += 1
    return count


def _tasks(enter: Callable[..., int], look: Callable[[Any], object], play: Callable[[], int]) -> dict[str, Task]:
    """Return the tasks; the functions return how many actions or plies they play."""
    actions = enter()
    return {"actions": Task(enter, actions), "planes": Task(lambda: enter(look), actions), "plies": Task(play, play())}


if __name__ == "__main__":
    main()
