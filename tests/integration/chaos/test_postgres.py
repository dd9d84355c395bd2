"""The PostgreSQL server of tests and chaos runs wherever PostgreSQL is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.postgres import FaultyServer
from tests.support.postgres import find_programs
from tests.support.require import lacking


def test_a_server_needs_no_tool_of_the_administrator(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Root's PATH may lack /usr/sbin: an empty PATH is enough."""
    if find_programs() is None:
        lacking("PostgreSQL is not installed")
    monkeypatch.setenv("PATH", str(tmp_path))
    server = FaultyServer()
    try:
        server.start()
        assert server.create_empty().startswith("chaos_")
    finally:
        server.remove()
