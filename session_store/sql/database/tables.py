"""The tables; the first migration makes them as they are here, and a test proves both equal.

Every key begins with the tenant. What only happened is an event, which is appended and never
changed (ADR 40). Rows that change have tables of their own, such as a session's own row, the
attempts of its turns, its plan, its variables, and requests to the monitor.
All writes to a session go through its locked row, so the children need no foreign keys.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, Table, Text

from session_store.sql.database.schema import (
    Microseconds,
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

# One row per script; its lock orders the versions.
scripts = Table("scripts", metadata, key("tenant"), key("script_id"), integer("versions"))

script_versions = Table(
    "script_versions",
    metadata,
    key("tenant"),
    key("script_id"),
    key("version"),
    integer("number"),
    text("main"),
    text("session_name"),
    text("assets"),  # path → hash
    Column("create_time", Moment, nullable=False),
    sa.ForeignKeyConstraint(["tenant", "script_id"], ["scripts.tenant", "scripts.script_id"]),
)

assets = Table(
    "assets",
    metadata,
    key("tenant"),
    key("sha256"),
    text("mime_type"),
    integer("size"),
    Column("content", LargeBinary, nullable=False),
    Column("create_time", Moment, nullable=False),
)

script_files = Table(
    "script_files",
    metadata,
    key("tenant"),
    key("script_id"),
    key("version"),
    key("path"),
    Column("content", LargeBinary, nullable=False),
    sa.ForeignKeyConstraint(
        ["tenant", "script_id", "version"],
        ["script_versions.tenant", "script_versions.script_id", "script_versions.version"],
    ),
)

sessions = Table(
    "sessions",
    metadata,
    key("tenant"),
    key("session_id"),
    text("script_id"),
    text("script_version"),
    text("user_id"),
    text("locale"),
    text("language"),  # a tag; empty: nobody decided it, so that the locale's counts
    text("time_zone"),
    text("forked_from_session_id"),  # empty: it was started
    text("forked_from_turn_id"),
    Column("replaced", Boolean, nullable=False),  # it has rows in action_replacements
    text("request_id"),
    text("if_busy"),
    Column("merge_window", Microseconds, nullable=False),
    integer("max_input_chars"),
    Column("strategy_engine", Boolean),  # null: the script decides
    text("status"),
    text("position"),
    Column("plan_revision", BigInteger, nullable=False),
    integer("edits_waiting"),  # edits of the plan that no turn has decided
    integer("runs_waiting"),  # runs that ended and that no turn has taken up
    integer("results_waiting"),  # ended threads whose placeholders no message has replaced
    Column("error", Text),
    text("end_reason"),  # empty: not at its end
    Column("opened", Boolean, nullable=False),
    text("opening_turn_id"),
    text("open_turn_id"),  # the turn that has not completed; empty: none
    integer("open_attempt"),
    integer("next_turn"),
    integer("summarized"),  # turns that its newest summary covers; 0: it has none
    integer("waiting"),  # inputs without a turn
    integer("last_message"),  # sequence of the assistant's last message; 0: none
    integer("next_seq"),
    integer("next_call"),
    integer("monitor_tokens"),  # spent on analyses and plans
    text("open_request"),  # id of the input request that is open; empty: none
    integer("safety_seq"),  # of its row in safety_states; 0: none
    Column("frozen", Boolean, nullable=False),  # as that row's state has it
    text("stop_request"),  # what was asked last of a running turn, StopRequest; empty: nothing
    text("lease_owner"),  # empty: free
    integer("lease_token"),
    Column("lease_until", Moment, nullable=False),
    Column("create_time", Moment, nullable=False),
    Column("update_time", Moment, nullable=False),
    text("labels"),  # name → value; session_labels finds sessions by them
    text("pruned"),  # what retention deleted of it, Pruned; empty: nothing
    Column("deleted", Boolean, nullable=False),  # a tombstone: every other text is empty
    # No index holds a column that a turn changes: updates stay HOT on PostgreSQL.
    Index("sessions_newest_idx", "tenant", "create_time", "session_id"),
    Index("sessions_script_idx", "tenant", "script_id", "create_time", "session_id"),
    Index("sessions_user_idx", "tenant", "user_id", "create_time", "session_id"),
    postgresql_with={"fillfactor": "50"},
)
HAS_REQUEST = sessions.c.request_id != constant("")
partial(
    "sessions_request_idx", sessions.c.tenant, sessions.c.request_id, unique=True, where=HAS_REQUEST
)

messages = of_session(
    "messages",
    number("sequence"),
    text("message_id"),
    text("role"),
    text("parts"),
    text("completeness"),
    text("action_id"),
    text("action_instance_id"),
    text("turn_id"),  # empty while it waits
    # Null while it waits; with the sequence: conversation order; -1-n once turn n was taken back.
    Column("turn_no", Integer),
    text("client_message_id"),  # empty: not an input; so are those of `digest` to `traceparent`
    text("input_request_id"),
    text("replaces"),  # the message whose place it takes; empty: none
    integer("replaced_by"),  # sequence of the message that took its place; 0: none
    text("digest"),
    text("if_busy"),
    Column("turn_timeout", Microseconds),
    text("traceparent"),
    Column("create_time", Moment, nullable=False),
    Index("messages_window_idx", "tenant", "session_id", "turn_no", "sequence"),
)
_ITS_SESSION = (messages.c.tenant, messages.c.session_id)
# Said by the client.
IS_INPUT = messages.c.client_message_id != constant("")
# An input without a turn.
IS_WAITING = messages.c.turn_no.is_(None)
# It stands in the conversation under its own number, or the message that took its place does.
HAS_PLACE = messages.c.replaces == constant("")
# It announces a result.
IS_PLACEHOLDER = messages.c.completeness == constant("placeholder")
partial(
    "messages_placeholder_idx",
    messages.c.tenant,
    messages.c.session_id,
    messages.c.message_id,
    where=IS_PLACEHOLDER,
)
# Of a turn that was taken back: kept for the record, no part of the conversation.
IS_TAKEN_BACK = messages.c.turn_no < 0
partial(
    "messages_input_idx", *_ITS_SESSION, messages.c.client_message_id, unique=True, where=IS_INPUT
)
partial("messages_waiting_idx", *_ITS_SESSION, messages.c.turn_no, where=IS_WAITING)

attempts = of_session(
    "attempts",
    key("turn_id"),
    number("attempt"),
    integer("turn_no"),
    text("kind"),
    text("state"),  # see AttemptState
    integer("steps"),  # of the turn so far, earlier attempts' included
    Column("inputs_consumed", Boolean, nullable=False),
    integer("new_inputs"),  # how many, the last ones, no committed step of the turn came after
    integer("merges"),  # how often further inputs joined the turn after it failed
    text("client_message_ids"),
    integer("first_seq"),  # the turn's first event's, of all attempts
    integer("last_seq"),  # its last event's; 0 while it runs
    text("open_request"),  # as the session had it at the end
    text("degradations"),  # of the turn's committed steps, earlier attempts' included
    text("plan"),  # what those steps changed in the plan; see `plans.changes`
)
# An attempt that is to be taken up, unless a lease is live.
UNFINISHED = sa.or_(
    attempts.c.state == constant("running"), attempts.c.state == constant("asked_again")
)
# An attempt that ended in a failure, whatever came of its turn.
HAS_FAILED = attempts.c.state.in_(
    [constant("failed"), constant("asked_again"), constant("given_up")]
)
partial("attempts_unfinished_idx", attempts.c.tenant, attempts.c.session_id, where=UNFINISHED)

events = of_session(
    "events",
    number("sequence"),
    text("turn_id"),
    integer("attempt"),
    text("kind"),
    text("subject"),  # what it is looked up by, such as an action instance; empty: nothing
    Column("listed", Boolean, nullable=False),  # false: in no history, as its turn was taken back
    integer("message"),  # sequence of the message that the body refers to; 0: none
    text("body"),
    Column("create_time", Moment, nullable=False),
)
# A lookup repeats it, or the planner does not find the partial index.
HAS_SUBJECT = events.c.subject != constant("")
# Without the kind: subjects of two kinds are nearly never the same.
partial(
    "events_subject_idx",
    events.c.tenant,
    events.c.session_id,
    events.c.subject,
    events.c.sequence,
    where=HAS_SUBJECT,
)
