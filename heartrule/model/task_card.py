"""The task card: a task as one machine-readable line, which the rehearsal model reads.

A request carries it beside its messages, and only a provider of kind `rehearsal` is sent it (ADR
54). Nothing a client types can open or close a card inside the card's own JSON; and because the
card ends the last message, a card typed by a client is never the last one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

from heartrule.domain.json_value import JsonValue
from heartrule.model.ports import ChatMessage

_OPEN = "<heartrule-task>\n"
_CLOSE = "\n</heartrule-task>"
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
# What could open or close a card, and what JSON allows raw in strings though it ends a line.
_ESCAPES = {
    "<": "\\u003c", ">": "\\u003e", "&": "\\u0026",
    "\u2028": "\\u2028", "\u2029": "\\u2029", "\x85": "\\u0085",
}  # fmt: skip


def task_card(task: Mapping[str, JsonValue]) -> str:
    """Return the card: compact JSON in one line between its two tags."""
    body = _ENCODER.encode(task)
    for character, escaped in _ESCAPES.items():
        body = body.replace(character, escaped)
    return f"{_OPEN}{body}{_CLOSE}"


def with_task_card(
    messages: tuple[ChatMessage, ...], task: Mapping[str, JsonValue]
) -> tuple[ChatMessage, ...]:
    """Return the messages of a prompt, the task's card at the end of the last one."""
    *before, last = messages
    return (*before, replace(last, content=f"{last.content}\n{task_card(task)}"))


def read_task_card(text: str) -> dict[str, JsonValue] | None:
    """Return the last card of a message; None when there is none or it is not readable."""
    start = text.rfind(_OPEN)
    if start < 0:
        return None
    body, close, _ = text[start + len(_OPEN) :].partition(_CLOSE)
    if not close:
        return None
    try:
        task = json.loads(body)
    except ValueError:
        return None
    return task if isinstance(task, dict) else None
