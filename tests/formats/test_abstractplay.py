"""Records of Abstract Play: files of the site, round trips, streams, the schema.

Single records are in `golden/abstractplay.jsonl`; see `test_readings`.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from hexrec import formats
from hexrec.formats.abstractplay import begins_record
from hexrec.formats.base import Document, LossError
from hexrec.io.discovery import Discovery
from hexrec.record.canonical import canonical_form, canonicalize, in_coordinates
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.limits import MAX_DEPTH, MAX_RECORD_BYTES
from hexrec.validation.verdict import check_document
from tests.formats.helpers import LINE
from tests.formats.test_conversions import MADE_UP
from tests.properties import examples
from tests.record.helpers import FIXTURES, ROOT, at, exact
from tests.record.strategies import json_values, records, texts

FOLDER = FIXTURES / "formats" / "abstractplay"
FORMAT = formats.get("abstractplay")
SCHEMA = json.loads((ROOT / "hexrec/formats/abstractplay/record.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER)
#: Which of the reference games were transcribed into which file, by their lines.
TRANSCRIBED = {
    "turns-as-texts.json": [0],
    "turns-as-objects-with-results.json": [1],
    "nulls-and-holes.json": [3],
    "other-stones-name-the-edge-subgroup.json": [10],
    "other-stones-name-the-edge-subgroup-on-size-6.json": [16],
    "fields-without-a-place.json": [14],
    "one-a-line.jsonl": [5, 6, 7, 8, 13],
    "list-of-records.export": [5, 6, 7, 8, 13],
}
#: Black's last turn closes a loop by its placement, and flips elsewhere.
LOOP = ["a1", "e5", "a2", "f5", "b1", "i1", "b3", "i3", "c2", "i5", "e7", "g1", "g3", "g7", "e3", "c7", "c5", "a4"]
LOOP.append("c3;Xe5")


def envelope(*turns: Any, header: dict[str, Any] | None = None, results: tuple[Any, Any] = (1, 0)) -> dict[str, Any]:
    """Return a record of Abstract Play with fields of the header put in."""
    players = [{"name": name, "result": result} for name, result in zip(("Ada", "Ben"), results, strict=True)]
    whole = {
        "game": {"name": "Sunspot", "variants": ["size-5"]},
        "site": {"name": "Abstract Play"},
        "date-start": "2026-11-20T18:03:11.250Z",
        "date-end": "2026-11-21T07:00:00.000Z",
        "date-generated": "2026-12-01T00:00:00.000Z",
        "players": players,
    }
    rounds = [list(turns[start : start + 2]) for start in range(0, len(turns), 2)]
    return {"header": {**whole, **(header or {})}, "moves": rounds}


def read(text: str | bytes) -> list[Document]:
    raw = text.encode() if isinstance(text, str) else text
    return list(FORMAT.read(io.BytesIO(raw)))


def read_one(data: Any) -> Document:
    (document,) = read(json.dumps(data))
    return document


def record_of(data: Any) -> dict[str, Any]:
    document = read_one(data)
    assert document.error is None
    return dict(document.data)


def write(data: dict[str, Any]) -> tuple[dict[str, Any], list[Diagnostic]]:
    """Return what is written of a record, and the losses."""
    losses: list[Diagnostic] = []
    (text,) = FORMAT.write([data], losses.append)
    assert text.endswith("}\n")
    assert text.count("\n") == 1
    return json.loads(text), losses


def write_yaml(data: dict[str, Any]) -> bytes:
    return "".join(formats.get("yaml").write([data])).encode()


def documents(path: Path) -> Iterator[Document]:
    for source in Discovery([str(path)]):
        assert not isinstance(source, Diagnostic)
        yield from source.documents()


class TestFilesOfTheSite:
    @pytest.mark.parametrize("name", TRANSCRIBED)
    def test_games_replay_exactly_as_the_reference_games_that_they_are(self, name: str) -> None:
        lines = (FIXTURES / "sunspot/reference/games.jsonl").read_text(encoding="utf-8").splitlines()
        found = list(documents(FOLDER / "valid" / name))
        assert len(found) == len(TRANSCRIBED[name])
        for line, document in zip(TRANSCRIBED[name], found, strict=True):
            reference = canonicalize(json.loads(lines[line]))
            report = check_document(document)
            assert report.diagnostics == ()
            assert report.plies == len(reference["moves"])
            ours = canonicalize(document.data)
            turns = [move if isinstance(move, str) else move["turn"] for move in ours["moves"]]
            assert turns == reference["moves"]
            assert (ours["size"], ours.get("result")) == (reference["size"], reference.get("result"))

    @pytest.mark.parametrize("path", sorted(FOLDER.glob("invalid/result.*")), ids=lambda path: path.name)
    def test_another_result_is_said_to_be_the_site_s_also_in_other_formats(self, path: Path) -> None:
        (document,) = documents(path)
        (passed,) = formats.read("yaml", io.BytesIO(write_yaml(canonicalize(document.data))))
        for each in (document, passed):
            (error,) = check_document(each).errors
            assert error.message.endswith("; at Abstract Play the game was decided differently")

    @pytest.mark.parametrize("kind", ["valid", "lenient"])
    def test_the_schema_accepts_them(self, kind: str) -> None:
        paths = [path for path in (FOLDER / kind).iterdir() if path.suffix == ".json"]
        assert paths
        for path in paths:
            VALIDATOR.validate(json.loads(path.read_text(encoding="utf-8")))

    @pytest.mark.parametrize("path", sorted(FOLDER.glob("[vl]*/*")), ids=lambda path: path.name)
    def test_they_come_back_as_they_were_from_every_format(self, path: Path) -> None:
        text = path.read_text(encoding="utf-8")
        found = list(documents(path))
        several = path.suffix == ".jsonl"
        whole = [json.loads(line) for line in text.splitlines()] if several else json.loads(text)
        for theirs, document in zip(whole if isinstance(whole, list) else [whole], found, strict=True):
            for between in ("sgf", "yaml"):
                (text,) = formats.get(between).write([canonicalize(document.data)])
                (passed,) = formats.read(between, io.BytesIO(text.encode()))
                back, losses = write(canonicalize(passed.data))
                assert back == theirs, between
                assert {loss.code for loss in losses} <= {"convert/abstractplay-date"}
                assert [note.code for note in read_one(back).warnings] == [note.code for note in document.warnings]


class TestReading:
    @pytest.mark.parametrize("turns", [("", "d4"), ({"move": ""},)])
    def test_an_empty_turn_is_no_game_without_turns(self, turns: tuple[Any, ...]) -> None:
        report = check_document(read_one(envelope(*turns)))
        assert [(found.code, found.ply) for found in report.errors] == [("move/malformed", 1)]

    def test_what_hexrec_says_in_its_own_format_is_no_record_of_abstract_play(self) -> None:
        (document,) = read(LINE)
        assert document.error
        assert (document.error.code, document.error.column) == ("syntax/abstractplay", 1)


class TestReadings:
    """The site's program decides Sunspot by P-1b: a standing loop ends nothing."""

    def test_a_game_goes_on_past_a_standing_loop(self) -> None:
        document = read_one(envelope(*LOOP, "h5", "resign"))
        assert document.data["readings"] == ["P-1b"]
        report = check_document(document)
        assert (report.valid, report.plies) == (True, len(LOOP) + 1)

    @pytest.mark.parametrize("readings", [[], ["P-2b"], ["P-1b", "P-2b"], ["P-1b"]])
    def test_hexrec_writes_other_readings_and_reads_them_back(self, readings: list[str]) -> None:
        data = canonicalize({"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["e5"], "readings": readings})
        written, losses = write(data)
        assert read_one(written).data.get("readings", []) == readings
        warned = "convert/abstractplay-reading" in {loss.code for loss in losses}
        assert warned == ("P-1b" not in readings)

    def test_other_games_have_none(self) -> None:
        header = {"game": {"name": "Nadraz", "variants": ["size-5"]}, "startingPosition": "black:c3;white:d4"}
        assert "readings" not in read_one(envelope(header=header)).data


canonical_records = st.sampled_from(games.names()).flatmap(records).map(read_record).map(canonical_form)
odd_turns = st.sampled_from(["resign", "draw", "h8;xi3", "xx5", "", "x", "x5xe4", "e5", "a0", "pass", ";"]) | texts
#: In the order in which they are read.
_PARTS = ("record", "header", "rounds", "surplus", "last")
kept_shapes = json_values | st.fixed_dictionaries(
    {},
    optional={
        "record": json_values | st.dictionaries(texts | st.sampled_from(["header", "moves"]), json_values, max_size=2),
        "header": json_values
        | st.dictionaries(
            texts | st.sampled_from(["game", "site", "hexrec", "players", "date-start", "date-end", "pied", "event"]),
            json_values | st.dictionaries(st.sampled_from(["name", "variants", "gameid", "termination"]), json_values),
            max_size=3,
        ),
        "surplus": json_values | st.lists(st.none() | st.sampled_from(["e5", "resign"]) | json_values, max_size=2),
        "last": json_values | st.sampled_from(["resign", {"move": "resign", "result": 1}, {"move": "draw"}]),
    },
).map(lambda kept: {part: kept[part] for part in _PARTS if part in kept})
kept_parts = json_values | st.dictionaries(
    texts | st.sampled_from(["name", "result", "seat", "is_ai", "isBot", "userid", "move", "sequence"]), json_values
)


@st.composite
def odd_records(draw: st.DrawFn) -> dict[str, Any]:
    """Return canonical data with turns of any spelling and with anything in what is kept from Abstract Play."""
    data = draw(canonical_records)
    data["moves"] = [
        draw(odd_turns.map(str.strip).map(str.lower) | st.just(move)) if isinstance(move, str) else move
        for move in [*data["moves"], *draw(st.lists(st.just("e5"), max_size=2))]
    ]
    for move in data["moves"]:
        if isinstance(move, dict) and draw(st.booleans()):
            move["x-abstractplay"] = draw(kept_parts)
    for player in data.get("players", {}).values():
        if isinstance(player, dict) and draw(st.booleans()):
            player["x-abstractplay"] = draw(kept_parts)
    if draw(st.booleans()):
        data["x-abstractplay"] = draw(kept_shapes)
    return canonicalize(data)


class TestWriting:
    def check(self, data: dict[str, Any]) -> None:
        """What is written fits the schema and is read back as it was, but for the losses that were announced."""
        back, losses = write(data)
        VALIDATOR.validate(back if "x-abstractplay" not in json.dumps(data) else write(stripped(data))[0])
        assert {loss.severity for loss in losses} <= {"warning"}
        expected = without(data, [str(loss.pointer) for loss in losses if loss.code == "convert/abstractplay-lost"])
        if "convert/abstractplay-coordinates" in [loss.code for loss in losses]:
            expected = in_coordinates(expected, "row")
        (document,) = read(json.dumps(back))
        assert document.error is None
        assert exact(document.data) == exact(canonicalize(expected))

    @pytest.mark.slow
    @settings(max_examples=examples(8))
    @given(data=canonical_records)
    def test_records_are_read_back_but_for_what_was_announced(self, data: dict[str, Any]) -> None:
        self.check(data)

    @pytest.mark.slow
    @settings(max_examples=examples(10))
    @given(data=odd_records())
    def test_odd_ones_too(self, data: dict[str, Any]) -> None:
        self.check(data)

    @settings(max_examples=examples(5))
    @given(data=canonical_records)
    def test_a_second_pass_changes_nothing(self, data: dict[str, Any]) -> None:
        once, _ = write(data)
        twice, losses = write(canonicalize(record_of(once)))
        assert exact(twice) == exact(once)
        assert {loss.code for loss in losses} <= {*MADE_UP}

    def test_what_accepts_no_loss_is_told_of_the_first(self) -> None:
        data = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": [{"turn": "e5", "seconds": 2}]}
        with pytest.raises(LossError, match="moves/0/seconds") as refused:
            list(FORMAT.write([data]))
        assert refused.value.diagnostic.pointer == "/moves/0/seconds"

    def test_several_records_are_one_a_line(self) -> None:
        data: list[dict[str, Any]] = [
            {"hexrec": "1", "game": "sunspot", "size": size, "moves": []} for size in (5, 6, 7)
        ]
        losses: list[Diagnostic] = []
        text = "".join(FORMAT.write(data, losses.append))
        assert [document.data["size"] for document in read(text)] == [5, 6, 7]
        assert [document.data["size"] for document in formats.read("jsonl", io.BytesIO(text.encode()))] == [5, 6, 7]


def without(data: dict[str, Any], pointers: list[str]) -> dict[str, Any]:
    """Return a copy without what is at some pointers."""
    changed = json.loads(json.dumps(data))
    for pointer in sorted(pointers, key=lambda pointer: -pointer.count("/")):
        steps = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
        path = [int(step) if step.isdigit() else step for step in steps]
        del at(changed, tuple(path[:-1]))[path[-1]]
    return dict(changed)


def holds(whole: Any, part: Any) -> bool:
    """Return whether all fields of some data are in other data."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(
            name in whole and holds(whole[name], value) for name, value in part.items()
        )
    if isinstance(part, list):
        return isinstance(whole, list) and len(whole) == len(part) and all(map(holds, whole, part))
    return exact(whole) == exact(part)


def stripped(data: Any) -> Any:
    """Return a copy without what is kept from Abstract Play, which may be anything."""
    if isinstance(data, dict):
        return {name: stripped(value) for name, value in data.items() if name != "x-abstractplay"}
    return [stripped(value) for value in data] if isinstance(data, list) else data


ENVELOPES = [
    json.loads(path.read_text(encoding="utf-8"))
    for path in sorted(FOLDER.glob("[vl]*/*.json"))
    if path.stat().st_size < 4000
]


class TestAnyFile:
    @pytest.mark.slow
    @settings(max_examples=examples(10))
    @given(data=st.data(), value=json_values)
    def test_any_change_of_a_record_gets_a_verdict(self, data: st.DataObject, value: Any) -> None:
        whole = json.loads(json.dumps(data.draw(st.sampled_from(ENVELOPES))))
        part: Any = whole
        while True:
            step = data.draw(st.sampled_from(list(part) if isinstance(part, dict) else range(len(part))))
            if not part[step] or not isinstance(part[step], dict | list) or data.draw(st.integers(0, 4)) == 0:
                break
            part = part[step]
        if data.draw(st.booleans()):
            part[step] = value
        else:
            del part[step]
        documents = read(json.dumps(whole))
        assert len(documents) == 1
        for document in documents:
            report = check_document(document)
            assert all(diagnostic.line and diagnostic.column for diagnostic in report.diagnostics)
            if document.error is None and document.data.get("game") in games.names() and report.valid:
                back, losses = write(canonicalize(document.data))
                lost = [str(loss.pointer) for loss in losses if loss.code == "convert/abstractplay-lost"]
                again, expected = canonicalize(record_of(back)), canonicalize(without(document.data, lost))
                assert json.dumps(again, sort_keys=True) == json.dumps(expected, sort_keys=True)
                assert lost or holds(back, whole)

    @settings(max_examples=examples(10))
    @given(start=st.integers(0, 5000), end=st.integers(0, 40), middle=st.binary(max_size=20))
    def test_any_bytes_in_a_record_get_a_verdict(self, start: int, end: int, middle: bytes) -> None:
        raw = (FOLDER / "valid" / "list-of-records.export").read_bytes()
        found = read(raw[:start] + middle + raw[start + end :])
        assert found
        assert all(document.error is None or document.error.line for document in found)


GAME = json.dumps(envelope("e5", "resign"))
WRONG = json.dumps(envelope("e5", "e5"))


class TestStreams:
    @pytest.mark.parametrize(
        "text", [f"[{GAME},\n{WRONG}]", f"{GAME} {GAME[:60]}\n{WRONG}\n{{]\n{GAME}", '["é\\\\", {', "{]x, "]
    )
    @pytest.mark.parametrize("size", [7, 64, 301])
    def test_it_makes_no_difference_in_which_pieces_a_file_is_read(
        self, monkeypatch: pytest.MonkeyPatch, text: str, size: int
    ) -> None:
        def seen() -> list[tuple[Any, Any]]:
            return [(document.data, document.error) for document in read(text)]

        whole = seen()
        monkeypatch.setattr("hexrec.formats.json_values.CHUNK", size)
        assert seen() == whole

    def test_many_broken_ones_hide_no_other(self) -> None:
        found = read('{"header": [\n' * 500 + f"{GAME}\n" * 2)
        assert [document.error is None for document in found] == [False] * 500 + [True] * 2
        assert [document.error.line for document in found if document.error][::250] == [2, 252]

    def test_a_nested_header_begins_no_record(self) -> None:
        data = envelope("e5", "resign", header={"copies": [{"header": {}, "moves": []}]})
        (document,) = read(json.dumps(data))
        assert document.error is None

    @pytest.mark.parametrize(("start", "between", "end"), [("", "\n", "\n"), ("[", ",", "]")])
    def test_one_that_is_too_large_is_passed_over(self, start: str, between: str, end: str) -> None:
        large = json.dumps(envelope("e5", header={"pad": "é[" * (MAX_RECORD_BYTES // 3)}), ensure_ascii=False)
        found = read(start + between.join([GAME, large, GAME]) + end)
        assert [document.error and document.error.code for document in found] == [None, "syntax/too-large", None]

    @pytest.mark.parametrize("levels", [MAX_DEPTH - 3, MAX_DEPTH - 2])
    def test_what_is_kept_is_not_deeper_than_a_record_may_be(self, levels: int) -> None:
        """The header is a level deeper in a record than in the file."""
        value: Any = 1
        for _ in range(levels):
            value = [value]
        (document,) = read(json.dumps(envelope("e5", "resign", header={"deep": value})))
        if levels == MAX_DEPTH - 3:
            (again,) = formats.read("yaml", io.BytesIO(write_yaml(canonicalize(document.data))))
            assert again.error is None
        else:
            assert document.error
            assert document.error.code == "syntax/too-deep"

    def test_a_record_is_recognized_by_its_first_fields(self) -> None:
        for others in (
            *('"x": 5', '"x": "]}"', '"x": "[{"', '"x": "\\"]}"', '"x": {}', '"x": []'),
            *('"x": {"y": [1, {}], "z": [[2]]}', '"x": [[{}], 3]', '"moves": {}', f'"x": "{"x" * 8150}"'),
        ):
            assert begins_record(f'{{{others}, "header": {{}}'.encode()), others
        for other in ('"hexrec": "1"', '"x": 5', '"x": "\\"header\\": 5"', f'"x": "{"x" * 8192}", "header": {{}}'):
            assert not begins_record(f"{{{other}}}".encode()), other
        for moves in ('["e5"]', "[]", '[["e5"]]'):
            assert not begins_record(f'{{"game": "sunspot", "moves": {moves}}}'.encode())

    def test_a_fault_in_hexrec_is_told_of_the_record_that_it_is_about(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("hexrec.formats.abstractplay.reader.RecordReader.record", lambda *_: 1 // 0)
        documents = read(f"[{GAME},\n {WRONG}]")
        assert [document.error and document.error.code for document in documents] == ["internal/error"] * 2
        assert [str(document.text and document.text.text).count('"header"') for document in documents] == [1, 1]


class TestSchema:
    def test_it_is_one_and_explains_every_field(self) -> None:
        Draft202012Validator.check_schema(SCHEMA)
        header = SCHEMA["properties"]["header"]
        objects = [SCHEMA, header, *header["properties"].values(), *SCHEMA["$defs"].values()]
        fields = [field for part in objects for field in part.get("properties", {}).items()]
        assert len(fields) > 25
        for name, described in fields:
            inner = SCHEMA["$defs"].get(described.get("$ref", "").rpartition("/")[2], {})
            assert described.get("description") or inner.get("description"), name
        for example in SCHEMA["examples"]:
            VALIDATOR.validate(example)
            assert read_one(example).error is None

    @pytest.mark.parametrize(
        "change",
        [
            {"players": []},
            {"players": [{"name": "Ada", "result": 1}] * 2},
            {"players": [{"name": "Ada", "result": 0.5}, {"name": "Ben", "result": 0}]},
            {"date-start": "2026-11-20"},
            {"game": {"variants": []}},
            {"site": {}},
        ],
    )
    def test_it_refuses_what_the_sites_do_not_take(self, change: dict[str, Any]) -> None:
        assert VALIDATOR.is_valid(envelope("e5"))
        assert not VALIDATOR.is_valid(envelope("e5", header=change))
