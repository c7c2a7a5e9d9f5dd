"""What is judged before the command line is imported gets the verdict, and the output, of the full way."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from hexrec import games, kernel
from hexrec import rows as scores
from hexrec.files.discovery import Source
from hexrec.plain import record as plain
from hexrec.plain.files import plies_if_valid, validate
from hexrec.record import Record, RecordError, read_record
from hexrec.validation import check_record, check_sources
from tests.cli.conftest import Run
from tests.cli.conftest import hexrec as hexrec
from tests.faults.wrong_types import RECORD, VALUES
from tests.fixtures import FIXTURES

PLAIN = {
    "hexrec": "1",
    "game": "sundraval",
    "ruleset": "2023",
    "size": 3,
    "coordinates": "row",
    "players": {
        "black": {"name": "A", "id": "a", "rating": 1850.5, "bot": True},
        "white": {"name": "B", "title": "2d"},
    },
    "event": "E",
    "stage": "final",
    "date": "2026-11-20",
    "date_end": "2026-12",
    "rated": True,
    "tags": ["t"],
    "opening": {"black": "c3", "white": "b2"},
    "pie": {"chosen": "white"},
    "moves": ["a1", "a2", "pass", "pass"],
    "result": {"winner": "white", "termination": "rules", "score": {"black": 0, "white": 1.5}, "by": "an arbiter"},
    "id": "i",
    "site": "here",
}


def full(data: Any, *, finished: bool) -> int | None:
    """Return the plies of a record that is valid, by the full way."""
    try:
        report = check_record(read_record(data), finished=finished)
    except RecordError:
        return None
    return report.plies if report.valid else None


def records() -> Iterator[Any]:
    for path in sorted([*FIXTURES.rglob("*.json"), *FIXTURES.rglob("*.jsonl")]):
        for text in (
            [path.read_text(errors="replace")]
            if path.suffix == ".json"
            else path.read_text(errors="replace").split("\n")
        ):
            try:
                yield json.loads(text)
            except ValueError:
                continue


def changed(data: Any) -> Iterator[Any]:
    """Yield copies of data of which one part is gone, or another value."""
    for key in list(data) if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ():
        for value in (*VALUES, "black", "draw", "resignation", "2024-02-30", "2", 2, 3.0, ...):
            made = copy.deepcopy(data)
            if value is ...:
                del made[key]
            else:
                made[key] = value
            yield made
        for inner in changed(data[key]):
            yield {**data, key: inner} if isinstance(data, dict) else [*data[:key], inner, *data[key + 1 :]]


@pytest.mark.parametrize("finished", [False, True])
def test_verdicts_on_fixtures(finished: bool) -> None:
    judged = 0
    for data in records():
        plies = plies_if_valid(data, finished=finished)
        if plies is not None:
            assert plies == full(data, finished=finished), data
            judged += 1
    assert judged > 100


@pytest.mark.parametrize("record", [RECORD, PLAIN], ids=["all fields", "plain"])
def test_verdicts_on_records_with_a_part_changed(record: dict[str, Any]) -> None:
    for data in changed(record):
        plies = plies_if_valid(data)
        assert plies is None or plies == full(data, finished=False), data


def meaning(record: Any) -> dict[str, Any]:
    """Return what the verdict, the row and the hash of a record depend on."""
    names = (
        "GAME",
        "game",
        "ruleset",
        "variant",
        "size",
        "coordinates",
        "stones",
        "setup",
        "turns",
        "moves",
        "id",
        "site",
    )
    claim = record.result
    score = claim and claim.score and (claim.score.black, claim.score.white)
    return {
        **{name: getattr(record, name) for name in (*names, "id", "site", "is_annotated")},
        "result": claim and (claim.winner, claim.termination, score),
    }


def test_plain_records_mean_what_the_models_read() -> None:
    """The models accept whatever is plain, and take it for the same."""
    found = 0
    for data in (*records(), *changed(PLAIN)):
        record = plain.read(data)
        if record is not None:
            assert meaning(record) == meaning(read_record(data, turns_unchecked=True)), data
            found += 1
    assert found > 300


@pytest.mark.parametrize(
    ("ruleset", "size", "moves", "plies"),
    [
        ("2023", 7, ["g5"], 1),
        ("2023", 7, ["pass"], 1),
        ("2023-first", 7, ["g5"], 1),
        ("2023-first", 7, ["pass"], None),
        ("2023-first", 5, ["e5"], None),
        ("2023-second", 7, ["g5"], None),
        (["2023"], 7, ["g5"], None),
        ({}, 7, ["g5"], None),
    ],
)
def test_rulesets(ruleset: Any, size: int, moves: list[str], plies: int | None) -> None:
    opening = {"black": "e4", "white": "e9"} if size == 5 else {"black": "g4", "white": "g10"}
    data = {"hexrec": "1", "game": "valaturna", "ruleset": ruleset, "size": size, "opening": opening, "moves": moves}
    assert plies_if_valid(data) == full(data, finished=False) == plies


def test_what_is_plain_is_judged() -> None:
    """Every field of a plain record may be there."""
    assert plies_if_valid(PLAIN) == 4
    assert plies_if_valid({**PLAIN, "result": {"winner": "white", "termination": "time"}, "moves": ["a1"]}) == 1
    assert plies_if_valid({**PLAIN, "coordinates": "skew"}) is not None


@pytest.mark.parametrize(
    "changes",
    [
        {"ruleset": ...},
        {"event": "\u00e9"},
        {"x-own": None},
        {"x-own": True},
        {"x-own": 1},
        {"x-own": 1.5},
        {"x-own": "text"},
        {"x-\u00e9": "\u00e9"},
        {"result": {"winner": "white"}},
        {"result": {"winner": "white", "score": {"black": 0, "white": 1.5}}},
        {"result": ...},
    ],
    ids=str,
)
def test_what_else_is_plain(changes: dict[str, Any]) -> None:
    data = {name: value for name, value in {**PLAIN, **changes}.items() if value is not ...}
    assert plies_if_valid(data) == full(data, finished=False) == 4


@pytest.mark.parametrize(
    "changes", [{"event": "\ud83d"}, {"x-\ud83d": 1}, {"x-own": "\ud83d"}, {"tags": ["\ud83d"]}], ids=ascii
)
def test_halves_of_surrogate_pairs_are_not_plain(changes: dict[str, Any]) -> None:
    assert plies_if_valid({**PLAIN, **changes}) is None


def test_a_game_without_an_opening_has_no_stones() -> None:
    data = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["e5"]}
    record = plain.read(data)
    assert record is not None
    assert meaning(record) == meaning(read_record(data))
    assert plain.read({**data, "opening": {"black": "e5"}}) is None


@pytest.mark.parametrize("coordinates", ["row", "skew"])
def test_a_plain_record_starts_as_its_model(coordinates: str) -> None:
    data = {**PLAIN, "coordinates": coordinates, "opening": {"black": "a1", "white": "b1"}}
    record = plain.read(data)
    assert record is not None
    assert record.start() == read_record(data).start()


def test_no_group_of_a_score_is_empty() -> None:
    data = {"hexrec": "1", "game": "nadraz", "size": 5, "opening": {"black": "e4", "white": "e9"}, "moves": []}
    for groups, is_plain in (([1], True), ([2, 0], False)):
        result = {"winner": "black", "score": {"black": groups, "white": []}}
        assert (plain.read({**data, "result": result}) is not None) is is_plain


@pytest.mark.parametrize("with_kernels", [True, False])
@pytest.mark.parametrize("game", games.BUILT_IN)
def test_kernels_and_engines_judge_plain_records(
    game: str, with_kernels: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of every game one record for each ruleset and variant, which claims its result."""
    if not with_kernels:
        monkeypatch.setattr(kernel, "play", lambda *_, **__: None)
    lines = (FIXTURES / game / "reference/games.jsonl").read_text(encoding="utf-8").splitlines()
    kinds = {(data.get("ruleset"), data.get("variant")): data for data in map(json.loads, lines)}
    for data in kinds.values():
        assert plies_if_valid(data, finished=True) == full(data, finished=True) == len(data["moves"])
        record = plain.read(data)
        assert record is not None
        assert record.start().variant == data.get("variant")


@pytest.mark.parametrize("game", games.BUILT_IN)
def test_kernels_judge_by_the_variant_and_the_ruleset(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all records; engines are asked only for rulesets that the kernel does not know."""
    asked = []
    usual = kernel.play

    def play(*arguments: Any, **given: Any) -> Any:
        played = usual(*arguments, **given)
        asked.append((given["ruleset"], given["variant"], played is not None))
        return played

    monkeypatch.setattr(kernel, "play", play)
    kinds, judged = set(), set()
    for line in (FIXTURES / game / "reference/games.jsonl").read_text(encoding="utf-8").splitlines():
        data = json.loads(line)
        kind = data.get("ruleset"), data.get("variant")
        kinds.add(kind)
        if data.get("result", {}).get("winner") not in games.COLOURS or plies_if_valid(data, finished=True) is None:
            continue
        loser = "white" if data["result"]["winner"] == "black" else "black"
        data["result"] = {**data["result"], "winner": loser}
        assert plies_if_valid(data, finished=True) is None
        ruleset, variant, is_played = asked[-1]
        assert (ruleset, variant) == kind
        assert is_played == (ruleset in (None, games.get(game).rulesets[0]))
        judged.add(kind)
    assert judged == kinds


@pytest.mark.parametrize(("size", "is_full"), [(262_143, False), (262_144, False), (262_145, True)])
def test_files_of_up_to_256_KiB_are_read_whole(hexrec: Run, tmp_path: Path, size: int, is_full: bool) -> None:  # noqa: N802
    path = tmp_path / "a.json"
    text = json.dumps(PLAIN)
    path.write_text(text.ljust(size))
    assert (validate([str(path)]) is None) is is_full
    path.write_text(text.ljust(size - 1) + "x")
    assert validate([str(path)]) is None
    assert "syntax/json" in hexrec("validate", path).out


def test_rows_and_verdicts_of_plain_records_need_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise AssertionError("a model is made")

    monkeypatch.setattr("hexrec.validation.verdict.read_record", fail)
    monkeypatch.setattr("hexrec.validation.report.read_record", fail)
    found = check_sources([Source(str(FIXTURES / "nadraz" / "reference" / "games.jsonl"))])
    assert set(scores.columns(found)["code"]) == {None}


def test_the_record_of_a_report_on_a_plain_record_is_its_model() -> None:
    """It is made when it is asked for."""
    (report,) = islice(check_sources([Source(str(FIXTURES / "nadraz" / "reference" / "games.jsonl"))]), 1)
    assert isinstance(report.record, Record)
    assert report.record is report.record
    assert report.record.turns == report.canonical


def run(*arguments: str, folder: Path) -> tuple[int, str, str]:
    ran = subprocess.run(
        [sys.executable, "-m", "hexrec", "validate", *arguments], capture_output=True, text=True, cwd=folder
    )
    return ran.returncode, ran.stdout, ran.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tmp_path.joinpath("good.json").write_text(json.dumps(PLAIN))
    tmp_path.joinpath("good.jsonl").write_text(f"{json.dumps(PLAIN)}\n\n{json.dumps(PLAIN)}\n")
    tmp_path.joinpath("bad.json").write_text(json.dumps({**PLAIN, "moves": ["a1", "a1"]}))
    tmp_path.joinpath("unfinished.json").write_text(
        json.dumps({**PLAIN, "moves": ["a1"]} | {"result": None}).replace(', "result": null', "")
    )
    return tmp_path


@pytest.mark.parametrize(
    "paths",
    [["good.json"], ["good.jsonl"], ["good.json", "good.jsonl"], ["good.json", "bad.json"], ["good.json", "none.json"]],
)
def test_the_output_is_that_of_the_full_way(folder: Path, paths: list[str]) -> None:
    assert run(*paths, folder=folder) == run("--jobs", "1", *paths, folder=folder)


def test_nothing_heavy_is_imported_for_a_plain_file(folder: Path) -> None:
    program = "import sys; from hexrec.__main__ import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    ran = subprocess.run(
        [sys.executable, "-c", program, "validate", "good.json"], capture_output=True, text=True, cwd=folder
    )
    assert ran.stdout == "1 record in 1 file: 1 valid, 0 invalid; 4 plies replayed\n"
    assert not {*ran.stderr.split()} & {"pydantic", "typer", "yaml", "hexrec.cli", "hexrec.validation", "hexrec.batch"}


class TestArguments:
    def test_files(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(folder)
        Path("good.ndjson").write_text(Path("good.jsonl").read_text())
        summary = validate(["good.json", "good.jsonl", "good.ndjson"])
        assert summary is not None
        assert summary.line() == "5 records in 3 files: 5 valid, 0 invalid; 20 plies replayed"
        assert summary.exit_code == 0

    def test_how_large_files_may_be_together(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(folder)
        size = len(json.dumps(PLAIN)) + 100
        monkeypatch.setattr("hexrec.plain.files._MOST", 2 * size)
        for name, more in (("one.json", 0), ("other.json", 0), ("larger.json", 1)):
            Path(name).write_text(json.dumps(PLAIN).ljust(size + more))
        assert validate(["one.json", "other.json"]) is not None
        assert validate(["one.json", "larger.json"]) is None

    def test_settings_are_looked_for_above_the_first_file(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (folder / "sub/deep").mkdir(parents=True)
        (folder / "elsewhere").mkdir()
        (folder / "sub/deep/a.json").write_text((folder / "unfinished.json").read_text())
        monkeypatch.chdir(folder / "elsewhere")
        for name, text in (("hexrec.toml", "finished = true"), ("pyproject.toml", "[tool.hexrec]\nfinished = true")):
            for place in ("sub", "sub/deep", "elsewhere"):
                file = folder / place / name
                file.write_text(text)
                assert (validate(["../sub/deep/a.json"]) is None) is (place != "elsewhere")
                file.unlink()

    def test_every_file_has_the_settings_nearest_above_it(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(folder)
        for name in ("a", "b"):
            Path(name).mkdir()
            Path(name, "x.json").write_text(Path("unfinished.json").read_text())
        assert validate(["a/x.json", "b/x.json"]) is not None
        Path("b/hexrec.toml").write_text("finished = true")
        assert validate(["a/x.json", "b/x.json"]) is None

    @pytest.mark.parametrize(
        "arguments",
        [
            [],
            ["-"],
            ["--help"],
            ["good.json", "--quiet"],
            ["."],
            ["none.json"],
            ["bad.json"],
            ["good.yaml"],
            ["link.json"],
            ["twice.json"],
            ["large.json"],
            ["escape.json"],
            ["escaped.json"],
            ["-good.json"],
            ["infinite.json"],
            ["constant.json"],
            ["empty.jsonl"],
            ["encoded.json"],
        ],
    )
    def test_everything_else_goes_the_full_way(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
    ) -> None:
        monkeypatch.chdir(folder)
        good = json.dumps(PLAIN)
        Path("good.yaml").write_text(good)
        Path("link.json").symlink_to("good.json")
        Path("twice.json").write_text(good[:-1] + ', "event": "F"}')
        Path("large.json").write_text(good + " " * 300_000)
        Path("escape.json").write_text(good.replace('"E"', '"\\ud83d"'))
        Path("escaped.json").write_text(good.replace('"E"', '"\\u00e9"'))
        Path("-good.json").write_text(good)
        Path("infinite.json").write_text(good[:-1] + ', "x-n": 1e999}')
        Path("constant.json").write_text(good[:-1] + ', "x-n": NaN}')
        Path("empty.jsonl").write_text("\n")
        Path("encoded.json").write_bytes(b"\xff\xfe" + good.encode("utf-16-le"))
        assert validate(arguments) is None

    @pytest.mark.parametrize(
        ("name", "settings", "judged"),
        [
            ("hexrec.toml", "finished = true", False),
            ("hexrec.toml", "finished = false", True),
            ("hexrec.toml", "finished = 1", False),
            ("hexrec.toml", "lint = true", False),
            ("hexrec.toml", "[", False),
            ("pyproject.toml", "[project]\nname = 'a'", True),
            ("pyproject.toml", "[tool.hexrec]\nfinished = true", False),
            ("pyproject.toml", "[tool.hexrec]", True),
            ("pyproject.toml", "tool = 1", True),
            ("pyproject.toml", "x = " + "[" * 100 + "]" * 100, True),
            ("pyproject.toml", "x = " + "[" * 101 + "]" * 101, False),
            ("pyproject.toml", "x = " + "[\n" * 100 + "]\n" * 100, True),
            ("pyproject.toml", "x = " + "[\n" * 101 + "]\n" * 101, False),
            ("pyproject.toml", "x = " + "{a = " * 100 + "1" + "}" * 100, True),
            ("pyproject.toml", "x = " + "{a = " * 101 + "1" + "}" * 101, False),
            ("pyproject.toml", "x = " + "[{a = " * 51 + "1" + "}]" * 51, False),
            ("pyproject.toml", "a." * 100 + "a = 1", True),
            ("pyproject.toml", "a." * 101 + "a = 1", False),
            ("pyproject.toml", "\n".join(f"[t{n}]\na = {{b = [1]}}" for n in range(101)), True),
            ("pyproject.toml", "y = ']'\nx = " + "[" * 100 + "]" * 100, True),
            ("pyproject.toml", "y = '\\u00e9'", False),
        ],
    )
    def test_settings(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, settings: str, judged: bool
    ) -> None:
        monkeypatch.chdir(folder)
        Path(name).write_text(settings)
        assert (validate(["unfinished.json"]) is not None) is judged

    def test_settings_that_are_wrong(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(folder)
        for settings in ("finished = 1", "[", "finnished = true", "[finished]"):
            Path("hexrec.toml").write_text(settings)
            assert validate(["good.json"]) is None

    @pytest.mark.parametrize(
        ("settings", "judged"),
        [
            ("lint = false", True),
            ('select = ["move", "result/not-over"]', True),
            ('ignore = ["lint", "move/occupied"]', True),
            ('ignore = ["lint/duplicate-mirrored"]', True),
            ("warn = []", True),
            ('[per-path-ignores]\n"a/**" = ["schema/range"]', True),
            ('select = ["lint"]', False),
            ('warn = ["lint/size"]', False),
            ('ignore = ["no/such"]', False),
            ('ignore = ["Move"]', False),
            ('ignore = ["move/more"]', False),
            ('ignore = ["schema/more"]', False),
            ('ignore = ["syntax/unreadable"]', False),
            ('ignore = ["syntax"]', False),
            ('ignore = ["move/"]', False),
            ('ignore = ["move/flip"]', False),
            ('ignore = ["games.move"]', False),
            ('ignore = [""]', False),
            ('ignore = "move"', False),
            ("ignore = [1]", False),
            ("per-path-ignores = 1", False),
            ('[per-path-ignores]\n"a" = "move"', False),
            ("a." * 100 + "a = 1", False),
            ("x = " + "[" * 101 + "]" * 101, False),
        ],
    )
    def test_rules_about_codes(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch, hexrec: Run, settings: str, judged: bool
    ) -> None:
        """Where settings are ignored, the command line, which follows them, says the same."""
        monkeypatch.chdir(folder)
        Path("hexrec.toml").write_text(settings)
        summary = validate(["good.json"])
        assert (summary is not None) is judged
        if summary is not None:
            ran = hexrec("validate", "good.json")
            assert (ran.code, ran.out) == (0, f"{summary.line()}\n")
