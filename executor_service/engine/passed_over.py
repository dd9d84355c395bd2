"""What a script passes over: by a condition, or since the client has answered it before."""

from __future__ import annotations

from dataclasses import replace

from executor_service.scripts.model.actions import AskConfig
from executor_service.scripts.model.agent_config import AgentConfig
from executor_service.scripts.model.fields import Output
from executor_service.scripts.model.script import Action, Script, Topic
from executor_service.scripts.model.settings import Condition, OnError, WhenKnown
from executor_service.variables.known import KnownValues
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.problem import Degradation
from heartrule.domain.skipping import KnownAnswer, StepSkipped

#: Why something was skipped whose condition decided against it.
CONDITION_FALSE = "CONDITION_FALSE"
#: Why a question was not put: its answers are confirmed beside the next one, or passed over.
CONFIRMED = "KNOWN_CONFIRMED"
SKIPPED = "KNOWN_SKIPPED"
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


def gathered_ahead(action: Action) -> tuple[Output, ...]:
    """Return the outputs of an action that the client may give before it asks.

    A mandatory question and an output with `ahead: false` are always asked, a form's fields too.
    """
    config = action.config
    if action.mandatory or not isinstance(config, AskConfig | AgentConfig):
        return ()
    if isinstance(config, AskConfig) and config.collect:
        return ()
    return tuple(output for output in action.config.output if output.ahead)


def when_known(script: Script, topic: Topic, action: Action) -> WhenKnown:
    """Return what the innermost place says about a question that is answered already."""
    return action.when_known or topic.when_known or script.when_known


def passed_over(
    action: Action,
    rule: WhenKnown,
    step: StepSkipped,
    known: KnownValues,
    *,
    variables: VariableStore,
) -> StepSkipped | None:
    """Return the skip of a question whose outputs are all known; None where it is put.

    What another question for the same output heard is no answer to this one.
    """
    # An agent's goal is not its outputs.
    outputs = () if isinstance(action.config, AgentConfig) else gathered_ahead(action)
    if rule is WhenKnown.ASK or not outputs or len(outputs) < len(action.config.output):
        return None
    if not all(known.known(each.get, variables, asking=action.action_id) for each in outputs):
        return None
    answers = []
    for each in outputs:
        held = variables.in_force(each.get)
        quote = held.quote if held else ""
        answers.append(KnownAnswer(variable=each.get, value=variables.get(each.get), quote=quote))
    reason = CONFIRMED if rule is WhenKnown.CONFIRM else SKIPPED
    return replace(step, reason=reason, answers=tuple(answers))
