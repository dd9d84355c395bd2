"""The OpenAPI document is whole and its examples fit."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gateway_service.app import endpoints
from gateway_service.endpoint import Endpoint
from gateway_service.openapi import document

DOCUMENT: dict[str, Any] = document(endpoints())


def validate(schema: dict[str, Any], example: object) -> None:
    Draft202012Validator({**schema, "components": DOCUMENT["components"]}).validate(example)


def operation(one: Endpoint) -> dict[str, Any]:
    found: dict[str, Any] = DOCUMENT["paths"][one.path][one.method.lower()]
    return found


@pytest.mark.parametrize("one", endpoints(), ids=lambda one: f"{one.method} {one.path}")
def test_examples_are_what_the_schemas_say(one: Endpoint) -> None:
    """What a reader copies is accepted, and what is shown as an answer is one."""
    told = operation(one)
    for content in told.get("requestBody", {}).get("content", {}).values():
        for example in content.get("examples", {}).values():
            validate(content["schema"], example["value"])
            assert one.body is not None
            one.body.model_validate(example["value"])
    for response in told["responses"].values():
        for content in response.get("content", {}).values():
            if "example" in content:
                validate(content["schema"], content["example"])


def test_every_body_has_an_example_and_every_operation_a_name_of_its_own() -> None:
    """Tools make clients of it."""
    names = [operation(one)["operationId"] for one in endpoints()]
    assert len(set(names)) == len(names)
    assert [one.path for one in endpoints() if one.body and not one.body_examples] == []


def test_every_reference_leads_somewhere() -> None:
    """No schema is named that is not there."""
    import re

    named = set(re.findall(r"#/components/schemas/(\w+)", repr(DOCUMENT)))
    assert named <= set(DOCUMENT["components"]["schemas"])
