"""Imports what tasks on chunks need. The process that others are forked from imports this module."""

from __future__ import annotations

from hexrec import games, notations, rows
from hexrec.batch import tasks

__all__ = ["rows", "tasks"]

for _name in games.names():
    games.get(_name)
for _name in notations.names():
    notations.get(_name)
