"""What a notation has no natural place for: it goes as JSON into one private place, and is merged back on reading."""

from __future__ import annotations

from typing import Any


def merge(natural: dict[str, Any], leftovers: dict[str, Any]) -> dict[str, Any]:
    """Return the union of two objects: objects in both are merged in turn, of other values the leftover wins."""
    merged = dict(natural)
    for name, value in leftovers.items():
        own = merged.get(name)
        merged[name] = merge(own, value) if isinstance(own, dict) and isinstance(value, dict) else value
    return merged


def difference(whole: dict[str, Any], natural: dict[str, Any]) -> dict[str, Any]:
    """Return the least `leftovers` with which `merge` makes `whole` of `natural`.

    Fields that `natural` alone has stay: no leftovers take them away.
    """
    leftovers = {}
    for name, value in whole.items():
        if name not in natural:
            leftovers[name] = value
        elif isinstance(value, dict) and isinstance(natural[name], dict):
            if rest := difference(value, natural[name]):
                leftovers[name] = rest
        elif repr(value) != repr(natural[name]):  # 1, 1.0 and True are equal, but not the same
            leftovers[name] = value
    return leftovers


def depth(value: Any) -> int:
    """Return how many levels of lists and objects a value has."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if parts is None else 1 + max(map(depth, parts), default=0)
