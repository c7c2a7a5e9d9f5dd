"""`hexrec merge`: join the parts of a run that was divided."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from hexrec.cli import OUTPUT, argument, flag, option, options, outputs
from hexrec.cli.console import echo_totals, exit_on_os_error, fail
from hexrec.errors import extra
from hexrec.io.remote import open_binary
from hexrec.output import merged, report_formats, rows
from hexrec.parallel.parts import Part, find_parts
from hexrec.tools import statistics
from hexrec.tools.dedupe import Candidate, SortedGames
from hexrec.validation.report import HASHED, Summary

EXAMPLES = (
    ("hexrec merge parts/ -o scores.csv", "Join the parts that score wrote."),
    ("hexrec merge parts/ -o archive", "Join the tables that turns wrote."),
    ("hexrec merge candidates/ -o once.jsonl --report duplicates.jsonl", "Decide about the parts that dedupe wrote."),
)

#: The formats of parts that can be joined.
_JOINED = ("csv", "json", "jsonl", "text", "parquet", "arrow")


def command(
    directory: Path = argument("DIR", "The directory or URL of the parts and their manifests."),
    *,
    target: Path | None = options.TARGET,
    header: bool = flag("--header/--no-header", "In CSV, begin with the names of the columns.", OUTPUT, True),
    report: Path | None = option(
        "--report FILE", "Write duplicates to a file as JSON Lines (parts of dedupe).", OUTPUT
    ),
    format: str | None = options.choice("--format FORMAT", statistics.FORMS, "Write statistics as {names}.", OUTPUT),
    fold: bool = flag("--fold", "Count symmetric cells as one (parts of stats)."),
    force: bool = options.FORCE,
) -> None:
    """Join the parts that a command wrote with --shard or --dask, in the order of one run.

    All parts must be there and belong to one run. A file keeps the format of its parts. Without -o, the parts of turns
    are checked, not joined.

    Exit code: that of the command, over all parts; 2 if a part is missing or of another run.
    """
    with exit_on_os_error(directory, "read"):
        parts, summary = find_parts(directory)
        run = parts[0].run
        if run["command"] == "dedupe":
            raise SystemExit(_merge_duplicates(parts, summary, target, report, force))
        if run["command"] == "turns":
            _merge_tables(parts, target, force)
        else:
            _merge(parts, summary, target, header=header, form=format, fold=fold)
        if run["command"] == "hash":
            echo_totals(summary.line(HASHED))
        elif run["command"] not in ("stats", "validate"):  # their outputs have the totals
            echo_totals(*summary.lines())
    raise SystemExit(summary.exit_code)


def _merge(
    parts: list[Part], summary: Summary, target: Path | None, *, header: bool, form: str | None, fold: bool
) -> None:
    """Join all parts but those of `dedupe` and `turns`."""
    run: dict[str, Any] = parts[0].run
    command = run["command"]
    opened = [part.open for part in parts]
    if command == "stats":
        kind = outputs.format_of_file(target, form, {"text": outputs.TEXT, "json": outputs.JSON}) or "text"
    else:
        fields = {"score": "rows", "validate": "report"}
        kind = run[fields[command]][0] if command in fields else "parquet" if command == "positions" else "text"
        suffixes = {**report_formats.suffixes(), **rows.suffixes()} if command != "hash" else {"text": outputs.TEXT}
        if kind not in _JOINED:
            fail(f"parts in the format {kind} cannot be joined: write them as JSON Lines")
        outputs.format_of_file(target, kind, suffixes)
    if kind in ("parquet", "arrow"):
        tables = merged.read_tables(opened, run["order"])
        with outputs.binary(target) as binary:
            if command == "positions":
                from hexrec.tools import positions_file

                positions_file.write_tables(tables, binary)
            else:
                from hexrec.output import rows_arrow

                rows_arrow.write_tables(tables, binary, kind)
        return
    with outputs.text(target) as out:
        if command == "stats":
            totals = statistics.Statistics()
            totals.summary = summary
            for part in opened:
                with merged.as_text(part) as text:
                    totals.add_data(json.load(text))
            out.write(statistics.FORMS[kind](totals, fold))
        elif kind == "csv":
            merged.join_csv(opened, out, header=header)
        elif kind == "json" and command == "score":
            merged.join_json_rows(opened, out)
        elif kind == "json":
            merged.join_json_reports(opened, summary, out)
        elif kind == "text" and command == "validate":
            merged.join_lines(opened, out, ends=[len(part.totals.lines()) for part in parts])
            out.writelines(f"{line}\n" for line in summary.lines())
        else:
            merged.join_lines(opened, out)


def _merge_tables(parts: list[Part], target: Path | None, force: bool) -> None:
    """Join the tables of all parts, each game and size in one sorted file. Without a target, join nothing."""
    with extra("arrow", "to merge these parts, install", "pyarrow"):
        from hexrec.tools import turns_file
    if target is None:
        return
    with exit_on_os_error(target, "written"):
        turns_file.clear(target, force=force)
        folders: dict[str, list[merged.Open]] = {}
        for part in parts:
            for file in turns_file.find_files(part.file):
                open_file = partial(open_binary, str(part.file / file))
                folders.setdefault(file.rpartition("/")[0], []).append(open_file)
        for folder, opened in folders.items():
            _, _, order = turns_file.TABLES[folder.partition("/")[0]]
            turns_file.write_file(merged.read_tables(opened, order), target, folder)


def _merge_duplicates(
    parts: list[Part], summary: Summary, target: Path | None, report: Path | None, force: bool
) -> int:
    """Decide about the candidates of all parts, and return the exit code."""
    from hexrec.tools.convert import Conversion

    run = parts[0].run
    outputs.refuse_existing(target, force=force)
    conversion = Conversion(outputs.record_format(target, run["to"]), invalid=run["invalid"])

    def candidates() -> Iterator[Candidate]:
        for part in parts:
            with merged.as_text(part.open) as lines:
                for line in lines:
                    yield Candidate.unpack(json.loads(line))

    games = SortedGames(mirrored=run["mirrored"] == "drop", prefixes=run["prefixes"] == "drop")
    return outputs.write_unique(games, candidates(), conversion, target, report, summary)
