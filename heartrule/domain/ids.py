"""Opaque ids: unique, sortable by time to the millisecond, never parsed."""

from __future__ import annotations

import secrets
import time


def new_id(prefix: str) -> str:
    """Return a fresh id such as `msg_0199…`: 12 hex digits of time, 16 of chance."""
    return f"{prefix}_{time.time_ns() // 1_000_000:012x}{secrets.token_hex(8)}"
