"""A fork leaves no table out by oversight."""

from __future__ import annotations

from session_store.sql.database import (
    tables,
    tables_beside,
    tables_of_decisions,
    tables_of_runs,
)
from session_store.sql.database.schema import metadata
from session_store.sql.threads import tables_of_threads

COPIED = {
    tables.events,
    tables.messages,
    tables.attempts,
    tables_beside.monitor_requests,
    tables_beside.advice,
    tables_beside.safety_states,
    tables_beside.summaries,
    tables_of_decisions.decisions,
    tables_of_decisions.workflows,
    tables_of_runs.runs,
    tables_of_runs.node_runs,
    tables_of_runs.run_values,
    tables_of_runs.run_artifacts,
    tables_of_threads.sub_threads,
    tables_of_threads.sub_thread_messages,
    tables_beside.session_labels,
    tables_beside.turn_notes,
}
"""Rows written anew as they are, but for numbers."""
FOLDED = {
    tables_beside.action_instances,
    tables_beside.variables,
    tables_beside.variable_definitions,
    tables_beside.session_origins,
    tables_beside.action_replacements,
    tables_beside.plan_edits,
}
"""Rows made of the past."""
LEFT = {
    tables_beside.model_calls,
    tables_beside.prompt_parts,
    tables_beside.safety_events,
    tables_beside.alerts,
    tables_of_decisions.session_spending,
}
"""What stays with the session it happened in."""


def test_every_table_of_a_session_is_copied_or_left_on_purpose() -> None:
    """A new table has to be placed here, and in `copies` or `fork`."""
    owned = {each for each in metadata.tables.values() if "of_session" in each.info}
    assert owned == COPIED | FOLDED | LEFT
