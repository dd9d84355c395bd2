"""The tables of going back: what a session began with, and what is tried."""

from __future__ import annotations

from session_store.sql.database.schema import key, of_session, text

session_origins = of_session(
    "session_origins",
    text("variables"),  # those it began with, but for globals
)
"""What no step of a session wrote; no row where that is nothing."""

action_replacements = of_session(
    "action_replacements",
    key("phase_id"),
    key("topic_id"),
    key("action_id"),
    text("config"),
)
