"""The nested document: printed as document 003 draws it."""

from __future__ import annotations

from typing import Any

from executor_service.threads.thread_document import print_document, print_settings
from heartrule.domain.threads import ThreadSettings
from tests.support.thread_parts import nested, said
from tests.support.thread_rows import ThreadRows


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


def test_what_an_agent_keeps_besides_stands_beside_its_status() -> None:
    """003-4.1: briefStatus holds the phase alone; other settings stand beside it."""
    settings = ThreadSettings(phase="a", other={"tone": "warm"})
    assert print_settings(settings) == {"briefStatus": {"phase": "a"}, "tone": "warm"}
