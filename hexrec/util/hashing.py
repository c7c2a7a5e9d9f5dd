"""BLAKE2b, the hash of games and positions, without `hashlib`: that loads OpenSSL, which takes 3 ms of each start."""

from __future__ import annotations

try:
    from _blake2 import blake2b as blake2b
except ImportError:  # not in every implementation of Python
    from hashlib import blake2b as blake2b
