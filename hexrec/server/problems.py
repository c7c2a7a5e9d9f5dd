"""Problem details (RFC 9457)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from hexrec.web.answers import DiagnosticData, ReportData

MEDIA_TYPE = "application/problem+json"


#: Status and title of all kinds of problems. The names are stable: they end the `type` of a problem.
KINDS: Mapping[str, tuple[int, str]] = {
    "bad-request": (400, "The request is not well formed"),
    "foreign-origin": (403, "Pages of this origin may not use the service"),
    "not-found": (404, "There is nothing at this URL"),
    "method-not-allowed": (405, "The URL does not have this method"),
    "not-acceptable": (406, "No media type of the response is acceptable"),
    "body-too-slow": (408, "The body did not arrive in time"),
    "body-too-large": (413, "The body is too large"),
    "too-many-records": (413, "The body has too many records"),
    "too-many-plies": (413, "The records have too many turns"),
    "too-much-work": (413, "The work on the body took too long"),
    "too-much-memory": (413, "The work on the body takes too much memory"),
    "unsupported-body": (415, "The service does not read this type of body"),
    "unknown-host": (421, "The service does not have this host name"),
    "bad-parameter": (422, "A parameter has an invalid value, or is unknown"),
    "bad-record": (422, "A record cannot be used for this request"),
    "bad-position": (422, "The body describes no position"),
    "no-such-record": (422, "The body does not have that record"),
    "no-such-ply": (422, "The record has no position at that ply"),
    "cannot-be-joined": (422, "The format cannot hold the records together"),
    "cannot-be-edited": (422, "The record cannot be changed in place"),
    "head-too-large": (431, "The first line and the header fields are too large"),
    "failed": (500, "The service failed"),
    "not-installed": (501, "The service lacks a library for this response"),
    "busy": (503, "The service is busy"),
}


class ServiceProblem(TypedDict):
    """Problem details (RFC 9457): the reason why a request failed."""

    type: Annotated[str, Field(json_schema_extra={"enum": [f"urn:hexrec:problem:{name}" for name in KINDS]})]
    title: str
    status: int
    detail: Annotated[str, Field(description="Reason for the failure, for people.")]
    records: NotRequired[Annotated[list[ReportData], Field(description="Of a bad record: its report, or several.")]]
    diagnostics: NotRequired[Annotated[list[DiagnosticData], Field(description="Of a bad position.")]]


class Problem(Exception):
    """The reason why a request failed. Problems can be pickled."""

    def __init__(self, name: str, detail: str, more: Mapping[str, Any] | None = None) -> None:
        """`more` are additional members."""
        super().__init__(name, detail, more)
        self.name = name
        self.status, self.title = KINDS[name]
        self.detail = detail
        self.more = more or {}

    def as_data(self) -> dict[str, Any]:
        """Return the members of the problem."""
        kind = f"urn:hexrec:problem:{self.name}"
        about = {"type": kind, "title": self.title, "status": self.status, "detail": self.detail}
        return {**about, **self.more}
