"""Shared utilities: diagnostics, escaping, limits, plug-ins, streams. Depends on no other part of hexrec."""
