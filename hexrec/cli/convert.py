"""`hexrec convert`: convert records to another format or coordinate system."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from hexrec.cli import OUTPUT, option, options, outputs
from hexrec.cli.console import echo_totals, exit_on_os_error, say
from hexrec.cli.inputs import Inputs
from hexrec.cli.runs import mention_interpreted
from hexrec.errors import ArgumentError
from hexrec.io.discovery import format_of
from hexrec.parallel.chunks import split as split_inputs
from hexrec.parallel.tasks import check_here
from hexrec.rules.board import SYSTEMS, System
from hexrec.tools.convert import FIELDS, Conversion, Converted, Template
from hexrec.validation.report import Summary, count_of, line_of_totals

EXAMPLES = (
    ("hexrec convert games.jsonl -o games.sgf", "Write records as SGF; report fields that SGF cannot represent."),
    (
        "hexrec convert games.jsonl -o apart --split '{game}/{date}-{black}-{white}.yaml'",
        "Write each record to a separate file.",
    ),
)


def command(
    inputs: Inputs,
    to: options.To = None,
    target: Annotated[
        Path | None,
        options.output("-o, --output OUT", "Write to a file, or with --split into this directory; - is stdout."),
    ] = None,
    split: Annotated[
        str | None,
        option(
            "--split TEMPLATE", f"Write a file per record, named by a template. Fields: {', '.join(FIELDS)}.", OUTPUT
        ),
    ] = None,
    coordinates: Annotated[
        System | None, options.choice("--coordinates SYSTEM", SYSTEMS, "Name cells in {names}.", OUTPUT)
    ] = None,
    strict: Annotated[bool, option("--strict", "Refuse records that would lose data.", OUTPUT)] = False,
    validate: options.LeaveOutInvalid = True,
    force: options.Force = False,
) -> None:
    """Convert records to another format or coordinate system.

    Fields that the format cannot represent are reported on stderr, record by record.

    Exit code: 0 all converted, 1 a record is skipped or invalid, 2 an input cannot be read.
    """
    try:
        template = Template(split) if split else None
    except ArgumentError as error:
        raise typer.BadParameter(str(error), param_hint="--split") from None
    if template is None and target is not None and target.is_dir():
        raise typer.BadParameter(f"{target} is a directory: name files in it with --split", param_hint="-o")
    named = template.file_name if template else target
    to = to or (format_of(named) if named else None)
    if to is None:
        raise typer.BadParameter("unknown output format: name it", param_hint="--to")
    summary = Summary(selective=inputs.selected.is_active)
    conversion = Conversion(to, coordinates, strict, invalid=not validate)
    chunks = split_inputs(inputs.discovery)
    reports = summary.count(inputs.selected.reports(check_here(mention_interpreted(chunks))))
    if template:
        converted = outputs.print_diagnostics(map(conversion.convert, reports), summary)
        written = _write_each(converted, template, target or Path(), force)
    else:
        if not force:
            outputs.refuse_existing(target)
        converted = outputs.print_diagnostics(conversion.join(reports), summary)
        written = outputs.join(converted, target, hint=", or give --split")
    left_out = summary.records - written
    outcomes = {"converted": written, "left out": left_out}
    files = count_of(written if template else min(written, 1), "file")
    echo_totals(line_of_totals(summary.files, outcomes, f"{files} written", summary.unreadable))
    inputs.print_notes()
    raise typer.Exit(summary.exit_code or (1 if left_out else 0))


def _write_each(converted: Iterable[Converted], template: Template, folder: Path, force: bool) -> int:
    """Write a file for each record; return the number of files."""
    written = 0
    for record in converted:
        if record.text is None:
            continue
        file = folder / template.name(record)
        if not Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder)):
            say(f"{file}: a symbolic link leads out of {folder}: remove the link")
            continue
        if os.path.lexists(file) and not force:
            say(f"{file}: already exists: --force overwrites it")
            continue
        with exit_on_os_error(file.parent, "created"):
            file.parent.mkdir(parents=True, exist_ok=True)
        with outputs.text(file) as out:
            out.write(record.text)
        written += 1
    return written
