"""Conversion: judged records to texts in a notation, with what was lost."""

from __future__ import annotations
