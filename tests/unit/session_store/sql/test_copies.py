"""A fork leaves no table out by oversight."""

from __future__ import annotations

from session_store.sql.database import tables, tables_edits, tables_going_back, tables_mind
from session_store.sql.database.schema import metadata

COPIED = {
    tables.events,
    tables.messages,
    tables.attempts,
    tables_mind.monitor_requests,
    tables_mind.advice,
}
"""Rows written anew as they are, but for numbers."""
FOLDED = {
    tables_mind.action_instances,
    tables_mind.variables,
    tables_mind.variable_definitions,
    tables_going_back.session_origins,
    tables_going_back.action_replacements,
    tables_edits.plan_edits,
}
"""Rows made of the past."""
LEFT = {tables_mind.model_calls}
"""What stays with the session it happened in."""


def test_every_table_of_a_session_is_copied_or_left_on_purpose() -> None:
    """A new table has to be placed here, and in `copies` or `fork`."""
    owned = {each for each in metadata.tables.values() if "of_session" in each.info}
    assert owned == COPIED | FOLDED | LEFT
