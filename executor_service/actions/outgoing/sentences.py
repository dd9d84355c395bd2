"""Sentences and questions of a text that comes in pieces."""

from __future__ import annotations

import re
from itertools import pairwise

# A sentence ends here; all signs and blanks behind its end belong to it. While a text is still
# coming its last sentence is not over: another sign may follow.
_END = re.compile(
    r"""(?:[。！？…；\n]|[.!?;](?=\s|["'”’)）」』】]|$))[\s。！？!?.…"'”’)）」』】]*+"""
)
_CLOSED = re.compile(_END.pattern + r"(?=\S)")
# What asks without a question mark.
_ASKS = re.compile(r"(?:[吗么]|好不好|可不可以|能不能|是不是|怎么样)[\s。.!！…~]*$")
_ASKING_WORD = re.compile(
    r"[？?吗呢]|什么|怎|哪|谁|多少|几|愿意|可以|能不能|\b(?:what|how|when|where|who|why|which|would|could)\b",
    re.IGNORECASE,
)
# An acknowledgement before a comma says something by itself.
_OPENER = re.compile(
    r"\s*(?:好的?|好呀|嗯+|是的|明白了?|原来如此|(?:谢谢|感谢)[^，,。？?]{0,12}|"
    r"我(?:明白|知道|听到|理解|记下|听见)了?|ok(?:ay)?|thanks?|thank you|i see|i understand|"
    r"got it|all right)(?=[，,])",
    re.IGNORECASE,
)


def first_sentence(text: str) -> str:
    """Return the first sentence with what closes it; empty while it may still go on."""
    match = _CLOSED.search(text)
    return text[: match.end()] if match else ""


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a whole text, each with what closes it."""
    ends = [0, *(match.end() for match in _END.finditer(text)), len(text)]
    return [text[begin:end] for begin, end in pairwise(ends) if begin < end]


def is_question(sentence: str) -> bool:
    """Return whether a sentence asks something of who reads it."""
    return "？" in sentence or "?" in sentence or _ASKS.search(sentence) is not None


def asks_at_all(text: str) -> bool:
    """Return whether anything in a text may ask something."""
    return _ASKING_WORD.search(text) is not None


def acknowledgement(text: str) -> str:
    """Return the acknowledgement a text begins with, without the comma behind it."""
    match = _OPENER.match(text)
    return match.group() if match else ""


def closed(shown: str) -> str:
    """Return what closes a text that was cut behind a clause."""
    last = shown.rstrip()[-1:]
    if not last or last in "。！？…；.!?;~」』”\"'）)】":
        return ""
    return "." if last.isascii() else "。"
