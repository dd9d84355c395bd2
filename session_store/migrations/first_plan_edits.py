"""The edits of plans in the first schema."""

from __future__ import annotations

from session_store.migrations.columns import integer, key, of_session, partial, text


def make_plan_edits() -> None:
    """Make the table and its index; what stands here never changes once it is released."""
    of_session(
        "plan_edits",
        key("edit_id"),
        integer("sequence"),
        text("state"),
        integer("judged_turn_no"),
        integer("decided_turn_no"),
        text("edit"),
    )
    partial(
        "plan_edits_pending_idx",
        "plan_edits",
        ["tenant", "session_id", "sequence"],
        "state = 'pending'",
    )
