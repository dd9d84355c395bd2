"""The tables of threads nested in messages, and of what is said in them."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import Boolean, Column, Index

from session_store.sql.database.schema import (
    Moment,
    constant,
    integer,
    key,
    number,
    of_session,
    partial,
    text,
)

sub_threads = of_session(
    "sub_threads",
    key("thread_id"),
    text("parent_thread_id"),  # empty: the main thread
    text("anchor_message_id"),  # the message it is nested in
    integer("depth"),
    text("agent"),
    text("state"),
    text("phase"),
    text("suggested_phase"),  # empty: none is
    text("settings"),  # what its agent keeps besides
    text("request"),
    text("result_text"),
    text("result_values"),
    text("failure_code"),
    text("plain_text"),  # takes the placeholder's place where it does not end well
    text("run_id"),
    text("turn_id"),
    integer("sequence"),  # of the event that tells that it was opened; it orders threads
    integer("end_seq"),  # of the event that tells its end; 0: it has not ended
    Column("shown", Boolean, nullable=False),  # a message has taken the placeholder's place
    Column("listed", Boolean, nullable=False),  # false: its turn was taken back
    Column("create_time", Moment, nullable=False),
    Column("end_time", Moment),
    Index("sub_threads_order_idx", "tenant", "session_id", "sequence"),
    # A message has one thread at most.
    Index(
        "sub_threads_anchor_idx",
        "tenant",
        "session_id",
        "parent_thread_id",
        "anchor_message_id",
        unique=True,
    ),
    Index("sub_threads_run_idx", "tenant", "session_id", "run_id", "sequence"),
)

# A placeholder and what took its place have one number.
sub_thread_messages = of_session(
    "sub_thread_messages",
    key("thread_id"),
    number("number"),
    key("message_id"),
    text("role"),
    text("text"),
    text("meta"),
    text("phase"),
    integer("unit"),  # of the thread, that wrote it; 0: none did
    Column("placeholder", Boolean, nullable=False),
    text("replaces"),  # the message whose place it took; empty: none
    text("replaced_by"),  # the message that took its place; empty: none
    Column("create_time", Moment, nullable=False),
)
IS_OPEN_PLACE = sa.and_(
    sub_thread_messages.c.placeholder, sub_thread_messages.c.replaced_by == constant("")
)
partial(
    "sub_thread_messages_open_idx",
    sub_thread_messages.c.tenant,
    sub_thread_messages.c.session_id,
    sub_thread_messages.c.thread_id,
    where=IS_OPEN_PLACE,
)
