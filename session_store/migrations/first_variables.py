"""The variables of the first schema: values, definitions, operations, snapshots."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from session_store.migrations.columns import key, number, of_session, text
from session_store.sql.types import Moment


def make_variables() -> None:
    """Make the tables; what stands here never changes once it is released."""
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
    of_session(
        "variable_operations",
        key("turn_id"),
        number("step_no"),
        number("place"),
        text("name"),
        text("operation"),
    )
    of_session(
        "scope_snapshots",
        key("turn_id"),
        number("step_no"),
        number("place"),
        text("scope"),
        text("scope_id"),
        text("variables"),
    )
