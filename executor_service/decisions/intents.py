"""Which decisions answer which intent (document 002, section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from heartrule.domain.decisions import DecisionType, Intent
from heartrule.domain.problem import Degradation

DECISIONS_BY_INTENT: Mapping[Intent, Mapping[DecisionType, str]] = MappingProxyType(
    {
        Intent.GREETING: {DecisionType.RESPOND: "answer at once"},
        Intent.SIMPLE_QUERY: {
            DecisionType.RESPOND: "no tool is needed",
            DecisionType.CREATE_NODE: "one tool is needed",
        },
        Intent.COMPLEX_TASK: {
            DecisionType.CREATE_NODE: "one step is enough",
            DecisionType.CREATE_WORKFLOW_PLAN: "several steps are needed",
            DecisionType.SPAWN_SUBAGENT: "a special ability is needed",
        },
        Intent.WORKFLOW_REQUEST: {
            DecisionType.EXECUTE_WORKFLOW: "the workflow exists",
            DecisionType.CREATE_WORKFLOW_PLAN: "the workflow does not exist yet",
        },
        Intent.UNKNOWN: {DecisionType.REQUEST_CLARIFICATION: "it is not clear what is wanted"},
    }
)
"""Each decision with the condition under which it is the answer."""

# An agent may think before any answer, and these answer no client: a failure, a change of a draft.
_OF_ANY_INTENT = frozenset(
    {
        DecisionType.CONTINUE,
        DecisionType.MODIFY_NODE,
        DecisionType.ERROR_RECOVERY,
        DecisionType.REPLAN_WORKFLOW,
    }
)


def intent_degradation(intent: str, decision_type: DecisionType) -> Degradation | None:
    """Return a degradation where the table does not name a decision for the stated intent.

    It is recorded and rejects nothing. An intent that is none of the table's counts as unknown.
    """
    stated = Intent(intent) if intent in set(Intent) else Intent.UNKNOWN
    if decision_type in _OF_ANY_INTENT or decision_type in DECISIONS_BY_INTENT[stated]:
        return None
    return Degradation.of(
        "decision", "UNEXPECTED_DECISION", intent=stated.value, decision_type=decision_type.value
    )
