"""Records changed where they stand: the data is what it should be, and the rest of the text is what it was."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from hexrec import formats
from hexrec.formats.base import Document, Format, LossError
from hexrec.formats.yaml.writer import on_one_line
from hexrec.io.discovery import Source
from hexrec.record.canonical import canonicalize
from hexrec.tools.edit import files as edit
from hexrec.tools.edit import in_place
from hexrec.tools.edit.files import EditError, make_rewrite, same
from hexrec.util.diagnostics import Diagnostic
from tests.cases import all_of
from tests.formats.helpers import read
from tests.formats.helpers import write as written

#: Fields that the canonical form may leave out, with the comment beside them.
LEFT_OUT = {"coordinates", "ruleset", "players", "black", "white", "bot", "nag", "variations", "termination"}
#: The formats whose text is edited.
EDITED = ["json", "jsonl", "yaml"]
KEPT = re.compile("# kept [0-9]+")
RECORD: dict[str, Any] = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["e5"]}


def edited(name: str, text: str | bytes, change: Callable[[Any], Any], way: str = "format") -> str:
    """Return a text in which the data of all records without a fault is changed."""
    raw = text.encode() if isinstance(text, str) else text
    stream = io.BufferedReader(io.BytesIO(raw))
    edits = edit.get(name, canonical=way == "format")
    made = list(edits(stream, lambda document: None if document.error else change(document.data)))
    rest = stream.read()
    assert b"".join(segment.old for segment in made) + rest == raw
    return (b"".join(segment.new for segment in made) + rest).decode()


class Layout:
    """Writes a record as YAML in one of the many ways that people could."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self._count = 0

    def often(self) -> bool:
        return self.random.random() < 0.5

    def rarely(self) -> bool:
        return self.random.random() < 0.2

    def comment(self, *, lost: bool = False) -> str:
        """Return a comment, one that no edit may lose or one that may go with what it stands beside."""
        self._count += 1
        return f"# {'lost' if lost else 'kept'} {self._count}"

    def block(self, data: dict[str, Any], indent: str, lost: bool = False) -> str:
        """Write an object as lines, the first without its indentation."""
        lines = []
        for index, (name, value) in enumerate(data.items()):
            lost_here = lost or name in LEFT_OUT
            before = f"{self.comment()}\n{indent}" if index and not lost and self.rarely() else ""
            key = f'"{name}"' if self.rarely() else name
            if isinstance(value, dict | list) and value and self.often():
                beside = f"  {self.comment(lost=lost_here)}" if self.rarely() else ""
                inner = indent + "  " * self.random.randint(1, 2)
                own = f"{inner}{self.comment()}\n" if not lost_here and self.rarely() else ""
                if isinstance(value, dict):
                    part = inner + self.block(value, inner, lost_here)
                else:
                    part = self.items(value, self.random.choice([inner, indent]), lost_here)
                lines.append(f"{before}{key}:{beside}\n{own}{part}")
            else:
                beside = f"  {self.comment(lost=lost_here)}" if self.rarely() else ""
                lines.append(f"{before}{key}: {self.flow(value, lost_here)}{beside}\n")
        return indent.join(lines)

    def items(self, items: list[Any], indent: str, lost: bool) -> str:
        lines = []
        for item in items:
            if not lost and self.rarely():
                lines.append(f"{indent}{self.comment()}\n")
            if isinstance(item, dict) and self.often():
                lines.append(f"{indent}- {self.block(item, indent + '  ', lost)}")
            else:
                beside = f" {self.comment(lost=lost)}" if self.rarely() else ""
                lines.append(f"{indent}- {self.flow(item, lost)}{beside}\n")
        return "".join(lines)

    def flow(self, value: Any, lost: bool) -> str:
        if isinstance(value, dict):
            parts = [
                self.random.choice([f"{name}: ", f'"{name}": ']) + self.flow(item, lost or name in LEFT_OUT)
                for name, item in value.items()
            ]
            return "{" + self.joined(parts) + "}"
        if isinstance(value, list):
            return "[" + self.joined([self.flow(item, lost) for item in value]) + "]"
        if isinstance(value, str):
            return self.random.choice(
                [on_one_line(value), json.dumps(value), f"'{value}'", f"!!str {on_one_line(value)}"]
            )
        return json.dumps(value)

    def joined(self, parts: list[str]) -> str:
        text = self.random.choice(["", " "])
        for index, part in enumerate(parts):
            text += part
            if index + 1 < len(parts) or self.rarely():
                text += ","
            text += self.random.choice([" ", "  ", f"\n{' ' * 30}"])
        return text


turns = st.sampled_from(["e5", "E5", " e6 ", "a1", "B2"])
line: st.SearchStrategy[list[Any]] = st.lists(
    turns | st.fixed_dictionaries({"turn": turns}, optional={"nag": st.just([])}), min_size=1, max_size=2
)
moves = turns | st.fixed_dictionaries(
    {"turn": turns},
    optional={
        "comment": st.sampled_from(["good", "# no comment", "a: b"]),
        "seconds": st.sampled_from([1.0, 2, 2.5]),
        "nag": st.sampled_from([[], [1, 2.0]]),
        "variations": st.just([]) | st.lists(line, min_size=1, max_size=2),
        "x-own": st.sampled_from([[], {}, 1.0, {"a": [1]}]),
    },
)
player = st.fixed_dictionaries({}, optional={"name": st.just("Ada"), "bot": st.booleans(), "rating": st.just(1850.0)})
records = st.fixed_dictionaries(
    {
        "hexrec": st.just("1"),
        "game": st.just("sunspot"),
        "size": st.sampled_from([5, 5.0]),
        "moves": st.lists(moves, max_size=5),
    },
    optional={
        "ruleset": st.just("2024"),
        "coordinates": st.sampled_from(["row", "skew"]),
        "players": st.fixed_dictionaries({}, optional={"black": player, "white": player}),
        "event": st.sampled_from(["City Open", ""]),
        "result": st.sampled_from([{}, {"termination": "rules"}, {"winner": "draw", "termination": "agreement"}]),
        "x-own": st.sampled_from(["E5", 1.0, None]),
    },
).flatmap(lambda record: st.permutations(list(record.items())).map(dict))


@pytest.mark.slow
@given(
    st.lists(records, min_size=1, max_size=3),
    st.randoms(use_true_random=False),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_yaml_of_any_layout(data: list[dict[str, Any]], random: Random, line_end: str, mark: bool) -> None:
    layout = Layout(random)
    documents = [layout.block(each, "") if layout.often() else layout.flow(each, False) + "\n" for each in data]
    text = ("\ufeff" if mark else "") + "---  # next\n".join(documents).replace("\n", line_end)
    assert [document.data for document in read("yaml", text)] == data
    try:
        made = edited("yaml", text, canonicalize)
    except EditError:
        return
    assert same([document.data for document in read("yaml", made)], [canonicalize(each) for each in data])
    assert KEPT.findall(made) == KEPT.findall(text)
    assert made.count("# next") == len(data) - 1
    assert made.startswith("\ufeff") == mark
    assert "\n" not in made.replace(line_end, "")
    assert edited("yaml", made, canonicalize) == made
    # Another parser, written in Python, accepts it as well.
    assert sum(1 for _ in yaml.parse(made.removeprefix("\ufeff"), Loader=yaml.SafeLoader))


scores = st.fixed_dictionaries({"black": st.sampled_from([[9, 7], [1]]), "white": st.sampled_from([[], [3]])})
claims = st.fixed_dictionaries(
    {},
    optional={
        "winner": st.sampled_from(["black", "white"]),
        "termination": st.sampled_from(["rules", "time"]),
        "score": scores,
        "x-own": st.just(1.0),
    },
).flatmap(lambda claim: st.permutations(list(claim.items())).map(dict))
finished = st.fixed_dictionaries(
    {"hexrec": st.just("1"), "size": st.just(5.0), "moves": st.lists(moves, max_size=3)},
    optional={"event": st.just("A"), "x-own": st.just([])},
).flatmap(lambda record: st.permutations(list(record.items())).map(dict))


def put_right(claim: dict[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in claim.items() if name not in ("winner", "score") and value != "time"}
    rest = {name: rest[name] for name in sorted(rest)}
    return {"winner": "white", **rest, "score": {"black": [1, 1, 1], "white": [3]}}


def within(text: str, made: str, start: int, end: int) -> bool:
    """Return whether two texts are the same up to `start` in the first one, and from its `end` on."""
    return made.startswith(text[:start]) and made[start:].endswith(text[end:])


def offsets(text: str, pointer: str) -> tuple[int, int]:
    """Return where a field of the only record of a text begins and ends."""
    (document,) = read("yaml", text)
    places = document.places()
    lines = [0, *(match.end() for match in re.finditer("\n", text))]
    key, value = places.keys[pointer], places.values[pointer]
    return lines[key.line - 1] + key.column - 1, lines[value.end_line - 1] + value.end_column - 1


@given(finished, claims, st.randoms(use_true_random=False), st.booleans())
def test_a_changed_result_in_any_layout(
    data: dict[str, Any], claim: dict[str, Any], random: Random, line_end: bool
) -> None:
    """Nothing outside of the result changes by a byte."""
    items = [*data.items()]
    items.insert(random.randint(0, len(items)), ("result", claim))
    layout = Layout(random)
    text = layout.block(dict(items), "") if layout.often() else layout.flow(dict(items), False) + "\n"
    text = text if line_end else text.rstrip()
    new = {**dict(items), "result": put_right(claim)}
    try:
        made = edited("yaml", text, lambda _: new, "patch")
    except EditError:
        return
    assert same(read("yaml", made)[0].data, new)
    assert within(text, made, *offsets(text, "/result"))
    assert edited("yaml", made, lambda _: new, "patch") == made


@given(finished, st.randoms(use_true_random=False), st.booleans())
def test_an_added_result_in_any_layout(data: dict[str, Any], random: Random, line_end: bool) -> None:
    """It comes after the moves, and nothing else is new but a comma."""
    layout = Layout(random)
    text = layout.block(data, "") if layout.often() else layout.flow(data, False) + "\n"
    text = text if line_end else text.rstrip()
    names = list(data)
    names.insert(names.index("moves") + 1, "result")
    new = {name: {**data, "result": put_right({})}[name] for name in names}
    made = edited("yaml", text, lambda _: new, "patch")
    document = read("yaml", made)[0]
    assert same(document.data, new)
    assert list(document.data) == names
    start, _ = offsets(made, "/result")
    assert made.startswith(text[: len(made[:start].rstrip(", \n"))])
    assert KEPT.findall(made) == KEPT.findall(text)
    old, rest = iter(text), iter(made)
    assert all(char in rest for char in old)


layouts = st.sampled_from([{}, {"indent": 2}, {"indent": "\t"}, {"indent": 0}, {"separators": (",", ":")}])


def keeps_order(old: object, new: object) -> bool:
    """Return whether an object has its fields, and those of objects in it, in the order of a new one."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return True
    in_order = list(old) == [name for name in new if name in old]
    return in_order and all(keeps_order(value, new[name]) for name, value in old.items())


@given(finished, claims | st.none(), layouts, st.sampled_from(["", "\ufeff"]), st.sampled_from(["", "\n", "\r\n"]))
def test_json_of_any_layout(
    data: dict[str, Any], claim: dict[str, Any] | None, layout: dict[str, Any], mark: str, line_end: str
) -> None:
    """What is new is written as the rest of the file is: the text is as if it had been written with it."""
    names = list(data)
    names.insert(names.index("moves") + 1, "result")
    old = {name: {**data, "result": claim}[name] for name in names if name != "result" or claim is not None}
    new = {name: {**data, "result": put_right(claim or {})}[name] for name in names}
    text = mark + json.dumps(old, ensure_ascii=False, **layout) + line_end
    made = edited("json", text, lambda _: new, "patch")
    assert same(json.loads(made.removeprefix(mark)), new)
    if keeps_order(claim or {}, new["result"]):
        assert made == mark + json.dumps(new, ensure_ascii=False, **layout) + line_end
    assert edited("json", made, lambda _: new, "patch") == made


def test_only_the_records_that_change_are_touched() -> None:
    text = "# one\n---\nmoves: [ A ]\n...\n# between\n---\nmoves: [\n---\nmoves: [ B ]   # last\n"

    def change(data: dict[str, Any]) -> dict[str, Any] | None:
        return {"moves": ["c"]} if data["moves"] == ["B"] else None

    assert edited("yaml", text, change) == text.replace("B", "c")


def test_a_list_before_a_record_in_lines_that_end_with_carriage_returns() -> None:
    text = "- a\r---\rsize: 5\r"
    made = edited("yaml", text, lambda data: {"size": 6} if isinstance(data, dict) else None, "patch")
    assert made == text.replace("5", "6")


def test_lines_are_kept_where_they_hold_no_record() -> None:
    lines = ["\ufeff\n", '{"size": 5.0}\r\n', "\n", "no record\n", " \n", '\t{"size":6.0} ']
    formatted = edited("jsonl", "".join(lines), lambda data: {"size": int(data["size"])})
    assert formatted == '\ufeff\n{"size":5}\n\nno record\n \n{"size":6}\n'
    patch_text = edited("jsonl", "".join(lines), lambda data: {"size": int(data["size"])}, "patch")
    assert patch_text == "".join(lines).replace(".0", "")


@pytest.mark.parametrize("name", ["hgn", *EDITED])
@pytest.mark.parametrize("way", ["format", "patch"])
@all_of("raw", [b"", b"\n", b"a\0b\n\n{}\n", b"\xff\xfea\0\n\0", b'{"a": "\xff"}\n'], ids=repr)
def test_what_holds_no_record_stays(name: str, way: str, raw: bytes) -> None:
    made = []
    stream = io.BufferedReader(io.BytesIO(raw))
    for segment in edit.get(name, canonical=way == "format")(stream, lambda document: made.append(document.error)):
        assert segment.old == segment.new
    assert made
    assert None not in made


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_what_is_written_anew_is_canonical(name: str) -> None:
    text = '\ufeff {"game": "sunspot", "hexrec": "1", "moves": [{"turn": "E5"}], "size": 5.0}\r\n'
    assert edited(name, text, canonicalize) == written(name, RECORD)
    assert edited(name, written(name, RECORD), canonicalize) == written(name, RECORD)


def test_what_would_be_too_large_to_be_read_again_is_not_written() -> None:
    """With a line for every number, indented by its depth, it has more than 8 MiB."""
    own: list[Any] = [0] * 60_000
    for _ in range(90):
        own = [own]
    text = json.dumps({"x-own": own, "size": 5.0})
    with pytest.raises(EditError, match="too large"):
        edited("json", text, lambda data: {**data, "size": 5})


def test_a_format_without_an_editor_is_written_anew() -> None:
    rewrite = make_rewrite(formats.get("jsonl"))
    first, second = {**RECORD, "size": 5.0}, {**RECORD, "size": 6.0, "moves": ["no turn"]}
    text = f"{json.dumps(first)}\n\n{json.dumps(second)}\n".encode()
    (segment,) = rewrite(io.BytesIO(text), lambda document: RECORD if document.data["size"] == 5 else None)
    assert segment.new.decode() == written("jsonl", RECORD) + written("jsonl", second)
    assert '"size":6.0,"moves":["no turn"]' in segment.new.decode()
    (segment,) = rewrite(io.BytesIO(text), lambda _: None)
    assert segment.new == text
    for bad in (b"no record\n", b'{"size": 6}\n'):
        (segment,) = rewrite(io.BytesIO(text + bad), lambda _: None)
        assert segment.new == text + bad
        with pytest.raises(EditError, match="record 2 cannot be read"):
            list(rewrite(io.BytesIO(text + bad), lambda document: RECORD if document.data == first else None))


@pytest.mark.parametrize("name", ["sgf", "hgn"])
def test_what_a_format_cannot_hold_gives_way_to_the_canonical_form(name: str) -> None:
    """An object that holds nothing but a turn is the turn, even if that is none."""
    new = {**RECORD, "moves": [{"turn": "no turn"}]}
    text = written(name, RECORD, RECORD)
    (segment,) = make_rewrite(formats.get(name))(io.BytesIO(text.encode()), lambda _: new)
    assert segment.new.decode() == written(name, {**RECORD, "moves": ["no turn"]}, {**RECORD, "moves": ["no turn"]})


@pytest.mark.parametrize("why", ["a note", "a loss"])
def test_what_cannot_be_written_anew_stays(why: str) -> None:
    warning = Diagnostic("convert/lost", "its colors")

    def read_it(_: io.BytesIO) -> list[Document]:
        return [Document({**RECORD, "size": 6}, warnings=(warning,) if why == "a note" else ())]

    def write_it(_: list[Any]) -> Iterator[str]:
        if why == "a loss":
            raise LossError(warning)
        yield "text"

    rewrite = make_rewrite(Format("own", "Own", read_it, write_it, bool))  # type: ignore[arg-type]
    with pytest.raises(EditError, match="its colors"):
        list(rewrite(io.BytesIO(b"text"), lambda _: RECORD))


@pytest.mark.parametrize("name", EDITED)
def test_an_edit_that_goes_wrong_is_no_edit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was made is read again; what does not mean what it should is refused."""
    text, wrong = ("size: 5.0", "size: 7") if name == "yaml" else ('{"size": 5.0}', "{}")
    monkeypatch.setattr("hexrec.tools.edit.patch.Patch.text", wrong)
    source, stream, made = Source(f"a.{name}", name), io.BufferedReader(io.BytesIO(text.encode())), io.BytesIO()
    said = "its records would be read back as something else; this is an error in hexrec"
    with pytest.raises(EditError, match=f"^{said}: please report it, with the file$"):
        list(in_place.edit_stream(source, stream, made, lambda _: {"size": 5}, canonical=False))


_COMMENT, _ANCHOR = (
    "a comment is inside a value that changes its form",
    "an array or an object that changes its form ",
)
#: Texts, the data that they should have, and why they are not edited.
REFUSED_YAML = {
    "result: {\n  # kept\n  }\n": ({"result": {"winner": "white"}}, _COMMENT),
    "nag: [a,# kept\n  ]\nsize: 5\n": ({"nag": [], "size": 5}, _COMMENT),
    "result:\n  winner: draw\n  # kept\n  score: 1\n": ({"result": None}, _COMMENT),
    "- {size: 5,  # kept\n  nag: []}\n": ([{"size": 5}], _COMMENT),
    "- x: 1\n  # kept\n  y: 2\n": ([{"y": 2}], _COMMENT),
    "a: &x\n- 1\n": ({"a": []}, _ANCHOR),
    "- &a\n  turn: &b e5\n": (["e6"], _ANCHOR),
    "? a\n: 1\n": ({"a": 2}, "the name of a field follows a question mark"),
}


@all_of("text", REFUSED_YAML)
def test_yaml_that_would_lose_something_is_not_edited(text: str) -> None:
    new, reason = REFUSED_YAML[text]
    with pytest.raises(EditError, match=f"^{reason}"):
        edited("yaml", text, lambda _: new, "patch")


#: Texts in YAML, each with new data and the text after the edit; many layouts are ones that nobody would choose.
YAML = [json.loads(line) for line in Path(__file__).with_name("yaml.jsonl").read_text("utf-8").splitlines()]


@all_of("case", YAML)
def test_yaml_is_edited_in_its_own_layout(case: dict[str, Any]) -> None:
    made = edited("yaml", case["text"], lambda _: case["new"], case["way"])
    assert made == case["made"]
    assert same(read("yaml", made)[0].data, case["new"])
