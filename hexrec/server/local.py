"""Responses to the page in its own process: in the browser there is no server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from pydantic import ValidationError

from hexrec.output import to_text
from hexrec.server.limits import Limits
from hexrec.server.listing import EditRecord, ListRecords
from hexrec.server.parameters import (
    ConvertParameters,
    DescribeParameters,
    ListParameters,
    Parameters,
    PlyParameters,
    RecordParameters,
    RenderParameters,
    ValidateParameters,
    make_problem,
)
from hexrec.server.positions import DescribePosition, ExplainResult, ListLegalTurns, RenderPosition, ReplayRecord
from hexrec.server.problems import Problem
from hexrec.server.tasks import ConvertRecords, Task, ValidateRecords

_LIMITS = Limits()


def answer(address: str, body: bytes, accept: str = "*/*") -> tuple[int, str]:
    """Return status and body of the response to a request of the page; the address is one of the service."""
    path, _, query = address.partition("?")
    try:
        if path not in _ADDRESSES:
            raise Problem("not-found", f"no such address ({path}): it needs a server")
        parameters, task = _ADDRESSES[path]
        given = parameters.model_validate(dict(parse_qsl(query, keep_blank_values=True)))
        fields: dict[str, Any] = {"notation": getattr(given, "notation", None)}
        if isinstance(given, ConvertParameters):
            _, fields["to"], fields["layout"] = given.choose_form(accept)
        asked = task(body=body, given=given, records=_LIMITS.records, plies=_LIMITS.plies, **fields)
        return 200, asked.run().body.decode()
    except (Problem, ValidationError) as error:
        problem = error if isinstance(error, Problem) else make_problem(error.errors())
        return problem.status, to_text(problem.as_data())


#: Parameters and task by address.
_ADDRESSES: Mapping[str, tuple[type[Parameters], type[Task]]] = {
    "v1/convert": (ConvertParameters, ConvertRecords),
    "v1/edit": (Parameters, EditRecord),
    "v1/explain": (PlyParameters, ExplainResult),
    "v1/legal": (PlyParameters, ListLegalTurns),
    "v1/list": (ListParameters, ListRecords),
    "v1/positions": (DescribeParameters, DescribePosition),
    "v1/render": (RenderParameters, RenderPosition),
    "v1/replay": (RecordParameters, ReplayRecord),
    "v1/validate": (ValidateParameters, ValidateRecords),
}
