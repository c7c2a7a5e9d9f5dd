"""The grammar of HGN in its documentation is the one by which it is read: texts are made by the one, for the other."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from itertools import chain, cycle
from pathlib import Path
from typing import Any, NamedTuple

import lark
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.formats.helpers import read, read_one, write
from tests.properties import examples
from tests.record.helpers import exact

PAGE = Path(__file__).parent.parent.parent / "docs/formats/hgn.md"
EBNF = lark.Lark(
    r"""
    start: (rule ";")+
    rule: NAME "=" choice
    choice: sequence ("|" sequence)*
    sequence: _term ("," _term)*
    _term: _primary | without
    without: _primary "-" _primary
    _primary: name | text | special | "(" choice ")" | option | repetition
    name: NAME
    text: /"[^"]+"|'[^']+'/
    special: /\?[^?]+\?/
    option: "[" choice "]"
    repetition: "{" choice "}"
    NAME: /[a-z]+(-[a-z]+)*/
    %ignore /\s+/
    """
)
#: Parts of a text, one after the other.
Pieces = tuple[str, ...]
#: What a special sequence stands for, as a strategy and as a regular expression.
SPECIAL: dict[str, tuple[st.SearchStrategy[str], str]] = {
    "space": (st.just(" "), " "),
    "tab": (st.just("\t"), "\t"),
    "carriage return": (st.just("\r"), "\r"),
    "line feed": (st.just("\n"), "\n"),
    "A to Z, a to z": (st.sampled_from("AZaz"), "[A-Za-z]"),
    "0 to 9": (st.sampled_from("019"), "[0-9]"),
    "the number of a Unicode character, in one to six hexadecimal digits": (
        st.characters(exclude_categories=["Cs"]).map(lambda char: f"{ord(char):x}"),
        "[0-9A-Fa-f]{1,6}",
    ),
    "any Unicode character but the one with the number 0": (
        st.sampled_from(' \t\r\n\\{}[]()"$;%!?.,-+=*eB1') | st.characters(min_codepoint=1, exclude_categories=["Cs"]),
        r"[^\0]",
    ),
}


class Meaning(NamedTuple):
    """What a part of the grammar means: a strategy for its texts, and the regular expression of those of a token."""

    texts: st.SearchStrategy[Pieces]
    pattern: Callable[[], str]


@lark.v_args(inline=True)
class Interpreter(lark.Transformer[Any, dict[str, Meaning]]):
    """Gives every rule its meaning, in terms of those of all the rules."""

    def __init__(self, rules: dict[str, Meaning]) -> None:
        super().__init__()
        self._rules = rules

    def start(self, *rules: tuple[str, Meaning]) -> dict[str, Meaning]:
        return dict(rules)

    def rule(self, name: str, meaning: Meaning) -> tuple[str, Meaning]:
        return str(name), meaning

    def name(self, name: str) -> Meaning:
        return Meaning(st.deferred(lambda: self._rules[name].texts), lambda: self._rules[name].pattern())

    def text(self, quoted: str) -> Meaning:
        return Meaning(st.just((quoted[1:-1],)), lambda: re.escape(quoted[1:-1]))

    def special(self, sequence: str) -> Meaning:
        texts, pattern = SPECIAL[sequence.strip("? ")]
        return Meaning(texts.map(lambda text: (text,)), lambda: pattern)

    def choice(self, *parts: Meaning) -> Meaning:
        return Meaning(
            st.one_of([part.texts for part in parts]), lambda: f"(?:{'|'.join(part.pattern() for part in parts)})"
        )

    def sequence(self, *parts: Meaning) -> Meaning:
        texts = st.tuples(*(part.texts for part in parts)).map(lambda found: tuple(chain(*found)))
        return Meaning(texts, lambda: "".join(part.pattern() for part in parts))

    def option(self, part: Meaning) -> Meaning:
        return Meaning(st.just(()) | part.texts, lambda: f"(?:{part.pattern()})?")

    def repetition(self, part: Meaning) -> Meaning:
        texts = st.lists(part.texts, max_size=3).map(lambda found: tuple(chain(*found)))
        return Meaning(texts, lambda: f"(?:{part.pattern()})*")

    def without(self, part: Meaning, exception: Meaning) -> Meaning:
        texts = part.texts.filter(lambda pieces: re.fullmatch(exception.pattern(), "".join(pieces)) is None)
        return Meaning(texts, lambda: f"(?!{exception.pattern()}){part.pattern()}")


@cache
def rules() -> dict[str, Meaning]:
    """Return what the rules of the grammar mean: those of tokens without gaps, and those of games with them."""
    found: dict[str, Meaning] = {}
    tokens, parts = (
        Interpreter(found).transform(EBNF.parse(text))
        for text in re.findall(r"```ebnf\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    )
    for name, (texts, pattern) in tokens.items():
        found[name] = Meaning(texts.map(lambda pieces: ("".join(pieces),)), pattern)
    found |= parts
    gaps = st.lists(found["gap"].texts, min_size=1, max_size=4)
    # No line within a comment may begin like a tag.
    comments = found["comment"].texts.filter(lambda pieces: re.search(r'\n\[[A-Za-z]\w*[ \t]+"', pieces[0]) is None)
    found["comment"] = found["comment"]._replace(texts=comments)
    found["game"] = Meaning(st.tuples(found["game"].texts, gaps).map(lambda found: woven(*found)), str)
    return found


def woven(tokens: Pieces, gaps: list[Pieces]) -> Pieces:
    return tuple(chain(*zip(tokens, (gap for (gap,) in cycle(gaps)), strict=False)))


def test_every_rule_is_part_of_a_file() -> None:
    page = PAGE.read_text(encoding="utf-8")
    named = " ".join(re.findall(r"^[a-z-]+ += (.*) ;$", page, re.MULTILINE))
    assert {name for name in rules() if not re.search(rf"(?<![\w-]){name}(?![\w-])", named)} == {"file"}


@settings(max_examples=examples(10), suppress_health_check=list(HealthCheck))
@given(pieces=st.deferred(lambda: rules()["file"].texts))
def test_what_the_grammar_has_is_read(pieces: Pieces) -> None:
    (text,) = pieces
    for document in read("hgn", text):
        if document.error is None:
            data = document.data
            assert exact(read_one("hgn", write("hgn", data))) == exact(data)
        else:
            # No command appears twice at a turn, and no tag twice in a game.
            assert document.error.code == "syntax/duplicate-key"
            name = re.search(r"tag (\w+)|\[%(\w+)\]", document.error.message)
            assert name is not None
            assert len(re.findall(rf"\[%?{name[1] or name[2]}\b", text)) > 1
