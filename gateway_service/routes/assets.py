"""Routes of pictures: upload, and read by hash or by path in a script."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import grpc
from fastapi import APIRouter, Path, Query
from grpc import aio
from starlette.requests import Request
from starlette.responses import Response

from gateway_service.bodies import VersionQuery
from gateway_service.openapi import fails, returns
from gateway_service.paths import API
from gateway_service.problems import problem, problem_of_status
from gateway_service.responses import message_response, read_body
from gateway_service.route import GatewayRoute, GatewayServices, ScriptId
from gateway_service.routes import samples
from gateway_service.services import Services
from heartrule.domain.pictures import LARGEST_ASSET
from heartrule.v1 import asset_pb2

# Small enough to give a slow reader's memory back, large enough to cost few writes.
_PIECE = 262_144
# The URL holds the digest, so its bytes never change.
_FOR_EVER = "private, max-age=31536000, immutable"
_KINDS = "image/png, image/jpeg, image/gif, image/webp"
_PICTURE = returns(None, "The picture.", media_type="image/*") | fails(404)
_UPLOAD = {"type": "string", "contentMediaType": "image/*"}

router = APIRouter(route_class=GatewayRoute, tags=["assets"])


@router.post(
    f"{API}/assets",
    status_code=201,
    response_description="The stored picture.",
    summary="Upload a picture for scripts; safe to repeat",
    responses=returns(asset_pb2.Asset, "The stored picture.", status=201, example=samples.ASSET),
    openapi_extra={"requestBody": {"required": True, "content": {"image/*": {"schema": _UPLOAD}}}},
)
async def upload(request: Request, services: GatewayServices) -> Response:
    """Store a picture under the hash of its bytes."""
    content = await read_body(request, LARGEST_ASSET)
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type not in {*_KINDS.split(", "), "application/octet-stream"}:
        raise problem(
            grpc.StatusCode.INVALID_ARGUMENT, "UNSUPPORTED_MEDIA_TYPE",
            f"a picture is one of {_KINDS}", status=415, title="Unsupported media type",
        )  # fmt: skip
    named = "" if media_type == "application/octet-stream" else media_type
    timeout = services.settings.requests.call_timeout
    try:
        answer = await services.executor.stubs.asset.UploadAsset(
            _pieces(content, named), timeout=timeout
        )
    except aio.AioRpcError as error:
        raise problem_of_status(error) from None
    return message_response(answer.asset, status=201)


def _pieces(content: bytes, mime_type: str) -> Iterator[asset_pb2.UploadAssetRequest]:
    for start in range(0, max(len(content), 1), _PIECE):
        yield asset_pb2.UploadAssetRequest(
            mime_type="" if start else mime_type, chunk=content[start : start + _PIECE]
        )


@router.get(
    f"{API}/assets/{{sha256}}",
    summary="Read a picture by the hash of its bytes",
    responses=_PICTURE,
)
async def by_hash(services: GatewayServices, sha256: str) -> Response:
    """Return a picture; it never changes."""
    request = asset_pb2.GetAssetRequest(sha256=sha256)
    return await _picture(services, request, cache=_FOR_EVER)


@router.get(
    f"{API}/scripts/{{scriptId}}/assets/{{path:path}}",
    summary="Read a picture of a published script",
    responses=_PICTURE,
)
async def by_path(
    services: GatewayServices,
    script_id: ScriptId,
    path: Annotated[str, Path()],
    asked: Annotated[VersionQuery, Query()],
) -> Response:
    """Return a picture of a published script."""
    place = asset_pb2.ScriptFile(script_id=script_id, version=asked.version, path=f"assets/{path}")
    request = asset_pb2.GetAssetRequest(script_file=place)
    return await _picture(services, request, cache="private, no-cache")


async def _picture(
    services: Services, request: asset_pb2.GetAssetRequest, *, cache: str
) -> Response:
    media_type, content = "", bytearray()
    limit = services.settings.requests.call_timeout
    async for piece in services.executor.responses(request, timeout_s=limit):
        media_type = media_type or piece.asset.mime_type
        content += piece.chunk
    return Response(bytes(content), media_type=media_type, headers={"cache-control": cache})
