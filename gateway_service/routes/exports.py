"""The export of a session: as JSON, or as a transcript in Markdown; streamed piece by piece."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Annotated, Literal
from urllib.parse import quote

import orjson
from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from gateway_service.bodies import QueryParameters
from gateway_service.json_encoding import encode
from gateway_service.openapi import fails, returns
from gateway_service.paths import API
from gateway_service.responses import JSON
from gateway_service.route import Executor, GatewayRoute, SessionId
from heartrule.wire.exports.session_markdown import markdown_of
from heartrule.wire.exports.session_pieces import LISTS, SINGLE, SessionPiece, session_pieces
from heartrule.words.language import ACCEPT_LANGUAGE, language_of

_MARKDOWN = "text/markdown"
_MEANS = (
    "The session: its state, variables, messages and durable events, as the other routes have them;"
    " or what was said and learned, to be read. A response that breaks off is no whole export."
)


class ExportQuery(QueryParameters):
    """In which form."""

    format: Literal["json", "markdown"] = "json"
    """`json` for programs, `markdown` for people, in the language of `Accept-Language`."""
    language: Literal["", "zh-CN", "en"] = ""
    """In the place of `Accept-Language`, for links."""


router = APIRouter(route_class=GatewayRoute)


@router.get(
    f"{API}/sessions/{{sessionId}}/export",
    summary="Download a session; values of sensitive variables are masked",
    responses=returns(None, _MEANS) | fails(404),
)
async def export(
    request: Request,
    executor: Executor,
    session_id: SessionId,
    query: Annotated[ExportQuery, Query()],
) -> Response:
    """Stream a session as a file; what it is made of is held a page at a time."""
    pieces = session_pieces(executor, session_id)
    first = await anext(pieces)  # an unknown session is a 404, no file
    if query.format == "markdown":
        language = language_of(query.language or request.headers.get(ACCEPT_LANGUAGE, ""))
        return _file(markdown_of(_from(first, pieces), language), _MARKDOWN, f"{session_id}.md")
    return _file(json_of(_from(first, pieces)), JSON, f"{session_id}.json")


async def json_of(pieces: AsyncIterator[SessionPiece]) -> AsyncGenerator[bytes]:
    """Yield one JSON object that has every section, in the order of the pieces."""
    section = ""
    async for piece in pieces:
        between = "," if piece.section == section else _between(section, piece.section)
        section = piece.section
        yield between.encode() + orjson.dumps(encode(piece.message))
    yield _between(section, "").encode()


def _between(before: str, after: str) -> str:
    """Return what stands between two sections, of which the empty one is the end of the object."""
    names = (*SINGLE, *LISTS)
    begin = names.index(before) + 1 if before else 0
    text = ("]" if before in LISTS else "") if before else "{"
    left_out = names[begin : names.index(after) if after else None]
    text += "".join(f',"{name}":[]' for name in left_out)
    if not after:
        return text + "}"
    return text + ("," if before else "") + f'"{after}":' + ("[" if after in LISTS else "")


async def _from(
    first: SessionPiece, rest: AsyncIterator[SessionPiece]
) -> AsyncGenerator[SessionPiece]:
    yield first
    async for piece in rest:
        yield piece


def _file(
    content: AsyncIterator[str] | AsyncIterator[bytes], media_type: str, name: str
) -> Response:
    headers = {
        "cache-control": "no-store",
        "content-disposition": f"attachment; filename*=utf-8''{quote(name, safe='')}",
    }
    return StreamingResponse(content, media_type=media_type, headers=headers)
