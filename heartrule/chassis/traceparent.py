"""W3C traceparents as text: read, made, and continued (https://www.w3.org/TR/trace-context)."""

from __future__ import annotations

import random
import re

_FORM = re.compile(r"(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")
_NO_TRACE, _NO_SPAN = "0" * 32, "0" * 16
_SAMPLED = 1


def normal(text: str) -> str:
    """Return the traceparent in the form of version 00; empty where the text is none.

    Ids of zero are none. Of the flags only `sampled` is kept, what later versions append is not.
    """
    found = _FORM.fullmatch(text.strip())
    if found is None or found[1] == _NO_TRACE or found[2] == _NO_SPAN:
        return ""
    return f"00-{found[1]}-{found[2]}-{int(found[3], 16) & _SAMPLED:02x}"


def child(parent: str) -> str:
    """Return a new place below a normal traceparent, or where that is empty in a new trace."""
    span_id = f"{random.getrandbits(64):016x}"
    if not parent:
        return f"00-{random.getrandbits(128):032x}-{span_id}-00"
    return f"{parent[:36]}{span_id}{parent[52:]}"


def trace_id(traceparent: str) -> str:
    """Return the trace's id in hex out of a normal traceparent; empty where that is."""
    return traceparent[3:35]
