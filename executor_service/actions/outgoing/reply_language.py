"""Which language a reply is written in, by its script and its stop words. Pure.

Where both leave a Latin text in doubt, a classifier decides (ADR 87).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

#: A Latin text without the stop words of English.
DOUBTFUL = "und"
# Characters of a text that are looked at.
_LOOKED_AT = 2_000
# From so many Chinese characters, kana or Latin words on a text has a language: a name has fewer.
_HAN_LEAST, _KANA_LEAST, _WORDS_LEAST = 6, 4, 4
# Letters from which on a line of others is found again as a line.
_LATIN_LEAST = 12
# So many times the words of another script that a text may hold.
_SHARE = 3
# Every fifth word of English is a stop word; a shorter text without them says nothing.
_STOP_EVERY = 5
_DOUBTFUL_FROM = 8

_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_ADDRESS = re.compile(r"(?<![!-~])[!-~]*(?:://|@|www\.)[!-~]*")
_QUOTED = re.compile(r"「[^」]*」|『[^』]*』|《[^》]*》|“[^”]*”|«[^»]*»|\"[^\"\n]*\"")
_HAN = re.compile(r"[\u3400-\u9fff]")
_KANA = re.compile(r"[\u3041-\u30fa]")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_LATIN = re.compile(r"[a-z\u00df-\u024f]+(?:['’][a-z]+)*")
_STOP_WORDS = """
    a about after all also am an and any are as at be because been before but by can could did do
    does doing don't for from get had has have he help her here him his how i i'm if in into is it
    it's just know let let's like me more my no not now of on one or our out please say she so some
    take tell than thank thanks that that's the their them then there these they this time to too
    up us very was we well were what what's when where which while who why will with without would
    yes yet you you're your
"""
_STOP = frozenset(_STOP_WORDS.split())


def own_words(text: str, taken: Iterable[str] = ()) -> str:
    """Return what of a text is its author's own: no code, no address, no quotation.

    Args:
        text: A reply.
        taken: Words of others; their lines that stand in the reply are left out too, but for short
            ones, whose letters stand in any text.
    """
    shown = text[:_LOOKED_AT]
    lines = {line.strip() for each in taken for line in each.split("\n")}
    for line in sorted(filter(_has_words, lines), key=len, reverse=True):
        shown = shown.replace(line, " ")
    shown = unicodedata.normalize("NFKC", shown)
    for pattern in (_CODE, _QUOTED, _ADDRESS):
        shown = pattern.sub(" ", shown)
    return shown


def _has_words(line: str) -> bool:
    return len(line) >= (_HAN_LEAST if _HAN.search(line) else _LATIN_LEAST)


def written_in(text: str) -> str:
    """Return the language of a text: a tag, `DOUBTFUL`, or empty for few words and a mixture."""
    folded = text[:_LOOKED_AT].casefold()
    han, kana = len(_HAN.findall(folded)), len(_KANA.findall(folded))
    hangul, latin = len(_HANGUL.findall(folded)), _LATIN.findall(folded)
    others = _SHARE * len(latin)
    if hangul >= _HAN_LEAST:
        return "ko" if hangul >= others + _SHARE * han else ""
    if kana >= _KANA_LEAST and kana * _SHARE >= han:
        return "ja" if han + kana >= others else ""
    if han >= _HAN_LEAST and han >= others:
        return "zh"
    return _of_words(latin) if len(latin) >= max(_WORDS_LEAST, _SHARE * han) else ""


def _of_words(words: list[str]) -> str:
    """Return the language of Latin words by the stop words among them."""
    stops = sum(word.replace("’", "'") in _STOP for word in words)
    if stops * _STOP_EVERY >= len(words):
        return "en"
    return DOUBTFUL if len(words) >= _DOUBTFUL_FROM else ""
