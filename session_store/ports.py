"""The store as its callers name it; it is the same for SQLite and PostgreSQL."""

from __future__ import annotations

from typing import TypeAlias

from session_store.sql.store import SqlStore

Store: TypeAlias = SqlStore
