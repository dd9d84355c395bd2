"""What holds for every test: a clean environment."""

from __future__ import annotations

import os

import pytest

FOREIGN = ("HEARTRULE_", "OPENAI_", "OTEL_", "GRPC_", "PG")


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hide the developer's own keys and settings; restored after the test."""
    for name in list(os.environ):
        if name.startswith(FOREIGN):
            monkeypatch.delenv(name)
