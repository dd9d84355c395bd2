"""Routes that hand one call of the executor through: what differs is data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from google.protobuf.message import Message
from starlette.responses import Response

from gateway_service.bodies import Body, NoQuery, PageQuery
from gateway_service.endpoint import Answer, Call, Endpoint, told
from heartrule.domain.json_value import JsonValue


def reading(
    path: str,
    rpc: str,
    kinds: tuple[type[Message], type[Message]],
    *,
    summary: str,
    tag: str,
    query: type[Body] = NoQuery,
    example: JsonValue = None,
    inner: str = "",
) -> Endpoint:
    """Return a GET route that answers what an rpc answers.

    Args:
        path: Its parameters become fields of the request, by their lowerCamelCase names.
        rpc: The name of the rpc.
        kinds: The classes of its request and its answer.
        summary: One line for the OpenAPI document.
        tag: The noun it belongs to.
        query: Its fields become fields of the request.
        example: An answer.
        inner: The field of the answer that is told alone; empty: the whole.
    """
    request_class, answer_class = kinds
    named = {field.camelcase_name: field.name for field in request_class.DESCRIPTOR.fields}

    async def handler(call: Call) -> Response:
        given: Mapping[str, Any] = {
            named[name]: value for name, value in call.request.path_params.items()
        }
        asked = call.query.model_dump(exclude_none=True)
        answer = await call.ask(rpc, request_class(**given, **asked), answer_class)
        return told(getattr(answer, inner) if inner else answer)

    kind = type(getattr(answer_class(), inner)) if inner else answer_class
    errors = (404,) if "{" in path else ()
    return Endpoint(
        method="GET",
        path=path,
        handler=handler,
        summary=summary,
        tag=tag,
        query=query,
        answer=Answer(description="As asked.", kind=kind, example=example),
        errors=errors,
    )


def listing(
    path: str,
    rpc: str,
    kinds: tuple[type[Message], type[Message]],
    *,
    summary: str,
    tag: str,
    query: type[Body] = PageQuery,
    example: JsonValue = None,
) -> Endpoint:
    """Return a GET route that pages through a list."""
    return reading(path, rpc, kinds, summary=summary, tag=tag, query=query, example=example)
