"""The OpenAPI document is whole, its examples fit, and what it once said it still says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gateway_service.app import make_api

DOCUMENT: dict[str, Any] = json.loads(json.dumps(make_api().openapi()))
BASELINE: dict[str, Any] = json.loads(
    (Path(__file__).parent / "openapi_baseline.json").read_text("utf-8")
)
OPERATIONS = [(method, path) for path, methods in DOCUMENT["paths"].items() for method in methods]
MAY_GROW = {"required", "enum"}
"""Lists that gain entries when a message of the contract gains a field or an enum a value."""


def validate(schema: dict[str, Any], example: object) -> None:
    Draft202012Validator({**schema, "components": DOCUMENT["components"]}).validate(example)


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_examples_are_what_the_schemas_say(method: str, path: str) -> None:
    """What a reader copies is accepted, and what is shown as an answer is one."""
    operation = DOCUMENT["paths"][path][method]
    for content in operation.get("requestBody", {}).get("content", {}).values():
        for example in content.get("examples", {}).values():
            validate(content["schema"], example["value"])
    for response in operation["responses"].values():
        for content in response.get("content", {}).values():
            if "example" in content:
                validate(content["schema"], content["example"])


def test_every_body_has_an_example_and_every_operation_a_name_of_its_own() -> None:
    """Tools make clients of it."""
    operations = [DOCUMENT["paths"][path][method] for method, path in OPERATIONS]
    names = [one["operationId"] for one in operations]
    assert len(set(names)) == len(names)
    bodies = [one["requestBody"]["content"] for one in operations if "requestBody" in one]
    json_bodies = [content["application/json"] for content in bodies if "image/*" not in content]
    assert [body for body in json_bodies if not body.get("examples")] == []


def test_every_reference_leads_somewhere() -> None:
    """No schema is named that is not there."""
    named = set(re.findall(r"#/components/schemas/(\w+)", repr(DOCUMENT)))
    assert named <= set(DOCUMENT["components"]["schemas"])


def test_the_document_says_all_that_the_baseline_says() -> None:
    """Paths, methods, parameters, schemas, statuses and descriptions of clients' tools stay.

    The baseline is the document of the hand-written generator before FastAPI, without examples. The
    document may say more: titles, `required: false`, new fields of the contract.
    """
    assert list(_missing(BASELINE, DOCUMENT, "")) == []


def test_no_failure_is_described_that_is_never_sent() -> None:
    """FastAPI's own validation error does not exist here."""
    assert "HTTPValidationError" not in DOCUMENT["components"]["schemas"]
    assert [
        o for o in DOCUMENT["paths"].values() for m in o.values() if "422" in m["responses"]
    ] == []


def _missing(before: Any, now: Any, at: str) -> list[str]:
    """Return the places where `before` says something that `now` does not."""
    if isinstance(before, dict) and isinstance(now, dict):
        return [found for key in before for found in _missing_at(key, before, now, f"{at}/{key}")]
    if at.endswith("/parameters"):
        named = {one["name"]: one for one in now}
        return [
            found
            for one in before
            for found in _missing(one, named.get(one["name"]), f"{at}/{one['name']}")
        ]
    if isinstance(before, list) and at.rpartition("/")[2] in MAY_GROW:
        return [f"{at}: {one}" for one in before if one not in now]
    return [] if before == now else [f"{at}: {before} is {now}"]


def _missing_at(key: str, before: Any, now: Any, at: str) -> list[str]:
    if key in now:
        return _missing(before[key], now[key], at)
    # Absent means the same: a default of null, no parameters, a body that is not required.
    return [] if before[key] in (None, [], False) else [f"{at} is absent"]


def test_nothing_but_three_routes_stands_outside_the_version() -> None:
    """Those that document 004 names, and OpenAI's own; one that is added goes to /api/v1."""
    outside = {path for _, path in OPERATIONS if not path.startswith(("/api/v1/", "/v1/"))}
    assert outside == {"/api/chat", "/api/chat/stream", "/api/sessions/{sessionId}/initialize"}
    assert {path.removeprefix("/api") for path in outside} <= {
        path.removeprefix("/api/v1") for _, path in OPERATIONS
    }
