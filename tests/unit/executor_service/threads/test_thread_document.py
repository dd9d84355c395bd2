"""The nested document: printed as document 003 draws it, read back, wrong ones refused."""

from __future__ import annotations

from typing import Any

import pytest

from executor_service.threads.document_reading import MOST_MESSAGES, read_document
from executor_service.threads.thread_document import print_document, print_settings
from executor_service.threads.thread_errors import InvalidThreadDocument
from executor_service.threads.thread_nodes import LONGEST_MESSAGE
from heartrule.domain.threads import ThreadSettings
from tests.support.thread_parts import nested, said
from tests.support.thread_rows import ThreadRows

SETTINGS = {"briefStatus": {"phase": "initial_phase"}}
STATUS = "settings.briefStatus"
BELOW = "messages.0.meta._thread"


def message(message_id: str = "m", **other: Any) -> dict[str, Any]:
    return {"id": message_id, "role": "bot", "text": "好", **other}


def thread(*messages: dict[str, Any], **other: Any) -> dict[str, Any]:
    return {"messages": list(messages), "settings": SETTINGS, **other}


def deep(levels: int) -> dict[str, Any]:
    inner = thread()
    for level in range(levels):
        inner = thread(message(f"m{level}", meta={"_thread": inner}))
    return inner


def endless() -> dict[str, Any]:
    whole = thread(message())
    whole["messages"][0]["meta"] = {"_thread": whole}
    return whole


def knot() -> dict[str, Any]:
    meta: dict[str, Any] = {}
    meta["again"] = meta
    return meta


def test_a_thread_is_drawn_inside_the_message_it_is_nested_in() -> None:
    """003-4.1, R18: messages with meta._thread, and settings with the phase and its suggestion."""
    aggregate, path = nested(ThreadRows())
    aggregate.append(path, said("里面"))
    aggregate.set_settings(path, ThreadSettings(phase="outline", suggested_phase="write"))
    whole: Any = print_document(aggregate)
    (printed,) = whole["messages"]
    assert printed["meta"]["_thread"] == {
        "messages": [{"id": "里面", "role": "bot", "text": "里面"}],
        "settings": {
            "briefStatus": {"phase": "outline"},
            "_phaseUpdateSuggestion": {"phase": "write"},
        },
    }


def test_a_document_is_read_back_as_it_was_printed() -> None:
    """R18: printing what was read gives the same document, ids of threads included."""
    aggregate, path = nested(ThreadRows(), depth=8)
    aggregate.append(path, said("最里面", meta={"notes": [1, {"a": None}]}))
    printed = print_document(aggregate, with_ids=True)
    again = read_document(printed)
    assert print_document(again, with_ids=True) == printed
    assert again.unsaved == ()


def test_what_an_agent_keeps_besides_stays() -> None:
    """003-4.1: other settings, in briefStatus too, survive a reading."""
    settings = {"briefStatus": {"phase": "a", "since": 3}, "tone": "warm"}
    again = read_document({"messages": [], "settings": settings})
    assert print_settings(again.settings_of(again.thread_id)) == settings


@pytest.mark.parametrize(
    ("document", "place"),
    [
        (None, ""),
        ([], ""),
        ({"settings": SETTINGS}, "messages"),
        (thread() | {"messages": "abc"}, "messages"),
        (thread() | {"messages": {"0": {}}}, "messages"),
        (thread() | {"settings": None}, "settings"),
        (thread() | {"settings": "phase"}, "settings"),
        (thread() | {"settings": {}}, STATUS),
        (thread() | {"settings": {"briefStatus": {"phase": 3}}}, f"{STATUS}.phase"),
        (thread() | {"settings": {"briefStatus": {"phase": ""}}}, f"{STATUS}.phase"),
        (
            thread() | {"settings": SETTINGS | {"_phaseUpdateSuggestion": {"phase": "unknown"}}},
            "settings._phaseUpdateSuggestion.phase",
        ),
        (
            thread() | {"settings": SETTINGS | {"_phaseUpdateSuggestion": "next"}},
            "settings._phaseUpdateSuggestion",
        ),
        (thread("abc"), "messages.0"),  # type: ignore[arg-type]
        (thread(message(text=3)), "messages.0.text"),
        (thread(message(text="长" * (LONGEST_MESSAGE + 1))), "messages.0.text"),
        (thread(message(role="client")), "messages.0.role"),
        (thread(message(role=["bot"])), "messages.0.role"),
        (thread(message(meta="abc")), "messages.0.meta"),
        (thread(message(meta={1: 2})), "messages.0.meta"),
        (thread(message(meta={"x": object()})), "messages.0.meta.x"),
        (thread(message(meta={"x": knot()})), "messages.0.meta.x"),
        (thread(message(meta={"_thread": []})), BELOW),
        (thread(message(meta={"_thread": {}})), f"{BELOW}.settings"),
        (thread(message(), message()), "messages.1.id"),
        (thread(message("")), "messages.0.id"),
        (thread(message(meta={"_thread": thread(message())})), f"{BELOW}.messages.0.id"),
        (deep(9), ".".join([BELOW] * 9)),
        (endless(), BELOW),
        (
            thread(*(message(str(n)) for n in range(MOST_MESSAGES + 1))),
            f"messages.{MOST_MESSAGES}",
        ),
    ],
)
def test_a_wrong_document_is_refused_with_its_place(document: object, place: str) -> None:
    """T2: nothing of a wrong document is read, and the error says where it is wrong."""
    with pytest.raises(InvalidThreadDocument) as refused:
        read_document(document, phases={"initial_phase"})
    assert refused.value.metadata["place"] == place
    assert refused.value.violations[0].field == place
