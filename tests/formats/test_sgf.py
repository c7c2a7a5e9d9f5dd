"""SGF: written records are read back, through other programs too; every file has a report.

Single texts and records are in `golden/sgf.jsonl`; see `test_readings`.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import sgf as sgf_package
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sgfmill import sgf_grammar as sgfmill

from hexrec.formats.base import Document
from hexrec.record.canonical import canonical_form
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.util.limits import MAX_DEPTH
from tests.cases import all_of
from tests.examples.hex import HEX
from tests.formats.helpers import check, cut_out, read, read_one, write
from tests.properties import examples, sample
from tests.record.helpers import FIXTURES, exact, fixture_data
from tests.record.strategies import HOSTILE_TEXTS, records

HEAD = "(;FF[4]CA[UTF-8]GM[5001]SZ[5]HX[sunspot]"
GAME = f"{HEAD};B[e5])"
RECORD: dict[str, Any] = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["e5"]}
canonical_records = st.sampled_from(games.names()).flatmap(records).map(read_record).map(canonical_form)
raw_values = st.text(st.sampled_from("ab :;()[\n\r\t\\]\u00e9\u65e5"), max_size=8).map(
    lambda text: re.sub(r"[\\\]]", lambda found: "\\" + found[0], text)
)
properties = st.dictionaries(
    st.sampled_from(["KM", "TM", "C", "GN", "RE", "AP", "RU", "TR", "BL", "WL", "TE", "DT", "BR", "HJ", "XYZ", "LB"]),
    st.lists(raw_values, min_size=1, max_size=2),
    min_size=1,
    max_size=3,
)
many = settings(max_examples=examples(10), suppress_health_check=list(HealthCheck))


def raw_read(raw: str | bytes) -> list[Document]:
    return read("sgf", raw)


def through_package(text: str) -> str:
    out = io.StringIO()
    sgf_package.parse(text).output(out)
    return out.getvalue()


def through_sgfmill(text: str) -> str:
    trees = sgfmill.parse_sgf_collection(text.encode())
    return b"".join(map(sgfmill.serialise_game_tree, trees)).decode()


def with_kept(data: dict[str, Any], kept: dict[str, list[str]]) -> dict[str, Any]:
    """Return a record and its first move with properties kept from elsewhere."""
    moves = [{"turn": "e5", "x-sgf": kept}, *data["moves"][1:]]
    return canonical_form(read_record({**data, "game": "sunspot", "moves": moves, "x-sgf": kept}))


class TestRoundTrip:
    @pytest.mark.slow
    @settings(parent=many, max_examples=examples(5))
    @given(data=canonical_records, through=st.sampled_from([through_package, through_sgfmill]))
    def test_other_programs_pass_it_on(self, data: dict[str, Any], through: Any) -> None:
        (document,) = raw_read(through(write("sgf", data)))
        assert document.data == data

    @all_of("text", HOSTILE_TEXTS, ids=ascii)
    def test_a_text_survives_wherever_it_stands(self, text: str) -> None:
        player = {"name": text, "id": text, f"x-{text}": text}
        move = {"turn": "e5", "comment": text, "variations": [[{"turn": "e6", "comment": text}, "e7"]], "x-a": [text]}
        names = ("event", "site", "round", "annotator", "source", "comment", "id", "x-sgf", f"x-{text}")
        data = canonical_form(
            read_record(
                {**RECORD, "players": {"black": player, "white": player}, "moves": [move], **dict.fromkeys(names, text)}
            )
        )
        written = write("sgf", data)
        assert exact(read_one("sgf", written)) == exact(data)
        assert read_one("sgf", through_package(written)) == data
        assert read_one("sgf", through_sgfmill(written)) == data

    @many
    @given(kept=properties)
    def test_properties_from_elsewhere_come_back(self, kept: dict[str, list[str]]) -> None:
        data = with_kept(RECORD, kept)
        (document,) = raw_read(write("sgf", data))
        assert document.error is None
        assert exact(document.data) == exact(data)

    def test_records_among_the_fixtures_survive(self) -> None:
        count = 0
        for plain in sample(chain.from_iterable(fixture_data(f"{name}/valid") for name in games.BUILT_IN), 3):
            try:
                data = canonical_form(read_record(plain))
            except ValueError:
                continue
            count += 1
            text = write("sgf", data)
            assert exact(read_one("sgf", text)) == exact(data)
            assert write("sgf", canonical_form(read_record(read_one("sgf", text)))) == text
        assert count > 10


class TestWriting:
    def test_names_of_properties_are_what_every_reader_takes(self) -> None:
        for plain in fixture_data("record"):
            try:
                text = write("sgf", canonical_form(read_record(plain)))
            except ValueError:
                continue
            for game in sgf_package.parse(text):
                assert all(re.fullmatch("[A-Z]{1,2}", name) for node in game for name in node.properties)

    def test_every_game_has_its_number(self) -> None:
        """Numbers are never given to another game: files in the world bear them."""
        numbers = {name: games.get(name).sgf_number for name in games.BUILT_IN}
        given = {"sundraval": 5000, "sunspot": 5001, "frasvel": 5002, "valaturna": 5003, "nadraz": 5004}
        assert numbers.items() >= given.items()
        assert len({*numbers.values()}) == len(numbers)
        for name, number in numbers.items():
            assert read_one("sgf", f"(;FF[4]GM[{number}]SZ[5])")["game"] == name

    def test_only_the_places_asked_for_are_kept(self) -> None:
        (document,) = raw_read(f"{HEAD}KM[6]RE[W+3];B[e5]KM[6]C[x]CR[a1]BL[5];W[e6])")
        assert set(document.places(["/size"]).values) == {"", "/size"}
        (document,) = raw_read(f"{GAME[:-1]}C[x]BL[5];N[a];W[e6])")
        assert {"/moves/0", "/moves/0/turn"} < set(document.places(["/moves/0/turn"]).values)

    def test_a_game_of_a_package_is_found_by_its_number(self) -> None:
        games.register(replace(HEX, sgf_number=11))
        try:
            assert read_one("sgf", "(;FF[4]GM[11]SZ[5];B[a1])")["game"] == "hex"
            assert "GM[11]" in write("sgf", RECORD | {"game": "hex"})
        finally:
            games.unregister("hex")

    def test_a_game_of_a_package_is_named_without_a_number(self) -> None:
        games.register(HEX)
        try:
            text = write("sgf", RECORD | {"game": "hex"})
            assert read_one("sgf", text) == RECORD | {"game": "hex"}
            (document,) = raw_read(text.replace("HX[hex]", "GM[7]HX[hex]"))
            assert (document.error, document.warnings) == (None, ())
        finally:
            games.unregister("hex")
        assert "GM" not in text
        assert "HX[hex]HV[1942]RU[Hex 1942]" in text

    def test_lines_are_short(self) -> None:
        text = write("sgf", {**RECORD, "moves": ["e5", "(0,1)-(0,3)", {"turn": "e7", "variations": [["e8"]]}] * 60})
        assert max(map(len, text.split("\n"))) <= 80

    def test_lines_are_filled_after_a_text_of_several(self) -> None:
        moves = [{"turn": "e5", "comment": f"one\n{'two ' * 9}\nthree"}, *["e6", "e7"] * 60]
        _, after = write("sgf", {**RECORD, "moves": moves}).split("\nthree")
        first, *lines, _ = after.splitlines()
        assert {len(f"three{first}"), *map(len, lines)} <= set(range(73, 79))

    @all_of("size", range(60, 80))
    def test_no_line_begins_with_a_variation(self, size: int) -> None:
        """Games begin so, and where one is not closed, what begins like another ends it."""
        moves = [{"turn": "e5", "comment": "a" * size}, {"turn": "e6", "variations": [["e7"]]}]
        assert "\n(" not in write("sgf", {**RECORD, "moves": moves})


#: The properties that belong into the first node alone: those of the file and those about the game.
OF_THE_ROOT = set(re.findall("..", "FFCAGMAPSZSTANBRBTCPDTEVGNGCONOTPBPCPWRERORUSOTMUSWRWT" + "HXHVHTHCHPHR"))
#: What SGFC takes out of every game but Go, as it finds no move beside it.
DELETED = {"TE", "BM", "DO", "IT", "KO"}


def through_checker(text: str) -> str:
    """Return a game as SGFC writes it: without glyphs, empty values, blanks at the ends of texts, in another order."""
    (tree,) = sgfmill.parse_sgf_collection(text.encode())
    nodes = [tree]
    while nodes:
        here = nodes.pop()
        nodes += here.children
        for node in here.sequence:
            kept = {
                name: [value.strip() for value in values]
                for name, values in reversed(node.items())
                if name not in DELETED and (name in ("B", "W") or any(map(bytes.strip, values)))
            }
            node.clear()
            node.update(kept)
    return str(sgfmill.serialise_game_tree(tree), "utf-8")


class TestOtherPrograms:
    """SGFC, the reference checker, is in no registry of packages: the tests have its rules for games unknown to it."""

    def nodes(self, text: str) -> Iterator[tuple[bool, dict[str, list[bytes]]]]:
        (tree,) = sgfmill.parse_sgf_collection(text.encode())
        waiting = [tree]
        while waiting:
            here = waiting.pop()
            waiting += here.children
            yield from ((here is tree and not index, node) for index, node in enumerate(here.sequence))

    @pytest.mark.parametrize("name", ["every-game", "variations", "all-fields", "margin"])
    def test_what_is_written_follows_their_rules(self, name: str) -> None:
        for document in raw_read((FIXTURES / f"formats/sgf/valid/{name}.sgf").read_bytes()):
            text = write("sgf", document.data)
            (again,) = raw_read(text)
            assert again.warnings == ()  # which tell of a property that is twice in a node
            for is_root, node in self.nodes(text):
                assert is_root or not OF_THE_ROOT & node.keys()
                assert not (is_root and {"B", "W"} & node.keys())
                assert len(DELETED & node.keys()) <= 1
                assert all(value.strip() for name, values in node.items() for value in values if name not in DELETED)
                points = [value for name in ("CR", "SQ", "TR", "MA", "SL") for value in node.get(name, ())]
                assert len(points) == len(set(points))

    @pytest.mark.parametrize("name", ["every-game", "all-fields"])
    def test_what_is_written_says_the_same_when_they_have_written_it(self, name: str) -> None:
        for document in raw_read((FIXTURES / f"formats/sgf/valid/{name}.sgf").read_bytes()):
            there = through_checker(write("sgf", document.data))
            assert not any(DELETED & node.keys() for _, node in self.nodes(there))
            assert exact(read_one("sgf", there)) == exact(document.data)

    @pytest.mark.parametrize("text", ["", " ", " a", "a ", "\n", "a\n", "\ta", "a]\\:b", "]", "\\"], ids=ascii)
    def test_texts_say_the_same_too(self, text: str) -> None:
        moves = [{"turn": "e5", "comment": text, "nag": [6]}, {"turn": "d4", "nag": [1]}]
        data = {**RECORD, "players": {"black": {"name": text}}, "event": text, "comment": text, "moves": moves}
        assert exact(read_one("sgf", through_checker(write("sgf", data)))) == exact(data)

    def test_another_annotation_in_the_place_of_a_glyph_counts(self) -> None:
        text = write("sgf", {**RECORD, "moves": [{"turn": "e5", "nag": [1]}]})
        assert read_one("sgf", text.replace("TE[1]", "DO[]"))["moves"] == [{"turn": "e5", "nag": [6]}]
        assert read_one("sgf", text.replace("TE[1]", ""))["moves"] == [{"turn": "e5", "nag": [1]}]


def test_a_result_that_is_none_is_unknown_to_other_programs_and_comes_back() -> None:
    text = write("sgf", {**RECORD, "result": "black"})
    assert "RE[?]" in text
    assert read_one("sgf", text)["result"] == "black"
    assert "RE[" not in write("sgf", RECORD)


def test_stones_are_set_under_the_ruleset_of_the_record() -> None:
    """By the revision of Valaturna a game with this position would be over."""
    setup = "7/8/9/10/11/12/13/12/11/10/9/8/b6 w 0"
    data = {"hexrec": "1", "game": "valaturna", "ruleset": "2023-first", "size": 7, "setup": setup, "moves": []}
    assert "PL[W]AB[a1]" in write("sgf", data)
    assert "AB[" not in write("sgf", {**data, "ruleset": "2023"})


class TestReading:
    @pytest.mark.parametrize(
        "name", ["UTF-8", "utf8", "ISO-8859-1", "windows-1252", "KOI8-R", "Shift_JIS", "GBK", "Big5", "EUC-KR", "hz"]
    )
    def test_encodings(self, name: str) -> None:
        codec = name.replace("windows-", "cp")
        every = map(chr, [*range(0xC0, 0x100), *range(0x410, 0x450), *range(0x3041, 0x30F0), *range(0x4E00, 0x9FA0)])
        text = "".join(char for char in every if char.encode(codec, "ignore"))
        assert text
        games_text = f"(;FF[4]CA[{name}]GM[5001]SZ[5]HX[sunspot]EV[{text}];B[e5])" * 2
        documents = raw_read(games_text.encode(codec))
        assert [document.data["event"] for document in documents] == [text] * 2

    def test_places_after_other_games_on_the_line(self) -> None:
        text = f"{GAME} {HEAD}PB[\u00c5\U0001f600];B[e5]){GAME}"
        for document in raw_read(text):
            assert cut_out(text, document.places().values["/moves/0"]) == "e5"
            assert document.text is not None
            span = document.places().values["/game"]
            assert document.text.excerpt(span.line, span.column).column <= span.column


class TestLimits:
    def test_what_has_too_many_values_is_said_where_they_are_too_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("hexrec.formats.sgf.grammar.MAX_VALUES", 20)
        moves = ";B[e5];W[e6]" * 6
        within, beyond = raw_read(f"{HEAD}{moves})\n{HEAD}{moves}XX[a])")
        assert within.error is None
        assert beyond.error
        assert (beyond.error.code, beyond.error.line) == ("syntax/too-large", 2)
        assert beyond.error.message == "a record of more than 250,000 values and brackets: not read"
        assert (beyond.error.column, beyond.error.end_column) == (
            len(f"{HEAD}{moves}XX[a])"),
            len(f"{HEAD}{moves}XX[a])") + 1,
        )

    @pytest.mark.parametrize("depth", [32, 33, 2_000])
    def test_variations_are_as_deep_as_records(self, depth: int) -> None:
        text = HEAD + ";B[e5]" + "(;W[e6])(;W[e7];B[e8]" * depth + ")" * depth + ")"
        (document,) = raw_read(text)
        if depth > 32:
            assert document.error
            assert document.error.code == "syntax/too-deep"
        else:
            assert document.error is None
            assert read("json", json.dumps(document.data))[0].error is None

    def test_branches_along_the_game_are_not_deep(self) -> None:
        text = HEAD + "(;B[e5](;W[e6]" * 1000 + ")(;W[e7]))" * 1000 + ")"
        data = read_one("sgf", text)
        assert len(data["moves"]) == 2_000
        assert read_one("sgf", write("sgf", data)) == data

    @pytest.mark.parametrize("text", ["[" * (MAX_DEPTH + 1), '{"x":' * 10_000])
    def test_extra_data_are_not_deep(self, text: str) -> None:
        (document,) = raw_read(f"{HEAD};B[e5]HJ[{text}])")
        assert document.error
        assert document.error.code == "syntax/sgf"


tokens = st.sampled_from(
    [
        *("(", ")", ";", "[", "]", "\\", "\n", " ", "(;", ";B[e5]", ";W[]", "C[a]", "\n(;FF[4]", GAME, HEAD, "B"),
        "ab[",
        *("CA[Shift_JIS]", "CA[UTF-16]", "CA[x]", "GM[1]", "HX[frasvel]", "SZ[x]", "AB[a1][b2]", "PL[W]", "HJ[{]", "-"),
        *('HJ[{"moves":5,"variations":3,"turn":1,"x-sgf-nodes":2,"x-sgf-trees":0,"x-sgf":4}]', "HR[3]", "RE[B+]"),
        *('HJ[{"game":[\\],"players":1}]', "(;C[a];B[e5])", ";;", "BL[x]", "\0", "\u00e9", "\ufeff", "\u8868", "DT[x]"),
    ]
)
mutations = st.lists(tokens, max_size=12).map("".join)


def _written() -> Iterator[str]:
    yield write("sgf", RECORD)
    yield write("sgf", next(fixture_data("record/valid/all-fields.yaml")), RECORD)
    yield f"{HEAD};B[e5];C[a](;W[e6]HJ[{{}}])(;C[b];W[e7])(;W[e8](;B[a1])(;B[a2])))\n"


class TestThereIsAlwaysAVerdict:
    def verdict(self, folder: Path, raw: bytes) -> None:
        reports = check(folder / "file.sgf", raw)
        assert reports
        for report in reports:
            # What begins like compressed data and is none cannot be read, and has no place.
            for diagnostic in (each for each in report.diagnostics if each.code != "syntax/unreadable"):
                assert (diagnostic.line or 0) >= 1
                assert (diagnostic.column or 0) >= 1

    @many
    @given(raw=st.binary(max_size=100) | mutations.map(str.encode))
    def test_on_anything(self, tmp_path: Path, raw: bytes) -> None:
        self.verdict(tmp_path, raw)

    @pytest.mark.slow
    @settings(parent=many, max_examples=examples(10))
    @given(text=st.sampled_from(list(_written())), change=mutations, data=st.data())
    def test_on_a_game_with_something_put_in(self, tmp_path: Path, text: str, change: str, data: st.DataObject) -> None:
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 20)))
        self.verdict(tmp_path, (text[:start] + change + text[end:]).encode())

    @pytest.mark.slow
    @pytest.mark.parametrize("text", list(_written()), ids=len)
    def test_on_every_beginning_of_a_game(self, tmp_path: Path, text: str) -> None:
        for length in sample(range(len(text)), 5):
            self.verdict(tmp_path, text[:length].encode())

    @many
    @given(change=mutations.filter(lambda text: "(;FF" not in text))
    def test_games_around_a_bad_one_are_found(self, change: str) -> None:
        documents = raw_read(f"{GAME}\n{HEAD};B[e5]C[{change}\n{GAME}\n".replace("\0", ""))
        assert documents[0].data == documents[-1].data
        assert documents[-1].error is None


def test_a_margin_is_checked_where_the_result_as_json_has_no_score(tmp_path: Path) -> None:
    result = 'HR[{"winner":"black"}]'
    text = (
        (FIXTURES / "formats/sgf/valid/margin.sgf")
        .read_text(encoding="utf-8")
        .replace("RE[b+0.50]", f"RE[B+77.5]{result}")
    )
    (report,) = check(tmp_path / "game.sgf", text.encode())
    assert [each.code for each in report.errors] == ["result/score-mismatch"]


@pytest.mark.parametrize(
    ("setup", "columns"),
    [("x", (45, 46)), ("x" * 9_999, (45, 46)), ("x" * 10_000, (45, 46)), ("x" * 10_001, (35, 10_048))],
    ids=["a character", "9,999", "10,000", "10,001"],
)
def test_a_character_of_a_text_in_JSON_is_found(setup: str, columns: tuple[int, int], tmp_path: Path) -> None:  # noqa: N802
    text = f'(;FF[4]GM[5001]SZ[5]HX[sunspot]HJ[{{"setup":"{setup}"}}];B[e5])'
    (report,) = check(tmp_path / "a.sgf", text.encode())
    assert [(each.column, each.end_column) for each in report.diagnostics] == [columns]
