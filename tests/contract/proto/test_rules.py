"""Rules of our own that buf does not know."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from google.protobuf.descriptor import FileDescriptor, MethodDescriptor
from google.protobuf.message import Message

from heartrule.v1 import (
    asset_service_pb2,
    conversation_pb2,
    conversation_service_pb2,
    decision_service_pb2,
    event_pb2,
    history_service_pb2,
    message_pb2,
    monitor_service_pb2,
    run_service_pb2,
    safety_service_pb2,
    script_service_pb2,
    server_service_pb2,
    session_service_pb2,
    thread_service_pb2,
)

FILES: list[FileDescriptor] = [
    conversation_service_pb2.DESCRIPTOR,
    session_service_pb2.DESCRIPTOR,
    history_service_pb2.DESCRIPTOR,
    script_service_pb2.DESCRIPTOR,
    asset_service_pb2.DESCRIPTOR,
    safety_service_pb2.DESCRIPTOR,
    decision_service_pb2.DESCRIPTOR,
    run_service_pb2.DESCRIPTOR,
    thread_service_pb2.DESCRIPTOR,
    server_service_pb2.DESCRIPTOR,
    monitor_service_pb2.DESCRIPTOR,
]
UNSERVED = [
    (message_pb2.Part, {5}),
    (event_pb2.SessionEvent, {20, *range(32, 40)}),
]
"""Numbers the sketch gives to what is not served yet."""

OF_BYTES = {"GetAsset", "GetRunArtifact", "ExportUserData"}
"""Streams of bytes."""


def methods() -> Iterator[MethodDescriptor]:
    for file in FILES:
        for service in file.services_by_name.values():
            yield from service.methods


def test_a_service_stands_alone_in_the_file_of_its_noun() -> None:
    """`session_service.proto` holds SessionService and no message; MonitorService keeps its own."""
    for file in FILES:
        (service,) = file.services_by_name
        assert f"{service.removesuffix('Service').lower()}_service.proto" in file.name
        assert service == "MonitorService" or not file.message_types_by_name


def test_no_two_services_share_an_rpc_name() -> None:
    """A client may look an rpc up by its name alone."""
    names = [method.name for method in methods()]
    assert len(names) == len(set(names))


def test_every_rpc_has_messages_of_its_own() -> None:
    """XRequest and XResponse, so that either can grow alone."""
    for method in methods():
        pair = f"{method.name}Request", f"{method.name}Response"
        assert pair == (method.input_type.name, method.output_type.name)


def test_every_stream_carries_session_events() -> None:
    """A streamed response is one field, `event = 1`; bytes of pictures and files are no events."""
    streamed = [
        method for method in methods() if method.server_streaming and method.name not in OF_BYTES
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
    rpcs = {method.name: method for method in methods()}
    opening = conversation_pb2.OpenConversation.DESCRIPTOR.fields_by_name
    for name in ("SendMessage", "WatchSession", "InitializeSession"):
        fields = rpcs[name].input_type.fields
        shared = [field for field in fields if field.name != "input"]
        assert shared == [field for field in shared if opening[field.name].number == field.number]


@pytest.mark.parametrize(("message", "kept"), UNSERVED, ids=lambda value: str(value)[:40])
def test_numbers_of_the_unserved_stay_free(message: type[Message], kept: set[int]) -> None:
    """Nothing else may take the number of what comes later."""
    assert not kept & set(message.DESCRIPTOR.fields_by_number)


def test_nothing_of_google_api_is_imported() -> None:
    """A client needs no files besides ours and google/protobuf."""
    seen, todo = set(), list(FILES)
    while todo:
        file = todo.pop()
        seen.add(file.name)
        todo.extend(file.dependencies)
    assert all(name.startswith(("heartrule/v1/", "google/protobuf/")) for name in seen)
