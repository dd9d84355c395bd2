"""What the forms of a turn's inputs mean, and the language of what was said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from executor_service.engine.cursor import action_of, place_of, topic_of
from executor_service.forms.values import check_submission
from executor_service.safety.inputs_found import InputsFound
from executor_service.scripts.model.actions import ActionType, FormConfig
from executor_service.scripts.model.script import Script
from heartrule.domain.conversation import Message
from heartrule.domain.errors import NotFound
from heartrule.domain.json_value import JsonValue
from heartrule.domain.safety import SafetyLevel, SafetySource
from session_store.records import InstanceState, TurnSnapshot

_HAN = re.compile("[\u4e00-\u9fff]")


def with_form_items(found: InputsFound, snapshot: TurnSnapshot, script: Script) -> InputsFound:
    """Return what was found, raised to a crisis where a safety item of the form counts."""
    config = running_form(snapshot, script)
    if config is None or found.heard.level >= SafetyLevel.CRISIS:
        return found
    for values in _submitted(snapshot.new_inputs):
        given = check_submission(config.fields, values).values
        for each in config.fields:
            if each.counts(given.get(each.name)):
                heard = replace(
                    found.heard, level=SafetyLevel.CRISIS, source=SafetySource.FORM_ITEM
                )
                return replace(found, heard=heard, rules=(f"form_item:{config.title[:60]}",))
    return found


def running_form(snapshot: TurnSnapshot, script: Script) -> FormConfig | None:
    """Return the form of the action that runs; None where it is none, or the script has no such."""
    try:
        place = place_of(script, snapshot.position)
    except NotFound:
        return None
    for each in snapshot.plan:
        is_form = each.action_type == ActionType.FILL_FORM
        if place is not None and is_form and each.state is InstanceState.RUNNING:
            config = action_of(topic_of(script, place, each), each).config
            return config if isinstance(config, FormConfig) else None
    return None


def are_only_forms(inputs: Iterable[Message]) -> bool:
    """Return whether there are inputs, and all are submitted forms."""
    parts = [part for message in inputs for part in message.parts]
    return bool(parts) and all(part.form is not None for part in parts)


def language_of(text: str) -> str:
    """Return the language of one of our texts: Chinese where it has Han characters, else English.

    A text without letters has none.
    """
    if _HAN.search(text):
        return "zh"
    return "en" if text.strip() else ""


def _submitted(inputs: Iterable[Message]) -> Iterator[dict[str, JsonValue]]:
    for message in inputs:
        yield from (dict(part.form.values) for part in message.parts if part.form is not None)
