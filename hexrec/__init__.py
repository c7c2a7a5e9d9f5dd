"""hexrec."""
