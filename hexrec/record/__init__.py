"""The record: its schema, validation, canonical form, identity and replay. Knows no file format."""

from hexrec._version import FORMAT_VERSION
from hexrec.record.canonical import canonical_form
from hexrec.record.record import Record, display_id
from hexrec.record.schema import Eval, Mark, Move, Player, Players, RecordData, Result, TimeStage
from hexrec.record.validation import RecordError, read_json, read_position, read_record, setup_error

__all__ = [
    "FORMAT_VERSION",
    "Eval",
    "Mark",
    "Move",
    "Player",
    "Players",
    "Record",
    "RecordData",
    "RecordError",
    "Result",
    "TimeStage",
    "canonical_form",
    "display_id",
    "read_json",
    "read_position",
    "read_record",
    "setup_error",
]
