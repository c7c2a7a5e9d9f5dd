"""Runs on a cluster: each shard of an input becomes a file in a directory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from hexrec.cli import runs
from hexrec.cli.console import exit_on_os_error, fail, say
from hexrec.errors import extra
from hexrec.io.discovery import STANDARD_INPUT, Discovery
from hexrec.parallel.shards import total_size
from hexrec.validation.summary import Summary, count_of

if TYPE_CHECKING:
    from hexrec.parallel.cluster import WriteShard


def run_on_cluster(
    address: str,
    jobs: int | None,
    discovery: Discovery,
    directory: Path,
    suffix: str,
    write: WriteShard,
    about: Mapping[str, Any],
    quiet: bool,
) -> Summary:
    """Write the shards of an input on a cluster and return their totals.

    `about` are the options that the rows depend on. Raises MissingExtraError.
    """
    with extra("dask", "for --dask, install", "dask", "distributed"):
        from hexrec.parallel.cluster import Parts, run_shards
    if STANDARD_INPUT in discovery.paths:
        raise typer.BadParameter("stdin cannot be divided: name files", param_hint="--dask")
    with exit_on_os_error(directory, "written"):
        directory.mkdir(parents=True, exist_ok=True)
    size = total_size(discovery)
    parts = Parts(directory.absolute(), suffix, size, **about)
    totals, finished = Summary(), 0
    try:
        with runs.report_run_errors(), runs.progress([], quiet, streamed=False) as advance:
            for summary, restored in run_shards(address, jobs or runs.cores(), parts, write):
                totals.add_all(summary)
                finished += restored
                advance(summary.records, summary.invalid, 0, before=restored)
    except OSError as error:
        fail(f"{directory}: cannot be written: {error.strerror or error}")
    finally:
        parts.close()
    if finished and not quiet:
        say(f"finished by an earlier run: {count_of(finished, 'part')}")
    return totals
