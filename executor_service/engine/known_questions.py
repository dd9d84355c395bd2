"""Questions whose answers the client gave before they were put: confirmed, passed over or put."""

from __future__ import annotations

from dataclasses import replace

from executor_service.scripts.model.actions import AskConfig
from executor_service.scripts.model.fields import Output
from executor_service.scripts.model.script import Action, Script, Topic
from executor_service.scripts.model.settings import WhenKnown
from executor_service.variables.known import KnownValues
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.skipping import KnownAnswer, StepSkipped

#: Why a question was not put: its answers are confirmed beside the next one, or passed over.
CONFIRMED = "KNOWN_CONFIRMED"
SKIPPED = "KNOWN_SKIPPED"


def gathered_ahead(action: Action) -> tuple[Output, ...]:
    """Return the outputs of an action that the client may give before it asks.

    A mandatory question and an output with `ahead: false` are always asked, a form's fields too.
    """
    if action.mandatory or not isinstance(action.config, AskConfig) or action.config.collect:
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
    outputs = gathered_ahead(action)
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
