"""The tables of decisions, of the workflows that came of them, and of what their runs used."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import BigInteger, Boolean, Column, Index, Table

from heartrule.domain.decisions import OPEN_STATES
from session_store.sql.database.schema import (
    Moment,
    constant,
    integer,
    key,
    metadata,
    number,
    of_session,
    partial,
    text,
)

# Decisions of agents and operators; events of them leave the payload out.
decisions = of_session(
    "decisions",
    key("decision_id"),
    integer("sequence"),  # of its DecisionMade; it orders decisions
    text("correlation_id"),
    text("decision_type"),
    text("author"),
    text("confidence"),  # a number; empty: not said
    text("causation_id"),
    integer("place"),  # in its batch
    text("action_instance_id"),
    text("turn_id"),  # empty: it was made between turns
    integer("step"),
    Column("listed", Boolean, nullable=False),  # false: its turn was taken back
    text("payload"),  # as it was proposed
    text("effective"),  # with corrections; "=": as it was proposed; empty: it never was valid
    text("state"),
    text("verdict"),  # Verdict, but for its payload; empty: not judged
    integer("since"),  # first event of the transaction that wrote the two above
    text("earlier"),  # what those three were before, the oldest first
    Column("create_time", Moment, nullable=False),
    Index("decisions_order_idx", "tenant", "session_id", "sequence"),
)
IS_UNDONE = sa.and_(
    decisions.c.listed,
    decisions.c.state.in_([constant(each.value) for each in OPEN_STATES]),
)
partial(
    "decisions_open_idx",
    decisions.c.tenant,
    decisions.c.session_id,
    decisions.c.sequence,
    where=IS_UNDONE,
)

# A row for each revision.
workflows = of_session(
    "workflows",
    key("workflow_id"),
    number("revision"),
    integer("sequence"),  # of the event that tells it; below 0: the script brought it
    text("status"),
    text("definition"),  # Workflow
    text("decision_id"),  # empty: the script brought it
    text("turn_id"),  # empty: it was made between turns
    Column("create_time", Moment, nullable=False),
    Index("workflows_order_idx", "tenant", "session_id", "sequence"),
)

# What runs of workflows used; no row where that is nothing.
session_spending = of_session(
    "session_spending",
    Column("llm_tokens", BigInteger, nullable=False),
    integer("api_calls"),
)

# Calls of a tenant's sessions in the last minute that had any.
tenant_spending = Table(
    "tenant_spending",
    metadata,
    key("tenant"),
    Column("minute", Moment, nullable=False),  # its beginning
    integer("api_calls"),
)
