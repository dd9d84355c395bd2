from __future__ import annotations

import pytest

from executor_service.workflows.nodes.condition_node import ConditionNode
from heartrule.domain.json_value import JsonValue
from heartrule.domain.runs import RunErrorCode
from tests.support.node_calls import failure_of, node_call, ran


@pytest.mark.parametrize(("count", "holds"), [(4, True), (3, False)])
async def test_a_condition_is_computed_over_values(count: int, holds: JsonValue) -> None:
    """The values of its references enter as values, by what stands between the braces."""
    config: dict[str, JsonValue] = {
        "expression": "${a.output.n} > 3",
        "values": {"a.output.n": count},
    }
    assert (await ran(ConditionNode(), node_call(config))).output == {"result": holds}


@pytest.mark.parametrize(
    ("expression", "value"),
    [("${x} > 3", "four"), ("${x} > ", 4), ("${x}", "text"), ("${x}.y > 1", {})],
)
async def test_a_condition_without_a_result_fails(expression: str, value: JsonValue) -> None:
    """A node has to say true or false; whoever reads it could not tell the difference."""
    call = node_call({"expression": expression, "values": {"x": value}})
    assert (await failure_of(ConditionNode(), call)).code is RunErrorCode.CODE_ERROR


async def test_a_condition_that_would_read_too_much_fails() -> None:
    """Nothing else of the process runs while it is computed."""
    call = node_call({"expression": "size(${x}) > 1", "values": {"x": [1] * 100_000}})
    failure = await failure_of(ConditionNode(), call)
    assert (failure.code, failure.is_retryable) == (RunErrorCode.LIMIT, False)
