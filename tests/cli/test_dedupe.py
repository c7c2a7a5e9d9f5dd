"""`hexrec dedupe`: each game once, and what is said of the others."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from hexrec.record.identity import Identity, identify
from hexrec.record.record import Record
from hexrec.rules import games
from hexrec.rules.board import System, hexagon
from tests.cli.conftest import Ran, Run
from tests.properties import sample
from tests.tools.test_duplicates import from_setup, references, respelled

TURNED = 5
IDENTITY = 0


def written(file: Path, records: Iterable[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return file


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def cut(data: dict[str, Any], plies: int) -> dict[str, Any]:
    """Return the record of a game that was copied before it was over."""
    return {name: value for name, value in data.items() if name != "result"} | {"moves": data["moves"][:plies]}


def image(data: dict[str, Any], symmetry: int, system: System = "row") -> dict[str, Any]:
    return respelled(data, hexagon(data["size"]).symmetries[symmetry], system)


def said(ran: Ran) -> list[str]:
    """Return what is said of records, without the file that they are in."""
    return [line.partition(": ")[2].replace(" of a.jsonl", "") for line in ran.err.splitlines() if ".jsonl: " in line]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Two games of each kind, in canonical form."""
    return written(tmp_path / "archive.jsonl", (data for game in games.names() for data in references(game)[:2]))


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_first_of_the_same_games_is_written(hexrec: Run, game: dict[str, Any]) -> None:
    """What else the records say does not matter, nor the format, the spelling and the coordinates."""
    written(Path("a.jsonl"), [{**game, "event": "first"}, {**game, "moves": ["b1"]}])
    written(Path("b.jsonl"), [{**game, "event": "second"}, image(game, IDENTITY, "axial")])
    Path("c.yaml").write_text(json.dumps({**game, "moves": [" A1", {"turn": "A2", "comment": "!"}, "PASS", "pass"]}))
    ran = hexrec("dedupe", "a.jsonl", "b.jsonl", "c.yaml", "--to", "jsonl")
    assert ran.code == 0
    assert [(record.get("event"), len(record["moves"])) for record in lines(ran.out)] == [("first", 4), (None, 1)]
    assert ran.err == (
        "b.jsonl: record 0: dropped: the same game as record 0 of a.jsonl\n"
        "b.jsonl: record 1: dropped: the same game as record 0 of a.jsonl\n"
        "c.yaml: record 0: dropped: the same game as record 0 of a.jsonl\n"
        "2 of 5 records written, 3 dropped, 0 left out; 0 reported and kept\n"
    )


@pytest.mark.parametrize("symmetry", sample(range(1, 12), 5))
def test_turned_and_mirrored_copies_go_when_asked_for(hexrec: Run, archive: Path, symmetry: int) -> None:
    records = lines(archive.read_text())
    copies = written(Path("copies.jsonl"), (image(data, symmetry) for data in records))
    ran = hexrec("dedupe", archive, copies, "--mirrored", "drop", "--to", "jsonl")
    assert (ran.code, ran.out) == (0, hexrec("dedupe", archive, "--to", "jsonl").out)
    ran = hexrec("dedupe", archive, copies, "--to", "jsonl", "--report", "found.jsonl")
    assert len(lines(ran.out)) == 2 * len(records)
    assert lines(Path("found.jsonl").read_text()) == [
        {
            "file": "copies.jsonl",
            "record": index,
            "kind": "same",
            "mirrored": True,
            "dropped": False,
            "of": {"file": str(archive), "record": index},
        }
        for index in range(len(records))
    ]


def test_an_image_is_kept_once(hexrec: Run, game: dict[str, Any]) -> None:
    written(Path("a.jsonl"), [game, image(game, 1), image(game, 2), image(game, 1), game])
    ran = hexrec("dedupe", "a.jsonl", "--to", "jsonl")
    assert said(ran) == [
        "record 1: kept: the same game, rotated or mirrored, as record 0",
        "record 2: kept: the same game, rotated or mirrored, as record 0",
        "record 3: dropped: the same game as record 1",
        "record 4: dropped: the same game as record 0",
    ]
    ran = hexrec("dedupe", "a.jsonl", "--to", "jsonl", "--mirrored", "drop")
    assert ran.err.endswith("1 of 5 records written, 4 dropped, 0 left out; 0 reported and kept\n")


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
@pytest.mark.parametrize(("first", "symmetry"), [("short", IDENTITY), ("long", TURNED)])
def test_unfinished_copies_in_either_order(hexrec: Run, game: str, first: str, symmetry: int) -> None:
    long = references(game)[0]
    short = image(cut(long, len(long["moves"]) // 2), symmetry)
    records = [short, long] if first == "short" else [long, short]
    written(Path("a.jsonl"), records)
    number = records.index(short)
    turned = "" if symmetry == IDENTITY else ", rotated or mirrored,"
    what = f"the beginning{turned} of record {1 - number}"
    for options, kept in ([], True), (["--prefixes", "drop"], symmetry != IDENTITY), (["--mirrored", "drop"], True):
        ran = hexrec("dedupe", "a.jsonl", "--to", "jsonl", *options)
        assert said(ran) == [f"record {number}: {'kept' if kept else 'dropped'}: {what}"]
        assert len(lines(ran.out)) == 1 + kept
        assert ran.code == 0
    ran = hexrec("dedupe", "a.jsonl", "--to", "jsonl", "--prefixes", "drop", "--mirrored", "drop")
    assert said(ran) == [f"record {number}: dropped: {what}"]
    assert ran.out == hexrec("convert", "-", "--to", "jsonl", stdin=json.dumps(long).encode()).out
    ran = hexrec("dedupe", "a.jsonl", "--to", "jsonl", "--prefixes", "ignore")
    assert (said(ran), len(lines(ran.out))) == ([], 2)


def test_the_longest_game_is_named(hexrec: Run) -> None:
    long = references("nadraz")[0]
    written(Path("a.jsonl"), [cut(long, 3), cut(long, 9), image(long, TURNED), cut(long, 6), cut(long, 9)])
    ran = hexrec("dedupe", "a.jsonl", "--to", "jsonl", "--prefixes", "drop")
    assert said(ran) == [
        "record 0: dropped: the beginning of record 1",
        "record 1: kept: the beginning, rotated or mirrored, of record 2",
        "record 3: dropped: the beginning of record 1",
        "record 4: dropped: the same game as record 1",
    ]
    ran = hexrec("dedupe", "a.jsonl", "--to", "jsonl", "--prefixes", "drop", "--mirrored", "drop")
    beginning = "the beginning, rotated or mirrored, of record 2"
    assert said(ran)[:3] == [f"record {number}: dropped: {beginning}" for number in (0, 1, 3)]
    assert len(lines(ran.out)) == 1


def test_a_game_with_a_result_of_its_own_is_no_copy(hexrec: Run) -> None:
    """It was given up, and another game went the same way for a while: that is reported, but both are games."""
    long = references("frasvel")[0]
    given_up = {**cut(long, 4), "result": {"winner": "white", "termination": "resignation"}}
    for other in (long, {**given_up, "moves": long["moves"][:6]}):
        written(Path("a.jsonl"), [given_up, other])
        ran = hexrec("dedupe", "a.jsonl", "--to", "jsonl", "--prefixes", "drop")
        assert said(ran) == ["record 0: kept: the beginning of record 1"]
        assert len(lines(ran.out)) == 2


def test_mirrored_games_are_ignored(hexrec: Run, archive: Path) -> None:
    """Neither as duplicates nor as beginnings; games as they are are still compared."""
    records = lines(archive.read_text())
    more = [*(image(data, TURNED) for data in records), *(cut(image(data, TURNED), 3) for data in records), *records]
    written(Path("a.jsonl"), more)
    ran = hexrec("dedupe", archive, "a.jsonl", "--to", "jsonl", "--mirrored", "ignore")
    assert (ran.code, len(lines(ran.out))) == (0, 3 * len(records))
    dropped = [f"record {2 * len(records) + number}: dropped: the same game" for number in range(len(records))]
    kept = [f"record {len(records) + number}: kept: the beginning" for number in range(len(records))]
    assert [line.partition(" of ")[0].partition(" as ")[0] for line in said(ran)] == [*dropped, *kept]


@pytest.mark.parametrize("options", [[], ["--mirrored", "drop"], ["--prefixes", "drop"]], ids=str)
def test_many_games_are_sorted_in_files(
    hexrec: Run, archive: Path, monkeypatch: pytest.MonkeyPatch, options: list[str]
) -> None:
    records = lines(archive.read_text())
    more = [cut(image(data, symmetry), plies) for data in records for symmetry in (0, 5) for plies in (2, 4, 3, 9)]
    written(Path("a.jsonl"), more)
    ran = hexrec("dedupe", "a.jsonl", "--to", "jsonl", *options)
    assert "the beginning of" in ran.err
    monkeypatch.setattr("hexrec.tools.dedupe._MEMORY", 1)
    assert hexrec("dedupe", "a.jsonl", "--to", "jsonl", *options) == ran


@pytest.mark.parametrize("options", [[], ["--prefixes", "drop"], ["--check"]], ids=str)
def test_several_processes_find_the_same(hexrec: Run, archive: Path, options: list[str]) -> None:
    records = lines(archive.read_text())
    broken = {**records[0], "moves": ["z9"]}
    written(Path("a.jsonl"), [*records, broken, *(cut(data, 5) for data in records), *records])
    to = () if "--check" in options else ("--to", "yaml")
    alone = hexrec("dedupe", archive, "a.jsonl", *to, *options, "-j1")
    assert "dropped" in alone.err
    assert hexrec("dedupe", archive, "a.jsonl", *to, *options, "-j2") == alone


def test_prefixes_of_standard_input_are_dropped(hexrec: Run, game: dict[str, Any]) -> None:
    data = "".join(json.dumps(each) + "\n" for each in (cut(game, 2), game)).encode()
    ran = hexrec("dedupe", "-", "--from", "jsonl", "--to", "jsonl", "--prefixes", "drop", stdin=data)
    assert (ran.code, len(lines(ran.out))) == (0, 1)


@pytest.mark.parametrize("options", [[], ["--prefixes", "drop", "--mirrored", "drop"]])
def test_once_is_enough(hexrec: Run, archive: Path, options: list[str]) -> None:
    records = lines(archive.read_text())
    more = [*records, *records, *(cut(data, 5) for data in records), *(image(data, TURNED) for data in records)]
    Random(0).shuffle(more)
    written(Path("a.jsonl"), more)
    once = hexrec("dedupe", "a.jsonl", "--to", "jsonl", *options)
    again = hexrec("dedupe", written(Path("b.jsonl"), lines(once.out)), "--to", "jsonl", *options)
    assert 0 < len(lines(once.out)) <= len(more) - len(records)
    assert again.out == once.out
    assert " 0 dropped" in again.err


class Naive(NamedTuple):
    """A game as the turns that all twelve onlookers write down, the first of them as the record has it."""

    images: list[tuple[str, ...]]
    plies: int

    @classmethod
    def of(cls, data: dict[str, Any]) -> Naive:
        seen = (image(data, symmetry) for symmetry in range(12))
        return cls([(*each.get("opening", {}).values(), *each["moves"]) for each in seen], len(data["moves"]))

    def relation(self, other: Naive) -> str | None:
        """Say how a game is another or its beginning."""
        end = len(self.images[0])
        beginnings = [turns[:end] for turns in other.images]
        if self.images[0] not in beginnings:
            return None
        which = "same" if self.plies == other.plies else "beginning"
        return which if self.images[0] == beginnings[0] else f"{which} mirrored"


def naively(records: list[Naive]) -> Iterator[tuple[int, str, int]]:
    """Yield which record is another or its beginning, how, and which other: by comparing each with each."""
    kept: list[int] = []
    for number, record in enumerate(records):
        found = {relation: other for other in reversed(kept) if (relation := record.relation(records[other]))}
        for relation in ("same", "same mirrored"):
            if relation in found:
                yield number, relation, found[relation]
                break
        if "same" not in found:
            kept.append(number)
    for number in kept:
        found = {}
        for other in sorted(kept, key=lambda other: records[other].plies):
            relation = records[number].relation(records[other])
            if relation and relation.startswith("beginning"):
                if relation in found and records[found[relation]].plies == records[other].plies:
                    continue
                found[relation] = other
        if found:
            yield (number, *min(found.items()))


@pytest.mark.parametrize("game", games.names())
def test_like_comparing_each_game_with_each(hexrec: Run, game: str) -> None:
    """Few games on small boards, so that there are many copies, beginnings and images."""
    rng = Random(game)
    size = games.get(game).sizes[0]
    out = hexrec("random", game, "--size", str(size), "--count", "3", "--plies", "6", "--seed", "1").out
    made = [data for data in lines(out) if "result" not in data]
    assert made
    symmetric = dict(made[0], moves=[])
    records = [
        image(cut(rng.choice(made), rng.randint(1, 6)), rng.choice([IDENTITY, rng.randrange(12)])) for _ in range(40)
    ]
    written(Path("a.jsonl"), [*records, symmetric])
    ran = hexrec("dedupe", "a.jsonl", "--to", "jsonl", "--report", "found.jsonl")
    assert ran.code == 0
    found = [
        (each["record"], each["kind"] + " mirrored" * each["mirrored"], each["of"]["record"])
        for each in lines(Path("found.jsonl").read_text())
    ]
    expected = list(naively([Naive.of(data) for data in records]))
    assert {relation for _, relation, _ in expected} >= {"same", "same mirrored", "beginning"}
    assert found == expected
    assert len(lines(ran.out)) == 41 - sum(relation == "same" for _, relation, _ in expected)


def test_cells_of_different_boards_are_different(hexrec: Run) -> None:
    """Games of one turn are told apart by the size of the board and by how far out the cell is, and in what corner."""
    names = {size: hexagon(size).names().cells for size in range(4, 9)}
    records = [
        {"hexrec": "1", "game": "sunspot", "size": size, "moves": [name]}
        for size, cells in names.items()
        for name in cells
    ]
    ran = hexrec("dedupe", written(Path("a.jsonl"), records), "--to", "jsonl", "--mirrored", "drop")
    kept = Counter(record["size"] for record in lines(ran.out))
    # A twelfth of the board with its edges: 1 + 1 + 2 + 2 + 3 + 3 … cells at each distance from the center.
    assert kept == {size: sum(distance // 2 + 1 for distance in range(size)) for size in names}


def test_a_game_without_turns_cannot_be_recognized(hexrec: Run, game: dict[str, Any]) -> None:
    written(Path("a.jsonl"), [{**game, "moves": []}, game, {**game, "moves": []}])
    ran = hexrec("dedupe", "a.jsonl", "--to", "jsonl")
    assert (said(ran), len(lines(ran.out))) == ([], 3)


def test_games_from_a_setup(hexrec: Run) -> None:
    """They are the same only from the same setup."""
    game, other = from_setup("b4", "b"), from_setup("w4", "b")
    written(Path("a.jsonl"), [game, {**game, "event": "again"}, other])
    ran = hexrec("dedupe", "a.jsonl", "--to", "jsonl")
    assert said(ran) == ["record 1: dropped: the same game as record 0"]
    assert [record["setup"] for record in lines(ran.out)] == [game["setup"], other["setup"]]


def test_invalid_records_are_left_out(hexrec: Run, game: dict[str, Any]) -> None:
    """They are no reason to drop the valid record of the same game that follows."""
    wrong = {**game, "result": {"winner": "black"}}
    illegal = {**game, "moves": ["a1", "c3"]}
    written(Path("a.jsonl"), [wrong, illegal, illegal, game])
    ran = hexrec("dedupe", "a.jsonl", "--to", "jsonl")
    assert (ran.code, len(lines(ran.out))) == (1, 1)
    assert ran.err.count("result/winner-mismatch") == 1
    assert ran.err.count("move/occupied") == 2
    assert ran.err.endswith("1 of 4 records written, 0 dropped, 3 left out; 0 reported and kept\n")


@pytest.mark.parametrize("prefixes", ["report", "drop"])
def test_invalid_records_are_written_on_demand(hexrec: Run, game: dict[str, Any], prefixes: str) -> None:
    wrong = {**game, "result": {"winner": "black"}}
    illegal = {**game, "moves": ["a1", "c3"]}
    written(Path("a.jsonl"), [wrong, illegal, {**game, "moves": ["a1"], "event": "!"}, illegal, game, wrong])
    ran = hexrec("dedupe", "a.jsonl", "--to", "jsonl", "--no-validate", "--prefixes", prefixes)
    assert ran.code == 1
    marks = [record.get("x-invalid", {}).get("code") for record in lines(ran.out)]
    assert marks == ["result/winner-mismatch", "move/occupied", *([None] * (prefixes == "report")), None]
    done = "kept" if prefixes == "report" else "dropped"
    assert sorted(line for line in said(ran) if line.startswith("record")) == [
        f"record 2: {done}: the beginning of record 4",
        "record 3: dropped: the same game as record 1",
        "record 5: dropped: the same game as record 0",
    ]


def test_prefixes_of_invalid_records_are_not_searched(hexrec: Run, game: dict[str, Any]) -> None:
    illegal = {**game, "moves": ["a1", "c3"]}
    written(Path("a.jsonl"), [illegal, {**illegal, "moves": [*illegal["moves"], "a2"]}])
    ran = hexrec("dedupe", "a.jsonl", "--to", "jsonl", "--no-validate", "--prefixes", "drop")
    assert ("beginning" in ran.err, len(lines(ran.out))) == (False, 2)


def test_a_failure_of_hexrec_on_one_record(hexrec: Run, game: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is reported, and the others are compared all the same."""

    def fail(record: Record) -> Identity:
        if record.id == "bad":
            raise RuntimeError("this is the test")
        return identify(record)

    monkeypatch.setattr("hexrec.tools.dedupe.identify", fail)
    written(Path("a.jsonl"), [{**game, "id": "bad"}, game, game])
    ran = hexrec("dedupe", "a.jsonl", "--to", "jsonl")
    assert ran.code == 2
    assert "error internal/error: record 0" in ran.err
    assert said(ran)[-1] == "record 2: dropped: the same game as record 1"
    assert ran.err.endswith("1 of 3 records written, 1 dropped, 1 left out; 0 reported and kept\n")


def test_what_is_no_record(hexrec: Run, game: dict[str, Any]) -> None:
    written(Path("a.jsonl"), [game, game])
    ran = hexrec("dedupe", "a.jsonl", "none.jsonl", "--to", "jsonl")
    assert (ran.code, len(lines(ran.out))) == (2, 1)
    Path("a.jsonl").write_text(json.dumps(game) + "\n{\n")
    ran = hexrec("dedupe", "a.jsonl", "--to", "jsonl")
    assert (ran.code, len(lines(ran.out))) == (1, 1)
    assert ran.err.endswith("1 of 2 records written, 0 dropped, 1 left out; 0 reported and kept\n")


@pytest.mark.parametrize(
    ("records", "options", "code", "dropped"),
    [
        (["game"], [], 0, 0),
        (["game", "game"], [], 1, 1),
        (["game", "turned"], [], 0, 0),
        (["game", "turned"], ["--mirrored", "drop"], 1, 1),
        (["short", "game"], [], 0, 0),
        (["short", "game"], ["--prefixes", "drop"], 1, 1),
        (["game", "short", "game"], ["--prefixes", "drop"], 1, 2),
        (["broken"], [], 1, 0),
    ],
)
def test_check(
    hexrec: Run, game: dict[str, Any], records: list[str], options: list[str], code: int, dropped: int
) -> None:
    named = {"game": game, "turned": image(game, 1), "short": cut(game, 2), "broken": {**game, "moves": ["z9"]}}
    data = "".join(json.dumps(named[name]) + "\n" for name in records).encode()
    ran = hexrec("dedupe", "-", "--from", "jsonl", "--check", *options, stdin=data)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.endswith(f"{dropped} of {len(records)} records would be dropped\n")
    assert ran.err.count(": would be dropped: ") == dropped
    assert ("move/off-board" in ran.err) == ("broken" in records)


def test_output_files(hexrec: Run, game: dict[str, Any]) -> None:
    file = written(Path("a.jsonl"), [game, game, {**game, "moves": ["b1"]}])
    out = Path("out.yaml.gz")
    assert hexrec("dedupe", file, "-o", out).code == 0
    assert hexrec("validate", out).code == 0
    before = file.read_text()
    ran = hexrec("dedupe", file, "-o", file)
    assert (ran.code, file.read_text()) == (2, before)
    assert "--force" in ran.err
    assert hexrec("dedupe", file, "-o", file, "--force").code == 0
    assert len(lines(file.read_text())) == 2
    ran = hexrec("dedupe", file, "-o", "x.json")
    assert ran.code == 2
    assert not Path("x.json").exists()
    Path("x.jsonl").write_text("{")
    assert hexrec("dedupe", "x.jsonl", "-o", "y.jsonl").code == 1
    assert not Path("y.jsonl").exists()


@pytest.mark.parametrize("prefixes", ["report", "drop", "ignore"])
def test_no_room_for_games(hexrec: Run, archive: Path, monkeypatch: pytest.MonkeyPatch, prefixes: str) -> None:
    """The temporary files grow beyond what the system allows."""
    resource = pytest.importorskip("resource")
    monkeypatch.setattr("hexrec.tools.dedupe._MEMORY", 1)
    file = written(Path("a.jsonl"), lines(archive.read_text()) * 200)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, before[1]))
    try:
        ran = hexrec("dedupe", file, "-o", "out.jsonl", "--prefixes", prefixes)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert ran.code == 2
    assert ran.err.startswith("hexrec: a temporary file for games cannot be written: ")
    assert not Path("out.jsonl").exists()
