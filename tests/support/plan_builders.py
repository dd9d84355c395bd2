"""Builders for what decides about a plan: conditions, skills, and a walk through them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from executor_service.conditions.compile import compile_condition
from executor_service.engine.running_turn import RunningTurn
from executor_service.engine.turn_state import TurnState
from executor_service.scripts.model.actions import ActionType, SkillConfig
from executor_service.scripts.model.script import Action, Script, Technique
from executor_service.scripts.model.settings import Condition, OnError
from executor_service.turn_stopping import StopToken
from executor_service.variables.keywords import NO_KEYWORDS
from heartrule.domain.output_type import OutputType
from session_store.records import InstanceState, TurnSnapshot
from tests.support.engine_builders import (
    NOW,
    PLACE,
    action_of_type,
    ask,
    before_the_script,
    counting_ids,
    script,
    topic,
)


def use(skill: str, action_id: str = "use", **config: Any) -> Action:
    """Return a use_skill."""
    return action_of_type(ActionType.USE_SKILL, action_id, SkillConfig(skill=skill, **config))


def when(action: Action, text: str, **changes: Any) -> Action:
    """Return the action with a condition."""
    return replace(action, condition=condition(text, **changes))


def condition(
    text: str, types: Mapping[str, OutputType] | None = None, on_error: OnError = OnError.RUN
) -> Condition:
    """Return a compiled condition."""
    expression = compile_condition(text, types or {})
    return Condition(source=text, expression=expression, on_error=on_error, place=PLACE)


def technique(technique_id: str, *actions: Action, **changes: Any) -> Technique:
    """Return a technique of these actions; `outputs` names what it yields."""
    outputs = tuple(changes.pop("outputs", ()))
    inside = topic(*actions, topic_id=f"{technique_id}_topic", **changes)
    return Technique(technique_id=technique_id, output_variables=outputs, topic=inside)


def walking(running: Script, snapshot: TurnSnapshot) -> TurnState:
    """Return the walk of a turn."""
    return TurnState(
        running,
        snapshot,
        new_id=counting_ids(),
        clock=lambda: NOW,
        keyword_scope=NO_KEYWORDS.scope_of,
    )


def turn_before_its_first_step() -> RunningTurn:
    """Return the opening turn of a script with one question."""
    return RunningTurn(
        before_the_script(),
        script(ask()),
        new_id=counting_ids(),
        clock=lambda: NOW,
        keyword_scope=NO_KEYWORDS.scope_of,
        calls=[],
        stop=StopToken(),
    )


def complete(walk: TurnState) -> None:
    """Complete the current action."""
    current = walk.current()
    assert current is not None
    walk.update(replace(current[1], state=InstanceState.COMPLETED))
