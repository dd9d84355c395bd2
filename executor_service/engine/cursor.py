"""Positions in a script, and what comes after each: pure functions over ids and indices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from executor_service.engine.plan import planned
from executor_service.scripts.model.script import Action, Phase, Script, Topic
from heartrule.domain.errors import NotFound
from heartrule.domain.position import ExecutionPosition
from session_store.records import ActionInstance, Plan


@dataclass(frozen=True, slots=True)
class TopicPlace:
    """A topic of a script, by indices."""

    phase: int
    topic: int


def phase_at(script: Script, place: TopicPlace) -> Phase:
    """Return the phase of a place."""
    return script.phases[place.phase]


def topic_at(script: Script, place: TopicPlace) -> Topic:
    """Return the topic of a place."""
    return script.phases[place.phase].topics[place.topic]


def place_of(script: Script, position: ExecutionPosition) -> TopicPlace | None:
    """Return the place a position names by its ids; None before the first topic.

    Raises:
        NotFound: The script has no such phase or topic.
    """
    if not position.phase_id:
        return None
    for phase_idx, phase in enumerate(script.phases):
        if phase.phase_id != position.phase_id:
            continue
        for topic_idx, topic in enumerate(phase.topics):
            if topic.topic_id == position.topic_id:
                return TopicPlace(phase_idx, topic_idx)
    raise NotFound("topic", f"{position.phase_id}/{position.topic_id}")


def next_place(script: Script, place: TopicPlace | None) -> TopicPlace | None:
    """Return the topic after `place`, the first one after None, None after the last."""
    if place is None:
        return TopicPlace(0, 0)
    if place.topic + 1 < len(script.phases[place.phase].topics):
        return TopicPlace(place.phase, place.topic + 1)
    if place.phase + 1 < len(script.phases):
        return TopicPlace(place.phase + 1, 0)
    return None


def instantiate(script: Script, place: TopicPlace, new_id: Callable[[str], str]) -> Plan:
    """Return a topic's plan: one pending instance for each of its actions, in order."""
    phase, topic = phase_at(script, place), topic_at(script, place)
    return planned(topic.actions, new_id, phase_id=phase.phase_id, topic_id=topic.topic_id)


def topic_of(script: Script, place: TopicPlace, instance: ActionInstance) -> Topic:
    """Return the topic that defines an instance: its technique's, or the one of the place.

    Raises:
        NotFound: The script has no such technique.
    """
    if not instance.technique_id:
        return topic_at(script, place)
    technique = script.techniques.get(instance.technique_id)
    if technique is None:
        raise NotFound("technique", instance.technique_id)
    return technique.topic


def position_at(
    place: TopicPlace, instance: ActionInstance, action: Action, skills: Sequence[str] = ()
) -> ExecutionPosition:
    """Return the position of an action instance; `skills`: the use_skill instances around it."""
    return ExecutionPosition(
        phase_id=instance.phase_id,
        topic_id=instance.topic_id,
        action_id=instance.action_id,
        action_instance_id=instance.action_instance_id,
        current_phase_idx=place.phase,
        current_topic_idx=place.topic,
        current_action_idx=instance.ordinal,
        current_round=instance.round,
        max_rounds=max_rounds_of(action),
        technique_id=instance.technique_id,
        skill_instance_ids=tuple(skills),
    )


def max_rounds_of(action: Action) -> int:
    """Return how many rounds an action may take; 0 for one that has none."""
    return getattr(action.config, "max_rounds", 0)
