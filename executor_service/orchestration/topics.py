"""A queue's definitions in the script: its topic, and what defines each instance now."""

from __future__ import annotations

from executor_service.orchestration.edit_rules import EditConstraints
from executor_service.orchestration.edited_definitions import action_of
from executor_service.orchestration.queues import Actions
from executor_service.scripts.model.script import Action, Script, Topic
from heartrule.domain.orchestration import PlanEdit
from session_store.records import ActionInstance


def topic_named(script: Script, phase_id: str, topic_id: str) -> Topic | None:
    """Return a topic by its ids; None where the script has none of them."""
    topics = (each.topics for each in script.phases if each.phase_id == phase_id)
    return next((t for found in topics for t in found if t.topic_id == topic_id), None)


def actions_of(script: Script, topic: Topic) -> Actions:
    """Return a function from an instance of the topic's queue to its action, edits included."""

    def find(instance: ActionInstance) -> Action:
        technique = script.techniques.get(instance.technique_id)
        return action_of(technique.topic if technique else topic, instance)

    return find


def constraints_of(
    script: Script,
    topic: Topic,
    plan: tuple[ActionInstance, ...],
    past: tuple[PlanEdit, ...],
) -> EditConstraints:
    """Return what edits of the topic's queue are judged against."""
    return EditConstraints(
        plan=plan,
        actions=actions_of(script, topic),
        taken=frozenset(each.action_id for each in topic.actions),
        budget=topic.edit_budget,
        past=past,
    )
