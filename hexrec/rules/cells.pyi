"""`cells.py` as mypy and mypyc see it: arrays of librt, and machine integers."""

from collections.abc import Callable

from librt.vecs import vec as vec
from mypy_extensions import i64 as i64
from mypy_extensions import mypyc_attr as mypyc_attr

Draw = Callable[[int], int]
Cells = vec[i64]
