"""What a text of a model is: plain words, a refusal, a repetition, the template's own words.

The rules are RESOLUTIONS C4, C36 and C37; texts are compared without white space. A text of dots
alone is what a template shows in place of a value, and says nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import lru_cache

import orjson

from heartrule.domain.json_value import JsonValue

_REFUSAL = re.compile(
    r"抱歉，?我(无法|不能)|作为(一个)?(AI|人工智能)|I(’|')?m sorry|I can(’|')?t assist"
)
_NO_WORD = re.compile(r"[\W_]+")
_DOTS = re.compile(r"\s*(?:…|[.。·]{2,})[\s….。·]*")
_SIGNS = "-#*>.。,;:!?、「」“”\"'()[]【】"
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
    words = plain_words(content)
    return bool(words) and any(plain_words(text) == words for text in earlier)


def plain_words(text: str) -> str:
    """Return the words of a text as they are compared: without spaces and punctuation."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return _NO_WORD.sub("", plain)


class Skeleton:
    """Knows a template's own words, so that they cannot become data."""

    def __init__(
        self, descriptions: Mapping[str, str], pieces: AbstractSet[str] = frozenset()
    ) -> None:
        """Know the words.

        Args:
            descriptions: By dotted field name, as in the template's front matter.
            pieces: Sentences, quotations and examples of its text, as `template_pieces` cuts them.
        """
        self._descriptions = descriptions
        self._pieces = pieces

    def copied(self, field: str, value: JsonValue, *, said: str = "") -> bool:
        """Return whether a text is none of the model's own.

        It contains the description of that field, is dots alone, or equals a piece of the template
        that does not stand in `said`, the client's words.
        """
        if not isinstance(value, str):
            return False
        if is_placeholder(value):
            return True
        description = self._descriptions.get(field, "")
        words, plain = _plain_description(description) if description else "", _plain(value)
        if words and words in plain:
            return True
        return bare(plain) in self._pieces and plain not in _plain(said)


def is_placeholder(text: str) -> bool:
    """Return whether a text is dots alone, as a template's shape of a reply has them."""
    return _DOTS.fullmatch(text) is not None


def repeats(text: str, description: str) -> bool:
    """Return whether a text is a description's words, whatever the spaces, or dots alone."""
    if is_placeholder(text):
        return True
    words = _plain_description(description)
    return bool(words) and words == _plain(text)


def may_repeat(beginning: str, description: str) -> bool:
    """Return whether a text that begins so may still become the description's words."""
    if is_placeholder(beginning):
        return True
    return bool(description) and _plain_description(description).startswith(_plain(beginning))


def bare(text: str) -> str:
    """Return a text without white space, and without the signs around it."""
    return _plain(text).strip(_SIGNS)


@lru_cache(maxsize=512)
def _plain_description(text: str) -> str:
    """Return a description in the form that is compared, cached since every reply needs it."""
    return _plain(text)


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).split())
