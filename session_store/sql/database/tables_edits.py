"""The table of the edits of plans."""

from __future__ import annotations

from session_store.sql.database.schema import constant, integer, key, of_session, partial, text

plan_edits = of_session(
    "plan_edits",
    key("edit_id"),
    integer("sequence"),  # of the event that told of it first
    text("state"),
    integer("judged_turn_no"),
    integer("decided_turn_no"),  # -1: it waits
    text("edit"),  # PlanEdit
)
WAITS = plan_edits.c.state == constant("pending")
partial(
    "plan_edits_pending_idx",
    plan_edits.c.tenant,
    plan_edits.c.session_id,
    plan_edits.c.sequence,
    where=WAITS,
)
