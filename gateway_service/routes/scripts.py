"""Routes of scripts: list, read, check, publish, and their JSON Schema for editors."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated, Any

import anyio
from fastapi import Body, Query
from starlette.responses import Response

from gateway_service.bodies import Name, PublishScript, QueryParameters, ScriptFiles, ScriptQuery
from gateway_service.json_encoding import encode
from gateway_service.list_queries import ListQuery
from gateway_service.openapi import fails, returns
from gateway_service.paths import API
from gateway_service.responses import JSON, json_response, message_response
from gateway_service.route import Executor, GatewayServices, ScriptId
from gateway_service.routes import samples
from gateway_service.routes.call_router import CallRouter
from heartrule.chassis.system_files import system_dir
from heartrule.domain.json_value import JsonValue
from heartrule.v1 import script_pb2

_PICTURES = "assets/"
_SCHEMA = "schemas/script.schema.json"
_FILES: dict[str, Any] = {"one file": {"value": samples.FILES}}


class VersionAsked(QueryParameters):
    """Of which version of a script."""

    script_version: Name = ""
    """The version; empty: the one published last."""


router = CallRouter(tags=["scripts"])
router.add_call(
    f"GET {API}/scripts",
    "ListScripts",
    query=ListQuery,
    summary="List scripts, each in its newest version",
    example={"scripts": [samples.SCRIPT], "nextPageToken": ""},
)


@router.post(
    f"{API}/scripts",
    status_code=201,
    summary="Publish a script; safe to repeat",
    responses=returns(script_pb2.PublishScriptResponse, "The published version.", status=201),
)
async def publish(
    executor: Executor, body: Annotated[PublishScript, Body(openapi_examples=_FILES)]
) -> Response:
    """Publish a script."""
    request = script_pb2.PublishScriptRequest(bundle=_bundle(body), request_id=body.request_id)
    answer = await executor.ask(request, script_pb2.PublishScriptResponse)
    return message_response(answer, status=201)


@router.post(
    f"{API}/scripts/check",
    summary="Check a script without storing anything",
    responses=returns(script_pb2.CheckScriptResponse, "All findings."),
)
async def check(
    executor: Executor, body: Annotated[ScriptFiles, Body(openapi_examples=_FILES)]
) -> Response:
    """Return all findings in a script; nothing is stored."""
    request = script_pb2.CheckScriptRequest(bundle=_bundle(body))
    return message_response(await executor.ask(request, script_pb2.CheckScriptResponse))


@router.get(
    f"{API}/scripts/{{scriptId}}",
    summary="Read one version of a script, with its files where asked",
    responses=returns(
        script_pb2.GetScriptResponse,
        "The version, and with `files` its `files` and `assets` by path.",
        example={"script": samples.SCRIPT},
    )
    | fails(404),
)
async def read(
    executor: Executor, script_id: ScriptId, query: Annotated[ScriptQuery, Query()]
) -> Response:
    """Return a version of a script, with its files where asked."""
    request = script_pb2.GetScriptRequest(
        script_id=script_id, version=query.version, with_files=query.files
    )
    answer = await executor.ask(request, script_pb2.GetScriptResponse)
    body: dict[str, JsonValue] = {"script": encode(answer.script)}
    if query.files:
        body["files"] = texts(answer.bundle.files)
        body["assets"] = {**answer.bundle.assets, **pictures(answer.bundle.files)}
    return json_response(body)


def texts(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the files that are text; pictures are named by `pictures`."""
    found = {}
    for path in sorted(files):
        try:
            found[path] = files[path].decode()
        except UnicodeDecodeError:
            continue
    return found


def pictures(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the hash of each picture among the files; published ones are stored under it."""
    return {
        path: hashlib.sha256(files[path]).hexdigest()
        for path in sorted(files)
        if path.startswith(_PICTURES)
    }


router.add_call(
    f"GET {API}/scripts/{{scriptId}}/versions",
    "ListScriptVersions",
    summary="List the versions of a script, newest first",
    example={"versions": [samples.SCRIPT], "nextPageToken": ""},
)

router.add_call(
    f"GET {API}/scripts/{{scriptId}}/outline",
    "GetScriptOutline",
    query=VersionAsked,
    inner="outline",
    summary="Read a version of a script as a tree",
)
router.add_call(
    f"GET {API}/scripts/{{scriptId}}/figures",
    "GetScriptFigures",
    query=VersionAsked,
    inner="figures",
    summary="Count how the sessions of a version of a script went; no texts",
)


@router.get(
    f"{API}/schema",
    summary="The JSON Schema of scripts, for editors",
    responses=returns(None, "JSON Schema 2020-12."),
)
async def schema(services: GatewayServices) -> Response:
    """Return the JSON Schema of scripts."""
    path = anyio.Path(system_dir(services.settings.system.system_dir) / _SCHEMA)
    return Response(await path.read_bytes(), media_type=JSON)


def _bundle(body: ScriptFiles) -> script_pb2.ScriptBundle:
    return script_pb2.ScriptBundle(
        files={path: text.encode() for path, text in body.files.items()},
        main_path=body.main_path,
        assets=body.assets,
    )
