"""The rehearsal model's answer to a prompt: a pure function of its task card."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from heartrule.domain.json_value import JsonValue
from heartrule.model.ports import ChatMessage
from heartrule.model.rehearsal.action_replies import ask, fill, say, think
from heartrule.model.rehearsal.monitor_replies import orchestrate, recommend, watch_ask, watch_say
from heartrule.model.rehearsal.task import Refusal, Task, read_task

_POLICIES: Mapping[str, Callable[[Task], dict[str, JsonValue]]] = MappingProxyType(
    {
        "ai_ask": ask,
        "ai_say": say,
        "ai_think": think,
        "fill_form": fill,
        "strategy_generation": recommend,
        "ai_ask_monitor": watch_ask,
        "ai_say_monitor": watch_say,
        "fill_form_monitor": watch_ask,
        "generic_monitor": watch_ask,
        "topic_orchestrator": orchestrate,
    }
)


def answer(messages: Sequence[ChatMessage]) -> str | Refusal:
    """Return the reply to a prompt as one JSON object, or why there is none.

    Only the last task card of the last message is read; equal cards give equal replies.
    """
    task = read_task(messages, _POLICIES)
    if isinstance(task, Refusal):
        return task
    policy = _POLICIES.get(task.kind, watch_ask)  # a type's own monitor has no rule here
    return json.dumps(policy(task), ensure_ascii=False)
