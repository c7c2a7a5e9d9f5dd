"""Validation: from documents to verdicts. Knows the order of the checks, not how reports look."""

from hexrec.validation.replay import Replay, replay
from hexrec.validation.report import Report, locate
from hexrec.validation.verdict import check_document, check_record, check_sources

__all__ = ["Replay", "Report", "check_document", "check_record", "check_sources", "locate", "replay"]
