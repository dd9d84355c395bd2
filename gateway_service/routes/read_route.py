"""Routes that hand one call of the executor through: what differs is data."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from google.protobuf.message import Message
from starlette.requests import Request
from starlette.responses import Response

from gateway_service.bodies import PageQuery, QueryParameters
from gateway_service.openapi import fails, path_parameters, returns
from gateway_service.responses import message_response
from gateway_service.route import Executor


def add_read_route(
    router: APIRouter,
    path: str,
    rpc: str,
    kinds: tuple[type[Message], type[Message]],
    *,
    summary: str,
    tag: str = "",
    query: type[QueryParameters] | None = None,
    example: object = None,
    inner: str = "",
) -> None:
    """Add a GET route that answers with what an rpc answers.

    Args:
        router: The router that gets the route.
        path: Its parameters become fields of the request, by their lowerCamelCase names.
        rpc: The method of the executor.
        kinds: The classes of its request and its response.
        summary: One line for the OpenAPI document.
        tag: The noun it belongs to; empty: the router's.
        query: Its fields become fields of the request; None: the page, for an rpc with pages.
        example: A response.
        inner: The field of the response that is returned alone; empty: the whole.
    """
    request_class, answer_class = kinds
    names = {field.camelcase_name: field.name for field in request_class.DESCRIPTOR.fields}
    query = query or (PageQuery if "pageSize" in names else QueryParameters)

    async def handler(request: Request, executor: Executor, asked: Any) -> Response:
        fields: dict[str, Any] = {names[name]: v for name, v in request.path_params.items()}
        fields.update(asked.model_dump(exclude_none=True))
        answer = await executor.ask(rpc, request_class(**fields), answer_class)
        return message_response(getattr(answer, inner) if inner else answer)

    # FastAPI reads the annotation; one written in the signature would be a string here.
    handler.__annotations__["asked"] = Annotated[query, Query()]
    kind = type(getattr(answer_class(), inner)) if inner else answer_class
    router.add_api_route(
        path,
        handler,
        methods=["GET"],
        summary=summary,
        description=summary,
        tags=[tag] if tag else None,
        responses=returns(kind, example=example) | (fails(404) if "{" in path else {}),
        openapi_extra=path_parameters(path),
    )
