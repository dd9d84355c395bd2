"""GetServerInfo tells the limits that requests meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from google.protobuf.message import Message

from executor_service.rpc.server_rpcs import ServerRpcs
from heartrule.domain.errors import InvalidRequest
from heartrule.v1 import conversation_pb2, server_pb2
from heartrule.wire.label_parsing import check_labels
from heartrule.wire.request_parsing import page_size, parse_user_input, require
from session_store.sql.lists.list_filter import parse_filter

NOWHERE = cast("Any", None)


async def limits() -> server_pb2.ServerLimits:
    """Return what the server tells."""
    answer = await ServerRpcs(99).GetServerInfo(server_pb2.GetServerInfoRequest(), NOWHERE)
    return answer.info.limits


def of_parts(*parts: dict[str, Any]) -> Callable[[], object]:
    """Return the reading of an input of these parts."""
    sent = conversation_pb2.UserInput(client_message_id="m1", parts=parts)
    return lambda: parse_user_input(sent)


def media(size: int) -> dict[str, Any]:
    """Return a picture of so many bytes."""
    return {"media": {"mime_type": "image/png", "data": b"x" * size}, "fallback_text": "x"}


READINGS: dict[str, Callable[[int], Callable[[], object]]] = {
    "max_input_bytes": lambda size: of_parts({"text": "x" * size}),
    "max_input_parts": lambda count: of_parts(*[{"text": "x"}] * count),
    "max_media_bytes": lambda size: of_parts(media(size)),
    "max_name_bytes": lambda size: lambda: require(session_id="x" * size),
    "max_labels": lambda count: lambda: check_labels({f"n{each}": "" for each in range(count)}),
    "max_label_bytes": lambda size: lambda: check_labels({"n": "x" * size}),
    "max_filter_chars": lambda size: lambda: parse_filter(" " * size, {}),
}
"""For each limit, a request of that size and how it is read."""


@pytest.mark.parametrize("name", READINGS)
async def test_what_is_told_is_what_is_refused(name: str) -> None:
    """As much as the limit is taken; one more is refused."""
    limit, read = getattr(await limits(), name), READINGS[name]
    read(limit)()
    with pytest.raises(InvalidRequest):
        read(limit + 1)()


async def test_every_limit_is_told() -> None:
    """None is 0; pages are lowered, characters are those of the settings."""
    told: Message = await limits()
    assert [each.name for each in told.DESCRIPTOR.fields if not getattr(told, each.name)] == []
    assert page_size(10**6) == (await limits()).max_page_size
    assert (await limits()).max_input_chars == 99
