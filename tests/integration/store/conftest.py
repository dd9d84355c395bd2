"""Databases for the tests of what only a database can do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.postgres import PostgresServer, fresh_database, new_server, shared_server


@pytest.fixture
def server() -> PostgresServer:
    """Give the server that all tests of this process share."""
    return shared_server()


@pytest.fixture
def address() -> Iterator[str]:
    """Give the address of an empty database on it."""
    with fresh_database() as url:
        yield url


@pytest.fixture
def own_server() -> Iterator[PostgresServer]:
    """Give a server that the test may stop."""
    server = new_server()
    yield server
    server.remove()
