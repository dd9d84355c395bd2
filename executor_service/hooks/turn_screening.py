"""What the forms of a turn's inputs mean, and the language of what was said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from executor_service.engine.cursor import place_of, topic_of
from executor_service.forms.progress import names
from executor_service.forms.values import check_submission
from executor_service.orchestration.edited_definitions import action_of
from executor_service.safety.inputs_found import InputsFound
from executor_service.scripts.model.actions import ActionType, FormConfig
from executor_service.scripts.model.script import Script
from heartrule.domain.conversation import Message, Role
from heartrule.domain.errors import NotFound
from heartrule.domain.json_value import JsonValue
from heartrule.domain.safety import SafetyLevel, SafetySource
from session_store.records import InstanceState, TurnSnapshot

_HAN = re.compile("[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningForm:
    """The form of the action that runs."""

    config: FormConfig
    requests: tuple[str, ...]
    """Ids of the requests that showed it."""

    def is_submitted_by(self, inputs: Sequence[Message]) -> bool:
        """Return whether there are inputs and all submit this form: its action asks no model."""
        forms = all(part.form is not None for message in inputs for part in message.parts)
        asked = all(each.input_request_id in self.requests for each in inputs)
        return bool(inputs) and forms and asked


def running_form(snapshot: TurnSnapshot, script: Script) -> RunningForm | None:
    """Return the form of the action that runs; None where it is none, or the script has no such."""
    running = (each for each in snapshot.plan if each.state is InstanceState.RUNNING)
    instance = next(running, None)
    if instance is None or instance.action_type != ActionType.FILL_FORM:
        return None
    try:
        place = place_of(script, snapshot.position)
        config = action_of(topic_of(script, place, instance), instance).config if place else None
    except NotFound:
        return None
    if not isinstance(config, FormConfig):
        return None
    return RunningForm(config=config, requests=names(instance.memory.get("requests")))


def with_form_items(
    found: InputsFound, inputs: Sequence[Message], form: RunningForm | None
) -> InputsFound:
    """Return what was found, raised to a crisis where a safety item of the form counts."""
    if form is None or found.heard.level >= SafetyLevel.CRISIS:
        return found
    config = form.config
    for values in _submitted(inputs):
        given = check_submission(config.fields, values).values
        if any(each.counts(given.get(each.name)) for each in config.fields):
            heard = replace(found.heard, level=SafetyLevel.CRISIS, source=SafetySource.FORM_ITEM)
            return replace(found, heard=heard, rules=(f"form_item:{config.title[:60]}",))
    return found


def unanswered_before(snapshot: TurnSnapshot) -> tuple[str, ...]:
    """Return the client's texts before the turn that got no answer: their turn was interrupted."""
    lines = takewhile(lambda line: line.role is Role.CLIENT, reversed(snapshot.window))
    return tuple(line.text for line in lines)[::-1]


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
