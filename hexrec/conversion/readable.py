"""Records as text in a notation: what hexrec writes, it reads."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any

from hexrec.diagnostics import Diagnostic
from hexrec.limits import MAX_RECORD_BYTES, MAX_VALUES
from hexrec.notations.base import Notation, OnLoss
from hexrec.record import RecordError
from hexrec.validation.past_end import writer

#: A text of so many characters is below the limits of values, and of bytes: a character has four of them at most.
_SURELY_READ = min(MAX_VALUES, MAX_RECORD_BYTES // 4)


def texts(notation: Notation, records: Iterable[dict[str, Any]], on_loss: OnLoss) -> Iterator[str]:
    """Yield the texts of the canonical data of records in a notation.

    Raises RecordError for a record that the notation refuses, or that is beyond the limits of what is read when it is
    written in this notation; TogetherError if the notation cannot hold the records together.
    """
    for text in writer(notation)(records, on_loss):
        if len(text) > _SURELY_READ:
            _check(notation, text.encode())
        yield text


def _check(notation: Notation, text: bytes) -> None:
    """Raise RecordError if the text of a record cannot be read."""
    for document in notation.read(io.BytesIO(text)):
        if document.error is not None:
            message = (
                f"written as {notation.title}, this record takes {len(text):,} bytes and could not be read again: "
                f"{document.error.message}"
            )
            raise RecordError([Diagnostic("convert/too-large", message, pointer="")])
