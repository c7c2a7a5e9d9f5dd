"""The application: which address answers what."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Collection, Coroutine
from contextlib import asynccontextmanager
from functools import cache
from typing import Annotated, Any, cast

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from hexrec._version import __version__
from hexrec.server import negotiation, openapi
from hexrec.server.constant import Constant
from hexrec.server.handler import Service
from hexrec.server.limits import Limits
from hexrec.server.listing import EditRecord, ListRecords
from hexrec.server.negotiation import media_type
from hexrec.server.observability import RequestMiddleware
from hexrec.server.origins import OriginMiddleware
from hexrec.server.parameters import (
    BodyParameters,
    ConvertParameters,
    DescribeParameters,
    Parameters,
    PlyParameters,
    RecordParameters,
    RenderParameters,
    ValidateParameters,
    bad_parameters,
    check_names,
    names_of,
)
from hexrec.server.positions import DescribePosition
from hexrec.server.problems import Problem
from hexrec.server.reference import add_reference
from hexrec.server.tasks import (
    ConvertRecords,
    ExplainResult,
    ListLegalTurns,
    RenderPosition,
    ReplayRecord,
    ScoreRecords,
    ValidateRecords,
)
from hexrec.web import CONTENT_SECURITY_POLICY, Asset, assets

_OK = b'{"status": "ok"}'
_STATUSES = {400: "bad-request", 404: "not-found", 405: "method-not-allowed"}


def create(
    limits: Limits | None = None, workers: int = 2, origins: Collection[str] = (), hosts: Collection[str] = ()
) -> FastAPI:
    """Return the application.

    It answers requests for `hosts`, localhost and addresses, from its own pages and those of `origins`.
    """
    service = Service(limits or Limits(), workers)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await service.dispatcher.start()
        yield
        await service.dispatcher.stop()

    app = FastAPI(
        title="hexrec",
        openapi_url=None,
        version=__version__,
        summary="Check, score and convert records of games on hexagonal boards.",
        lifespan=lifespan,
        redirect_slashes=False,
        generate_unique_id_function=lambda route: route.name,
    )
    app.router.route_class = StrictRoute
    app.state.service = service
    _add_exception_handlers(app)
    _add_record_routes(app, service)
    add_page(app, service)
    add_reference(app)
    _add_health_routes(app, service)
    app.openapi = cache(lambda: openapi.document(app))  # type: ignore[method-assign]
    app.add_middleware(OriginMiddleware, hosts=hosts, origins=origins)
    app.add_middleware(
        RequestMiddleware, metrics=service.metrics, requests=service.limits.requests, bodies=service.limits.bodies
    )
    if origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(origins),
            allow_methods=["GET", "HEAD", "POST"],
            allow_headers=["X-Request-ID"],
            expose_headers=["Hexrec-Warnings", "X-Request-ID"],
        )
    return app


def _add_record_routes(app: FastAPI, service: Service) -> None:
    verdicts = dict.fromkeys(negotiation.REPORTS, openapi.TEXT)
    verdicts |= {negotiation.JSON: openapi.reference("Reports"), negotiation.LINES: openapi.reference("ReportData")}
    rows = {
        negotiation.JSON: openapi.list_of("ScoreRow"),
        negotiation.LINES: openapi.reference("ScoreRow"),
        "text/csv": openapi.TEXT,
    }
    written = dict.fromkeys(negotiation.RECORD_TYPES, openapi.TEXT)
    written |= {
        negotiation.JSON: openapi.either("Record", "AbstractPlayRecord", "ConvertedRecords"),
        negotiation.LINES: openapi.either("Record", "ConvertedRecord"),
    }

    @app.post("/v1/validate", **openapi.route("records", verdicts, "The verdicts, as `hexrec validate` writes them."))
    async def validate(request: Request, given: Annotated[ValidateParameters, Query()]) -> Response:
        """Replay every record and say what is wrong with it. JSON Lines are answered as they come, in JSON Lines.

        With `finished`, every record must have a result. With `lint` there are warnings of what is valid but probably
        not meant; the body is then read whole, because a game may come again.
        """
        kind = media_type(request, negotiation.REPORTS)
        task = service.task(ValidateRecords, request, given, report=negotiation.REPORTS[kind])
        return await service.respond(request, task, kind, by_line=kind == negotiation.LINES and not given.lint)

    @app.post("/v1/score", **openapi.route("records", rows, "A row for each record, as `hexrec score` writes it."))
    async def score(request: Request, given: Annotated[BodyParameters, Query()]) -> Response:
        """Compute winner and score of every record. JSON Lines are answered as they come, in JSON Lines."""
        kind = media_type(request, negotiation.ROWS)
        task = service.task(ScoreRecords, request, given, format=negotiation.ROWS[kind])
        return await service.respond(request, task, kind, by_line=kind == negotiation.LINES)

    @app.post("/v1/convert", **openapi.route("records", written, "The records."))
    async def convert(request: Request, given: Annotated[ConvertParameters, Query()]) -> Response:
        """Write the records in another notation or in other coordinates.

        Without `report`, all records must be valid (or `invalid` must let others pass, marked as such), and the answer
        is a file; `Hexrec-Warnings` says how much the notation could not hold. With `report`, the answer is JSON or
        JSON Lines: each record by itself with its verdict, and no record is in the way of another.
        """
        kind, to, layout = given.form(request.headers.get("accept"))
        task = service.task(ConvertRecords, request, given, to=to, layout=layout)
        return await service.respond(request, task, kind, by_line=layout == "jsonl")

    listed = {negotiation.JSON: openapi.reference("RecordList")}

    @app.post("/v1/list", **openapi.route("records", listed, "The records of the body, in order."))
    async def list_records(request: Request, given: Annotated[BodyParameters, Query()]) -> Response:
        """List the records: who played, the verdict, and the part of the body that holds the record.

        That part is a body for the other addresses: no record needs the others.
        """
        kind = media_type(request, (negotiation.JSON,))
        return await service.respond(request, service.task(ListRecords, request, given), kind)

    @app.post("/v1/edit", **openapi.route("records", {"text/plain": openapi.TEXT}, "The new text.", openapi.edit()))
    async def edit_record(request: Request) -> Response:
        """Change a record where it stands: what differs changes, and not a byte of the rest where the notation lets it.

        The text is a part of a file that `/v1/list` names; the answer takes its place.
        """
        kind = media_type(request, ("text/plain",))
        return await service.respond(request, service.task(EditRecord, request, Parameters()), kind)

    @app.post(
        "/v1/legal",
        **openapi.route("positions", {negotiation.JSON: openapi.reference("LegalTurns")}, "The position."),
    )
    async def list_legal_turns(request: Request, given: Annotated[PlyParameters, Query()]) -> Response:
        """List the legal turns of a record after any of its turns."""
        kind = media_type(request, (negotiation.JSON,))
        task = service.task(ListLegalTurns, request, given)
        return await service.respond(request, task, kind)

    @app.post(
        "/v1/explain",
        **openapi.route("positions", {negotiation.JSON: openapi.reference("ExplanationData")}, "The explanation."),
    )
    async def explain_result(request: Request, given: Annotated[PlyParameters, Query()]) -> Response:
        """Say why a game ended as it did: what counts, where it is, and by which condition of the rules.

        For an unfinished game, or after any of its turns, the same tables describe that position.
        """
        kind = media_type(request, (negotiation.JSON,))
        task = service.task(ExplainResult, request, given)
        return await service.respond(request, task, kind)

    @app.post(
        "/v1/positions",
        **openapi.route(
            "positions",
            {negotiation.JSON: openapi.reference("PositionData")},
            "The position.",
            openapi.position_description(),
        ),
    )
    async def describe_position(request: Request, given: Annotated[DescribeParameters, Query()]) -> Response:
        """Read the text of a position, or play a game, and say what can be played there."""
        kind = media_type(request, (negotiation.JSON,))
        task = service.task(DescribePosition, request, given)
        return await service.respond(request, task, kind)

    @app.post("/v1/render", **openapi.route("positions", openapi.PICTURES, "The picture."))
    async def render(request: Request, given: Annotated[RenderParameters, Query()]) -> Response:
        """Draw a record after any of its turns, else after the last that is legal; as GIF, the whole game up to there.

        PNG and GIF need the extra `pictures` where the service is installed.
        """
        kind = media_type(request, negotiation.PICTURES)
        task = service.task(RenderPosition, request, given, format=negotiation.PICTURES[kind])
        return await service.respond(request, task, kind)


def _add_health_routes(app: FastAPI, service: Service) -> None:
    well = {negotiation.JSON: openapi.reference("Status")}

    @app.get("/healthz", **openapi.plain_route("operation", well, "It is well."))
    async def get_health() -> Response:
        """Say that the process is there."""
        return Response(_OK, media_type=negotiation.JSON)

    @app.get("/readyz", **openapi.plain_route("operation", well, "It is well.", 503))
    async def get_readiness() -> Response:
        """Say whether there are workers."""
        if not service.dispatcher.pool.workers:
            raise Problem("busy", "there is no worker")
        return Response(_OK, media_type=negotiation.JSON)

    @app.get(
        "/metrics",
        **openapi.plain_route("operation", {"text/plain": openapi.TEXT}, "The metrics."),
    )
    async def get_metrics() -> Response:
        """Return what is counted, for Prometheus."""
        return Response(service.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


def _add_exception_handlers(app: FastAPI) -> None:
    @app.exception_handler(Problem)
    async def problem(_: Request, error: Problem) -> Response:
        return error.response()

    @app.exception_handler(RequestValidationError)
    async def bad_parameter(_: Request, error: RequestValidationError) -> Response:
        return bad_parameters(error.errors()).response()

    @app.exception_handler(HTTPException)
    async def refused(_: Request, error: HTTPException) -> Response:
        name = _STATUSES.get(error.status_code, "bad-request")
        headers = dict(error.headers or {})
        if headers.get("Allow") == "GET":
            headers["Allow"] = "GET, HEAD"
        return Problem(name, str(error.detail)).response(headers)

    @app.exception_handler(ClientDisconnect)
    async def left(_: Request, __: ClientDisconnect) -> Response:
        return Response(status_code=499)

    @app.exception_handler(Exception)
    async def failed(_: Request, __: Exception) -> Response:
        return Problem("failed", "this is an error in hexrec: report it").response()


def add_page(app: FastAPI, service: Service) -> None:
    """Add the page and its route."""
    for path, asset in assets().items():
        app.add_api_route(path, _static_handler(asset), include_in_schema=False)

    drawn = "The record, its positions and its verdict."

    @app.post("/v1/replay", **openapi.route("positions", {negotiation.JSON: openapi.reference("ReplayData")}, drawn))
    async def replay(request: Request, given: Annotated[RecordParameters, Query()]) -> Response:
        """Replay a record: all that a picture of every position needs, and the verdict."""
        kind = negotiation.media_type(request, (negotiation.JSON,))
        return await service.respond(request, service.task(ReplayRecord, request, given), kind)


def _static_handler(asset: Asset) -> Callable[[Request], Response]:
    headers = {"Content-Security-Policy": CONTENT_SECURITY_POLICY, "Cache-Control": "no-cache"}
    answer = Constant(asset.text.encode, f"{asset.media_type}; charset=utf-8", headers)

    def serve_asset(request: Request) -> Response:
        return answer.response(request)

    return serve_asset


class StrictRoute(APIRoute):
    """A route that refuses parameters which it does not have, or which come twice."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the function that answers requests."""
        answer = super().get_route_handler()
        if not self.include_in_schema:
            return answer
        kinds = [cast(type[Parameters], field.field_info.annotation) for field in self.dependant.query_params]
        known = [name for kind in kinds for name in names_of(kind)]

        async def checked(request: Request) -> Response:
            check_names([name for name, _ in request.query_params.multi_items()], known)
            return await answer(request)

        return checked
