"""Requests whose bytes are no message: INVALID_ARGUMENT, where grpc.aio would answer UNKNOWN."""

from __future__ import annotations

from collections.abc import Callable

from google.protobuf.message import DecodeError

from heartrule.domain.errors import InvalidRequest


def decoder(
    deserialize: Callable[[bytes], object] | None, *, streaming: bool
) -> Callable[[bytes], object] | None:
    """Return a deserializer that answers bytes it cannot read with an InvalidRequest.

    The requests of a stream are read inside the handler, which gets the error raised. A single
    request is read before any handler runs; there the error is returned in its place, and whoever
    calls the handler raises it.
    """
    if deserialize is None:
        return None

    def decode(data: bytes) -> object:
        try:
            return deserialize(data)
        except DecodeError:
            error = InvalidRequest(
                f"the {len(data)} bytes of the request are no message of its type",
                reason="UNDECODABLE_REQUEST",
            )
        if streaming:
            raise error
        return error

    return decode
