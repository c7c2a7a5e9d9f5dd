"""Validation: from documents to verdicts. Knows the order of the checks, not how reports look."""
