"""The tables of runs of workflows, and of the workers that take them."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Index, LargeBinary, Table

from heartrule.domain.runs import ENDED_NODES, ENDED_RUNS, NodeState, RunState
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

runs = of_session(
    "runs",
    key("run_id"),
    text("kind"),  # RunKind
    text("thread_id"),  # that a sub-agent works in; empty, as is the next: a workflow runs
    text("message_id"),  # that announces its result
    text("workflow_id"),
    integer("revision"),
    text("workflow_name"),  # or the agent's
    text("decision_id"),  # what began it
    text("turn_id"),  # that did; empty: it was begun between turns
    text("replaces"),  # the run whose results it took over; empty: none
    integer("sequence"),  # of the event that tells that it is queued; it orders runs
    integer("end_seq"),  # of the event that tells its end; 0: it has not ended
    integer("taken_seq"),  # first event of the step that took the end up; 0: it waits for one
    Column("listed", Boolean, nullable=False),  # false: its turn was taken back
    Column("announced", Boolean, nullable=False),  # the client is told of it
    text("lands_in"),  # the variable that gets its result; empty: none does
    text("state"),
    text("failure"),  # NodeFailure; empty: it did not fail
    integer("priority"),
    Column("admitted", Boolean, nullable=False),  # false: it waits for a share of the workers
    text("definition"),  # Workflow: its own copy
    text("inputs"),
    text("traceparent"),
    text("owner"),  # the worker that has it; empty: it is queued, or it waits
    integer("token"),  # rises with each taking
    integer("takeovers"),  # takings from an owner that had not let go
    Column("stored_bytes", BigInteger, nullable=False),  # of its values and files
    text("kept"),  # empty once inputs and outputs were emptied, else `full`
    Column("timeout", Microseconds, nullable=False),
    Column("deadline", Moment),  # null: it has not begun
    Column("wake_time", Moment),  # when it goes on; null: it does not wait
    Column("rest_until", Moment, nullable=False),  # sweeps leave it alone until then
    Column("create_time", Moment, nullable=False),
    Column("begin_time", Moment),
    Column("end_time", Moment),
    Index("runs_order_idx", "tenant", "session_id", "sequence"),
    Index("runs_workflow_idx", "tenant", "session_id", "workflow_id", "sequence"),
)
IS_UNENDED = runs.c.state.in_([constant(each.value) for each in RunState if each not in ENDED_RUNS])
partial("runs_unended_idx", runs.c.run_id, where=IS_UNENDED)
partial("runs_standing_idx", runs.c.tenant, runs.c.session_id, where=IS_UNENDED)
# Each node asks for these: other runs of the session stop for one that waits for a decision.
partial(
    "runs_undecided_idx",
    runs.c.tenant,
    runs.c.session_id,
    where=runs.c.state == constant(RunState.WAITING_DECISION.value),
)
IS_KEPT_RUN = runs.c.kept != constant("")
partial("runs_kept_idx", runs.c.end_time, where=IS_KEPT_RUN)

# A row for each attempt of a node; one that did not run has one, too.
node_runs = of_session(
    "node_runs",
    key("run_id"),
    key("path"),
    number("attempt"),  # 0: none has begun
    integer("last_attempt"),  # up to which a recovery has it tried again; 0: none has
    Column("delay", Microseconds, nullable=False),  # before each of these
    integer("sequence"),  # of the event that told of it first
    text("state"),
    text("skip_reason"),
    text("inputs"),  # what it was given; empty where `inputs_hash` names it
    text("inputs_hash"),
    text("output"),  # as inputs
    text("output_hash"),
    text("failure"),  # NodeFailure; empty: it did not fail
    text("failed_conditions"),
    Column("has_effect", Boolean, nullable=False),  # it does something outside
    Column("wake_time", Moment),  # of a retry that waits: when it begins
    Column("begin_time", Moment),
    Column("end_time", Moment),
)
IS_OPEN_NODE = node_runs.c.state.in_(
    [constant(each.value) for each in NodeState if each not in ENDED_NODES]
)

# Inputs and outputs of nodes that are too large for a row of theirs.
run_values = of_session(
    "run_values",
    key("run_id"),
    key("sha256"),
    text("value"),
)

# Files that nodes wrote.
run_artifacts = of_session(
    "run_artifacts",
    key("run_id"),
    key("path"),  # the node's
    key("name"),
    text("mime_type"),
    integer("size"),
    text("sha256"),
    Column("content", LargeBinary, nullable=False),
    Column("create_time", Moment, nullable=False),
)

# Processes that take runs.
workers = Table(
    "workers",
    metadata,
    key("worker_id"),
    integer("slots"),  # runs it takes at once
    integer("version"),  # of the engine
    Column("heartbeat", Moment, nullable=False),
    Index("workers_heartbeat_idx", "heartbeat"),
)
