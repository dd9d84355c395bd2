"""The first schema: scripts, sessions, turns, events, plans, variables, monitor, ledger."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from session_store.migrations.columns import integer, key, number, of_session, partial, text
from session_store.migrations.first_assets import make_assets
from session_store.migrations.first_going_back import make_going_back
from session_store.migrations.first_plans import make_plans
from session_store.migrations.first_variables import make_variables
from session_store.migrations.statistics import texts_unsampled
from session_store.sql.types import Moment, Span

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table."""
    with texts_unsampled("tenant", "session_id", "outcome", "kept"):
        make_assets()
        _make_conversation()
        _make_turns()
        _make_mind()
        make_going_back()
        op.create_table("erasures", key("tenant"), key("session_id"))


def _make_conversation() -> None:
    op.create_table("scripts", key("tenant"), key("script_id"), integer("versions"))
    op.create_table(
        "script_versions",
        key("tenant"),
        key("script_id"),
        key("version"),
        integer("number"),
        text("main"),
        text("session_name"),
        text("assets"),
        sa.Column("create_time", Moment, nullable=False),
        sa.ForeignKeyConstraint(["tenant", "script_id"], ["scripts.tenant", "scripts.script_id"]),
    )
    op.create_table(
        "script_files",
        key("tenant"),
        key("script_id"),
        key("version"),
        key("path"),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(
            ["tenant", "script_id", "version"],
            ["script_versions.tenant", "script_versions.script_id", "script_versions.version"],
        ),
    )
    op.create_table(
        "sessions",
        key("tenant"),
        key("session_id"),
        text("script_id"),
        text("script_version"),
        text("user_id"),
        text("locale"),
        text("time_zone"),
        text("forked_from_session_id"),
        text("forked_from_turn_id"),
        sa.Column("replaced", sa.Boolean, nullable=False),
        text("request_id"),
        text("if_busy"),
        sa.Column("merge_window", Span, nullable=False),
        sa.Column("strategy_engine", sa.Boolean),
        text("status"),
        text("position"),
        sa.Column("plan_revision", sa.BigInteger, nullable=False),
        integer("edits_waiting"),
        sa.Column("error", sa.Text),
        text("end_reason"),
        sa.Column("opened", sa.Boolean, nullable=False),
        text("opening_turn_id"),
        text("open_turn_id"),
        integer("open_attempt"),
        integer("next_turn"),
        integer("waiting"),
        integer("last_message"),
        integer("next_seq"),
        integer("next_call"),
        integer("monitor_tokens"),
        text("open_request"),
        text("stop_wish"),
        text("lease_owner"),
        integer("lease_token"),
        sa.Column("lease_until", Moment, nullable=False),
        sa.Column("create_time", Moment, nullable=False),
        sa.Column("update_time", Moment, nullable=False),
        sa.Column("deleted", sa.Boolean, nullable=False),
        postgresql_with={"fillfactor": "50"},
    )
    op.create_index("sessions_newest_idx", "sessions", ["tenant", "create_time", "session_id"])
    partial(
        "sessions_request_idx",
        "sessions",
        ["tenant", "request_id"],
        "request_id != ''",
        unique=True,
    )
    op.create_index(
        "sessions_user_idx", "sessions", ["tenant", "user_id", "create_time", "session_id"]
    )
    of_session(
        "messages",
        number("sequence"),
        text("message_id"),
        text("role"),
        text("parts"),
        text("completeness"),
        text("action_id"),
        text("action_instance_id"),
        text("turn_id"),
        sa.Column("turn_no", sa.Integer),
        text("client_message_id"),
        text("input_request_id"),
        text("digest"),
        text("if_busy"),
        sa.Column("turn_timeout", Span),
        text("traceparent"),
        sa.Column("create_time", Moment, nullable=False),
    )
    partial(
        "messages_input_idx",
        "messages",
        ["tenant", "session_id", "client_message_id"],
        "client_message_id != ''",
        unique=True,
    )
    partial(
        "messages_waiting_idx", "messages", ["tenant", "session_id", "turn_no"], "turn_no IS NULL"
    )
    op.create_index(
        "messages_window_idx", "messages", ["tenant", "session_id", "turn_no", "sequence"]
    )


def _make_turns() -> None:
    of_session(
        "attempts",
        key("turn_id"),
        number("attempt"),
        integer("turn_no"),
        text("kind"),
        text("state"),
        integer("steps"),
        sa.Column("inputs_consumed", sa.Boolean, nullable=False),
        text("client_message_ids"),
        integer("first_seq"),
        integer("last_seq"),
        sa.Column("ended", sa.Text),
        integer("last_message"),
        text("open_request"),
        text("plan"),
    )
    partial(
        "attempts_unfinished_idx",
        "attempts",
        ["tenant", "session_id"],
        "state = 'running' OR state = 'asked_again'",
    )
    of_session(
        "steps",
        key("turn_id"),
        number("step_no"),
        integer("attempt"),
        text("degradations"),
        text("state"),
        integer("last_message"),
        text("plan"),
    )
    of_session(
        "safety_records",
        key("turn_id"),
        number("step_no"),
        text("category"),
        text("rule"),
        sa.Column("create_time", Moment, nullable=False),
    )
    of_session(
        "action_results",
        key("turn_id"),
        number("step_no"),
        text("action_instance_id"),
        integer("round"),
        sa.Column("decided", sa.Boolean, nullable=False),
        text("result"),
    )
    of_round = ["tenant", "session_id", "action_instance_id", "round"]
    op.create_index("action_results_round_idx", "action_results", of_round)
    of_session("input_requests", key("input_request_id"), text("request"))
    of_session("skipped_steps", key("turn_id"), number("step_no"), number("place"), text("skipped"))
    of_session(
        "events",
        number("sequence"),
        text("turn_id"),
        integer("attempt"),
        text("kind"),
        text("audience"),
        text("reference"),
        sa.Column("create_time", Moment, nullable=False),
    )


def _make_mind() -> None:
    make_plans()
    make_variables()
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
    of_session("strategy_decisions", key("turn_id"), number("step_no"), text("decision"))
    of_session(
        "monitor_requests",
        key("action_instance_id"),
        number("round"),
        text("turn_id"),
        integer("step_no"),
        integer("turn_no"),
        text("phase_id"),
        text("topic_id"),
        text("technique_id"),
        integer("max_rounds"),
        integer("answer_from"),
        integer("answer_to"),
        text("traceparent"),
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
