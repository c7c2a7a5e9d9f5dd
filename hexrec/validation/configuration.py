"""Settings of projects, and the options of a command that have precedence over them.

Settings are in the table `tool.hexrec` of `pyproject.toml`, or in the file `hexrec.toml`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from hexrec.errors import RunError, reason_of
from hexrec.util.diagnostics import Diagnostic, close_matches, shorten
from hexrec.util.limits import MAX_BASELINE_BYTES, MAX_SETTINGS_BYTES, SETTINGS_FILES, in_words
from hexrec.util.regular_files import is_trusted, open_regular, user_name
from hexrec.util.streams import STANDARD_INPUT
from hexrec.validation.grading import Layer, PathIgnores, Rules, grade
from hexrec.validation.report import Report
from hexrec.validation.search import SearchedDirectories

if TYPE_CHECKING:  # rarely needed, and slow to import
    from pathlib import Path

    from hexrec.io.discovery import Source
    from hexrec.io.git import RevisionFiles

#: The types of the values of keys that have no codes, and their forms in messages.
_FORMS: Mapping[str, tuple[type, str]] = {
    "finished": (bool, "true or false"),
    "lint": (bool, "true or false"),
    "per-path-ignores": (dict, "a table of patterns with arrays of codes"),
    "baseline": (str, "the path of a file"),
}
_KEYS = ("select", "ignore", "warn", "finished", "lint", "baseline", "per-path-ignores")
#: The maximum number of dots in a line: the time and memory of tomllib grow with the square of the parts of a key.
_MOST_DOTS = 300
#: The maximum numbers of patterns of paths, and of the characters of all patterns: each file is compared with all.
_MOST_PATTERNS, _MOST_CHARACTERS = 1_000, 20_000
#: The number of files whose configuration is kept: a run asks for that of a file several times.
_FILES = 1 << 14


class Misconfigured(RunError, ValueError):
    """Invalid settings; the message names the file and the key.

    Attributes:
        file: the path of the settings, if they were found above a file of records.
    """

    def __init__(self, message: str, file: str | None = None) -> None:
        super().__init__(message)
        self.file = file


class Configuration(NamedTuple):
    """The requirements for records, from a project or from options and a project together.

    Attributes:
        layers: the rules, in order of precedence.
        finished: whether every record must have a result.
        lint: whether to warn about valid content that is probably unintended or not canonical.
        baseline: the file of known diagnostics, or None.
    """

    layers: tuple[Layer, ...] = ()
    finished: bool = False
    lint: bool = False
    baseline: Path | None = None


class _Found(NamedTuple):
    """The settings in a directory: their file, its owner if that matters, the configuration combined with options.

    An exception in place of the configuration says why the file cannot be used.
    """

    file: str
    owner: int | None
    configuration: Configuration | Misconfigured


class Settings:
    """Configurations by file: options combined with the nearest settings above each file.

    Each directory is searched once.
    """

    def __init__(
        self,
        *rules: Layer,
        finished: bool | None = None,
        lint: bool | None = None,
        baseline: Path | None = None,
        files: bool = True,
        given: Configuration | None = None,
        revision: RevisionFiles | None = None,
    ) -> None:
        """Give `rules`, and the other options unless None, precedence over the settings of a project.

        Without `files`, no settings are read. Settings that are `given` apply to all files in place of any others.
        Settings and baselines are files of the working tree, or those of a `revision` of its repository.
        """
        self._rules = rules
        self._finished = finished
        self._lint = lint
        self._baseline = baseline
        self._nowhere = self._with_options(given or Configuration())
        self._files = files and given is None
        self._revision = revision
        self._directories = SearchedDirectories()
        # Files share the settings of their directory, and directories those above them.
        self._search = lru_cache(_FILES)(self._find_for)
        self._found_above = cache(self._find_above)
        self._found_in = cache(self._find_in)

    def find(self, path: str) -> Configuration:
        """Return the configuration for a file, or for a directory; for stdin, that of the current directory.

        In a directory, `hexrec.toml` has precedence over `pyproject.toml`. A `pyproject.toml` without the table
        `tool.hexrec` is skipped. Raises Misconfigured, also for settings of another user.
        """
        return self._search(path) if self._files else self._nowhere

    def _find_for(self, path: str) -> Configuration:
        directory = os.path.abspath("." if path == STANDARD_INPUT else path)
        while not os.path.isdir(directory) and os.path.dirname(directory) != directory:
            directory = os.path.dirname(directory)
        if self._revision:
            self._root(directory)
        found = self._found_above(directory)
        if found is None:
            return self._nowhere
        if found.owner is not None and not is_trusted(found.owner, directory):
            problem = f"these settings belong to another user ({user_name(found.owner)})"
            raise Misconfigured(
                f"{found.file}: {problem}: give --config FILE to use settings, or --no-config", found.file
            )
        if isinstance(found.configuration, Misconfigured):
            raise found.configuration
        return found.configuration

    def _find_above(self, directory: str) -> _Found | None:
        return next(filter(None, map(self._found_in, self._directories.search(directory))), None)

    def _find_in(self, directory: str) -> _Found | None:
        files = (os.path.join(directory, name) for name in SETTINGS_FILES)
        return next(filter(None, map(self._read, files)), None)

    def _read(self, file: str) -> _Found | None:
        """Return the settings in a file; None without a file, and for a `pyproject.toml` without the table."""
        owner = None
        try:
            if self._revision:
                raw = self._revision.read(file, self._root(os.path.dirname(file)), MAX_SETTINGS_BYTES)
            else:
                try:
                    owner = os.lstat(file).st_uid
                except (OSError, ValueError):  # also for a directory without permission to search
                    return None
                raw, owner = _read_bounded(file, MAX_SETTINGS_BYTES)
            configuration = None if raw is None else _settings(raw, file, self._suffix)
        except Misconfigured as error:
            return _Found(file, owner, Misconfigured(str(error), file))
        return None if configuration is None else _Found(file, owner, self._with_options(configuration))

    @property
    def _suffix(self) -> str:
        """The words that follow the name of a file of the revision; empty without one."""
        return f" at {self._revision.name}" if self._revision else ""

    def _root(self, directory: str) -> str:
        """Return the root of the repository of a directory. Raises Misconfigured."""
        root = self._directories.repository(directory)
        if root is None:
            fix = "give --config FILE or --no-config"
            raise Misconfigured(f"--config-from needs a git repository ({directory} is in none): {fix}")
        return root

    def read_baseline(self, file: Path, *, named_by_user: bool = False) -> tuple[bytes | None, str]:
        """Return the content of a baseline that settings or a user name, and the suffix of its name.

        A user may name a pipe. With a revision, a file that a user names may be outside the repository, and None means
        that the revision does not have it. Raises Misconfigured, RunError.
        """
        folder = os.path.dirname(os.path.abspath(file))
        if self._revision and (self._directories.repository(folder) or not named_by_user):
            content = self._revision.read(file, self._root(folder), MAX_BASELINE_BYTES)
            if content is None and not named_by_user:
                raise Misconfigured(f"{file}{self._suffix}: cannot be read: no such file")
            return content, self._suffix
        limit = None if named_by_user else MAX_BASELINE_BYTES
        return _read_bounded(file, limit, named_by_user=named_by_user)[0], ""

    def leave_out_baselines(self, sources: Iterable[Source | Diagnostic]) -> Iterator[Source | Diagnostic]:
        """Yield sources without the baselines that are in use for them."""
        for source in sources:
            if isinstance(source, Diagnostic) or not _is_same(source.name, self.find(source.name).baseline):
                yield source

    def grade(self, report: Report) -> Report:
        """Return a report with the diagnostics that the settings of its file select."""
        return grade(report, self.find(report.file or "").layers) if report.diagnostics else report

    def _with_options(self, configuration: Configuration) -> Configuration:
        layers = tuple(layer for layer in (*self._rules, *configuration.layers) if layer)
        asked = any(isinstance(layer, Rules) and layer.asks_for_lint() for layer in layers)
        return Configuration(
            layers,
            configuration.finished if self._finished is None else self._finished,
            configuration.lint or asked if self._lint is None else self._lint,
            self._baseline or configuration.baseline,
        )


def _is_same(path: str, file: Path | None) -> bool:
    return file is not None and os.path.basename(path) == file.name and os.path.realpath(path) == os.path.realpath(file)


def printable_source(file: str | Path) -> str:
    """Return the name of a file of rules for reports: relative to the current directory if it is below it."""
    path = os.path.abspath(file)
    below = os.path.relpath(path)
    name = path if below.split(os.sep, 1)[0] == os.pardir else below
    return name.replace(os.sep, "/").encode(errors="backslashreplace").decode()


def read_configuration(file: Path) -> Configuration:
    """Read the settings in a file that a user names, which may be a pipe or a symbolic link.

    In `pyproject.toml`, they are in its table `tool.hexrec`. Raises Misconfigured.
    """
    raw, _ = _read_bounded(file, MAX_SETTINGS_BYTES, named_by_user=True)
    return _settings(raw, str(file)) or Configuration()


def _read_bounded(file: str | Path, limit: int | None, *, named_by_user: bool = False) -> tuple[bytes, int]:
    """Return the bytes of a file, at most `limit`, and the number of the user who owns it. Raises Misconfigured."""
    try:
        with open(file, "rb") if named_by_user else open_regular(file) as stream:
            raw = stream.read(-1 if limit is None else limit + 1) or b""
            owner = os.fstat(stream.fileno()).st_uid
    except OSError as error:
        raise Misconfigured(f"{file}: cannot be read: {reason_of(error)}") from None
    except ValueError:
        raise Misconfigured(f"{file}: cannot be read: not a path on this system") from None
    if limit is not None and len(raw) > limit:
        raise Misconfigured(f"{file}: larger than {in_words(limit)}: not read")
    return raw, owner


def _settings(raw: bytes, file: str, suffix: str = "") -> Configuration | None:
    """Return the settings in the bytes of a file; None for a `pyproject.toml` without the table.

    The suffix follows the name of the file in messages and reports.
    """
    name = f"{file}{suffix}"
    table = _parse(raw, name)
    if os.path.basename(file) != "pyproject.toml":
        return _configuration(table, file, suffix, f"{name}: ")
    tool = table.get("tool")
    if not isinstance(tool, dict) or "hexrec" not in tool:
        return None
    if not isinstance(tool["hexrec"], dict):
        raise Misconfigured(f"{name}: tool.hexrec: should be a table")
    return _configuration(tool["hexrec"], file, suffix, f"{name}: tool.hexrec.")


def _parse(raw: bytes, file: str) -> dict[str, Any]:
    import tomllib

    try:
        text = raw.decode()
        lines = text.split("\n")
        dotted = next((number for number, line in enumerate(lines, 1) if line.count(".") > _MOST_DOTS), None)
        if dotted is None:
            return tomllib.loads(text)
        problem = f"line {dotted}: more than {_MOST_DOTS} dots in a line"
    except RecursionError:
        problem = "arrays or tables are nested too deep"
    except ValueError as error:
        place = re.search(r" \(at line \d+, column \d+\)", str(error))
        problem = (
            f"not TOML{place[0] if place else ''}: settings are lines such as `lint = true`, with strings in quotes"
        )
    raise Misconfigured(f"{file}: {problem}")


def _configuration(table: Mapping[str, Any], file: str, suffix: str, lead: str) -> Configuration:
    """Return the configuration in a table of a file; `lead` precedes the names of keys in messages."""
    for key in table.keys() - set(_KEYS):
        near = close_matches(key, _KEYS, 1)
        hint = f"perhaps {near[0]}" if near else f"there are {', '.join(_KEYS)}"
        raise Misconfigured(f"{lead}{shorten(key)}: unknown key: {hint}")
    for key, (kind, form) in _FORMS.items():
        if not isinstance(table.get(key, kind()), kind):
            raise Misconfigured(f"{lead}{key}: should be {form}")
    patterns = table.get("per-path-ignores", {})
    characters = sum(map(len, patterns))
    if len(patterns) > _MOST_PATTERNS or characters > _MOST_CHARACTERS:
        most = f"at most {_MOST_PATTERNS:,} patterns of {_MOST_CHARACTERS:,} characters together"
        count = f"{len(patterns):,} of {characters:,}"
        raise Misconfigured(f"{lead}per-path-ignores: should have {most} ({count}): name directories")
    if patterns:
        from hexrec.util.path_pattern import PathPattern
    ignores = tuple(
        (PathPattern(pattern), Rules(ignore=_codes(codes, "ignore", f'{lead}per-path-ignores."{pattern}"')))
        for pattern, codes in patterns.items()
    )
    named = {key: _codes(table.get(key, []), key, f"{lead}{key}") for key in ("select", "ignore", "warn")}
    folder = os.path.dirname(file)
    by = printable_source(file) + suffix
    layers = PathIgnores(os.path.abspath(folder), ignores, by), Rules(**named, by=by)
    baseline = None
    if "baseline" in table:
        from pathlib import Path

        baseline = Path(folder, table["baseline"])
    return Configuration(layers, table.get("finished", False), table.get("lint", False), baseline)


def _codes(codes: Any, option: str, place: str) -> Any:
    """Return the codes for an option of `Rules`. Raises Misconfigured for a name that no rule may have."""
    if not isinstance(codes, list) or not all(isinstance(code, str) for code in codes):
        raise Misconfigured(f"{place}: should be an array of codes")
    options: dict[str, Any] = {option: codes}
    try:
        Rules(**options)
    except ValueError as error:
        raise Misconfigured(f"{place}: {error}") from None
    return codes
