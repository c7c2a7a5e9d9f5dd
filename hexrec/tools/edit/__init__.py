"""Edits of the text of records."""
