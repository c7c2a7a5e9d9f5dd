"""Validation: from documents to verdicts. Knows the order of the checks, not how reports look."""

from hexrec.check.replay import Replay, replay
from hexrec.check.report import Report, locate
from hexrec.check.verdict import check_document, check_record, check_sources

__all__ = ["Replay", "Report", "check_document", "check_record", "check_sources", "locate", "replay"]
