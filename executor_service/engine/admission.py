"""Conditions: whether a phase or an action may begin (SCRIPT-LANGUAGE, Conditions)."""

from __future__ import annotations

from dataclasses import replace

from executor_service.scripts.model.settings import Condition, OnError
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.problem import Degradation
from heartrule.domain.skipping import StepSkipped

#: Why something was skipped whose condition decided against it.
CONDITION_FALSE = "CONDITION_FALSE"
_GOES_AHEAD: tuple[None, None] = (None, None)


def admit(
    condition: Condition | None, step: StepSkipped, variables: VariableStore
) -> tuple[StepSkipped | None, Degradation | None]:
    """Return the skip, if the step is not to begin, and a degradation, if the condition failed.

    A condition that cannot be evaluated is replaced by its `on_error`.

    Args:
        condition: Of a phase or an action; None lets it begin.
        step: The phase or the action instance, named as a skip would name it.
        variables: What the condition reads.
    """
    if condition is None:
        return _GOES_AHEAD
    values = {name: variables.get(name) for name in condition.expression.names}
    verdict = condition.expression.evaluate(values)
    if verdict.value is True:
        return _GOES_AHEAD
    if verdict.value is False:
        return replace(step, condition=condition.source, reason=CONDITION_FALSE), None
    undecided = replace(
        step, condition=condition.source, reason=verdict.reason, variable=verdict.variable
    )
    facts = {
        "phase_id": step.phase_id,
        "action_id": step.action_id,
        "condition": condition.source,
        "cause": verdict.reason,
        "variable": verdict.variable,
        "on_error": condition.on_error.value,
    }
    known = {name: fact for name, fact in facts.items() if fact}
    degradation = Degradation.of("script", "CONDITION_UNDECIDED", **known)
    return (undecided if condition.on_error is OnError.SKIP else None), degradation
