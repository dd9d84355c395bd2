"""Ports of processes that are killed and started anew: nobody else is given one meanwhile."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from tests.chaos.processes import reserve_port


@pytest.fixture
def kept() -> Iterator[socket.socket]:
    """A port that is reserved while its server is down."""
    with reserve_port() as keeper:
        yield keeper


def test_no_port_is_given_twice(kept: socket.socket) -> None:
    """Whoever draws one that is reserved draws again."""
    taken = int(kept.getsockname()[1])
    with reserve_port(iter((taken, 0))) as other:
        assert other.getsockname()[1] != taken


def test_its_server_can_have_it_again_and_again(kept: socket.socket) -> None:
    """Reserved is not taken: the server listens there, and so does the one after it."""
    for _ in range(2):
        server = socket.create_server(kept.getsockname())
        socket.create_connection(kept.getsockname()).close()
        server.close()


def test_nobody_answers_while_its_server_is_down(kept: socket.socket) -> None:
    """A client is refused, as from any port where nothing listens."""
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(kept.getsockname())
