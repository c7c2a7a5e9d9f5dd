"""Validation: from documents to verdicts. Knows the order of the checks, not how reports look."""

from hexrec.check.replay import Replay, replay
from hexrec.check.verdict import Report, check_document, check_record, check_sources, locate

__all__ = ["Replay", "Report", "check_document", "check_record", "check_sources", "locate", "replay"]
