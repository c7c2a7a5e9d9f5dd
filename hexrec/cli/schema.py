"""`hexrec schema`: print or write the JSON Schemas of the record format."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from hexrec.cli import argument, flag, option, options, outputs
from hexrec.cli.console import echo_totals, exit_on_os_error, refuse
from hexrec.codes import is_address
from hexrec.record.json_schema import FOLDER, game_schema, record_schema, schema_files, to_text
from hexrec.tools.turns import data_package


def _check_base_url(value: str) -> str:
    """Return a base URL. Raises BadParameter if it is not the URL of a directory."""
    if value and not is_address(value):
        refuse(f"{value!r} is not the URL of a directory, such as https://example.org/schemas/")
    return value


EXAMPLES = (
    ("hexrec schema nadraz", "Print the schema of one game's records."),
    ("hexrec schema --write --directory schemas", "Write all schemas, and a catalog for editors."),
)


def command(
    game: str | None = argument("[GAME]", "Game of the schema [default: all games].", None, **options.ONE_GAME),
    write: bool = flag("--write", "Write all schemas, a catalog, and the tables of `hexrec turns`."),
    check: bool = flag("--check", "Exit with 1 if --write would change a file."),
    directory: Path = option("--directory DIR", "Set the directory for --write and --check.", default=Path(FOLDER)),
    built_in: bool = flag("--built-in", "Leave out the games of other packages."),
    base_url: str = option(
        "--base-url URL",
        "Set the URL of the published directory, for $id and the catalog.",
        default="",
        callback=_check_base_url,
    ),
) -> None:
    """Print a JSON Schema (draft 2020-12), or write the schemas of all games to files."""
    if not write and not check:
        print(to_text(game_schema(game, base_url) if game else record_schema(base_url)), end="")
        return
    if game is not None or (write and check):
        refuse("give one of GAME, --write and --check")
    files = schema_files(base_url, built_in=built_in) | {"tables.json": to_text(data_package())}
    drifted = [name for name, text in files.items() if _read(directory / name) != text]
    if write:
        for name in drifted:
            path = directory / name
            with exit_on_os_error(path, "written"):
                path.parent.mkdir(parents=True, exist_ok=True)
            with outputs.text(path) as out:
                out.write(files[name])
    for name in drifted:
        echo_totals(f"{'wrote' if write else 'out of date'}: {directory / name}")
    raise SystemExit(1 if check and drifted else 0)


def _read(path: Path) -> str | None:
    with exit_on_os_error(path, "read"), suppress(FileNotFoundError):
        return path.read_text(encoding="utf-8", errors="replace")
    return None
