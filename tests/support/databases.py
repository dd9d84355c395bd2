"""Addresses of fresh databases, for services that open them themselves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path


@asynccontextmanager
async def database_address(kind: str, folder: Path) -> AsyncIterator[str]:
    """Give the address of an empty database: `sqlite` in the folder, or `postgresql`."""
    if kind == "sqlite":
        yield str(folder / "heartrule.db")
        return
    from tests.support.postgres import fresh_database

    with fresh_database() as address:
        yield address
