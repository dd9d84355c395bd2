"""Does the model say again what it just said? (RESOLUTIONS C37)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_NO_WORD = re.compile(r"[\W_]+")


def is_repeated(content: str, earlier: Iterable[str]) -> bool:
    """Say whether a content equals one of the earlier ones but for spaces and punctuation."""
    words = _words(content)
    return bool(words) and any(_words(text) == words for text in earlier)


def _words(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold()
    return _NO_WORD.sub("", plain)
