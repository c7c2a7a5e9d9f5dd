"""A bot for every game of hexrec: UCT, a tree search that judges positions by random games.

    python hexrec_uct.py sunspot --size 5 --playouts 100

lets it play a game against random turns.
"""

from __future__ import annotations

import argparse
import math
from random import Random

import hexrec


class Node:
    """A position in the tree.

    Attributes:
        turn: the turn that led here; empty at the root.
        color: who played it.
        untried: the legal turns without a node, in random order.
        children: the nodes after the others.
        visits: in how many random games the position occurred.
        wins: how many of them `color` won; a draw counts half.
    """

    def __init__(self, turn: str, color: str, position: hexrec.Position, rng: Random) -> None:
        self.turn = turn
        self.color = color
        self.untried = position.legal_turns()
        rng.shuffle(self.untried)
        self.children: list[Node] = []
        self.visits = 0
        self.wins = 0.0

    def best_child(self) -> Node:
        """Return the child that is the most promising, or too little explored."""
        explored = 2 * math.log(self.visits)
        return max(self.children, key=lambda child: child.wins / child.visits + math.sqrt(explored / child.visits))


def choose(position: hexrec.Position, rng: Random, playouts: int = 500) -> str:
    """Return the turn for the side to move after so many random games."""
    root = Node("", "", position, rng)
    for _ in range(playouts):
        here, path = position.copy(), [root]
        while not path[-1].untried and path[-1].children:
            path.append(path[-1].best_child())
            here.play(path[-1].turn)
        if path[-1].untried:
            turn, color = path[-1].untried.pop(), here.turn
            here.play(turn)
            path.append(Node(turn, color, here, rng))
            path[-2].children.append(path[-1])
        outcome = here.playout(rng)
        assert outcome is not None
        for node in path:
            node.visits += 1
            node.wins += 0.5 if outcome.winner == "draw" else outcome.winner == node.color
    return max(root.children, key=lambda child: child.visits).turn


def play(game: str, size: int | None, playouts: int, rng: Random) -> hexrec.Position:
    """Let the bot, as Black, play a game against random turns; return its end."""
    rules = hexrec.games.get(game)
    opening = rules.random_opening(rng, size)
    position = hexrec.new_game(game, size=size, opening=opening)
    while not position.is_over:
        position.play(choose(position, rng, playouts) if position.turn == "black" else position.random_turn(rng))
    return position


def main() -> None:
    """Play a game, and print the end of it."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("game", choices=hexrec.games.names())
    parser.add_argument("--size", type=int)
    parser.add_argument("--playouts", type=int, default=500)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    end = play(given.game, given.size, given.playouts, Random(given.seed))
    print(end, end.result(), sep="\n")


if __name__ == "__main__":
    main()
