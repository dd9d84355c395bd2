"""Pictures: upload, and read by hash or by their place in a script."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
from grpc import aio
from starlette.responses import Response

from gateway_service.bodies import VersionQuery
from gateway_service.endpoint import Answer, Call, Endpoint, read_body, told
from gateway_service.problems import HttpProblem, problem, told_by_status
from gateway_service.routes import samples
from heartrule.v1 import asset_pb2

LARGEST = 8_388_608
_PIECE = 262_144
_FOR_EVER = "private, max-age=31536000, immutable"
_KINDS = "image/png, image/jpeg, image/gif, image/webp"


async def upload(call: Call) -> Response:
    """Store a picture under the hash of its bytes."""
    content = await read_body(call.request, LARGEST)
    media_type = call.header("content-type").partition(";")[0].strip().lower()
    if media_type not in {*_KINDS.split(", "), "application/octet-stream"}:
        raise problem(
            grpc.StatusCode.INVALID_ARGUMENT, "UNSUPPORTED_MEDIA_TYPE",
            f"a picture is one of {_KINDS}", status=415, title="Unsupported media type",
        )  # fmt: skip
    named = "" if media_type == "application/octet-stream" else media_type
    executor = call.services.executor
    timeout = call.services.settings.requests.call_timeout
    try:
        answer = await executor.stubs.asset.UploadAsset(_pieces(content, named), timeout=timeout)
    except aio.AioRpcError as error:
        raise HttpProblem(told_by_status(error)) from None
    return told(answer.asset, status=201)


def _pieces(content: bytes, mime_type: str) -> Iterator[asset_pb2.UploadAssetRequest]:
    for start in range(0, max(len(content), 1), _PIECE):
        yield asset_pb2.UploadAssetRequest(
            mime_type="" if start else mime_type, chunk=content[start : start + _PIECE]
        )


async def by_hash(call: Call) -> Response:
    """Answer with a picture; it never changes."""
    request = asset_pb2.GetAssetRequest(sha256=call.path("sha256"))
    return await _picture(call, request, cache=_FOR_EVER)


async def by_path(call: Call) -> Response:
    """Answer with a picture of a published script."""
    place = asset_pb2.ScriptFile(
        script_id=call.path("scriptId"),
        version=call.asked(VersionQuery).version,
        path=f"assets/{call.path('path')}",
    )
    request = asset_pb2.GetAssetRequest(script_file=place)
    return await _picture(call, request, cache="private, no-cache")


async def _picture(call: Call, request: asset_pb2.GetAssetRequest, *, cache: str) -> Response:
    media_type, content = "", bytearray()
    try:
        pieces = call.services.executor.stubs.asset.GetAsset(
            request, timeout=call.services.settings.requests.call_timeout
        )
        async for piece in pieces:
            media_type = media_type or piece.asset.mime_type
            content += piece.chunk
    except aio.AioRpcError as error:
        raise HttpProblem(told_by_status(error)) from None
    return Response(bytes(content), media_type=media_type, headers={"cache-control": cache})


_PICTURE = Answer(description="The picture.", media_type="image/*")
ENDPOINTS = (
    Endpoint(
        method="POST",
        path="/api/assets",
        handler=upload,
        summary="Upload a picture for scripts; safe to repeat",
        tag="assets",
        body_media_type="image/*",
        answer=Answer(
            description="It is stored.", status=201, kind=asset_pb2.Asset, example=samples.ASSET
        ),
        errors=(413, 415),
    ),
    Endpoint(
        method="GET",
        path="/api/assets/{sha256}",
        handler=by_hash,
        summary="Read a picture by the hash of its bytes",
        tag="assets",
        answer=_PICTURE,
        errors=(404,),
    ),
    Endpoint(
        method="GET",
        path="/api/scripts/{scriptId}/assets/{path}",
        handler=by_path,
        summary="Read a picture of a published script",
        tag="assets",
        query=VersionQuery,
        answer=_PICTURE,
        errors=(404,),
    ),
)
