"""Routes that pass one call through to the executor; they differ in data only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query
from google.protobuf import descriptor_pool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from gateway_service.bodies import PageQuery, QueryParameters
from gateway_service.client_text import client_text
from gateway_service.openapi import fails, path_parameters, returns
from gateway_service.responses import message_response
from gateway_service.route import GatewayRoute, GatewayServices


class CallRouter(APIRouter):
    """A router whose routes check the caller, and may pass a call through without a handler."""

    def __init__(self, *, tags: Sequence[str] = ()) -> None:
        """`tags` are those of every route."""
        super().__init__(route_class=GatewayRoute, tags=list(tags))

    def add_call(
        self,
        route: str,
        rpc: str,
        *,
        summary: str,
        tag: str = "",
        query: type[QueryParameters] | None = None,
        body: type[BaseModel] | None = None,
        body_examples: dict[str, Any] | None = None,
        failures: tuple[int, ...] | None = None,
        status: int = 200,
        success: str = "As asked.",
        example: object = None,
        inner: str = "",
        says: str = "",
    ) -> None:
        """Add a route that answers with the response of an rpc.

        Args:
            route: Method and path; the path's parameters become fields of the request.
            rpc: The method of the executor.
            summary: One line for the OpenAPI document.
            tag: The noun it belongs to; empty: the router's.
            query: Its fields become fields of the request; None: the page, for an rpc with pages.
            body: The body in place of a query; it may be left out where no field is required.
            body_examples: Bodies for the document, by name.
            failures: Statuses besides those of every route; None: 404 for a path with parameters.
            status: The HTTP status of a success.
            success: The description of a success, for the document.
            example: A response.
            inner: The field of the response that is returned alone; empty: the whole.
            says: The field of the request that holds a client's text; empty: it has none.
        """
        method, path = route.split()
        request_class, answer_class = (
            _message_class(f"{rpc}Request"),
            _message_class(f"{rpc}Response"),
        )
        names = {field.camelcase_name: field.name for field in request_class.DESCRIPTOR.fields}
        query = query or (PageQuery if "pageSize" in names else QueryParameters)

        async def handler(request: Request, services: GatewayServices, *, asked: Any) -> Response:
            fields: dict[str, Any] = {names[name]: v for name, v in request.path_params.items()}
            fields.update(asked.model_dump(exclude_none=True))
            asking = services.executor.ask(request_class(**fields), answer_class)
            if says:
                session_id = fields["session_id"]
                text = client_text(services, request, fields[says], session_id=session_id)
                asking = text.answered(asking)
            answer = await asking
            return message_response(getattr(answer, inner) if inner else answer, status=status)

        # FastAPI reads annotations and defaults; those written in the signature could not be data.
        if body is None:
            handler.__annotations__["asked"] = Annotated[query, Query()]
        else:
            handler.__annotations__["asked"] = Annotated[body, Body(openapi_examples=body_examples)]
            if not any(field.is_required() for field in body.model_fields.values()):
                handler.__kwdefaults__ = {"asked": body()}
        kind = type(getattr(answer_class(), inner)) if inner else answer_class
        if failures is None:
            failures = (404,) if "{" in path else ()
        self.add_api_route(
            path,
            handler,
            methods=[method],
            status_code=status,
            summary=summary,
            description=summary,
            tags=[tag] if tag else None,
            responses=returns(kind, success, status=status, example=example) | fails(*failures),
            openapi_extra=path_parameters(path) if "{" in path else None,
        )


def _message_class(name: str) -> type[Message]:
    return GetMessageClass(descriptor_pool.Default().FindMessageTypeByName(f"heartrule.v1.{name}"))
