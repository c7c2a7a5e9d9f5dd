"""`hexrec convert`: convert records to another format or coordinate system."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import AbstractContextManager
from itertools import chain, groupby
from operator import attrgetter
from pathlib import Path
from typing import TextIO

from hexrec.cli import OUTPUT, flag, option, options, outputs
from hexrec.cli.console import exit_on_os_error, fail, refuse, say
from hexrec.cli.inputs import Inputs
from hexrec.cli.runs import read_reports
from hexrec.cli.values import to_path
from hexrec.errors import ArgumentError
from hexrec.io.compression import inner_suffix
from hexrec.io.discovery import STANDARD_INPUT, Source
from hexrec.io.remote import Address
from hexrec.rules.board import SYSTEMS, System
from hexrec.rules.terms import pluralize
from hexrec.tools.convert import FIELDS, Conversion, Converted, Template, as_array, mirrored_name
from hexrec.validation.report import Report

EXAMPLES = (
    ("hexrec convert games.jsonl -o games.sgf", "Write records as SGF; report fields that SGF cannot represent."),
    ("hexrec convert games/ --to json -o converted/", "Convert each file of a directory to a file of another."),
    (
        "hexrec convert games.jsonl -o apart --split '{game}/{date}-{black}-{white}.yaml'",
        "Write each record to a separate file.",
    ),
)


def command(
    inputs: Inputs,
    to: str | None = options.TO,
    target: str | None = option(
        "-o, --output OUT", "Write to a file or, with a final /, into a directory; - is stdout.", OUTPUT
    ),
    split: str | None = option(
        "--split TEMPLATE", f"Write a file per record, named by a template. Fields: {', '.join(FIELDS)}.", OUTPUT
    ),
    coordinates: System | None = options.choice("--coordinates SYSTEM", SYSTEMS, "Name cells in {names}.", OUTPUT),
    strict: bool = flag("--strict", "Refuse records that would lose data.", OUTPUT),
    validate: bool = options.VALIDATE,
    force: bool = options.FORCE,
) -> None:
    """Convert records to another format or coordinate system.

    With a directory as OUT, each input file becomes a file of the same name with another suffix, in the same
    subdirectory; several records of a file become an array in JSON.

    Fields that the format cannot represent are reported on stderr, record by record.

    Exit code: 0 all converted, 1 a record is skipped or invalid, 2 an input cannot be read.
    """
    try:
        template = Template(split) if split else None
    except ArgumentError as error:
        refuse(str(error), "--split")
    out = None if target in (None, "-") else to_path(str(target))
    mirrors = template is None and out is not None and (out.is_dir() or str(target).endswith(("/", os.sep)))
    if isinstance(out, Address) and (template or mirrors):
        refuse("many files are written to this machine only", "-o")
    if template:
        if not inner_suffix(template.file_name):
            refuse(f"{split} has no suffix: end it in that of a format, such as {split}.yaml", "--split")
        to = outputs.record_format(template.file_name, to, hint="--split")
    elif mirrors and to is None:
        refuse(f"{target} is a directory: name the format of the files in it with --to", "-o")
    else:
        to = outputs.record_format(None if mirrors else out, to)
    summary = inputs.summary
    conversion = Conversion(to, coordinates, strict, invalid=not validate)
    reports = summary.count(read_reports(inputs))
    if template:
        converted = outputs.print_diagnostics(map(conversion.convert, reports), summary)
        written = files = _write_each(converted, template, out or Path(), force)
    elif mirrors and out is not None:
        written, files = _write_mirrored(inputs, reports, out, conversion, force)
    else:
        hint = ", or give --split or a directory as -o OUT/"
        written = outputs.join(conversion, reports, out, summary, force=force, hint=hint)
        files = min(written, 1)
    left_out = summary.records - written
    outcomes = {"converted": written, "left out": left_out}
    totals = summary.line_of(outcomes, f"{pluralize(files, 'file')} written")
    inputs.end(totals, code=summary.exit_code or (1 if left_out else 0))


def _write_each(converted: Iterable[Converted], template: Template, folder: Path, force: bool) -> int:
    """Write a file for each record; return the number of files."""
    written = 0
    for record in converted:
        if record.text is None:
            continue
        file = folder / template.name(record)
        if problem := _find_problem(file, folder, force):
            say(problem)
            continue
        with _open(file) as out:
            out.write(record.text)
        written += 1
    return written


def _find_problem(file: Path, folder: Path, force: bool) -> str | None:
    """Return the reason why a file in a directory should not be written, or None."""
    if not Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder)):
        return f"{file}: a symbolic link leads out of {folder}: remove the link"
    if os.path.lexists(file) and not force:
        return f"{file}: already exists: --force overwrites it"
    return None


def _open(file: Path) -> AbstractContextManager[TextIO]:
    """Open a text file, and create its directory."""
    with exit_on_os_error(file.parent, "created"):
        file.parent.mkdir(parents=True, exist_ok=True)
    return outputs.text(file)


def _write_mirrored(
    inputs: Inputs, reports: Iterable[Report], folder: Path, conversion: Conversion, force: bool
) -> tuple[int, int]:
    """Write a file for each input file, in the same subdirectory; return the number of records and of files.

    Exit, before anything is written, if an output file exists or two input files have the same one.
    """
    files: dict[str | None, Path] = {}
    owners: dict[str, str] = {}
    for source in inputs.discovery.again():
        if not isinstance(source, Source):
            continue
        if source.name == STANDARD_INPUT:
            refuse("stdin has no name: give a file as -o FILE", "-o")
        file = folder / mirrored_name(source, conversion.to)
        # Some file systems ignore case.
        owner = owners.setdefault(str(file).casefold(), source.name)
        if owner != source.name:
            fail(f"{owner} and {source.name} would both be written to {file}: convert one of them by itself")
        if problem := _find_problem(file, folder, force):
            fail(problem)
        files[source.name] = file
    records = written = 0
    for name, group in groupby(reports, key=attrgetter("file")):
        converted = map(conversion.convert, group)
        joined = as_array(converted) if conversion.to == "json" else conversion.join_converted(converted)
        printed = outputs.print_diagnostics(joined, inputs.summary)
        texts = (record.text for record in printed if record.text is not None)
        # No file without records.
        if (first := next(texts, None)) is not None:
            if name not in files:
                fail(f"{name}: was not found when the run began: run again when nothing writes to its directory")
            written += 1
            with _open(files[name]) as out:
                for text in chain((first,), texts):
                    out.write(text)
                    records += 1
    return records, written
