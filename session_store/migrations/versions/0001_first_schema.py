"""The first schema: scripts, sessions, turns, events, plans, variables, monitor, ledger."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from session_store.migrations.first_tables import (
    integer,
    key,
    make_monitor,
    make_plans,
    make_variables,
    number,
    of_session,
    partial,
    text,
    texts_unsampled,
)
from session_store.sql.database.schema import Microseconds, Moment

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table."""
    with texts_unsampled("tenant", "session_id", "outcome", "kept"):
        _make_scripts()
        _make_sessions()
        _make_turns()
        make_plans()
        make_variables()
        make_monitor()
        op.create_table("erasures", key("tenant"), key("session_id"))


def _make_scripts() -> None:
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
        "assets",
        key("tenant"),
        key("sha256"),
        text("mime_type"),
        integer("size"),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("create_time", Moment, nullable=False),
    )


def _make_sessions() -> None:
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
        sa.Column("merge_window", Microseconds, nullable=False),
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
        text("stop_request"),
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
        sa.Column("turn_timeout", Microseconds),
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
        integer("new_inputs"),
        text("client_message_ids"),
        integer("first_seq"),
        integer("last_seq"),
        text("open_request"),
        text("degradations"),
        text("plan"),
    )
    partial(
        "attempts_unfinished_idx",
        "attempts",
        ["tenant", "session_id"],
        "state = 'running' OR state = 'asked_again'",
    )
    of_session(
        "events",
        number("sequence"),
        text("turn_id"),
        integer("attempt"),
        text("kind"),
        text("subject"),
        sa.Column("listed", sa.Boolean, nullable=False),
        integer("message"),
        text("body"),
        sa.Column("create_time", Moment, nullable=False),
    )
    by_subject = ["tenant", "session_id", "subject", "sequence"]
    partial("events_subject_idx", "events", by_subject, "subject != ''")
