"""What first migrations share, and tables beside the conversation; unchanged once released."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from alembic import op
from sqlalchemy.schema import SchemaItem

from session_store.sql.database.schema import Moment


@contextmanager
def texts_unsampled(*sampled: str) -> Iterator[None]:
    """Keep PostgreSQL's statistics, which repeat values, from texts of the tables made inside.

    Those columns alone are sampled as usual.
    """
    if op.get_bind().dialect.name != "postgresql":
        yield
        return
    before = sa.inspect(op.get_bind()).get_table_names()
    yield
    inspector = sa.inspect(op.get_bind())
    for table in set(inspector.get_table_names()).difference(before):
        for column in inspector.get_columns(table):
            if isinstance(column["type"], sa.Text) and column["name"] not in sampled:
                op.execute(f'ALTER TABLE {table} ALTER COLUMN "{column["name"]}" SET STATISTICS 0')


def key(name: str) -> sa.Column[str]:
    """Return a text column of the primary key."""
    return sa.Column(name, sa.Text, primary_key=True)


def number(name: str) -> sa.Column[int]:
    """Return an integer column of the primary key."""
    return sa.Column(name, sa.Integer, primary_key=True, autoincrement=False)


def text(name: str) -> sa.Column[str]:
    """Return a text column that is never null."""
    return sa.Column(name, sa.Text, nullable=False)


def integer(name: str) -> sa.Column[int]:
    """Return an integer column that is never null."""
    return sa.Column(name, sa.Integer, nullable=False)


def of_session(name: str, *columns: SchemaItem) -> None:
    """Make a table whose rows belong to a session."""
    op.create_table(name, key("tenant"), key("session_id"), *columns)


def partial(name: str, table: str, columns: list[str], where: str, *, unique: bool = False) -> None:
    """Make an index over the rows that meet a condition."""
    condition = sa.text(where)
    op.create_index(
        name,
        table,
        columns,
        unique=unique,
        sqlite_where=condition,
        postgresql_where=condition,
    )


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
