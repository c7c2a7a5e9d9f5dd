"""Mails, and mailboxes of them, as text: decoded by Python's `email`, with a line for each author."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr
from html import unescape

from hexrec.tools.importing.layouts import decode
from hexrec.tools.importing.messages import QUOTING

_MAILBOX = re.compile(rb"^From .*\r?\n", re.MULTILINE)
_REPLY = re.compile(r"^(?:(?:re|aw|fwd?|wg|tr|sv|rif)\s*:\s*)+", re.IGNORECASE)
_BREAK = re.compile(r"<br\s*/?>|</(?:p|div|tr|li|h\d)>", re.IGNORECASE)
_MARKUP = re.compile(r"<(style|script|head)\b.*?</\1>|<[^<>]{1,500}>", re.IGNORECASE | re.DOTALL)
_QUOTED = re.compile(r"(?:>\s?)+")
_CELLS = re.compile(r"\b[a-z]\d")
#: A signature, up to a blank line.
_SIGNATURE = re.compile(r"(?m)^-- ?\n(?:.+\n?)*")


def mail_text(data: bytes) -> str:
    """Return the text of a mail, or of all mails of a mailbox: subjects, authors with dates, and bodies."""
    parts = _MAILBOX.split(data) if data.startswith(b"From ") else [data]
    mails = [message_from_bytes(part, policy=policy.default) for part in parts if part.strip()]
    return "\n".join(_lines(mails))


def _lines(mails: list[EmailMessage]) -> Iterator[str]:
    subject = ""
    for mail in mails:
        name, address = parseaddr(str(mail.get("From", "")))
        own = _REPLY.sub("", str(mail.get("Subject", ""))).strip()
        if len(mails) == 1:
            yield from (f"From: {name}", f"To: {parseaddr(str(mail.get('To', '')))[0]}")
        else:
            yield f"{name or address.split('@')[0]}, {_date(mail)}"
        if own != subject:
            subject = own
            yield from (subject, "")
        yield _in_order(_body(mail)) if len(mails) == 1 else _body(mail)


def _date(mail: EmailMessage) -> str:
    date = getattr(mail.get("Date"), "datetime", None)
    return "2000-01-01 00:00" if date is None else f"{date:%Y-%m-%d %H:%M}"


def _body(mail: EmailMessage) -> str:
    """Return the text of a mail up to its signature; HTML without its markup."""
    body = mail.get_body(("plain", "html"))
    if body is None:
        return ""
    content = body.get_payload(decode=True)
    try:
        text = str(body.get_content())
    except (LookupError, UnicodeError):  # an unknown or wrong charset
        text = decode(content) if isinstance(content, bytes) else ""
    text = text.replace("\r\n", "\n")
    if body.get_content_subtype() == "html":
        text = unescape(_MARKUP.sub("", _BREAK.sub("\n", text)))
    return _SIGNATURE.sub("", text)


def _in_order(text: str) -> str:
    """Return a text with the mails that it quotes before its own lines, the oldest first, if these have most cells."""
    parts: dict[int, list[str]] = {}
    for line in text.split("\n"):
        if QUOTING.search(line):
            continue
        marks = _QUOTED.match(line)
        depth = 0 if marks is None else marks[0].count(">")
        parts.setdefault(depth, []).append(line if marks is None else line[marks.end() :])
    cells = {depth: len(_CELLS.findall("\n".join(lines))) for depth, lines in parts.items()}
    if 2 * cells.pop(0, 0) > sum(cells.values()):
        return text
    return "\n".join(_SIGNATURE.sub("", "\n".join(parts[depth])) for depth in sorted(parts, reverse=True))
