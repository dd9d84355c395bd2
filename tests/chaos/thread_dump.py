"""The tables of threads as the checker reads them."""

from __future__ import annotations

from dataclasses import dataclass

from tests.chaos.databases import Database

_THREADS = """
    SELECT session_id, thread_id, parent_thread_id, anchor_message_id, state, shown
    FROM sub_threads WHERE listed ORDER BY session_id, sequence
"""
_SAID = """
    SELECT session_id, thread_id, number, message_id, placeholder, replaced_by
    FROM sub_thread_messages ORDER BY session_id, thread_id, number, placeholder DESC
"""
_PLACEHOLDERS = """
    SELECT session_id, message_id, replaced_by FROM messages WHERE completeness = 'placeholder'
    ORDER BY session_id, sequence
"""
TALKED = """
    SELECT t.session_id, t.depth, t.agent, t.state, t.phase, t.suggested_phase, t.result_text,
        t.result_values, t.failure_code, t.shown, m.number, m.role, m.text, m.phase, m.unit,
        m.placeholder
    FROM sub_threads t LEFT JOIN sub_thread_messages m USING (tenant, session_id, thread_id)
    WHERE t.listed ORDER BY t.session_id, t.sequence, m.number, m.placeholder DESC
"""
"""How each thread stands, and what is said in it."""


@dataclass(frozen=True, slots=True)
class ThreadRow:
    """A thread."""

    session_id: str
    thread_id: str
    parent_thread_id: str
    anchor_message_id: str
    state: str
    is_shown: bool


@dataclass(frozen=True, slots=True)
class ThreadMessageRow:
    """A message of a thread."""

    session_id: str
    thread_id: str
    number: int
    message_id: str
    is_placeholder: bool
    replaced_by: str


@dataclass(frozen=True, slots=True)
class PlaceholderRow:
    """A message of the conversation that announces a result."""

    session_id: str
    message_id: str
    is_replaced: bool


def thread_rows(database: Database) -> tuple[ThreadRow, ...]:
    """Return the threads that are listed, those of a session in the order of their opening."""
    return tuple(
        ThreadRow(str(sid), str(name), str(parent), str(anchor), str(state), bool(shown))
        for sid, name, parent, anchor, state, shown in database.rows(_THREADS)
    )


def thread_message_rows(database: Database) -> tuple[ThreadMessageRow, ...]:
    """Return what is said in threads, a placeholder before what took its place."""
    return tuple(
        ThreadMessageRow(
            str(sid), str(thread), int(str(number)), str(name), bool(placeholder), str(replaced_by)
        )
        for sid, thread, number, name, placeholder, replaced_by in database.rows(_SAID)
    )


def placeholder_rows(database: Database) -> tuple[PlaceholderRow, ...]:
    """Return the placeholders of the conversations."""
    return tuple(
        PlaceholderRow(str(sid), str(name), bool(replaced_by))
        for sid, name, replaced_by in database.rows(_PLACEHOLDERS)
    )
