"""Scripts: list, read, check, publish, and the schema an editor completes from."""

from __future__ import annotations

from collections.abc import Mapping

import anyio
from starlette.responses import Response

from gateway_service.bodies import PageQuery, PublishScript, ScriptFiles, ScriptQuery
from gateway_service.endpoint import JSON, Answer, Call, Endpoint, told, told_json
from gateway_service.routes import samples
from gateway_service.routes.listing import listing
from gateway_service.spelling import spelled
from heartrule.chassis.system_files import system_dir
from heartrule.domain.json_value import JsonValue
from heartrule.v1 import script_pb2

_SCHEMA = "schemas/script.schema.json"


async def read(call: Call) -> Response:
    """Answer with a version of a script, with its files where asked."""
    query = call.asked(ScriptQuery)
    request = script_pb2.GetScriptRequest(
        script_id=call.path("scriptId"), version=query.version, with_files=query.files
    )
    answer = await call.ask("GetScript", request, script_pb2.GetScriptResponse)
    body: dict[str, JsonValue] = {"script": spelled(answer.script)}
    if query.files:
        body["files"] = texts(answer.bundle.files)
        body["assets"] = dict(answer.bundle.assets)
    return told_json(body)


def texts(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the files that are text; pictures are fetched by their path."""
    found = {}
    for path in sorted(files):
        try:
            found[path] = files[path].decode()
        except UnicodeDecodeError:
            continue
    return found


async def check(call: Call) -> Response:
    """Answer with all that is found in a script; nothing is stored."""
    request = script_pb2.CheckScriptRequest(bundle=_bundle(call.sent(ScriptFiles)))
    return told(await call.ask("CheckScript", request, script_pb2.CheckScriptResponse))


async def publish(call: Call) -> Response:
    """Publish a script."""
    body = call.sent(PublishScript)
    request = script_pb2.PublishScriptRequest(bundle=_bundle(body), request_id=body.request_id)
    answer = await call.ask("PublishScript", request, script_pb2.PublishScriptResponse)
    return told(answer, status=201)


async def schema(call: Call) -> Response:
    """Answer with the JSON Schema of scripts."""
    path = anyio.Path(system_dir(call.services.settings.system.system_dir) / _SCHEMA)
    return Response(await path.read_bytes(), media_type=JSON)


def _bundle(body: ScriptFiles) -> script_pb2.ScriptBundle:
    return script_pb2.ScriptBundle(
        files={path: text.encode() for path, text in body.files.items()},
        main_path=body.main_path,
        assets=body.assets,
    )


ENDPOINTS = (
    listing(
        "/api/scripts",
        "ListScripts",
        (script_pb2.ListScriptsRequest, script_pb2.ListScriptsResponse),
        summary="List scripts, each in its newest version",
        tag="scripts",
        example={"scripts": [samples.SCRIPT], "nextPageToken": ""},
    ),
    Endpoint(
        method="POST",
        path="/api/scripts",
        handler=publish,
        summary="Publish a script; safe to repeat",
        tag="scripts",
        body=PublishScript,
        body_examples={"one file": samples.FILES},
        answer=Answer(
            description="It is published.", status=201, kind=script_pb2.PublishScriptResponse
        ),
    ),
    Endpoint(
        method="POST",
        path="/api/scripts/check",
        handler=check,
        summary="Check a script without storing anything",
        tag="scripts",
        body=ScriptFiles,
        body_examples={"one file": samples.FILES},
        answer=Answer(description="All that was found.", kind=script_pb2.CheckScriptResponse),
    ),
    Endpoint(
        method="GET",
        path="/api/scripts/{scriptId}",
        handler=read,
        summary="Read one version of a script, with its files where asked",
        tag="scripts",
        query=ScriptQuery,
        answer=Answer(
            description="The version, and with `files` its `files` and `assets` by path.",
            kind=script_pb2.GetScriptResponse,
            example={"script": samples.SCRIPT},
        ),
        errors=(404,),
    ),
    listing(
        "/api/scripts/{scriptId}/versions",
        "ListScriptVersions",
        (script_pb2.ListScriptVersionsRequest, script_pb2.ListScriptVersionsResponse),
        summary="List the versions of a script, newest first",
        tag="scripts",
        query=PageQuery,
        example={"versions": [samples.SCRIPT], "nextPageToken": ""},
    ),
    Endpoint(
        method="GET",
        path="/api/schema",
        handler=schema,
        summary="The JSON Schema of scripts, for editors",
        tag="scripts",
        answer=Answer(description="JSON Schema 2020-12."),
    ),
)
