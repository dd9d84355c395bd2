"""Outputs of other questions, whose values a client may give beside the one that is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from executor_service.engine.cursor import TopicPlace
from executor_service.engine.passed_over import gathered_ahead
from executor_service.engine.turn_state import TurnState
from executor_service.orchestration.edited_definitions import action_of
from executor_service.scripts.model.actions import ActionType
from executor_service.scripts.model.fields import Output
from executor_service.scripts.model.script import Script
from executor_service.variables.known import OutputsBeside
from heartrule.domain.json_value import JsonValue
from session_store.records import ActionInstance, InstanceState

#: Outputs of later questions that one prompt lists: more of them crowd out its own.
MOST_AHEAD = 12
# Outputs that are looked at to find these: a script may have thousands.
_MOST_LOOKED_AT = 200


def outputs_beside(state: TurnState, script: Script, current: ActionInstance) -> OutputsBeside:
    """Return the unset outputs of later questions, nearest first, and the topic's known ones.

    A mandatory question and an output with `ahead: false` are always asked, a form's fields too.
    Inside a technique only its own count, since its variables are its own.
    """
    later: dict[str, Output] = {}
    known: dict[str, Output] = {}
    visible = state.variables.visible()
    for instance, output in _of_topic(state, current):
        if _is_known(state, visible, output):
            known.setdefault(output.get, output)
        elif instance.state is InstanceState.PENDING:
            later.setdefault(output.get, output)
    if not current.technique_id and state.place is not None:
        for looked_at, output in enumerate(_of_later_topics(script, state.place)):
            if len(later) >= MOST_AHEAD or looked_at >= _MOST_LOOKED_AT:
                break
            if not _is_known(state, visible, output):
                later.setdefault(output.get, output)
    return OutputsBeside(later=tuple(later.values())[:MOST_AHEAD], known=tuple(known.values()))


def _of_topic(state: TurnState, current: ActionInstance) -> Iterator[tuple[ActionInstance, Output]]:
    """Yield the outputs of the topic's other questions, or of the technique's, in order."""
    for instance in state.plan:
        same = instance.parent_instance_id == current.parent_instance_id
        if not same or instance.action_instance_id == current.action_instance_id:
            continue
        if instance.action_type in {ActionType.AI_ASK, ActionType.AI_AGENT}:
            action = action_of(state.topic_for(instance), instance)
            yield from ((instance, output) for output in gathered_ahead(action))


def _of_later_topics(script: Script, place: TopicPlace) -> Iterable[Output]:
    """Yield outputs of the topics that follow, but those which a scope there declares anew."""
    for index, phase in enumerate(script.phases[place.phase :], start=place.phase):
        inside = index == place.phase
        anew = set() if inside else {each.var for each in phase.declarations}
        for topic in phase.topics[place.topic + 1 if inside else 0 :]:
            hidden = anew | {each.var for each in topic.declarations}
            for action in topic.actions:
                yield from (o for o in gathered_ahead(action) if o.get not in hidden)


def _is_known(state: TurnState, visible: Mapping[str, JsonValue], output: Output) -> bool:
    # Most have no value at all, which costs nothing to see.
    return output.get in visible and state.known_values.known(output.get, state.variables)
