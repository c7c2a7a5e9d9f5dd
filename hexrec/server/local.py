"""Responses to the page in its own process: in the browser there is no server."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl

from pydantic import ValidationError

from hexrec.output import to_text
from hexrec.server.imports import ImportText
from hexrec.server.listing import EditRecord, ListRecords
from hexrec.server.parameters import make_problem
from hexrec.server.positions import DescribePosition, ExplainResult, ListLegalTurns, RenderPosition, ReplayRecord
from hexrec.server.problems import Problem
from hexrec.server.records import ConvertRecords, ValidateRecords
from hexrec.server.tasks import Operation, Task


def answer(address: str, body: bytes, accept: str = "*/*") -> tuple[int, str]:
    """Return status and body of the response to a request of the page; the address is one of the service."""
    path, _, query = address.partition("?")
    try:
        if path not in _ADDRESSES:
            raise Problem("not-found", f"no such address ({path}): it needs a server")
        operation = _ADDRESSES[path].model_validate(dict(parse_qsl(query, keep_blank_values=True)))
        notation, media_type = getattr(operation, "notation", None), operation.choose_media_type(accept)
        task = Task(operation, body=body, notation=notation, media_type=media_type)
        return 200, task.answer().body.decode()
    except (Problem, ValidationError) as error:
        problem = error if isinstance(error, Problem) else make_problem(error.errors())
        return problem.status, to_text(problem.as_data())


_ADDRESSES: Mapping[str, type[Operation]] = {
    "v1/convert": ConvertRecords,
    "v1/edit": EditRecord,
    "v1/explain": ExplainResult,
    "v1/import": ImportText,
    "v1/legal": ListLegalTurns,
    "v1/list": ListRecords,
    "v1/positions": DescribePosition,
    "v1/render": RenderPosition,
    "v1/replay": ReplayRecord,
    "v1/validate": ValidateRecords,
}
