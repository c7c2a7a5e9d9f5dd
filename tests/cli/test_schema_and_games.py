from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hexrec_col import COL

from hexrec.record.json_schema import schema_files
from hexrec.rules import games
from tests.cli.conftest import Run

SCHEMAS = Path(__file__).parent.parent.parent / "schemas"


@pytest.mark.parametrize("game", [*games.names(), None])
def test_schema_is_printed(hexrec: Run, game: str | None) -> None:
    schema = json.loads(hexrec("schema", *filter(None, [game])).out)
    assert schema["title"] == (f"{games.get(game).title} game record" if game else "hexrec game record")


def test_committed_schemas_are_up_to_date(hexrec: Run) -> None:
    assert hexrec("schema", "--check", "--directory", SCHEMAS).err == ""


def test_games_of_other_packages_can_be_left_out(hexrec: Run, tmp_path: Path) -> None:
    games.register(COL)
    try:
        assert hexrec("schema", "--check", "--built-in", "--directory", SCHEMAS).code == 0
        assert hexrec("schema", "--check", "--directory", SCHEMAS).code == 1
        assert hexrec("schema", "--write", "--directory", tmp_path).code == 0
    finally:
        games.unregister("col")
    assert (tmp_path / "col.schema.json").is_file()


def test_write_and_check(hexrec: Run, tmp_path: Path) -> None:
    assert hexrec("schema", "--check", "--directory", tmp_path).code == 1
    assert hexrec("schema", "--write", "--directory", tmp_path).code == 0
    assert hexrec("schema", "--check", "--directory", tmp_path).code == 0
    assert {path.name for path in tmp_path.iterdir()} == {*schema_files(), "tables.json"}
    (tmp_path / "nadraz.schema.json").write_text("{}")
    ran = hexrec("schema", "--check", "--directory", tmp_path)
    assert (ran.code, "nadraz.schema.json" in ran.err, ran.err.count("\n")) == (1, True, 1)
    ran = hexrec("schema", "--check", "--directory", tmp_path / "nadraz.schema.json")
    assert (ran.code, "cannot be read: not a directory\n" in ran.err) == (2, True)


def test_catalog(hexrec: Run, tmp_path: Path) -> None:
    """Every schema is in it, by its own title and description, with the names of files that no other has."""
    assert hexrec("schema", "--write", "--directory", tmp_path).code == 0
    catalog = json.loads((tmp_path / "catalog.json").read_text())
    assert (catalog.keys(), catalog["version"]) == ({"$schema", "version", "schemas"}, 1)
    assert {entry["url"] for entry in catalog["schemas"]} == {path.name for path in tmp_path.glob("*.draft-07.json")}
    for entry in catalog["schemas"]:
        schema = json.loads((tmp_path / entry["url"]).read_text())
        assert (entry["name"], entry["description"]) == (schema["title"], schema["description"])
        kind = entry["url"].partition(".")[0].replace("record", "hexrec")
        assert entry["fileMatch"] == [f"*.{kind}.json", f"*.{kind}.yaml", f"*.{kind}.yml"]


@pytest.mark.parametrize("address", ["https://example.org/hexrec", "https://example.org/hexrec/"])
def test_addresses_in_the_catalog(hexrec: Run, tmp_path: Path, address: str) -> None:
    assert hexrec("schema", "--write", "--directory", tmp_path, "--base-url", address).code == 0
    urls = [entry["url"] for entry in json.loads((tmp_path / "catalog.json").read_text())["schemas"]]
    assert f"https://example.org/hexrec/{games.names()[0]}.draft-07.json" == urls[0]
    assert all(url.startswith("https://example.org/hexrec/") and url.count("//") == 1 for url in urls)
    assert hexrec("schema", "--check", "--directory", tmp_path, "--base-url", address).code == 0
    assert hexrec("schema", "--check", "--directory", tmp_path).err.count("out of date") == len(schema_files())
    printed = json.loads(hexrec("schema", "nadraz", "--base-url", address).out)
    assert printed == json.loads((tmp_path / "nadraz.schema.json").read_text())
    assert printed["$id"] == "https://example.org/hexrec/nadraz.schema.json"


def test_games(hexrec: Run) -> None:
    """Sizes that are usual for games are in brackets."""
    lines = hexrec("games").out.splitlines()
    rows = [re.split("  +", line) for line in lines]
    expected = [
        ["game", "rulesets", "sizes", "opening", "variants", "a turn", "designed by"],
        [
            *("sundraval", "2023", "3 to 11 [9]", "black and white", "none", "e5"),
            "Saïd Gadwen, 2023 (with Drew Edwards and Dale Walton)",
        ],
        ["sunspot", "2024", "4 to 11 [7, 5, 6, 8, 9, 10, 11]", "none", "none", "h8xi3xj2", "Hoembla, 2024"],
        ["frasvel", "2024", "3 to 8 [5]", "black", "none", "c4-c6/e5", "Saïd Galdseid, 2024"],
        [
            *("valaturna", "2023, 2023-first (size 7 only)", "4 to 9 [7, 5]", "black and white", "none", "e5"),
            "Saïd Gadwen, 2023",
        ],
        ["nadraz", "2023", "4 to 14 [10]", "black and white", "reverse", "e5-e8", "Saïd Galdseid, 2023"],
    ]
    assert rows[: len(expected)] == expected
    assert [row[0] for row in rows[1:]] == list(games.names())
    assert len({line.rindex("  ") for line in lines}) == 1, "columns are straight"


def test_designers_need_not_be_known(hexrec: Run) -> None:
    for about, end in (({"designers": (), "year": None}, ""), ({"designers": ("A", "B"), "year": None}, "  A, B")):
        games.register(replace(COL, **about))
        try:
            assert hexrec("games").out.endswith(f"  none      b2{' ' * 6 if end else ''}{end}\n")
        finally:
            games.unregister("col")
