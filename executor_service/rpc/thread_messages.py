"""Messages of ThreadService from what the store keeps of threads.

With `masks` they hold no text or number that a model or a client may have written; ids, states,
phases and names stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from executor_service.rpc.run_messages import fill_time, masked_value
from executor_service.threads.thread_path import ThreadPath
from heartrule.domain.conversation import Completeness, Message, Role
from heartrule.domain.json_value import JsonValue
from heartrule.domain.sensitive import MASK
from heartrule.domain.threads import ThreadMessage, ThreadRole, ThreadSettings
from heartrule.v1 import thread_details_pb2, thread_pb2
from heartrule.wire.enums import numbers
from heartrule.wire.json_values import fill_struct
from session_store.records.threads import KeptThread, KeptThreadMessage, MessageIndexes

_OF_THREAD = (
    "thread_id",
    "parent_thread_id",
    "anchor_message_id",
    "depth",
    "agent",
    "failure_code",
    "run_id",
    "turn_id",
)
_OF_MESSAGE = ("message_id", "number", "text", "phase", "unit", "is_placeholder")


def fill_thread(
    kept: KeptThread, target: thread_details_pb2.Thread, *, path: MessageIndexes
) -> None:
    """Fill the message of a thread as a list has it; an empty path: no message leads to it."""
    thread = kept.thread
    for name in _OF_THREAD:
        setattr(target, name, getattr(thread, name))
    target.path = str(ThreadPath(path))
    target.state = numbers(type(thread.state), thread_pb2.ThreadState.DESCRIPTOR)[thread.state]  # type: ignore[assignment]  # a number
    fill_phases(thread.settings, target)
    fill_time(kept.create_time, target, "create_time")
    fill_time(kept.end_time, target, "end_time")


def fill_phases(settings: ThreadSettings, target: thread_details_pb2.Thread) -> None:
    """Add the phase and what is suggested."""
    target.phase = settings.phase
    target.suggested_phase = settings.suggested_phase or ""


def fill_outcome(kept: KeptThread, target: thread_details_pb2.Thread, *, masks: bool) -> None:
    """Add what lists leave out: the request, the result, the values."""
    thread = kept.thread
    fill_struct(masked_value(thread.request, masks=masks), target.request)
    fill_struct(masked_value(thread.values, masks=masks), target.values)
    target.result_text = MASK if masks and thread.result_text else thread.result_text


def fill_thread_message(
    kept: KeptThreadMessage, target: thread_details_pb2.ThreadMessage, *, masks: bool
) -> None:
    """Fill the message of a thread's message."""
    message = masked_message(kept.message) if masks else kept.message
    for name in _OF_MESSAGE:
        setattr(target, name, getattr(message, name))
    target.role = numbers(ThreadRole, thread_pb2.ThreadRole.DESCRIPTOR)[message.role]  # type: ignore[assignment]  # a number
    target.replaces_message_id = kept.replaces
    if message.meta:
        fill_struct(message.meta, target.meta)
    fill_time(kept.create_time, target, "create_time")


def masked_message(message: ThreadMessage) -> ThreadMessage:
    """Return a message without what was written in it."""
    meta: Mapping[str, JsonValue] = masked_value(message.meta, masks=True)
    return replace(message, text=message.text and MASK, meta=meta)


def of_main_thread(message: Message, number: int) -> KeptThreadMessage:
    """Return a message of the conversation as one of the main thread."""
    return KeptThreadMessage(
        message=ThreadMessage(
            message_id=message.message_id,
            number=number,
            role=ThreadRole.USER if message.role is Role.CLIENT else ThreadRole.BOT,
            text=message.plain_text(),
            is_placeholder=message.completeness is Completeness.PLACEHOLDER,
        ),
        replaces=message.replaces_message_id,
        create_time=message.create_time,
    )
