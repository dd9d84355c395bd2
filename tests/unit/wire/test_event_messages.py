"""Events: many classes here, one message there."""

from __future__ import annotations

import pytest

from heartrule.domain.conversation import Audience
from heartrule.domain.events import EventBody, Heartbeat, SessionEvent, StateChanged
from heartrule.v1 import conversation_pb2, event_pb2, execution_pb2
from heartrule.wire.event_messages import (
    FIELDS,
    event_from_message,
    event_response,
)
from tests.support.wire_samples import BODIES, STATE, event_of, event_to_message


@pytest.mark.parametrize("body", BODIES, ids=lambda body: type(body).__name__)
def test_an_event_comes_back_equal(body: EventBody) -> None:
    """Every kind of event survives the way through bytes."""
    sent = event_to_message(event_of(body)).SerializeToString()
    assert event_from_message(event_pb2.SessionEvent.FromString(sent)) == event_of(body)


def test_there_is_a_sample_of_each_kind() -> None:
    """A new kind of event cannot escape these tests."""
    assert {type(body) for body in BODIES} == set(FIELDS)


def test_a_transient_event_bears_no_number() -> None:
    """What is not set is not sent."""
    message = event_to_message(SessionEvent(session_id="s", body=Heartbeat(last_sequence=0)))
    assert [field.name for field, _ in message.ListFields()] == [
        "session_id",
        "audience",
        "heartbeat",
    ]


def test_a_response_carries_the_event() -> None:
    """Every stream's response is filled the same way."""
    event = event_of(BODIES[0])
    response = event_response(event, conversation_pb2.WatchSessionResponse)
    assert response.event == event_to_message(event)


def test_an_event_of_an_unknown_kind_is_none() -> None:
    """Ignoring it is always safe."""
    newer = event_to_message(event_of(BODIES[0])).SerializeToString() + b"\xba\x02\x00"
    message = event_pb2.SessionEvent.FromString(newer)
    message.ClearField("opened")
    assert event_from_message(message) is None


def test_an_event_whose_kernel_is_unknown_is_none() -> None:
    """A state that no word here describes says nothing to this client."""
    message = event_to_message(event_of(StateChanged(state=STATE)))
    message.state_changed.state.status = 99  # type: ignore[assignment]
    assert event_from_message(message) is None


def test_an_unknown_value_beside_the_kernel_is_its_default() -> None:
    """A new audience or control does not hide the event."""
    message = event_to_message(event_of(StateChanged(state=STATE)))
    message.audience = 99  # type: ignore[assignment]
    message.state_changed.state.control = execution_pb2.CONTROL_UNSPECIFIED
    event = event_from_message(message)
    assert event is not None
    assert event.audience is Audience.CLIENT
    assert event.body == StateChanged(state=STATE)
