"""How actions of a topic ended, kept with their instances for the next one's opening."""

from __future__ import annotations

from collections.abc import Mapping

from executor_service.actions.context import RoundOutcome
from executor_service.engine.plan import Plan
from executor_service.exits.policy import policy_of
from heartrule.domain.exits import ExitReason
from heartrule.domain.json_value import JsonValue
from session_store.records import ActionInstance, InstanceState

_KEY = "exit_reason"


def remembered(outcome: RoundOutcome) -> Mapping[str, JsonValue]:
    """Return what an instance keeps of a round: its own memory, and at its end why it ended."""
    result = outcome.result
    if not result.completed or result.exit_reason is None:
        return outcome.memory
    return {**outcome.memory, _KEY: result.exit_reason.value}


def exit_before(plan: Plan, instance: ActionInstance) -> ExitReason | None:
    """Return why the action before an instance ended, in its topic; None where none did.

    Steps that take no part in exits and those passed over are looked past.
    """
    before = [one for one in plan if one.ordinal < instance.ordinal]
    for one in reversed(before):
        talked = policy_of(one.action_type).supports_exit
        if talked and one.state is InstanceState.COMPLETED:
            reason = one.memory.get(_KEY)
            return None if reason is None else ExitReason(str(reason))
    return None
