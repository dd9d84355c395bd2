"""The nested document of a thread, as document 003 draws it: printed from the aggregate, or read.

    {"id": …, "messages": [{"id": …, "role": …, "text": …, "meta": {…, "_thread": {…}}}],
     "settings": {"briefStatus": {"phase": …}, "_phaseUpdateSuggestion": {"phase": …}}}

A thread that is nested has no id there unless somebody asks for them. Rows are the truth: a
document is for a person's eyes, for tests, and for agents' own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from executor_service.threads.thread import Thread
from executor_service.threads.thread_path import MAIN, ThreadPath
from heartrule.domain.json_value import JsonValue
from heartrule.domain.threads import ThreadSettings

THREAD = "_thread"
STATUS, PHASE = "briefStatus", "phase"
SUGGESTION = "_phaseUpdateSuggestion"


def print_document(
    thread: Thread, path: ThreadPath = MAIN, *, with_ids: bool = False
) -> dict[str, JsonValue]:
    """Return the document of a main thread, or of the sub-thread at a path.

    `with_ids` adds the ids of nested threads, by which `read_document` finds them again.
    """
    extracted = thread.resolve(path)
    messages: list[JsonValue] = []
    for message in extracted.messages:
        printed: dict[str, JsonValue] = {
            "id": message.message_id,
            "role": message.role.value,
            "text": message.text,
        }
        meta = dict(message.meta)
        if thread.nested_in(path, message.message_id) is not None:
            meta[THREAD] = print_document(thread, path.below(message.number), with_ids=with_ids)
        if meta:
            printed["meta"] = meta
        messages.append(printed)
    document: dict[str, JsonValue] = {
        "messages": messages,
        "settings": print_settings(extracted.settings),
    }
    if path.is_main or with_ids:
        document = {"id": extracted.thread_id or thread.thread_id, **document}
    return document


def print_settings(settings: ThreadSettings) -> dict[str, JsonValue]:
    """Return settings as they are stored."""
    other = dict(settings.other)
    status = other.pop(STATUS, None)
    besides: Mapping[str, Any] = status if isinstance(status, Mapping) else {}
    printed: dict[str, JsonValue] = {**other, STATUS: {**besides, PHASE: settings.phase}}
    if settings.suggested_phase is not None:
        printed[SUGGESTION] = {PHASE: settings.suggested_phase}
    return printed
