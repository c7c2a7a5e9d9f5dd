"""Processes that do tasks: a bounded pool, a task ended at its time limit, a process that dies replaced."""

from __future__ import annotations
