"""Asking the conditions of what is about to begin (SCRIPT-LANGUAGE, Conditions)."""

from __future__ import annotations

from dataclasses import dataclass

from executor_service.scripts.model.settings import Condition, OnError
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.problem import Degradation
from heartrule.domain.skipping import StepSkipped

#: Why something was skipped whose condition decided against it.
CONDITION_FALSE = "CONDITION_FALSE"
_GOES_AHEAD: tuple[None, None] = (None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A phase, or an action instance, that is about to begin."""

    phase_id: str
    topic_id: str = ""
    action_id: str = ""
    action_instance_id: str = ""


def admit(
    condition: Condition | None, candidate: Candidate, variables: VariableStore
) -> tuple[StepSkipped | None, Degradation | None]:
    """Return the skip, where the candidate is not to begin, and what is amiss with the condition.

    A condition that could not be evaluated is replaced by its `on_error` and reported.
    """
    if condition is None:
        return _GOES_AHEAD
    values = {name: variables.get(name) for name in condition.expression.names}
    verdict = condition.expression.evaluate(values)
    if verdict.value is True:
        return _GOES_AHEAD
    if verdict.value is False:
        return _skip(condition, candidate, reason=CONDITION_FALSE), None
    skipped = None
    if condition.on_error is OnError.SKIP:
        skipped = _skip(condition, candidate, reason=verdict.reason, variable=verdict.variable)
    facts = {
        "phase_id": candidate.phase_id,
        "action_id": candidate.action_id,
        "condition": condition.source,
        "cause": verdict.reason,
        "variable": verdict.variable,
        "on_error": condition.on_error.value,
    }
    metadata = {name: fact for name, fact in facts.items() if fact}
    return skipped, Degradation(stage="script", reason="CONDITION_UNDECIDED", metadata=metadata)


def _skip(
    condition: Condition, candidate: Candidate, *, reason: str, variable: str = ""
) -> StepSkipped:
    return StepSkipped(
        phase_id=candidate.phase_id,
        topic_id=candidate.topic_id,
        action_id=candidate.action_id,
        action_instance_id=candidate.action_instance_id,
        condition=condition.source,
        reason=reason,
        variable=variable,
    )
