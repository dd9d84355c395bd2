"""What a text of a model is: plain words, a refusal, a repetition, the template's own words.

The rules are RESOLUTIONS C4, C36 and C37; texts are compared without white space.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache

import orjson

from heartrule.domain.json_value import JsonValue

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


class Skeleton:
    """Knows a template's descriptions of its reply fields."""

    def __init__(self, descriptions: Mapping[str, str]) -> None:
        """`descriptions` are by dotted field name, as in the template's front matter."""
        self._descriptions = descriptions

    def copied(self, field: str, value: JsonValue) -> bool:
        """Return whether a text equals or contains the description of that field."""
        description = self._descriptions.get(field, "")
        if not description or not isinstance(value, str):
            return False
        words = _plain_description(description)
        return bool(words) and words in _plain(value)


def repeats(text: str, description: str) -> bool:
    """Return whether a text is a description's words, whatever the spaces."""
    words = _plain_description(description)
    return bool(words) and words == _plain(text)


def may_repeat(beginning: str, description: str) -> bool:
    """Return whether a text that begins so may still become the description's words."""
    return bool(description) and _plain_description(description).startswith(_plain(beginning))


@lru_cache(maxsize=512)
def _plain_description(text: str) -> str:
    """Return a description in the form that is compared, cached since every reply needs it."""
    return _plain(text)


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())
