"""The nested document of a thread, as document 003 draws it, printed from the aggregate.

    {"id": …, "messages": [{"id": …, "role": …, "text": …, "meta": {…, "_thread": {…}}}],
     "settings": {"briefStatus": {"phase": …}, "_phaseUpdateSuggestion": {"phase": …}}}

A thread that is nested has no id there. Rows are the truth: a document is for a person's eyes, and
is never read back.
"""

from __future__ import annotations

from executor_service.threads.thread import Thread
from executor_service.threads.thread_path import MAIN, ThreadPath
from heartrule.domain.json_value import JsonValue
from heartrule.domain.threads import ThreadSettings

THREAD = "_thread"
STATUS, PHASE = "briefStatus", "phase"
SUGGESTION = "_phaseUpdateSuggestion"


def print_document(thread: Thread, path: ThreadPath = MAIN) -> dict[str, JsonValue]:
    """Return the document of a main thread, or of the sub-thread at a path."""
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
            meta[THREAD] = print_document(thread, path.below(message.number))
        if meta:
            printed["meta"] = meta
        messages.append(printed)
    document: dict[str, JsonValue] = {
        "messages": messages,
        "settings": print_settings(extracted.settings),
    }
    if path.is_main:
        document = {"id": extracted.thread_id or thread.thread_id, **document}
    return document


def print_settings(settings: ThreadSettings) -> dict[str, JsonValue]:
    """Return settings as they are stored."""
    printed: dict[str, JsonValue] = {**settings.other, STATUS: {PHASE: settings.phase}}
    if settings.suggested_phase is not None:
        printed[SUGGESTION] = {PHASE: settings.suggested_phase}
    return printed
