"""Runs one attempt of a node: within its time, with an output that is JSON and holds no secret."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace

import orjson

from executor_service.workflows.node_failed import NodeFailed, failed
from executor_service.workflows.nodes.json_weight import MOST_WEIGHT, weight_of
from executor_service.workflows.nodes.node_port import NodeCall, NodeResult, NodeRunner
from executor_service.workflows.nodes.striking import (
    Forms,
    forms_of,
    struck,
    struck_end,
    struck_text,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode
from heartrule.domain.workflows import NodeType

MOST_OUTPUT = 8 * 1024 * 1024
"""Bytes of an output as JSON."""


class Nodes:
    """Runs nodes by their type."""

    def __init__(self, runners: Mapping[NodeType, NodeRunner]) -> None:
        """Close what was given with `aclose`."""
        self._runners = runners

    async def run(self, node_type: NodeType, call: NodeCall) -> NodeResult:
        """Run one attempt of a node.

        Raises:
            NodeFailed: It failed, its time is over, or its output is none that can be kept. Neither
                the failure nor an output shows what the policy hides.
        """
        forms = forms_of(call.access.hidden)
        try:
            async with asyncio.timeout(call.timeout_s):
                result = await self._runners[node_type].run(call)
            output = await asyncio.to_thread(_kept, result.output, forms)
        except TimeoutError:
            text = f"it took longer than {call.timeout_s:g} seconds"
            raise failed(RunErrorCode.TIMEOUT, text) from None
        except NodeFailed as error:
            # Its words were cut to size before.
            message = struck_end(struck_text(error.failure.message, forms), forms)
            raise NodeFailed(replace(error.failure, message=message)) from None
        return replace(result, output=output)

    async def aclose(self) -> None:
        """Free what the runners hold."""
        for runner in self._runners.values():
            await runner.aclose()


def _kept(output: JsonValue, forms: Forms) -> JsonValue:
    """Return an output as it is stored: what JSON holds, without secrets."""
    try:
        written = orjson.dumps(output)
    except (TypeError, RecursionError):
        text = "the output is no JSON, has an integer above 64 bits, or nests too deep"
        raise failed(RunErrorCode.UNREADABLE, text) from None
    if len(written) > MOST_OUTPUT:
        raise failed(RunErrorCode.LIMIT, f"the output has more than {MOST_OUTPUT} bytes")
    if weight_of(written) > MOST_WEIGHT:
        raise failed(RunErrorCode.LIMIT, "the output has too many values")
    value: JsonValue = orjson.loads(written)
    # A walk over many values takes seconds, so that JSON is searched, as it has each form.
    is_hit = any(orjson.dumps(form)[1:-1] in written for form in forms)
    return struck(value, forms) if is_hit else value
