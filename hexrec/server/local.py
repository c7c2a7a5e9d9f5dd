"""What the page asks the service for, answered by the process that asks: in a browser there is no server."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl

from hexrec.render import Style
from hexrec.server.limits import Limits
from hexrec.server.listing import EditRecord, ListRecords
from hexrec.server.positions import DescribePosition
from hexrec.server.problems import Problem
from hexrec.server.tasks import ConvertRecords, ExplainResult, ListLegalTurns, RenderPosition, ReplayRecord, Task

_LIMITS = Limits()


def answer(address: str, body: bytes, accept: str = "application/json") -> tuple[int, str]:
    """Return the status and the body of the answer to a request that the page makes.

    The address is that of the service. Its parameters are the page's own: they are not checked for sense.
    """
    path, _, query = address.partition("?")
    try:
        if path not in _TASKS:
            raise Problem("not-found", f"without a server there is no {path}")
        given = {name: _READ.get(name, str)(text) for name, text in parse_qsl(query)}
        about = {"body": body, "notation": given.pop("from", None), "records": _LIMITS.records, "plies": _LIMITS.plies}
        return 200, _TASKS[path](accept, **about, **given).run().body.decode()
    except Problem as problem:
        return problem.status, json.dumps(problem.as_data(), ensure_ascii=False)


def _plain(kind: type[Task]) -> Callable[..., Task]:
    """Return what makes a task whose fields are the parameters."""
    return lambda _, **fields: kind(**fields)


def _convert(accept: str, *, report: bool = False, **fields: Any) -> Task:
    layout = "text" if not report else "jsonl" if "ndjson" in accept else "json"
    return ConvertRecords(layout=layout, **fields)


def _render(_: str, **fields: Any) -> Task:
    style = {name: fields.pop(name) for name in ("theme", "labels", "marks", "caption", "width") if name in fields}
    return RenderPosition(style=Style(**style), **fields)


#: What makes a task of the type of answer that is accepted and of the parameters, by address.
_TASKS: Mapping[str, Callable[..., Task]] = {
    "v1/convert": _convert,
    "v1/edit": _plain(EditRecord),
    "v1/explain": _plain(ExplainResult),
    "v1/legal": _plain(ListLegalTurns),
    "v1/list": _plain(ListRecords),
    "v1/positions": _plain(DescribePosition),
    "v1/render": _render,
    "v1/replay": _plain(ReplayRecord),
}


def _flag(text: str) -> bool:
    return text == "true"


#: How the parameters are read that are no texts.
_READ: Mapping[str, Callable[[str], Any]] = {
    **dict.fromkeys(("record", "ply", "width"), int),
    **dict.fromkeys(("caption", "drawing", "entry", "invalid", "marks", "report", "strict"), _flag),
}
