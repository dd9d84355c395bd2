"""Which decisions answer which intent (document 002, section 5)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from heartrule.domain.decisions import DecisionType, Intent
from heartrule.domain.problem import Degradation

DECISIONS_BY_INTENT: Mapping[Intent, tuple[DecisionType, ...]] = MappingProxyType(
    {
        Intent.GREETING: (DecisionType.RESPOND,),
        Intent.SIMPLE_QUERY: (DecisionType.RESPOND, DecisionType.CREATE_NODE),
        Intent.COMPLEX_TASK: (
            DecisionType.CREATE_NODE,
            DecisionType.CREATE_WORKFLOW_PLAN,
            DecisionType.SPAWN_SUBAGENT,
        ),
        Intent.WORKFLOW_REQUEST: (
            DecisionType.EXECUTE_WORKFLOW,
            DecisionType.CREATE_WORKFLOW_PLAN,
        ),
        Intent.UNKNOWN: (DecisionType.REQUEST_CLARIFICATION,),
    }
)
"""The conditions under which each is the answer are texts of an agent's template, `when.…`."""

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
