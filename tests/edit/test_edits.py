"""Data of many kinds changed in texts of many layouts: what comes out, byte for byte.

`python -m tests.edit.test_edits` writes down what the editors make of the examples, in `fixtures/edits.jsonl`.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from hexrec.edit.editor import same
from tests.edit.test_editing import Layout, edited
from tests.notations.helpers import read, read_one

FILE = Path(__file__).parent.parent.parent / "fixtures/edits.jsonl"
COUNT = 160


class Example(NamedTuple):
    """A text, the data that it is to have, and the text that it becomes."""

    notation: str
    text: str
    data: dict[str, Any]
    made: str


TEXTS = ["a", "e5", "with a # sign", "a: b", "\u00e9", "", "12"]


def scalar(random: Random) -> Any:
    return random.choice([*TEXTS, *TEXTS, 0, 7, 2.5, True, None])


def value(random: Random, depth: int) -> Any:
    kind = random.random()
    if kind < 0.3 and depth:
        return [value(random, depth - 1) for _ in range(random.randint(0, 3))]
    if kind < 0.65 and depth:
        return fields(random, depth - 1, random.randint(0, 3))
    return scalar(random)


def fields(random: Random, depth: int, count: int) -> dict[str, Any]:
    names = random.sample(["a", "bee", "turn", "x-own", "d e", "\u00e9"], count)
    return {name: value(random, depth) for name in names}


def changed(random: Random, old: Any) -> Any:
    """Return data that differs here and there. A text stays one, as it does in records: it may have a tag."""
    if isinstance(old, str):
        return old if random.random() < 0.6 else random.choice([*TEXTS, "it's", "two\nlines", 'a "b"'])
    if isinstance(old, dict) and old:
        if isinstance(old.get("turn"), str) and random.random() < 0.3:
            return random.choice([old["turn"], "e6"])
        items = [(name, changed(random, each)) for name, each in old.items() if random.random() < 0.75]
        for name in random.sample(["new", "y", "z z"], random.choice([0, 0, 1, 2])):
            items.insert(random.randint(0, len(items)), (name, value(random, 2)))
        return dict(items)
    if isinstance(old, list) and old:
        return [changed(random, each) for each in old] if random.random() < 0.8 else [*old, value(random, 2)]
    return old if random.random() < 0.6 else value(random, 2)


def written(random: Random, data: dict[str, Any]) -> tuple[str, str]:
    """Return the name of a notation and a text of data in it."""
    kind = random.randint(0, 4)
    line_end = random.choice(["\n", "\n", "\r\n"])
    if kind < 2:
        layouts: list[dict[str, Any]] = [{}, {"indent": 2}, {"indent": "\t"}, {"indent": 3}, {"separators": (",", ":")}]
        text = json.dumps(data, ensure_ascii=False, **random.choice(layouts))
        return ("json", "yaml")[kind], (text + random.choice(["", "\n"])).replace("\n", line_end)
    layout = Layout(random)
    text = layout.flow(data, False) + "\n" if kind == 2 else layout.block(data, "")
    return "yaml", (text if random.random() < 0.8 else text.rstrip()).replace("\n", line_end)


def is_read(notation: str, text: str, data: dict[str, Any]) -> bool:
    """Return whether a text, in which a comment may be where none can be, says what it should."""
    (document,) = read(notation, text)
    return document.error is None and same(document.data, data)


def patched(notation: str, text: str, data: dict[str, Any]) -> str:
    return edited(notation, text, lambda _: data, "patch")


@cache
def kept() -> list[str]:
    return FILE.read_text(encoding="utf-8").splitlines()


def examples() -> list[Example]:
    found: list[Example] = []
    random = Random(1)
    while len(found) < COUNT:
        data = fields(random, 3, random.randint(1, 5))
        notation, text = written(random, data)
        new = changed(random, data)
        if not isinstance(new, dict) or not new or same(new, data) or not is_read(notation, text, data):
            continue
        found.append(Example(notation, text, new, patched(notation, text, new)))
    return found


@pytest.mark.parametrize("number", range(COUNT))
def test_what_an_edit_makes(number: int) -> None:
    example = Example(**json.loads(kept()[number]))
    assert patched(example.notation, example.text, example.data) == example.made
    assert same(read_one(example.notation, example.made), example.data)


if __name__ == "__main__":
    lines = (json.dumps(example._asdict(), ensure_ascii=False) + "\n" for example in examples())
    FILE.write_text("".join(lines), encoding="utf-8")
