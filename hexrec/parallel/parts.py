"""Parts of a run that is divided into shards, each a file or directory with a manifest next to it.

A manifest says to which run a part belongs, so that parts of another run are not joined with it, and none is missed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any, BinaryIO, NamedTuple

from hexrec.errors import RunError
from hexrec.io.outputs import Target, atomic_write, size_of_output
from hexrec.io.remote import open_binary
from hexrec.rules.terms import pluralize
from hexrec.util.limits import IN_FORCE
from hexrec.util.plugins import code_versions
from hexrec.validation.report import Summary

#: The suffix of a manifest, after the name of its part.
SUFFIX = ".hexrec-part"
#: The maximum size of a manifest in bytes.
_LARGEST = 1 << 20
#: The maximum number of parts that a message names.
_NAMED = 5


class Part(NamedTuple):
    """A part of a run.

    Attributes:
        file: the file, or the directory of files.
        run: the description of the run: whatever the parts depend on. It is the same for all parts.
        number: the number of the part, counted from 1.
        size, totals: the size in bytes of all its files, and the totals over its records, in a manifest that was read.
    """

    file: Target
    run: dict[str, Any]
    number: int
    size: int = -1
    totals: Summary = Summary()

    @property
    def manifest(self) -> Target:
        """The file of the manifest."""
        return self.file.with_name(self.file.name + SUFFIX)

    def finish(self, summary: Summary) -> None:
        """Write the manifest of a part that has been written. Raises OSError."""
        about = {"run": self.run, "part": self.number, "bytes": size_of_output(self.file), "summary": asdict(summary)}
        with atomic_write(self.manifest) as out:
            out.write(json.dumps(about) + "\n")

    def finished(self) -> Part | None:
        """Return the part as its manifest describes it, if it is there. Raises RunError if another run wrote it."""
        return _finished(self.manifest, self.run) if self.manifest.exists() else None

    @property
    def is_complete(self) -> bool:
        """Whether the file has the size that its manifest states."""
        return size_of_output(self.file) == self.size

    def open(self) -> BinaryIO:
        """Open the file. Raises OSError."""
        return open_binary(str(self.file))


def describe_run(command: str, count: int, size: int, order: Sequence[str] = (), **options: Any) -> dict[str, Any]:
    """Return the description of a run of `count` parts over an input of `size` bytes.

    `order` has the columns by which rows are sorted; without them, they have the order of the input. `options` must
    include every option on which the parts depend.
    """
    versions = dict.fromkeys(code_versions(), True)
    about = {"command": command, "parts": count, "size": size, "order": list(order), **options, "versions": versions}
    return dict(json.loads(json.dumps({**about, "limits": IN_FORCE})))


def finished_parts(directory: Target, run: dict[str, Any]) -> dict[int, Part]:
    """Return by number the parts in a directory that an earlier run finished.

    Raises OSError. Raises RunError if that was another run.
    """
    parts = (_finished(manifest, run) for manifest in _manifests(directory))
    return {part.number: part for part in parts if part}


def _finished(manifest: Target, run: dict[str, Any]) -> Part | None:
    """Return the part of a manifest, or None if it is not complete. Raises RunError if another run wrote it."""
    part = _read(manifest)
    if part.run != run:
        raise RunError(f"{part.file}: the run was another one ({_compare(part.run, run)}): name another directory")
    return part if part.is_complete else None


def find_parts(directory: Target) -> tuple[list[Part], Summary]:
    """Return all parts of the run in a directory, in order, and their totals.

    Raises OSError. Raises RunError if parts are missing, changed, of another run, or there twice.
    """
    manifests = _manifests(directory)
    if not manifests:
        raise RunError(f"{directory}: no parts: --shard and --dask write them, each with a file *{SUFFIX}")
    parts = sorted(map(_read, manifests), key=lambda part: part.number)
    ((most, _),) = Counter(json.dumps(part.run, sort_keys=True) for part in parts).most_common(1)
    run = json.loads(most)
    if foreign := [part for part in parts if part.run != run]:
        reason = _compare(foreign[0].run, run)
        raise RunError(f"{directory}: another run wrote {_names(foreign)} ({reason}): remove the parts of one run")
    if changed := [part for part in parts if not part.is_complete]:
        raise RunError(f"{directory}: missing, or not as it was written: {_names(changed)}: run these shards again")
    numbers = Counter(part.number for part in parts)
    ((number, count),) = numbers.most_common(1)
    if count > 1:
        twice = [part for part in parts if part.number == number]
        raise RunError(f"{directory}: the same shard twice: {_names(twice)}: remove one of them")
    if missing := [str(number) for number in range(1, run["parts"] + 1) if number not in numbers]:
        names = ", ".join([*missing[:_NAMED], *(["…"] if len(missing) > _NAMED else [])])
        raise RunError(f"{directory}: {pluralize(len(missing), 'shard')} of {run['parts']} missing ({names})")
    totals = Summary()
    for part in parts:
        totals.add_all(part.totals)
    return parts, totals


def _manifests(directory: Target) -> list[Target]:
    files: Iterable[Target] = directory.iterdir()
    return sorted((file for file in files if file.name.endswith(SUFFIX)), key=lambda file: file.name)


def _names(parts: Iterable[Part]) -> str:
    names = sorted(part.file.name for part in parts)
    return ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")


def _compare(one: dict[str, Any], other: dict[str, Any]) -> str:
    """Return the names of what differs between two runs."""
    return "compare " + ", ".join(name for name in {**one, **other} if one.get(name) != other.get(name))


def _read(manifest: Target) -> Part:
    """Return the part of a manifest. Raises OSError and RunError."""
    with open_binary(str(manifest)) as stream:
        data = stream.read(_LARGEST)
    try:
        about = json.loads(data)
        run, number, size = about["run"], about["part"], about["bytes"]
        summary = Summary.restore(about["summary"])
        known = isinstance(run, dict) and isinstance(number, int) and isinstance(run["parts"], int)
        if not (known and 1 <= number <= run["parts"] and isinstance(size, int)):
            raise ValueError
    except (LookupError, RecursionError, TypeError, ValueError):
        raise RunError(f"{manifest}: not the manifest of a part: remove it") from None
    return Part(manifest.with_name(manifest.name.removesuffix(SUFFIX)), run, number, size, summary)
