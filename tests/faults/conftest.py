from __future__ import annotations

from tests.commands.conftest import hexrec

__all__ = ["hexrec"]
