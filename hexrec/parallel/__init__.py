"""Archives cut into chunks of work, and the processes that do tasks, for commands and for the service."""

from __future__ import annotations


class WorkersUnavailable(Exception):
    """There is no process that could do a task; the message says why."""
