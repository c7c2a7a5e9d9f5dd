"""Statistics: what the games of an archive are like, as text, as JSON and as plots.

A new form is one module with a function ``text(statistics, fold)`` and one line in `FORMS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hexrec.stats import json, text
from hexrec.stats.counts import Statistics

#: The forms that statistics are written in: functions of the statistics, and of whether images of a cell count as one.
FORMS: Mapping[str, Callable[[Statistics, bool], str]] = {"text": text.text, "json": json.text}

__all__ = ["FORMS", "Statistics"]
