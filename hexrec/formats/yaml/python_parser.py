"""The parser of YAML in Python, where PyYAML's C parser is missing: in browsers."""

from __future__ import annotations

import re
from typing import Any

import yaml
from yaml.scanner import ScannerError

#: The beginning of the escape of a surrogate, up to its digits.
_SURROGATE = re.compile(r"(?<!\\)(?:\\\\)*\\[uU](?=(?:0000)?[dD][89abcdefABCDEF])")


class PythonLoader(yaml.Loader):
    """The slower parser in Python, the only one in browsers. It accepts the same documents as the compiled one."""

    def scan_to_next_token(self) -> None:
        """Skip whitespace and comments: also the tabs that do not indent."""
        super().scan_to_next_token()
        while self.peek() == "\t" and (self.flow_level or not self.allow_simple_key):
            self.forward()
            super().scan_to_next_token()

    def scan_directive_name(self, start_mark: Any) -> str:
        """Return the name of a directive. Raises ScannerError for one that is unknown."""
        name: str = super().scan_directive_name(start_mark)  # type: ignore[no-untyped-call]
        if name not in ("YAML", "TAG"):
            raise ScannerError(None, None, "found unknown directive name", self.get_mark())
        return name

    def scan_flow_scalar(self, style: str) -> Any:
        """Return the token of a quoted string. Raises ScannerError also for escapes that are not characters."""
        start = self.get_mark()
        try:
            token = super().scan_flow_scalar(style)
            token.value.encode()
        except (OverflowError, ValueError) as error:
            at = self.get_mark()
            if isinstance(error, UnicodeEncodeError) and (escape := _SURROGATE.search(self.buffer, start.index)):
                at = yaml.Mark("", escape.end(), 0, 0, None, 0)
            raise ScannerError(None, None, "invalid Unicode character escape code", at) from None
        return token

    def scan_plain(self) -> Any:
        """Return the token of a plain string, which may have tabs, and in brackets also question marks."""
        self.peek = self._peek_in_plain  # type: ignore[method-assign]
        try:
            token = super().scan_plain()
        finally:
            del self.peek
        if self.flow_level and self.peek() == ":" and self.peek(1) in ",?[]{}":
            raise ScannerError(None, None, "found unexpected ':'", self.get_mark())
        return token

    def _peek_in_plain(self, index: int = 0) -> str:
        """Return the next character of a plain string, or another one that is treated as this one should be."""
        char: str = super().peek(index)
        if char == "\t" and not index and self.column <= self.indent:
            raise ScannerError(None, None, "found a tab character that violates indentation", self.get_mark())
        if char == "?":
            return "," if index and super().peek(index - 1) == ":" else "x"
        return " " if char == "\t" else char

    def scan_block_scalar_indentation(self) -> Any:
        """Scan the indentation of a block string. Raises ScannerError for tabs."""
        scanned = super().scan_block_scalar_indentation()
        self._refuse_tab()
        return scanned

    def scan_block_scalar_breaks(self, indent: int) -> Any:
        """Scan the indentation of the next line of a block string. Raises ScannerError for tabs."""
        scanned = super().scan_block_scalar_breaks(indent)
        if self.column < indent:
            self._refuse_tab()
        return scanned

    def _refuse_tab(self) -> None:
        if self.peek() == "\t":
            problem = "found a tab character where an indentation space is expected"
            raise ScannerError(None, None, problem, self.get_mark())
