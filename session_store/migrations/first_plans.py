"""Plans and their edits in the first schema."""

from __future__ import annotations

from session_store.migrations.columns import integer, key, of_session, partial, text


def make_plans() -> None:
    """Make the tables and their index; what stands here never changes once it is released."""
    of_session(
        "action_instances",
        key("phase_id"),
        key("topic_id"),
        key("action_instance_id"),
        text("action_id"),
        text("action_type"),
        integer("ordinal"),
        text("state"),
        integer("round"),
        text("memory"),
        text("technique_id"),
        text("parent_instance_id"),
        text("definition"),
    )
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
