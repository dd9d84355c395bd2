"""Actions that an edit defines: read by the loader, so that all its checks hold for them too."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from executor_service.scripts.checking.environment import trusting
from executor_service.scripts.loading.loader import load_script
from executor_service.scripts.model.actions import ActionType
from executor_service.scripts.model.script import Action, Topic
from heartrule.domain.errors import NotFound, NotReady
from heartrule.domain.json_value import JsonValue
from session_store.records import ActionInstance

# Types an edit may insert or change; a skill or a picture needs files of a bundle.
ACTION_TYPES = (ActionType.AI_ASK, ActionType.AI_SAY, ActionType.AI_THINK, ActionType.FILL_FORM)
_FILE = "new_action.yaml"


class Loaded(NamedTuple):
    """The result of loading a definition."""

    action: Action | None
    problem: str = ""
    """The first mistake with its place; empty where there is an action."""


def load_definition(action_type: str, action_id: str, config: Mapping[str, JsonValue]) -> Loaded:
    """Return the action a definition means, or the loader's first error with its place."""
    written = {"action_type": action_type, "action_id": action_id, "config": config}
    return _loaded(json.dumps(written, ensure_ascii=False, default=dict, sort_keys=True))


def action_of(topic: Topic, instance: ActionInstance) -> Action:
    """Return the action of an instance, from the topic that defines it or from a plan edit.

    Raises:
        NotFound: The topic has no such action.
    """
    known = next((a for a in topic.actions if a.action_id == instance.action_id), None)
    if instance.definition:
        return action_of_edit(instance, known)
    if known is None:
        raise NotFound("action", instance.action_id)
    return known


def action_of_edit(instance: ActionInstance, known: Action | None) -> Action:
    """Return the action of an instance with a definition of its own.

    Args:
        instance: One that an edit inserted or changed.
        known: The action in the script; its condition and its policies stay. None: inserted.

    Raises:
        NotReady: This release can no longer read the definition.
    """
    config = instance.definition.get("config")
    loaded = load_definition(
        instance.action_type, instance.action_id, config if isinstance(config, Mapping) else {}
    )
    if loaded.action is None:
        raise NotReady(
            f"the edited action {instance.action_id!r} no longer loads: {loaded.problem}",
            reason="PLAN_EDIT_NO_LONGER_LOADS",
        )
    if known is None:
        return loaded.action
    return replace(known, config=loaded.action.config, written=loaded.action.written)


@lru_cache(maxsize=512)
def _loaded(text: str) -> Loaded:
    """Load a definition as the only action of a script; equal texts give equal actions."""
    topic = {"topic_id": "t", "actions": [json.loads(text)]}
    phase = {"phase_id": "p", "topics": [topic]}
    script = {"session": {"session_id": "edit", "phases": [phase]}}
    whole = json.dumps(script, ensure_ascii=False, indent=1).encode()
    result = load_script({_FILE: whole}, main=_FILE, environment=trusting())
    if result.script is None:
        return Loaded(None, str(result.errors[0]))
    return Loaded(result.script.phases[0].topics[0].actions[0])
