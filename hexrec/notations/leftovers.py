"""What a notation has no natural place for: it goes as JSON into one private place, and is merged back on reading."""

from __future__ import annotations

from typing import Any


def merge(natural: dict[str, Any], extra: dict[str, Any]) -> dict[str, Any]:
    """Return the union of two objects: objects in both are merged in turn, of any other values that of `extra` wins."""
    merged = dict(natural)
    for name, value in extra.items():
        own = merged.get(name)
        merged[name] = merge(own, value) if isinstance(own, dict) and isinstance(value, dict) else value
    return merged


def difference(whole: dict[str, Any], natural: dict[str, Any]) -> dict[str, Any]:
    """Return the least `extra` with which `merge` makes `whole` of `natural`, which has no field that `whole` lacks."""
    extra = {}
    for name, value in whole.items():
        if name not in natural:
            extra[name] = value
        elif isinstance(value, dict) and isinstance(natural[name], dict):
            if rest := difference(value, natural[name]):
                extra[name] = rest
        elif repr(value) != repr(natural[name]):  # 1, 1.0 and True are equal, but not the same
            extra[name] = value
    return extra


def depth(value: Any) -> int:
    """Return how many levels of lists and objects a value has."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if parts is None else 1 + max(map(depth, parts), default=0)
