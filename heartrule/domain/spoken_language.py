"""Which language a text is in, and a session by what its client says. Pure.

Both rules count words: a word of the other language in a sentence, or a short answer, decides
nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

# Words from which on a text has a language; of Chinese ones each character.
_WORDS = 3
# So many times the words of the other language that it may hold.
_SHARE = 3
# Characters of a text that are looked at.
_LOOKED_AT = 2_000
# An address is nobody's words.
_ADDRESS = re.compile(r"(?<![!-~])[!-~]*(?:://|@|www\.)[!-~]*")
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[a-z]+(?:['’][a-z]+)?")


def language_spoken(text: str, *, least: int = _WORDS) -> str:
    """Return `zh` or `en`; empty for a text of fewer words, and for one that mixes the two."""
    shown = unicodedata.normalize("NFKC", text[:_LOOKED_AT]).casefold()
    shown = _ADDRESS.sub(" ", shown)
    han, latin = len(_HAN.findall(shown)), len(_LATIN.findall(shown))
    more, fewer = max(han, latin), min(han, latin)
    if more < least or fewer * _SHARE > more:
        return ""
    return "zh" if han == more else "en"


def language_followed(said: Iterable[str], now: str = "") -> str:
    """Return the language a session goes on in.

    Args:
        said: The client's messages, oldest first.
        now: The language so far; empty while neither the caller nor the client decided it.

    Returns:
        `now`, unless the last two messages that have a language are in the same other one. Where
        nothing is decided, the newest of them decides alone; empty where there is none.
    """
    *_, before, newest = ("", "", *filter(None, map(language_spoken, said)))
    if not now:
        return newest
    return newest if newest and newest == before else now
