"""What is said of texts that are no tree of SGF, and where: also of those that files are never cut into."""

from __future__ import annotations

import pytest

from hexrec.formats.base import FormatError, LocatedText
from hexrec.formats.sgf import grammar
from hexrec.formats.sgf.grammar import parse

_TRUNCATED = "syntax/truncated: "
_SGF = "syntax/sgf: not SGF: "
#: By text: what is said of it, and the place.
FAULTS = {
    "": (f"{_SGF}there is no game tree here", "1:1-1:2"),
    ";B[e5]": (f"{_SGF}nodes belong in a tree, which begins with a parenthesis", "1:1-1:2"),
    "(;": (f"{_TRUNCATED}this tree has no closing parenthesis", "1:1-1:2"),
    "(;B[e5]\n(;W[e6] ": (f"{_TRUNCATED}this tree has no closing parenthesis", "2:1-2:2"),
    "(;B[e5](;W[e6])(;W[e7]": (f"{_TRUNCATED}this tree has no closing parenthesis", "1:16-1:17"),
    "(;C[a]\n [b": (f"{_TRUNCATED}this value has no closing bracket", "2:2-2:3"),
    "(;C[a": (f"{_TRUNCATED}this value has no closing bracket", "1:4-1:5"),
    "(;C [a": (f"{_TRUNCATED}this value has no closing bracket", "1:5-1:6"),
    "(;B[e5]*)": (f'{_SGF}nothing can begin with "*" here', "1:8-1:9"),
    "(;B[e5]Comment": (f"{_SGF}Comment should be followed by a value in brackets", "1:8-1:15"),
    "(;B[e5]\n x1 ;)": (f"{_SGF}x1 should be followed by a value in brackets", "2:2-2:4"),
    "(;B[e5]( \n))": (f"{_SGF}this tree is empty: it should have a node", "1:8-2:2"),
    "(;B[e5]((;W[e6])))": (f"{_SGF}a tree should begin with a semicolon, not with another tree", "1:9-1:10"),
    "(;[a])": (f"{_SGF}this value has no property name before it", "1:3-1:6"),
    "(;B[e5](;W[e6])C[x])": (f"{_SGF}a property should not follow a variation", "1:16-1:20"),
    "(;B[e5](;W[e6]);C[x])": (f"{_SGF}a node should not follow a variation: it belongs before it", "1:16-1:17"),
    "(;B[e5](;W[e6]);B[e7])": (f"{_SGF}a node should not follow a variation: it belongs before it", "1:16-1:17"),
}


@pytest.mark.parametrize("text", FAULTS)
def test_what_is_no_tree_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse(LocatedText(text))
    found = caught.value.diagnostic
    place = f"{found.line}:{found.column}-{found.end_line}:{found.end_column}"
    assert (f"{found.code}: {found.message}", place) == FAULTS[text]


def test_a_tree_ends_where_its_parenthesis_is_closed() -> None:
    root = parse(LocatedText("(;B[e5](;W[e6])) x")).root
    assert (root.opened, root.closed, root.children[0].opened, root.children[0].closed) == (0, 16, 7, 15)


def test_a_tree_of_too_many_parts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "(;B[e5]\n;W[e6];B[e7])"
    monkeypatch.setattr(grammar, "MAX_VALUES", 5)
    assert len(parse(LocatedText(text)).root.children) == 1
    monkeypatch.setattr(grammar, "MAX_VALUES", 3)
    with pytest.raises(FormatError, match="a record of more than") as caught:
        parse(LocatedText(text))
    found = caught.value.diagnostic
    assert (found.code, found.line, found.column, found.end_line, found.end_column) == ("syntax/too-large", 2, 7, 2, 8)
