"""Tables of the first schema beside the conversation; unchanged once they are released."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from session_store.migrations.columns import integer, key, number, of_session, partial, text
from session_store.sql.database.schema import Moment


def make_plans() -> None:
    """Make plans, their edits, and the configs that stand in the place of the script's."""
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
    place = (key("phase_id"), key("topic_id"), key("action_id"))
    of_session("action_replacements", *place, text("config"))


def make_variables() -> None:
    """Make values, definitions, and what a session began with."""
    of_session(
        "variables",
        key("scope"),
        key("scope_id"),
        key("name"),
        text("origin"),
        text("value"),
        text("type"),
        text("source"),
        sa.Column("last_updated", Moment, nullable=False),
    )
    of_session(
        "variable_definitions",
        key("scope"),
        key("scope_id"),
        key("name"),
        text("definition"),
        sa.Column("create_time", Moment, nullable=False),
    )
    op.create_table(
        "user_variables",
        key("tenant"),
        key("user_id"),
        key("name"),
        text("value"),
        text("type"),
        text("source"),
        sa.Column("last_updated", Moment, nullable=False),
        text("writer"),
    )
    of_session("session_origins", text("variables"))


def make_monitor() -> None:
    """Make advice, requests of analyses, and the ledger."""
    of_session(
        "advice",
        key("advice_id"),
        text("action_instance_id"),
        integer("about_round"),
        integer("judged_turn_no"),
        text("state"),
        sa.Column("made_at", Moment, nullable=False),
        text("advice"),
    )
    partial(
        "advice_pending_idx", "advice", ["tenant", "session_id", "made_at"], "state = 'pending'"
    )
    op.create_index(
        "advice_round_idx", "advice", ["tenant", "session_id", "action_instance_id", "about_round"]
    )
    of_session(
        "monitor_requests",
        key("action_instance_id"),
        number("round"),
        text("turn_id"),
        integer("judged_seq"),
        integer("turn_no"),
        text("phase_id"),
        text("topic_id"),
        text("technique_id"),
        integer("max_rounds"),
        integer("answer_from"),
        integer("answer_to"),
        text("traceparent"),
        integer("failures"),
        integer("claims"),
        text("lease_owner"),
        sa.Column("lease_until", Moment, nullable=False),
        text("outcome"),
        text("reason"),
        text("advice_id"),
        sa.Column("analysis", sa.Text),
        text("planning"),
        text("planning_reason"),
        integer("planning_claims"),
    )
    partial("monitor_requests_open_idx", "monitor_requests", ["lease_until"], "outcome = ''")
    partial("monitor_requests_owed_idx", "monitor_requests", ["lease_until"], "planning = 'owed'")
    of_session(
        "model_calls",
        number("number"),
        text("turn_id"),
        text("call_id"),
        text("purpose"),
        text("prompt_type"),
        text("provider"),
        text("model"),
        text("input"),
        text("output"),
        text("kept"),
        text("config"),
        text("template_hash"),
        integer("prompt_tokens"),
        integer("completion_tokens"),
        integer("latency_ms"),
        integer("first_token_ms"),
        text("finish_reason"),
        text("error"),
        sa.Column("parse", sa.Text),
        sa.Column("create_time", Moment, nullable=False),
    )
    partial("model_calls_kept_idx", "model_calls", ["create_time"], "kept != ''")
