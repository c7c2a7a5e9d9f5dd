"""Chunks of work, and pools of worker processes, for commands and the service."""

from __future__ import annotations


class WorkersUnavailable(Exception):
    """No worker process is available; the message gives the reason."""
