"""Opaque ids: unique, sortable by time to the millisecond, never parsed."""

from __future__ import annotations

import os
import time


def new_id(prefix: str) -> str:
    """Return a fresh id such as `msg_0199…`: 12 hex digits of time, 16 of chance."""
    return f"{prefix}_{time.time_ns() // 1_000_000:012x}{os.urandom(8).hex()}"
