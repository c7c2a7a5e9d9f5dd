"""The patterns of dates in records: ISO 8601, and only dates that there are."""

from __future__ import annotations

#: The end of the text and nothing else, in Python's regular expressions as in those of JSON Schema.
_END = r"$(?!\n)"

_LEAP_YEAR = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
_MONTH = "(?!0000)[0-9]{4}(?:-(?:0[1-9]|1[0-2]))?"
_DATE = (
    "(?:(?!0000)[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))"
    f"|(?!0000){_LEAP_YEAR}-02-29)"
)
_CLOCK_TIME = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_TIME = rf"T{_CLOCK_TIME}(?::[0-5][0-9](?:\.[0-9]+)?)?(?:Z|[+-]{_CLOCK_TIME})"


def whole_text(pattern: str) -> str:
    """Return a pattern that matches texts consisting of `pattern` alone."""
    return f"^(?:{pattern}){_END}"


#: A date, a date and time with its zone, a month or a year.
DATE = whole_text(f"{_DATE}(?:{_TIME})?|{_MONTH}")
#: A date and time with its zone.
DATE_AND_TIME = whole_text(f"{_DATE}{_TIME}")


def first_day(text: str) -> str:
    """Return the first day of a date that is a day, a month or a year."""
    return text + "-01-01"[len(text) - len("2026") :]
