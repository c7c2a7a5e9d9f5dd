"""Scores as a table in memory, for libraries that work on data: pandas, Polars, DuckDB and others."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from hexrec.api import PathLike
from hexrec.batch.chunks import split
from hexrec.batch.run import run
from hexrec.batch.tasks import ScoreTask
from hexrec.extras import extra
from hexrec.files.discovery import Discovery
from hexrec.settings.selection import Selection

if TYPE_CHECKING:
    import pyarrow


def read(paths: PathLike | Iterable[PathLike], format: str | None = None, *, jobs: int = 1) -> pyarrow.Table:
    """Return the scores of records: a row for each, broken ones included, as `hexrec score` writes them.

    Args:
        paths: files, folders, patterns or addresses, one or several.
        format: forces the notation of all files.
        jobs: how many processes share the work.

    An Arrow table goes by itself into whatever reads Arrow: `docs/scores.md` has its columns, and a line for each of
    pandas, Polars and DuckDB. What cannot be read is a row with the code of the reason; no settings of a project apply.

    Raises:
        MissingExtraError: the extra ``arrow`` is not installed.
        InputChanged: a file was changed while it was read.
    """
    with extra("arrow", "to read scores as a table, install", "pyarrow"):
        import pyarrow

        from hexrec.rows.arrow import SCHEMA, record_batches
    given = [paths] if isinstance(paths, str | os.PathLike) else paths
    chunks = split(Discovery([os.fspath(path) for path in given], format))
    runner = None
    if jobs > 1:
        from hexrec.batch.pool import PoolRunner

        runner = partial(PoolRunner, jobs, None)
    with closing(run(chunks, ScoreTask(Selection()), runner, small_here=True)) as batches:
        return pyarrow.Table.from_batches(record_batches(batch.gathered for batch in batches), SCHEMA)
