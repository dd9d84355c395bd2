"""When an unreadable reply may be said as it is (RESOLUTIONS C4; REAL-MODELS 4.9)."""

from __future__ import annotations

import re

_REFUSAL = re.compile(
    r"抱歉，?我(无法|不能)|作为(一个)?(AI|人工智能)|I(’|')?m sorry|I can(’|')?t assist"
)


def is_prose(text: str) -> bool:
    """Say whether a reply is plain words: not empty, no brace, no fence."""
    return bool(text.strip()) and not set("{}") & set(text) and "```" not in text


def is_refusal(text: str) -> bool:
    """Say whether plain words are the model's refusal, better replaced by a neutral line."""
    return is_prose(text) and _REFUSAL.search(text) is not None
