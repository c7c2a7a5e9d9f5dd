"""How much is read: each limit is a named constant, far above what any honest game needs.

Every limit keeps what one input can cost, in time and memory, in proportion to its size. What is beyond one is
refused with a diagnostic (``syntax/too-large``, ``syntax/too-deep``) that names it.
"""

from __future__ import annotations

#: The most bytes that one record may have. The longest games have some tens of kilobytes.
MAX_RECORD_BYTES = 8 * 1024 * 1024
#: The most levels of lists and objects in one another.
MAX_DEPTH = 100
#: The most values and brackets that one record may have: each takes some hundred bytes while it is read.
MAX_VALUES = 250_000
