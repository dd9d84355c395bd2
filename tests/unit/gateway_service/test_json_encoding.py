"""Messages of the contract as JSON."""

from __future__ import annotations

import pytest
from google.protobuf import duration_pb2, struct_pb2, timestamp_pb2
from google.protobuf.message import Message
from jsonschema import Draft202012Validator

from gateway_service.json_encoding import duration, encode, timestamp, word
from gateway_service.openapi import message_schemas
from heartrule.v1 import event_pb2, message_pb2, session_pb2, timeline_pb2, variable_pb2


def test_scalars_are_always_there_and_messages_only_where_set() -> None:
    """A client reads a field without asking whether it is there."""
    told = encode(session_pb2.Session(status="EXECUTION_STATUS_WAITING_INPUT"))
    assert (told["userId"], told["replacements"], told["status"]) == ("", [], "waiting_input")
    assert "createTime" not in told
    assert "strategyEngine" not in told


def test_an_enum_is_a_word_or_null() -> None:
    """Unspecified, and what this side does not know, is null."""
    part = message_pb2.Message(role="ROLE_ASSISTANT")
    assert (encode(part)["role"], encode(part)["completeness"]) == ("assistant", None)
    assert word(message_pb2.Role.DESCRIPTOR, 99) is None


def test_one_of_many_is_the_one_that_is_set() -> None:
    """The other forms of a part are absent, the set one is there though empty."""
    assert encode(message_pb2.Part(text="")) == {"fallbackText": "", "text": ""}


def test_free_data_is_plain_json() -> None:
    """Values keep their kind, whole numbers stay whole."""
    value = struct_pb2.Value()
    value.struct_value.fields["a"].number_value = 3
    assert encode(variable_pb2.VariableValue(value=value))["value"] == {"a": 3}


@pytest.mark.parametrize(("seconds", "nanos", "said"), [
    (1, 500_000_000, "1.5s"), (0, 0, "0s"), (0, 1_000_000, "0.001s"), (70, 0, "70s"),
])  # fmt: skip
def test_a_duration_is_told_in_seconds(seconds: int, nanos: int, said: str) -> None:
    """As protobuf's JSON has it."""
    assert duration(duration_pb2.Duration(seconds=seconds, nanos=nanos)) == said


def test_an_instant_is_told_in_utc() -> None:
    """RFC 3339, to the millisecond."""
    at = timestamp_pb2.Timestamp(seconds=1_700_000_000, nanos=123_456_789)
    assert timestamp(at) == "2023-11-14T22:13:20.123Z"


@pytest.mark.parametrize(
    "message",
    [
        session_pb2.Session(session_id="s", status="EXECUTION_STATUS_RUNNING"),
        event_pb2.SessionEvent(sequence=3, message_committed=message_pb2.Message(message_id="m")),
        timeline_pb2.TurnTimeline(spans=[timeline_pb2.TimelineSpan(facts={"a": "b"})]),
    ],
    ids=lambda message: type(message).__name__,
)
def test_what_is_told_fits_its_schema(message: Message) -> None:
    """The schemas and the encoding are made of one descriptor."""
    name = type(message).__name__
    schema = {
        "$ref": f"#/components/schemas/{name}",
        "components": {"schemas": message_schemas([name])},
    }
    Draft202012Validator(schema).validate(encode(message))
