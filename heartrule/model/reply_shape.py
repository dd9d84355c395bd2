"""The shape of a reply: its fields as JSON, with dots in place of every value. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterable

_DOTS = "…"


def reply_shape(names: Iterable[str], *, quotes: bool) -> str:
    """Return the JSON object of some fields, in their order.

    Args:
        names: Dotted names, as in a template's front matter.
        quotes: True where a variable stands beside the client's words that say it.
    """
    shape: dict[str, object] = {}
    groups: dict[str, dict[str, str]] = {}
    for name in names:
        group, _, inner = name.partition(".")
        if inner:
            shape[group] = groups.setdefault(group, {})
            groups[group][inner] = _DOTS
        elif name == "variables":
            shape[name] = {_DOTS: {"value": _DOTS, "quote": _DOTS} if quotes else _DOTS}
        else:
            shape[name] = _DOTS
    return json.dumps(shape, ensure_ascii=False, separators=(",", ":"))
