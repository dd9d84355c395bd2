"""The beginning of a stream: its first event, and the sequence number it is followed from."""

from __future__ import annotations

from datetime import timedelta

from executor_service.sensitive_lookup import sensitive_of
from executor_service.state import execution_state
from executor_service.streams.session_deps import SessionDeps
from heartrule.domain.errors import OutOfRange, SessionFinished
from heartrule.domain.events import Opened, SessionEvent
from heartrule.domain.request_limits import LARGEST_INPUT
from session_store.records import SessionRecord


async def opened_event(deps: SessionDeps, record: SessionRecord) -> SessionEvent:
    """Return the first event of a stream."""
    hidden = await sensitive_of(deps.scripts, record)
    found = await deps.store.list_variables(record.key)
    body = Opened(
        state=execution_state(record, [hidden.in_variable(each) for each in found]),
        max_input_bytes=LARGEST_INPUT,
        max_input_chars=record.max_input_chars,
        heartbeat_interval=timedelta(seconds=deps.settings.heartbeat),
    )
    return SessionEvent(session_id=record.key.session_id, body=body)


def start_cursor(record: SessionRecord, after_sequence: int | None) -> int:
    """Return the sequence after which a stream begins; None means live only.

    Raises:
        OutOfRange: The session has no such event yet; metadata has the bounds.
    """
    if after_sequence is None:
        return record.last_sequence
    if 0 <= after_sequence <= record.last_sequence:
        return after_sequence
    raise OutOfRange(
        f"after_sequence {after_sequence} is not between 0 and {record.last_sequence}",
        reason="SEQUENCE_OUT_OF_RANGE",
        metadata={"first_sequence": "0", "last_sequence": str(record.last_sequence)},
    )


def ended_before_answer() -> SessionFinished:
    """Return why an input that was stored in time has no turn: the script ended first."""
    return SessionFinished(
        "the script ended before this message was answered", reason="SESSION_COMPLETED"
    )
