"""What a workflow may cost by the policy (document 002, sections 3.2.2 and 3.2.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from executor_service.decisions.decision_case import DecisionCase, Findings
from executor_service.workflows.graph import body_nodes
from heartrule.domain.decisions import FindingCode, RuleFinding
from heartrule.domain.json_value import JsonValue
from heartrule.domain.workflows import Node, NodeType, Workflow

LIMITS = "3.2 limits of the policy"


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
        if workflow is None:
            return ()
        tokens, calls = _most(workflow.nodes, _tokens), _most(workflow.nodes, _calls)
        return tuple(_passed(case, path, llm_tokens=tokens, api_calls=calls))

    return check


def tokens_rule(path: str) -> Callable[[DecisionCase], Findings]:
    """Return the rule that finds that none of the session's tokens are left.

    How many an agent takes is known when it does.
    """

    def check(case: DecisionCase) -> Findings:
        return tuple(_passed(case, path, llm_tokens=1))

    return check


def _passed(
    case: DecisionCase, path: str, *, llm_tokens: int, api_calls: int = 0
) -> Iterator[RuleFinding]:
    spent, limits = case.ground.spent, case.policy.limits
    # How many come in one minute is known when they do; one at least must be left.
    now = min(api_calls, 1)
    for noun, needed, used, most in (
        ("tokens", llm_tokens, spent.llm_tokens, limits.llm_tokens),
        ("API calls", api_calls, spent.api_calls, limits.api_calls),
        ("API calls a minute", now, spent.tenant_api_calls, limits.tenant_api_calls),
    ):
        if most is not None and used + needed > most:
            message = f"{path} may need {needed} {noun}; {used} of {most} are used"
            yield RuleFinding(FindingCode.OUT_OF_RANGE, path, message, LIMITS)


def _most(nodes: Iterable[Node], own: Callable[[Node], int]) -> int:
    """Return the most that nodes can use of something; a loop counts as often as it may run."""
    return sum(
        own(each) + _most(body_nodes(each), own) * _whole(each.config.get("max_iterations"), 1)
        for each in nodes
    )


def _tokens(node: Node) -> int:
    """Return what an LLM node may use; one without `max_tokens` is held to the limit as it runs."""
    return _whole(node.config.get("max_tokens"), 0) if node.type is NodeType.LLM else 0


def _calls(node: Node) -> int:
    return int(node.type is NodeType.HTTP)


def _whole(value: JsonValue, absent: int) -> int:
    return int(value) if isinstance(value, int | float) else absent
