"""Validation: from documents to verdicts. Knows the order of the checks, not how reports look."""

from hexrec.record.replay import Replay, replay
from hexrec.validation.report import Report, locate
from hexrec.validation.verdict import check_document, check_record

__all__ = ["Replay", "Report", "check_document", "check_record", "locate", "replay"]
