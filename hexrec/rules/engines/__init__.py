"""Engines: the rules of each game. Messages and annotations are in `hexrec.rules.games.<game>`."""
