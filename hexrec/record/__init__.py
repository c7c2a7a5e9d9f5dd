"""The record: its model, how plain data becomes one, its canonical form and its JSON Schemas. Knows no text format."""

from hexrec._version import FORMAT_VERSION
from hexrec.record.canonical import canonical_form
from hexrec.record.model import GameRecord, Move, Record, own_id, record_model
from hexrec.record.parse import RecordError, read_position, read_record, setup_error
from hexrec.record.parts import Eval, Mark, Player, TimeStage

__all__ = [
    "FORMAT_VERSION",
    "Eval",
    "GameRecord",
    "Mark",
    "Move",
    "Player",
    "Record",
    "RecordError",
    "TimeStage",
    "canonical_form",
    "own_id",
    "read_position",
    "read_record",
    "record_model",
    "setup_error",
]
