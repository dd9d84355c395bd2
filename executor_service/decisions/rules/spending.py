"""What a workflow may cost by the policy (document 002, sections 3.2.2 and 3.2.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from executor_service.decisions.decision_case import DecisionCase, Findings
from executor_service.workflows.graph import body_nodes
from heartrule.domain.decisions import FindingCode, RuleFinding
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import Node, NodeType, Workflow

LIMITS = "3.2 limits of the policy"


@dataclass(frozen=True, slots=True)
class PlannedCost:
    """The most that one run can ask for, retries aside."""

    llm_tokens: int = 0
    api_calls: int = 0

    def __add__(self, other: PlannedCost) -> PlannedCost:
        """Return the sum."""
        return PlannedCost(self.llm_tokens + other.llm_tokens, self.api_calls + other.api_calls)

    def times(self, count: int) -> PlannedCost:
        """Return the cost of as many runs."""
        return PlannedCost(self.llm_tokens * count, self.api_calls * count)


def cost_of(nodes: Iterable[Node]) -> PlannedCost:
    """Return the most that nodes can cost; a loop counts as often as it may run.

    An LLM node without `max_tokens` counts none: the limit holds while it runs.
    """
    return sum(map(_cost, nodes), start=PlannedCost())


def cost_rule(
    made: Callable[[DecisionCase], Workflow | None], path: str
) -> Callable[[DecisionCase], Findings]:
    """Return the rule that finds each limit which a run of the workflow would pass.

    Args:
        made: Returns the workflow as the decision leaves it.
        path: What findings name in the payload.
    """

    def check(case: DecisionCase) -> Findings:
        workflow = made(case)
        return tuple(_passed(case, cost_of(workflow.nodes), path)) if workflow else ()

    return check


def tokens_rule(path: str) -> Callable[[DecisionCase], Findings]:
    """Return the rule that finds that none of the session's tokens are left.

    How many an agent takes is known when it does.
    """

    def check(case: DecisionCase) -> Findings:
        return tuple(_passed(case, PlannedCost(llm_tokens=1), path))

    return check


def _passed(case: DecisionCase, cost: PlannedCost, path: str) -> Iterator[RuleFinding]:
    spent, limits = case.ground.spent, case.policy.limits
    # How many come in one minute is known when they do; one at least must be left.
    now = min(cost.api_calls, 1)
    for noun, needed, used, most in (
        ("tokens", cost.llm_tokens, spent.llm_tokens, limits.llm_tokens),
        ("API calls", cost.api_calls, spent.api_calls, limits.api_calls),
        ("API calls a minute", now, spent.tenant_api_calls, limits.tenant_api_calls),
    ):
        if most is not None and used + needed > most:
            yield RuleFinding(
                code=FindingCode.OUT_OF_RANGE,
                path=path,
                message=f"{path or 'the plan'} may need {needed} {noun}; {used} of {most} are used",
                rule=LIMITS,
            )


def _cost(node: Node) -> PlannedCost:
    if node.type is NodeType.LLM:
        return PlannedCost(llm_tokens=_whole(node.config.get("max_tokens"), 0))
    if node.type is NodeType.HTTP:
        return PlannedCost(api_calls=1)
    return cost_of(body_nodes(node)).times(_whole(node.config.get("max_iterations"), 1))


def _whole(value: JsonValue, absent: int) -> int:
    return int(value) if isinstance(value, int | float) else absent
