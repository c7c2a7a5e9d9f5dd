"""Conversion: judged records to texts in a notation, with what was lost."""
