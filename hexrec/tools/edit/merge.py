"""Merge new data of a record, in canonical form, into its data in a file."""

from __future__ import annotations

from typing import Any

from hexrec.record.canonical import canonical_form
from hexrec.record.validation import RecordError, read_record
from hexrec.tools.edit.editor import same


def merge(raw: Any, new: dict[str, Any]) -> dict[str, Any]:
    """Return new data of a record, with defaults and the order of fields as in `raw` where both are equivalent."""
    try:
        old = canonical_form(read_record(raw, turns_unchecked=True))
    except RecordError:
        return new
    wanted = canonical_form(read_record(new, turns_unchecked=True))
    merged: dict[str, Any] = _merge_value(raw, old, wanted)
    try:
        found = canonical_form(read_record(merged, turns_unchecked=True))
    except RecordError:  # a recorded default, such as the ruleset, may be invalid for a new game
        return new
    return merged if same(found, wanted) else new


def _merge_value(raw: Any, old: Any, new: Any) -> Any:
    """Return the new value, with the parts of `raw` whose canonical form did not change."""
    if same(old, new):
        return raw
    if isinstance(raw, dict) and isinstance(old, dict) and isinstance(new, dict):
        kept = {name: value for name, value in raw.items() if name in new or name not in old}
        merged = {name: _merge_value(value, old.get(name), new.get(name)) for name, value in kept.items()}
        more = {name: value for name, value in new.items() if name not in raw}
        return merged | more
    if isinstance(raw, list) and isinstance(old, list) and isinstance(new, list) and len(raw) == len(old):
        both = min(len(old), len(new))
        return [*map(_merge_value, raw[:both], old[:both], new[:both]), *new[both:]]
    return new
