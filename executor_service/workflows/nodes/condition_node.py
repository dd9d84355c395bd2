"""CONDITION nodes: CEL over values of the run."""

from __future__ import annotations

from collections.abc import Mapping

from executor_service.conditions.expression import TOO_LARGE
from executor_service.conditions.plan import (
    MOST_CHARACTERS,
    MOST_VALUES,
    compile_plan_condition,
)
from executor_service.conditions.source import ConditionError
from executor_service.workflows.node_failed import failed
from executor_service.workflows.nodes.node_port import NodeCall, NodeResult
from heartrule.domain.runs import RunErrorCode


class ConditionNode:
    """Computes `config.expression` over `config.values`, by reference; the output is {result}."""

    async def run(self, call: NodeCall) -> NodeResult:
        """Return whether the condition holds.

        Raises:
            NodeFailed: CODE_ERROR where it cannot be read, or is neither true nor false; LIMIT
                where it would read too much.
        """
        values = call.config.get("values")
        try:
            expression = compile_plan_condition(str(call.config["expression"]))
        except ConditionError as error:
            raise failed(RunErrorCode.CODE_ERROR, f"the condition: {error}") from None
        evaluation = expression.evaluate(values if isinstance(values, Mapping) else {})
        if evaluation.reason == TOO_LARGE:
            text = (
                f"the condition reads more than {MOST_VALUES} values or {MOST_CHARACTERS} "
                "characters; read what a node before it counts, such as row_count"
            )
            raise failed(RunErrorCode.LIMIT, text)
        if evaluation.value is None:
            text = f"the condition has no result ({evaluation.reason})"
            raise failed(RunErrorCode.CODE_ERROR, text)
        return NodeResult(output={"result": evaluation.value})

    async def aclose(self) -> None:
        """There is nothing to free."""
