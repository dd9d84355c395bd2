"""Fills the references of a node with values when it runs (RESOLUTIONS D8).

Values are data: in a query they become bound parameters, in an address one encoded piece each, and
code and conditions are left as they are written.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias
from urllib.parse import quote, urlsplit

from executor_service.conditions.plan import compile_plan_condition
from executor_service.workflows.node_failed import failed
from executor_service.workflows.node_values import (
    NodeValues,
    ValueMissing,
    condition_values,
)
from executor_service.workflows.payload_paths import below
from executor_service.workflows.references import PLACEHOLDER, read_reference
from executor_service.workflows.schema_findings import shortened
from executor_service.workflows.sql import bound_sql
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode
from heartrule.domain.workflows import Node, NodeType

_WITH_SECRETS = frozenset({NodeType.HTTP, NodeType.DATABASE})
_AsText: TypeAlias = Callable[[JsonValue], str]


def own_values(
    node: Node, values: NodeValues, secrets: Mapping[str, str] | None = None
) -> NodeValues:
    """Return values with the node's inputs, by its `input_mapping`; `resolved_config` takes them.

    Only HTTP and DATABASE nodes are given the secrets.

    Raises:
        NodeFailed: An input has no value.
    """
    if secrets and node.type in _WITH_SECRETS:
        values = replace(values, secrets=secrets)
    values = replace(values, own={})
    own = {
        name: filled(value, values, below("input_mapping", name))
        for name, value in node.input_mapping.items()
    }
    return replace(values, own=own)


def resolved_config(node: Node, values: NodeValues) -> Mapping[str, JsonValue]:
    """Return a node's configuration with values in place of references.

    A DATABASE node's `query` has parameters `$1`, `$2` and so on, and `params` their values, by
    number as text. A CONDITION has `values` beside its `expression`: by the text of each reference,
    as `PlanExpression.evaluate` takes them.

    Args:
        node: The node; a LOOP is not resolved, its body's nodes are.
        values: Those of `own_values`.

    Raises:
        NodeFailed: A reference has no value, or an address would leave its place.
    """
    config = node.config
    if node.type is NodeType.PYTHON:
        rest = _all({key: each for key, each in config.items() if key != "code"}, values)
        return {**rest, "code": config["code"]}
    if node.type is NodeType.CONDITION:
        condition = compile_plan_condition(str(config["expression"]))
        return {**config, "values": condition_values(condition, values)}
    if node.type is NodeType.DATABASE:
        rest = _all({key: each for key, each in config.items() if key != "query"}, values)
        return {**rest, **_bound(str(config["query"]), values)}
    if node.type is NodeType.HTTP:
        rest = _all({key: each for key, each in config.items() if key != "url"}, values)
        return {**rest, "url": _address(str(config["url"]), values)}
    return _all(config, values)


def output_values(node: Node, output: JsonValue, values: NodeValues) -> JsonValue:
    """Return what later nodes find: the output, and the names of `output_mapping` in it.

    A mapped name takes the place of a field of the same name; an output that is no object gives way
    to the mapped names.

    Raises:
        NodeFailed: A mapped reference has no value.
    """
    if not node.output_mapping:
        return output
    values = replace(values, outputs={**values.outputs, node.node_id: output}, secrets={})
    mapped = {
        name: filled(value, values, below("output_mapping", name))
        for name, value in node.output_mapping.items()
    }
    return {**(output if isinstance(output, Mapping) else {}), **mapped}


def call_key(run_id: str, path: str, node: Node, values: NodeValues) -> str:
    """Return the key of a node's calls for the outside: 64 hexadecimal digits.

    It is equal for each attempt of the same thing, and another where what is done is another. The
    values of secrets are no part of it, only their names.

    Args:
        run_id: The run.
        path: The node's path in it.
        node: The node.
        values: Those of `own_values`.
    """
    names = {name: f"${{{name}}}" for name in values.secrets}
    values = own_values(node, replace(values, secrets={}), names)
    done = [run_id, path, node.type.value, resolved_config(node, values), values.own]
    text = json.dumps(done, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def filled(value: JsonValue, values: NodeValues, path: str) -> JsonValue:
    """Return a value of any depth with its references filled in.

    A reference that is the whole text keeps the type of its value; within a text, texts stand as
    they are and all else as compact JSON.

    Raises:
        NodeFailed: A reference has no value; the message names `path` and the reference.
    """
    if isinstance(value, str):
        whole = PLACEHOLDER.fullmatch(value)
        return _named(whole[1], values, path) if whole else _text(value, values, path, _written)
    if isinstance(value, Mapping):
        return {key: filled(each, values, below(path, key)) for key, each in value.items()}
    if isinstance(value, Sequence):
        return [filled(each, values, below(path, number)) for number, each in enumerate(value)]
    return value


def _all(config: Mapping[str, JsonValue], values: NodeValues) -> dict[str, JsonValue]:
    return {key: filled(each, values, below("config", key)) for key, each in config.items()}


def _named(text: str | None, values: NodeValues, path: str) -> JsonValue:
    text = text or ""  # a reference without its brace names nothing
    try:
        return values.find(read_reference(text))
    except ValueMissing:
        message = f"{shortened(path)}: ${{{shortened(text)}}} has no value"
        raise failed(RunErrorCode.MISSING_VALUE, message) from None


def _text(text: str, values: NodeValues, path: str, as_text: _AsText) -> str:
    return PLACEHOLDER.sub(lambda found: as_text(_named(found[1], values, path)), text)


def _written(value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _bound(query: str, values: NodeValues) -> dict[str, JsonValue]:
    bound = bound_sql(query)
    params = {
        str(number): _named(text, values, "config.query")
        for number, text in enumerate(bound.references, start=1)
    }
    return {"query": bound.text, "params": params}


def _address(url: str, values: NodeValues) -> str:
    """Return an address in which each value is one piece, without a slash of its own."""
    address = _text(url, values, "config.url", _encoded)
    if address != url and not {".", ".."}.isdisjoint(urlsplit(address).path.split("/")):
        message = "config.url: a value would lead to another place of the host"
        raise failed(RunErrorCode.REFUSED, message)
    return address


def _encoded(value: JsonValue) -> str:
    return quote(_written(value), safe="", errors="replace")
