"""Rules of our own that buf does not know (ARCHITECTURE section 5)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import Message

from heartrule.v1 import (
    conversation_pb2,
    event_pb2,
    executor_service_pb2,
    message_pb2,
    monitor_service_pb2,
)

EXECUTOR: ServiceDescriptor = executor_service_pb2.DESCRIPTOR.services_by_name["ExecutorService"]
MONITOR: ServiceDescriptor = monitor_service_pb2.DESCRIPTOR.services_by_name["MonitorService"]
UNSERVED = [
    (message_pb2.Part, {5}),
    (event_pb2.SessionEvent, {20, 24, *range(32, 40)}),
]
"""Numbers the sketch gives to what is not served yet."""


def methods() -> Iterator[MethodDescriptor]:
    yield from EXECUTOR.methods
    yield from MONITOR.methods


def test_every_rpc_has_messages_of_its_own() -> None:
    """XRequest and XResponse, so that either can grow alone."""
    for method in methods():
        pair = f"{method.name}Request", f"{method.name}Response"
        assert pair == (method.input_type.name, method.output_type.name)


def test_every_stream_carries_session_events() -> None:
    """A streamed response is one field, `event = 1`; a picture's bytes belong to no session."""
    streamed = [
        method for method in methods() if method.server_streaming and method.name != "GetAsset"
    ]
    assert len(streamed) == 4
    for method in streamed:
        (field,) = method.output_type.fields
        assert field.message_type is not None
        assert (field.name, field.number, field.message_type.name) == ("event", 1, "SessionEvent")


def test_only_converse_streams_both_ways() -> None:
    """All that a client needs works over gRPC-Web; an upload is a publisher's."""
    streaming = [method for method in methods() if method.client_streaming]
    assert [each.name for each in streaming if each.server_streaming] == ["Converse"]
    assert [each.name for each in streaming if not each.server_streaming] == ["UploadAsset"]


def test_stream_requests_share_their_fields() -> None:
    """What OpenConversation says is said elsewhere under the same number."""
    opening = conversation_pb2.OpenConversation.DESCRIPTOR.fields_by_name
    for name in ("SendMessage", "WatchSession", "InitializeSession"):
        fields = EXECUTOR.methods_by_name[name].input_type.fields
        shared = [field for field in fields if field.name != "input"]
        assert shared == [field for field in shared if opening[field.name].number == field.number]


@pytest.mark.parametrize(("message", "kept"), UNSERVED, ids=lambda value: str(value)[:40])
def test_numbers_of_the_unserved_stay_free(message: type[Message], kept: set[int]) -> None:
    """Nothing else may take the number of what comes later."""
    assert not kept & set(message.DESCRIPTOR.fields_by_number)


def test_nothing_of_google_api_is_imported() -> None:
    """A client needs no files besides ours and google/protobuf."""
    seen, todo = set(), [executor_service_pb2.DESCRIPTOR, monitor_service_pb2.DESCRIPTOR]
    while todo:
        file = todo.pop()
        seen.add(file.name)
        todo.extend(file.dependencies)
    assert all(name.startswith(("heartrule/v1/", "google/protobuf/")) for name in seen)
