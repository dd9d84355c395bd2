"""SessionEvent: its body is one of many classes here and one field of a oneof there."""

from __future__ import annotations

import re
import typing
from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol, TypeVar

from google.protobuf.message import Message

from heartrule.domain import events as domain
from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import Audience
from heartrule.domain.conversation import Message as SpokenMessage
from heartrule.domain.events import EventBody, SessionEvent
from heartrule.domain.strategy import StrategyDecision
from heartrule.domain.thread_events import ThreadMessageAdded
from heartrule.domain.variables import VariableOperation
from heartrule.v1 import event_pb2
from heartrule.wire.enums import members, numbers
from heartrule.wire.inbound import Read, Reading, reader
from heartrule.wire.memo import once
from heartrule.wire.outbound import Fill, filler
from heartrule.wire.times import fill_timestamp, read_timestamp

# Bodies whose field of the oneof has another name than theirs.
_OTHER_NAMES = {
    domain.ActionResultRecorded: "action_result",
    domain.VariableChanged: "variable_operation",
    ThreadMessageAdded: "thread_message",
}
# The field of the oneof in which each body lies.
FIELDS: Mapping[type, str] = MappingProxyType(
    {
        body: _OTHER_NAMES.get(body, re.sub(r"(?<!^)(?=[A-Z])", "_", body.__name__).lower())
        for body in typing.get_args(EventBody)
    }
)

# Bodies that are a bare noun on the wire: their one attribute and its class.
BARE: Mapping[type, tuple[str, type]] = MappingProxyType(
    {
        domain.MessageCommitted: ("message", SpokenMessage),
        domain.ActionResultRecorded: ("action_result", ActionResult),
        domain.VariableChanged: ("variable_operation", VariableOperation),
        domain.StrategyDecided: ("strategy_decision", StrategyDecision),
    }
)


class EventResponse(Protocol):
    """A response that carries one event, such as ConverseResponse."""

    @property
    def event(self) -> event_pb2.SessionEvent:
        """Return the event inside."""


R = TypeVar("R", bound=EventResponse)


def fill_event(event: SessionEvent, target: event_pb2.SessionEvent) -> None:
    """Fill the empty message `target` from `event`."""
    target.session_id = event.session_id
    if event.sequence:
        target.sequence = event.sequence
    if event.turn_id:
        target.turn_id = event.turn_id
    if event.attempt:
        target.attempt = event.attempt
    target.audience = _audience_numbers()[event.audience]  # type: ignore[assignment]  # a number
    if event.create_time is not None:
        fill_timestamp(event.create_time, target.create_time)
    name, fill = _body_filler(type(event.body))
    body = getattr(target, name)
    body.SetInParent()
    fill(event.body, body)


def event_response(event: SessionEvent, response_class: type[R]) -> R:
    """Return a response of a stream, such as ConverseResponse, that carries the event."""
    response = response_class()
    fill_event(event, response.event)
    return response


def event_from_message(message: event_pb2.SessionEvent) -> SessionEvent | None:
    """Return the event, or None where it is of a kind this side does not know: ignore it.

    Values of enums that this side does not know count as absent.
    """
    name = message.WhichOneof("event")
    if name is None:
        return None
    reading = Reading(lenient=True)
    body = _body_reader(name)(getattr(message, name), "", reading)
    if reading.violations:
        return None
    stamped = message.HasField("create_time")
    return SessionEvent(
        session_id=message.session_id,
        body=body,
        sequence=message.sequence,
        turn_id=message.turn_id,
        attempt=message.attempt,
        audience=_audiences().get(message.audience, Audience.CLIENT),
        create_time=read_timestamp(message.create_time) if stamped else None,
    )


@once
def _audience_numbers() -> dict[Audience, int]:
    return numbers(Audience, event_pb2.Audience.DESCRIPTOR)


@once
def _audiences() -> dict[int, Audience]:
    return members(Audience, event_pb2.Audience.DESCRIPTOR)


def _message_class(name: str) -> type[Message]:
    """Return the class of the message that lies in a field of the oneof."""
    return type(getattr(event_pb2.SessionEvent(), name))


@once
def _body_filler(body: type[EventBody]) -> tuple[str, Fill]:
    """Return the field of a body's class, and what fills it."""
    name = FIELDS[body]
    if body not in BARE:
        return name, filler(body, _message_class(name))
    attribute, noun = BARE[body]
    inner = filler(noun, _message_class(name))
    return name, lambda value, target: inner(getattr(value, attribute), target)


@once
def _body_reader(name: str) -> Read:
    """Return what reads the body out of a field of the oneof."""
    body = next(known for known, field in FIELDS.items() if field == name)
    if body not in BARE:
        return reader(body, _message_class(name))
    attribute, noun = BARE[body]
    inner = reader(noun, _message_class(name))
    return lambda source, at, reading: body(**{attribute: inner(source, at, reading)})
