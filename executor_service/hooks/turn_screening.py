"""What the inputs of a turn mean: their texts, one by one and together, and the items of a form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from executor_service.engine.cursor import action_of, place_of, topic_of
from executor_service.forms.values import check_submission
from executor_service.safety.answers import Answer
from executor_service.safety.crisis_rules import ClientScreen
from executor_service.safety.safety_path import NOTHING_HEARD, TurnHearing
from executor_service.safety.screen import ScreenContext
from executor_service.scripts.model.actions import ActionType, FormConfig
from executor_service.scripts.model.script import Script
from heartrule.domain.conversation import Message
from heartrule.domain.json_value import JsonValue
from heartrule.domain.safety import SafetyLevel, SafetySource, Subject
from session_store.records import InstanceState, TurnSnapshot

_HAN = re.compile("[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class InputsFound:
    """What was found in a turn's inputs; `heard.text` alone has the client's words."""

    heard: TurnHearing = NOTHING_HEARD
    rules: tuple[str, ...] = ()
    subject: Subject | None = None
    language: str = ""


def found_in(inputs: Sequence[Message], screen: ClientScreen, *, question: str) -> InputsFound:
    """Return the gravest of what the inputs' texts mean, and whether the last one denies.

    Args:
        inputs: Those since the assistant spoke, oldest first.
        screen: Reads a text by itself and with those before it.
        question: What the assistant said last; empty where it asked nothing about safety.
    """
    best, denied = InputsFound(), False
    earlier: tuple[str, ...] = ()
    for text in _written_in(inputs):
        read = screen.screen(text, ScreenContext(question=question, earlier=earlier))
        earlier = (*earlier, text)
        denied = read.answer is Answer.NO and read.level is SafetyLevel.NONE
        if read.level > best.heard.level:
            best = InputsFound(
                heard=TurnHearing(level=read.level, source=read.source),
                rules=read.rules,
                subject=read.subject,
                language=read.language or "",
            )
    return replace(best, heard=replace(best.heard, denied=denied, text="\n".join(earlier)))


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
    """Return the form of the action that runs; None where it is no form."""
    place = place_of(script, snapshot.position)
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


def _written_in(inputs: Iterable[Message]) -> Iterator[str]:
    """Yield the inputs' texts and those of submitted forms, whose message only names the form."""
    for message in inputs:
        yield message.plain_text()
        for values in _submitted((message,)):
            yield from (text for text in values.values() if isinstance(text, str))
