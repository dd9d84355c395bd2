"""Checks of a text before a client reads it: plain words, a refusal, a repetition (C4, C37)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

import orjson

from heartrule.model.reply.skeleton import repeats

_REFUSAL = re.compile(
    r"抱歉，?我(无法|不能)|作为(一个)?(AI|人工智能)|I(’|')?m sorry|I can(’|')?t assist"
)
_NO_WORD = re.compile(r"[\W_]+")
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


def is_repeated(content: str, earlier: Iterable[str]) -> bool:
    """Return whether a content equals one of the earlier ones but for spaces and punctuation."""
    words = _words(content)
    return bool(words) and any(_words(text) == words for text in earlier)


def _words(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return _NO_WORD.sub("", plain)
