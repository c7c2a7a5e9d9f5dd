"""Conversion: judged records to texts in a format, with what was lost."""

from __future__ import annotations
