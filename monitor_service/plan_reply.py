"""Reads a model's object into a plan; wrong fields give warnings, never guesses (C30)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from heartrule.domain.json_value import JsonValue
from heartrule.domain.orchestration import (
    ActionDefinition,
    OrchestrationAction,
    OrchestrationPlan,
    QueuedAction,
    RelativePosition,
)
from heartrule.model.reply.prose import Skeleton
from monitor_service.analysis_reply import LONGEST_TEXT, ReplyTexts

_NONE = frozenset({"", "none", "no", "keep", "null", "无", "不调整"})
_DEFINITION = ("type", "action_type", "action_id", "config")


def read_plan(
    value: Mapping[str, JsonValue],
    *,
    own_words: Skeleton,
    queue: Sequence[QueuedAction],
) -> tuple[OrchestrationPlan | None, tuple[str, ...]]:
    """Return the plan a reply holds, None where it proposes nothing, and one warning per oddity.

    Args:
        value: The reply's object.
        own_words: The template's; a text that copies them is absent (RESOLUTIONS C36).
        queue: What has not started. An action's own id counts for its instance where it names one.
    """
    reading = _EditReading(own_words, {each: each for each in _ids(queue)} | _names(queue))
    word = _plain(reading.text("action", value.get("action")))
    if word in _NONE:
        return None, tuple(reading.warnings)
    if word not in tuple(OrchestrationAction):
        reading.warn("action", "is none of the known words")
        return None, tuple(reading.warnings)
    position = value.get("target_position", value.get("insert_position"))
    index, relative = reading.position(position)
    plan = OrchestrationPlan(
        action=OrchestrationAction(word),
        index=index,
        relative=relative,
        new_action=reading.definition(value.get("new_action")),
        modifications=reading.config("modifications", value.get("modifications")),
        reason=reading.text("reason", value.get("reason")),
        target_instance=reading.instance(value.get("target_instance")),
        order=reading.order(value.get("order")),
    )
    return _relevant(plan), tuple(reading.warnings)


def _relevant(plan: OrchestrationPlan) -> OrchestrationPlan:
    """Return the plan with the parts its action uses, and no others."""
    kind = plan.action
    insert = kind is OrchestrationAction.INSERT
    aims = kind in {OrchestrationAction.SKIP, OrchestrationAction.MODIFY}
    return OrchestrationPlan(
        action=kind,
        index=plan.index if insert else None,
        relative=plan.relative if insert else None,
        new_action=plan.new_action if insert else None,
        modifications=plan.modifications if kind is OrchestrationAction.MODIFY else {},
        reason=plan.reason,
        target_instance=plan.target_instance if aims else "",
        order=plan.order if kind is OrchestrationAction.REORDER else (),
    )


def _ids(queue: Iterable[QueuedAction]) -> list[str]:
    return [each.action_instance_id for each in queue]


def _names(queue: Sequence[QueuedAction]) -> dict[str, str]:
    """Return the instance of each action id that is unique in the queue."""
    ids = [each.action_id for each in queue]
    return {
        each.action_id: each.action_instance_id for each in queue if ids.count(each.action_id) == 1
    }


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().lower().replace("-", "_").replace(" ", "_")


class _EditReading(ReplyTexts):
    """Typed access to the object of a plan."""

    def __init__(self, own_words: Skeleton, instances: Mapping[str, str]) -> None:
        super().__init__(own_words)
        self._instances = instances

    def text(self, name: str, value: JsonValue) -> str:
        """Return a text, cut where it is too long; empty where there is none."""
        return self.whole_text(name, value)[:LONGEST_TEXT]

    def position(self, value: JsonValue) -> tuple[int | None, RelativePosition | None]:
        """Return an index or a relative place; neither where there is none."""
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        word = _plain(self.text("target_position", value))
        if word in tuple(RelativePosition):
            return None, RelativePosition(word)
        if word.isdecimal():
            return int(word[:6]), None
        if word not in _NONE:
            self.warn("target_position", "is none of the known places")
        return None, None

    def instance(self, value: JsonValue) -> str:
        """Return the instance a text names, by its id or its action's; else the text."""
        text = self.text("target_instance", value)
        return self._instances.get(text, text)

    def order(self, value: JsonValue) -> tuple[str, ...]:
        """Return the instances in the order given."""
        if value in (None, "", "none"):
            return ()
        if isinstance(value, str) or not isinstance(value, Sequence):
            self.warn("order", "is no list")
            return ()
        texts = (self.text("order", each) for each in value)
        return tuple(self._instances.get(text, text) for text in texts if text)

    def definition(self, value: JsonValue) -> ActionDefinition | None:
        """Return the new action; keys beside `config` belong to it (SCRIPT-LANGUAGE, Tree)."""
        if not isinstance(value, Mapping):
            if value:
                self.warn("new_action", "is no object")
            return None
        kind = _plain(self.text("new_action.type", value.get("action_type", value.get("type"))))
        if not kind:
            return None
        loose = {name: each for name, each in value.items() if name not in _DEFINITION}
        inner = self.config("new_action.config", value.get("config"))
        return ActionDefinition(
            action_type=kind,
            action_id=self.text("new_action.action_id", value.get("action_id")),
            config={**self.config("new_action", loose), **inner},
        )

    def config(self, name: str, value: JsonValue) -> dict[str, JsonValue]:
        """Return the keys with a value of their own; a copy of the template's text is none."""
        if not isinstance(value, Mapping):
            if value:
                self.warn(name, "is no object")
            return {}
        return {
            key: each
            for key, each in value.items()
            if each not in (None, "") and not self.skeleton.copied(f"{name}.{key}", each)
        }
