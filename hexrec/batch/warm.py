"""Imports what work on units takes. The process that others are forked from imports this module."""

from __future__ import annotations

from hexrec import formats, games
from hexrec.batch import work
from hexrec.reports import rows

__all__ = ["rows", "work"]

for _name in games.names():
    games.get(_name)
for _name in formats.names():
    formats.get(_name)
