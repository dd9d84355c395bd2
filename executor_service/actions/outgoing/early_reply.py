"""A reply that is still being written, as far as it is whole: what decides an exit comes early."""

from __future__ import annotations

import orjson


def reply_so_far(raw: str) -> str:
    """Return the object with all fields up to the last one that closed, if `variables` is among.

    Empty: it is not known yet what the client gave.
    """
    start, end = raw.find("{"), raw.rfind("}")
    if start < 0 or '"variables"' not in raw:
        return ""
    begun = raw[start : end + 1] + "}"
    try:
        fields = orjson.loads(begun)
    except orjson.JSONDecodeError:
        return ""
    return begun if isinstance(fields, dict) and "variables" in fields else ""
