"""Rules: boards, positions, and the games, each with its rules and its words."""

# Before any module that is compiled is imported: whether it or its source is used.
from hexrec.rules import compiled as compiled
