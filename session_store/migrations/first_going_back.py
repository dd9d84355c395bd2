"""What forks, retries and tried configs keep, in the first schema."""

from __future__ import annotations

from session_store.migrations.columns import integer, key, of_session, text


def make_going_back() -> None:
    """Make the tables; what stands here never changes once it is released."""
    of_session("session_origins", text("variables"))
    place = (key("phase_id"), key("topic_id"), key("action_id"))
    of_session("action_replacements", *place, text("config"))
    of_session(
        "rewindings",
        key("turn_id"),
        integer("sequence"),
        text("rewound"),
        integer("last_message"),
        text("request_id"),
        integer("input"),
    )
