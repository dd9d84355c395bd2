"""The tables beside the conversation: plan, variables, advice, requests, ledger, erasures."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import Boolean, Column, Index, Table, Text

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

action_instances = of_session(
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
    text("technique_id"),  # empty, as the next, for an action of the topic itself
    text("parent_instance_id"),
    text("definition"),  # what an edit gave it; empty: the script defines it
)

# Values of scopes that were left are kept under the scope `archive`, the newest of each name, so
# that a turn reads one for each name, however many scopes were left. Older ones: ScopeLeft events.
variables = of_session(
    "variables",
    key("scope"),
    key("scope_id"),
    key("name"),
    text("origin"),  # archived: the `scope/scope_id` it lived in; else empty
    text("value"),
    text("type"),
    text("source"),
    text("support"),  # ValueSupport; empty: none
    text("quote"),
    Column("last_updated", Moment, nullable=False),
)

variable_definitions = of_session(
    "variable_definitions",
    key("scope"),
    key("scope_id"),
    key("name"),
    text("definition"),  # VariableDefinition, but for the above and its time
    Column("create_time", Moment, nullable=False),
)

user_variables = Table(
    "user_variables",
    metadata,
    key("tenant"),
    key("user_id"),
    key("name"),
    text("value"),
    text("type"),
    text("source"),
    text("support"),  # as above, in the writer's session
    text("quote"),
    Column("last_updated", Moment, nullable=False),
    text("writer"),  # the session that wrote it last
)

advice = of_session(
    "advice",
    key("advice_id"),
    text("action_instance_id"),
    integer("about_round"),
    integer("judged_turn_no"),
    text("state"),
    Column("made_at", Moment, nullable=False),
    text("advice"),  # Advice, but for its state
)
IS_PENDING = advice.c.state == constant("pending")
Index(
    "advice_round_idx",
    advice.c.tenant,
    advice.c.session_id,
    advice.c.action_instance_id,
    advice.c.about_round,
)
partial(
    "advice_pending_idx",
    advice.c.tenant,
    advice.c.session_id,
    advice.c.made_at,
    where=IS_PENDING,
)

monitor_requests = of_session(
    "monitor_requests",
    key("action_instance_id"),
    number("round"),
    text("turn_id"),  # the judged turn
    integer("judged_seq"),  # the event that has the result
    integer("turn_no"),
    text("phase_id"),
    text("topic_id"),
    text("technique_id"),
    integer("max_rounds"),
    integer("answer_from"),  # sequences of the step's messages; 0: none
    integer("answer_to"),
    text("traceparent"),
    integer("failures"),  # attempts, at the analysis or then at the plan, that failed in a row
    integer("claims"),  # since the last that failed
    text("lease_owner"),
    Column("lease_until", Moment, nullable=False),
    text("outcome"),  # empty until it is done; with the next two: AnalysisEnded
    text("reason"),
    text("advice_id"),
    Column("analysis", Text),
    text("planning"),  # PlanningState; empty: it asked for no plan
    text("planning_reason"),
    integer("planning_claims"),
)
IS_OPEN = monitor_requests.c.outcome == constant("")
partial("monitor_requests_open_idx", monitor_requests.c.lease_until, where=IS_OPEN)
# A plan is to be made of its analysis.
IS_OWED = monitor_requests.c.planning == constant("owed")
partial("monitor_requests_owed_idx", monitor_requests.c.lease_until, where=IS_OWED)

# The ledger.
model_calls = of_session(
    "model_calls",
    number("number"),
    text("turn_id"),
    text("run_id"),  # of a node's call, or an agent's in a thread; empty: no run made it
    text("thread_id"),  # of an agent's call; empty: it works in no thread
    text("call_id"),
    text("purpose"),
    text("prompt_type"),
    text("provider"),
    text("model"),
    text("input"),  # names of its `prompt_parts`
    text("output"),
    text("kept"),  # empty once input and output were emptied, else `full`
    text("config"),
    text("template_hash"),
    integer("prompt_tokens"),
    integer("completion_tokens"),
    integer("latency_ms"),
    integer("first_token_ms"),
    text("finish_reason"),
    text("error"),
    Column("parse", Text),
    Column("create_time", Moment, nullable=False),
    integer("budget_tokens"),
    integer("estimated_tokens"),
    text("cuts"),  # degradations; empty for none
    integer("reasoning_chars"),
    integer("reasoning_tokens"),
)
IS_KEPT = model_calls.c.kept != constant("")
partial("model_calls_kept_idx", model_calls.c.create_time, where=IS_KEPT)

# Messages of prompts, once for each session and hour: a part goes when its hour has passed the
# retention of the ledger's texts, and no count of who refers to it is needed.
prompt_parts = of_session("prompt_parts", number("hour"), key("name"), text("text"))
Index("prompt_parts_hour_idx", prompt_parts.c.hour)

# Erased sessions whose bytes PostgreSQL's files may still hold; a vacuum empties it (ADR 20).
erasures = Table("erasures", metadata, key("tenant"), key("session_id"))


plan_edits = of_session(
    "plan_edits",
    key("edit_id"),
    integer("sequence"),  # of the event that emitted of it first
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


# What no step of a session wrote; no row where that is nothing.
session_origins = of_session(
    "session_origins",
    text("variables"),  # those it began with, but for globals
)

action_replacements = of_session(
    "action_replacements",
    key("phase_id"),
    key("topic_id"),
    key("action_id"),
    text("config"),
)

# Where a session was on the crisis path, a row for each change; the session's row names the newest.
safety_states = of_session(
    "safety_states",
    number("sequence"),  # of the last event of the transaction that wrote it
    text("turn_id"),  # empty: an operator wrote it, or a retry
    text("state"),  # SafetyState
)

# What a model wrote of a conversation's beginning; older revisions serve forks.
summaries = of_session(
    "summaries",
    number("first_turn"),  # the first that it does not cover
    text("text"),
    Column("create_time", Moment, nullable=False),
)

# What operators noted at turns.
turn_notes = of_session("turn_notes", key("turn_id"), text("text"))

# What sessions.labels has, written with it, to find sessions by.
session_labels = of_session(
    "session_labels",
    key("name"),
    text("value"),
    Index("session_labels_value_idx", "tenant", "name", "value", "session_id"),
)

# Hits and operators' decisions; no words of a client.
safety_events = of_session(
    "safety_events",
    key("safety_event_id"),
    text("turn_id"),
    text("refused_input"),  # its client_message_id; empty: a turn had it
    integer("level"),
    text("source"),
    text("language"),
    text("month"),  # such as 2026-11: reports group by it
    text("event"),  # SafetyEvent, but for the alert and what follows here
    Column("acknowledge_time", Moment),
    text("acknowledged_by"),
    text("note"),
    Column("create_time", Moment, nullable=False),
    Index("safety_events_report_idx", "tenant", "month", "level", "source", "language"),
    Index("safety_events_newest_idx", "tenant", "create_time", "safety_event_id"),
    Index("safety_events_name_idx", "tenant", "safety_event_id"),
)
IS_UNSEEN = safety_events.c.acknowledge_time.is_(None)
partial(
    "safety_events_unseen_idx",
    safety_events.c.tenant,
    safety_events.c.create_time,
    safety_events.c.safety_event_id,
    where=IS_UNSEEN,
)
IS_REFUSED = safety_events.c.refused_input != constant("")
partial(
    "safety_events_refused_idx",
    safety_events.c.tenant,
    safety_events.c.session_id,
    safety_events.c.refused_input,
    unique=True,
    where=IS_REFUSED,
)

# The outbox of alerts, one for a safety event that asks for it.
alerts = of_session(
    "alerts",
    key("safety_event_id"),
    Column("delivered", Boolean, nullable=False),
    integer("failures"),
    text("reason"),  # why the last delivery failed; empty: none did
    text("lease_owner"),
    Column("lease_until", Moment, nullable=False),
    Column("create_time", Moment, nullable=False),
)
IS_UNDELIVERED = sa.not_(alerts.c.delivered)
partial("alerts_undelivered_idx", alerts.c.lease_until, where=IS_UNDELIVERED)
