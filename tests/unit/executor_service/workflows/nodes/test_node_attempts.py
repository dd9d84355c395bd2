from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

import pytest

from executor_service.workflows.node_failed import failed
from executor_service.workflows.nodes.node_access import NodeAccess
from executor_service.workflows.nodes.node_attempts import MOST_OUTPUT
from executor_service.workflows.nodes.node_port import NodeCall, NodeResult
from executor_service.workflows.nodes.passing_node import PassingNode
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import LONGEST_FAILURE, RunErrorCode
from tests.support.node_calls import failure_of, node_call, ran

SECRET = "swordfish-12"
ACCESS = NodeAccess(secrets={"A": SECRET})


class Does:
    """A runner that does what a test says."""

    def __init__(self, what: Callable[[NodeCall], Awaitable[JsonValue]]) -> None:
        self._what = what

    async def run(self, call: NodeCall) -> NodeResult:
        return NodeResult(output=await self._what(call))

    async def aclose(self) -> None:
        """Do nothing."""


def gives(output: JsonValue) -> Does:
    async def what(_: NodeCall) -> JsonValue:
        return output

    return Does(what)


async def test_the_ends_of_a_plan_pass_on_their_inputs() -> None:
    """START and END give what is mapped to them."""
    result = await ran(PassingNode(), node_call({}, inputs={"a": 1}))
    assert result.output == {"a": 1}


async def test_a_node_has_its_time() -> None:
    """What is not over by then is stopped, and may be tried again."""

    async def waits(_: NodeCall) -> JsonValue:
        await asyncio.Event().wait()
        return None

    failure = await failure_of(Does(waits), node_call({}, timeout_s=0.01))
    assert (failure.code, failure.is_retryable) == (RunErrorCode.TIMEOUT, True)


@pytest.mark.parametrize(
    "output", [{1: 2}, [2**70], {"a": object()}, {"a": {1, 2}}], ids=["key", "int", "class", "set"]
)
async def test_an_output_that_is_no_json_is_unreadable(output: JsonValue) -> None:
    """Nothing is kept of it."""
    assert (await failure_of(gives(output), node_call({}))).code is RunErrorCode.UNREADABLE


async def test_an_output_that_nests_too_deep_is_unreadable() -> None:
    """Whoever reads it later would end at the limit of calls within calls."""
    deep: list[JsonValue] = []
    for _ in range(400):
        deep = [deep]
    assert (await failure_of(gives(deep), node_call({}))).code is RunErrorCode.UNREADABLE


async def test_an_output_has_a_size() -> None:
    """8 MiB as JSON."""
    failure = await failure_of(gives("x" * MOST_OUTPUT), node_call({}))
    assert failure.code is RunErrorCode.LIMIT


async def test_a_result_is_what_json_holds() -> None:
    """A tuple is a list, and a number that is none is null."""
    result = await ran(gives({"a": (1, float("nan"))}), node_call({}))
    assert result.output == {"a": [1, None]}


def test_a_call_shows_nothing_that_it_holds() -> None:
    """Whoever writes one to a log writes no secret and no client's words."""
    call = node_call({"url": f"http://x/{SECRET}"}, inputs={"a": "words"}, access=ACCESS)
    assert SECRET not in repr(call)
    assert "words" not in repr(call)


async def test_a_secret_leaves_no_node() -> None:
    """It is struck out of outputs and of the messages of failures."""

    async def fails(_: NodeCall) -> JsonValue:
        raise failed(RunErrorCode.CODE_ERROR, f"no such key {SECRET} " + "x" * 900)

    result = await ran(gives({"a": [SECRET]}), node_call({}, access=ACCESS))
    failure = await failure_of(Does(fails), node_call({}, access=ACCESS))
    assert result.output == {"a": ["***"]}
    assert failure.message.startswith("no such key *** xxx")
    assert len(failure.message) <= LONGEST_FAILURE


async def test_a_secret_with_quotes_is_found_in_json_that_was_not_read() -> None:
    """A text that holds JSON has them escaped once, and the output that holds the text twice."""
    secret = 'sword"fish\\12'
    access = NodeAccess(secrets={"A": secret})
    result = await ran(gives({"a": json.dumps({"key": secret})}), node_call({}, access=access))
    assert result.output == {"a": '{"key": "***"}'}


async def test_a_failure_that_is_cut_shows_no_part_of_a_secret() -> None:
    """Whatever cut its words, and wherever."""

    async def fails(_: NodeCall) -> JsonValue:
        raise failed(RunErrorCode.CODE_ERROR, "x" * (LONGEST_FAILURE - 11) + SECRET)

    failure = await failure_of(Does(fails), node_call({}, access=ACCESS))
    assert failure.message.endswith("x***")
