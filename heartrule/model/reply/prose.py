"""When an unreadable reply may be said as it is (RESOLUTIONS C4; REAL-MODELS 4.9)."""

from __future__ import annotations

import re

import orjson

from heartrule.model.reply.skeleton import repeats

_REFUSAL = re.compile(
    r"抱歉，?我(无法|不能)|作为(一个)?(AI|人工智能)|I(’|')?m sorry|I can(’|')?t assist"
)
_HTML = re.compile(r"<!doctype|<html|</[a-z]+[0-9]?>", re.IGNORECASE)


def is_prose(text: str, *, hint: str = "") -> bool:
    """Return whether a reply is plain words, which may be shown to a client as they are.

    Nothing, a brace, a fence, a JSON value that is no string, HTML, and the template's own
    description of `content` (`hint`) are not.
    """
    if not text.strip() or set("{}") & set(text) or "```" in text:
        return False
    return not (_is_json_value(text) or _HTML.search(text) or repeats(text, hint))


def _is_json_value(text: str) -> bool:
    try:
        return not isinstance(orjson.loads(text), str)
    except orjson.JSONDecodeError:
        return False


def is_refusal(text: str) -> bool:
    """Return whether plain words are the model's refusal, better replaced by a neutral line."""
    return is_prose(text) and _REFUSAL.search(text) is not None
