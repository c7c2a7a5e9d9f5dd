"""Grammar of HGN: the text of a game, its tags, tokens and comments, with escapes. Independent of records.

`docs/formats/hgn.md` has the full grammar. Four rules make it unambiguous:

* A tag is on one line, and a tag line after moves begins the next game, even inside a comment or variation.
* `(`, an integer, a comma, an integer and `)`, without whitespace, is a cell; any other `(` begins a variation.
* Ambiguous text is written with escapes.
* A comment may be wrapped at any single space: a newline, with the whitespace around it, reads as one space.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from hexrec.formats.located_text import FormatError, LocatedText
from hexrec.formats.places import Places
from hexrec.util.diagnostics import Diagnostic, FirstFew, shorten

#: Maximum width of lines of moves.
WIDTH = 80
WHITESPACE = " \t\r\n"

TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
TAG = re.compile(rf'\[(?P<name>{TAG_NAME.pattern})[ \t]+"(?P<value>[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+)"[ \t]*\]')
#: The end of a tag: an unescaped quote and a bracket.
_TAG_END = re.compile(r'(?<!\\)"\]')
#: One token of the moves, with the whitespace before it.
TOKEN = re.compile(
    r"[ \t\r\n]*+(?:"
    r"(?P<number>[0-9]+\.+)"
    r"|(?P<line>(?:;|(?<![^\n])%)[^\n]*)"
    r"|(?P<word>(?:\(-?[0-9]+,-?[0-9]+\)|[^ \t\r\n(){}\[\]\"$;%])(?>(?:\(-?[0-9]+,-?[0-9]+\)|[^ \t\r\n(){}\[\]\"$])*))"
    r"|(?P<comment>\{[^\\}]*+(?:\\(?:u\{[0-9A-Fa-f]{1,6}\}|.)[^\\}]*+)*+\})"
    r"|(?P<glyph>\$[0-9]+)"
    r"|(?P<open>\()"
    r"|(?P<close>\))"
    r'|(?P<text>"[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+")'
    r")",
    re.DOTALL,
)
#: Turns that are written without quotes.
PLAIN_TURN = re.compile(r"(?:[A-Za-z]|\(-?[0-9]+,-?[0-9]+\))(?:[A-Za-z0-9/-]|\(-?[0-9]+,-?[0-9]+\))*")
#: The numeric glyphs of the suffixes of turns.
SUFFIXES = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
SUFFIXED = re.compile(r"(.*?[^!?])([!?]{1,2})")

_COMMAND = re.compile(
    rf"\\.|\[%(?P<name>{TAG_NAME.pattern})(?:[ \t\r\n]++(?P<value>(?:[^\\\[\]]|\\.)*+))?\]", re.DOTALL
)
_ESCAPE = re.compile(r"[ \t\r\n]+|\\(?:u\{([0-9A-Fa-f]{1,6})\}|(.?))", re.DOTALL)
_UNESCAPED = {"n": "\n", "r": "\r", "t": "\t", **{char: char for char in '\\"{}[]'}}
_ESCAPED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
#: A bracket that could begin a command or, at the start of a line, a tag.
_RISKY_BRACKET = re.compile(rf'\[(?=%|{TAG_NAME.pattern} +")')
_ONE_SPACE = re.compile(r"(?<=[^ ]) (?=[^ ])")


class Command(NamedTuple):
    """A command in a comment, such as ``[%clk 0:20:00]``, and the offsets of its start and end."""

    name: str
    value: str
    place: tuple[int, int]


class GameText:
    """The text of a game, with the places of its parts, warnings and syntax errors.

    Attributes:
        text: the text.
        end: the offset just past the last character that is not whitespace.
        places: the places of its parts, if requested.
        warnings: the warnings about input that was read although the grammar does not allow it.
    """

    def __init__(self, located: LocatedText, places: Places | None = None) -> None:
        self.text = located.text
        self.end = len(self.text.rstrip(WHITESPACE))
        self.places = places
        self.warnings = FirstFew[Diagnostic]()
        self.span, self.error = located.span, located.error
        self._located = located

    def place(self, pointer: str, start: int, end: int) -> None:
        """Store the place of a value, if places are requested."""
        if self.places is not None:
            self.places.put(pointer, self.span(start, end))

    def warn(self, code: str, message: str, start: int, end: int) -> None:
        """Add a warning about malformed input that was read."""
        self.warnings.add(self._located.warning(code, message, start, end))

    def unclosed(self, at: int, message: str) -> FormatError:
        """Return the error for an unclosed tag or quoted turn, which may be truncated on the last line."""
        text = self.text[at : self.end]
        cut = "\n" not in text and _TAG_END.search(text) is None
        return self.error("syntax/truncated" if cut else "syntax/hgn", message, at)

    def stray(self, at: int) -> FormatError:
        """Return the error for the first character, after whitespace, that begins no token."""
        at += len(self.text) - at - len(self.text[at:].lstrip(WHITESPACE))
        char = self.text[at]
        if char == "{":
            message = "this comment is not closed: the rest of the game is missing"
            return self.error("syntax/truncated", message, at)
        if char == '"':
            return self.unclosed(at, "this string has no closing quote on its line")
        if char == "[":
            return self.error("syntax/hgn", "a tag is not allowed among the turns of a game", at)
        if at == self.end - 1:
            return self.error("syntax/truncated", "the game ends here: the rest of it is missing", at)
        hint = " (inside a comment, write \\} for a closing brace)" if char in "]}" else ""
        return self.error("syntax/hgn", f'not HGN: "{shorten(char)}" has no meaning here{hint}', at)

    def unescape(self, raw: str, offset: int) -> str:
        """Replace escapes in a part of the text, and newlines with the whitespace around them by one space.

        `offset` is the offset of the part. Raises FormatError for an unknown escape.
        """

        def meaning(match: re.Match[str]) -> str:
            text, code, char = match[0], match[1], match[2]
            if text[0] != "\\":
                return " " if "\n" in text else text
            if code is not None:
                number = int(code, 16)
                if number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF:
                    return chr(number)
            elif char in _UNESCAPED:
                return _UNESCAPED[char]
            end = match.end() if code is not None else match.start() + 2
            message = "this backslash begins no escape: for a backslash, write two"
            raise self.error("syntax/hgn-escape", message, offset + match.start(), offset + end)

        return _ESCAPE.sub(meaning, raw) if "\\" in raw or "\n" in raw else raw

    def split_comment(self, text: str, start: int, names: Container[str] | None) -> tuple[str | None, list[Command]]:
        """Split a comment, after `;` or in braces, into its text (None if there are only commands) and its commands.

        Commands that are not in `names` are text; None allows all names. `start` is the offset of the comment.
        Raises FormatError.
        """
        if text.startswith(";"):
            return text[1:].strip(WHITESPACE), []
        body, offset = text[1:-1], start + 1
        if "[%" not in body:
            return self._comment_text(body, offset), []
        commands = []
        texts = []
        at = 0
        for match in _COMMAND.finditer(body):
            if match["name"] and (names is None or match["name"] in names):
                value = self._comment_text(match["value"] or "", offset + match.start("value"))
                commands.append(Command(match["name"], value, (offset + match.start(), offset + match.end())))
                texts.append(self._comment_text(body[at : match.start()], offset + at))
                at = match.end()
        texts.append(self._comment_text(body[at:], offset + at))
        comment = " ".join(filter(None, texts))
        return (comment if comment or not commands else None), commands

    def _comment_text(self, raw: str, offset: int) -> str:
        """Return the comment for a text without commands between two braces. Raises FormatError."""
        begun = raw.lstrip(WHITESPACE)
        return self.unescape(begun.rstrip(WHITESPACE), offset + len(raw) - len(begun))


def quote(text: str) -> str:
    """Return a string in quotes, with escapes, as in a tag."""
    return f'"{_escape(text, chr(34))}"'


def comment_words(text: str, closing: str = "}") -> list[str]:
    """Return the words of a comment, with escapes; lines may be wrapped between words.

    `closing` are the characters to escape because they would end the text.
    """
    text = _escape(text, closing)
    if "[" not in closing:
        text = _RISKY_BRACKET.sub(r"\\[", text)
    begun = text.lstrip(" ")
    kept = begun.rstrip(" ")
    before, after = len(text) - len(begun), len(begun) - len(kept)
    return _ONE_SPACE.split("\\u{20}" * before + kept + "\\u{20}" * after)


def _escape(text: str, closing: str) -> str:
    special = f"\\{closing}"
    if text.isprintable() and not any(char in text for char in special):
        return text
    return "".join(_escape_char(char, special) for char in text)


def _escape_char(char: str, special: str) -> str:
    if char in special:
        return f"\\{char}"
    return char if char.isprintable() else _ESCAPED.get(char) or f"\\u{{{ord(char):X}}}"


def wrap(words: Iterable[str]) -> Iterator[str]:
    """Wrap words into lines of the maximum width."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    if line:
        yield line
