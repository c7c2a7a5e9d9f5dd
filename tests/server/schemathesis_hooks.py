"""Tells schemathesis how texts in the formats are sent."""

from __future__ import annotations

from typing import Any

import schemathesis


@schemathesis.serializer("application/x-ndjson", "application/yaml", "application/x-go-sgf", "text/x-hgn")  # type: ignore[untyped-decorator]
def as_text(_: schemathesis.SerializationContext, value: Any) -> bytes:
    return str(value).encode(errors="replace")
