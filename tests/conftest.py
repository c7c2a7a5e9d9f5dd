from __future__ import annotations

from hypothesis import settings

# The same examples on every machine and in every run: a failure in one place can be looked at in another.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.load_profile("repeatable")
