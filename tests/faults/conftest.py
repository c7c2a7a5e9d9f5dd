from __future__ import annotations

from tests.cli.conftest import hexrec

__all__ = ["hexrec"]
