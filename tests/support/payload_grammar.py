"""A second reading of document 002's payloads, by hand, to hold the models against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.support.payload_kinds import (
    Found,
    Kind,
    a_list,
    an_id,
    below,
    default_fits,
    failure,
    filled,
    flag,
    free,
    items,
    json,
    mapping,
    maybe_empty,
    name,
    needs,
    not_both,
    number,
    obj,
    one_of,
    payload,
    text,
)


def judge(action_type: str, payload: object) -> Found:
    """Yield what is wrong with the fields of a payload of a type."""
    yield from OBJECTS[action_type](payload, "")


def configured(*types: str) -> Kind:
    """Return the rule of a configuration; one of a type that may not be here is not read."""

    def rule(value: Any, path: str) -> Found:
        node_type, config = value.get("type", value.get("node_type")), value.get("config")
        if node_type in types and isinstance(config, dict):
            yield from CONFIGS[node_type](config, below(path, "config"))

    return rule


def inputs(value: Any, path: str) -> Found:
    if not isinstance(value, dict):
        yield path, "wrong_type", False
        return
    for key, each in value.items():
        yield from name(key, below(path, key))
        yield from INPUT(each, below(path, key))


TIME: Kind = number(0, 300, above=True)
TIMED: Mapping[str, Kind] = {"timeout?~": TIME}
RETRY = obj(
    {"max_retries?~": number(0, 10, whole=True), "retry_delay?~": number(0, 60)},
)
RECOVERY = obj(
    {
        "action": one_of("RETRY", "SKIP", "ABORT", "MODIFY"),
        "delay?~": number(0, 60),
        "max_attempts?~": number(1, 10, whole=True),
        "modifications?~": filled,
        "alternative_node?~": an_id,
    },
    needs("max_attempts", when=("action", "RETRY")),
    needs("modifications", when=("action", "MODIFY")),
)
PARTS: Mapping[str, Kind] = {
    "name": text,
    "config": mapping,
    "input_mapping?~": free,
    "output_mapping?~": free,
    "description?~": maybe_empty,
    "retry_config?~": RETRY,
    "on_failure?~": RECOVERY,
}
SIX = ("LLM", "HTTP", "PYTHON", "DATABASE", "CONDITION", "LOOP")
ALL = (*SIX, "START", "END")
BODY = obj({**PARTS, "node_id": an_id, "type": one_of(*SIX[:5])}, configured(*SIX[:5]))
NODE = obj({**PARTS, "node_id": an_id, "type": one_of(*ALL)}, configured(*ALL))
ADDED = obj({**PARTS, "node_id?~": an_id, "type": one_of(*ALL)}, configured(*ALL))
EDGE = obj({"source": an_id, "target": an_id, "condition?~": maybe_empty})
MESSAGE = obj({"role": one_of("system", "user", "assistant"), "content": text})
INPUT = obj(
    {
        "type?~": one_of("string", "number", "integer", "boolean", "array", "object"),
        "required?": flag,
        "default?~": json,
    },
    default_fits,
)
CONFIGS: Mapping[str, Kind] = {
    "LLM": obj(
        {
            **TIMED,
            "model?~": text,
            "prompt?~": text,
            "messages?~": items(MESSAGE, 1),
            "temperature?~": number(0, 2),
            "max_tokens?~": number(1, 10_000, whole=True),
        },
        needs("prompt", "messages"),
    ),
    "HTTP": obj(
        {
            **TIMED,
            "url": text,
            "method": one_of("GET", "POST", "PUT", "PATCH", "DELETE"),
            "params?~": free,
            "headers?~": free,
            "body?~": json,
        },
        given=("method",),
    ),
    "PYTHON": obj({**TIMED, "code": text}),
    "DATABASE": obj({**TIMED, "query": text, "connection?~": an_id, "params?~": free}),
    "CONDITION": obj({**TIMED, "expression": text}),
    "LOOP": obj(
        {
            **TIMED,
            "items?~": a_list,
            "condition?~": text,
            "body": items(BODY, 1, 50, "too_many_nodes"),
            "max_iterations": number(1, 100, whole=True),
        },
        needs("items", "condition"),
    ),
    "START": obj({}),
    "END": obj({}),
}
CHANGES = obj(
    {
        "remove_nodes?~": items(an_id),
        "add_nodes?~": items(ADDED, 1, 50, "too_many_nodes"),
        "update_edges?~": items(EDGE),
    }
)
FIELDS: Mapping[str, tuple[Mapping[str, Kind], tuple[Kind, ...]]] = {
    "respond": (
        {
            "response": text,
            "intent": one_of("greeting", "simple_query"),
            "confidence": number(0, 1),
            "requires_followup?": flag,
        },
        (),
    ),
    "create_node": (
        {
            "node_type": one_of(*SIX),
            "node_name": text,
            "config": mapping,
            "description?~": maybe_empty,
            "retry_config?~": RETRY,
            "on_failure?~": RECOVERY,
        },
        (configured(*SIX),),
    ),
    "create_workflow_plan": (
        {
            "name": text,
            "description": text,
            "nodes": items(NODE, 1, 50, "too_many_nodes"),
            "edges": items(EDGE),
            "inputs?~": inputs,
            "global_config?~": obj({"timeout?~": number(0, 3_600, above=True), "env?~": free}),
        },
        (),
    ),
    "execute_workflow": (
        {
            "workflow_id": an_id,
            "input_params?~": free,
            "execution_mode?": one_of("sync", "async"),
            "notify_on_completion?": flag,
        },
        (),
    ),
    "request_clarification": (
        {
            "question": text,
            "options?~": items(text, 1),
            "required_fields?": items(name),
            "context?~": free,
        },
        (),
    ),
    "continue": ({"thought": text, "next_step?~": maybe_empty, "progress?": number(0, 1)}, ()),
    "modify_node": ({"node_id": an_id, "updates": filled, "reason?~": maybe_empty}, ()),
    "error_recovery": (
        {
            "workflow_id": an_id,
            "failed_node_id": an_id,
            "failure_reason": text,
            "error_code?~": maybe_empty,
            "recovery_plan": RECOVERY,
            "execution_context": filled,
        },
        (),
    ),
    "replan_workflow": (
        {
            "workflow_id": an_id,
            "reason": text,
            "execution_context": failure,
            "suggested_changes?~": CHANGES,
            "preserve_nodes?~": items(an_id),
        },
        (not_both,),
    ),
    "spawn_subagent": (
        {
            "subagent_type": an_id,
            "task_payload": filled,
            "priority?": number(0, 10, whole=True),
            "timeout?~": number(0, above=True),
            "context_snapshot?~": free,
        },
        (),
    ),
}
OBJECTS: Mapping[str, Kind] = {
    action_type: payload(action_type, fields, *rules)
    for action_type, (fields, rules) in FIELDS.items()
}
