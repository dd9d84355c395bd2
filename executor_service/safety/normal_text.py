"""One form for all text the crisis rules look at; every step is linear in its length."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_IS_CJK = re.compile(f"[{_CJK}]")
_LINE_BREAKS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
# Zero-width and direction marks, which would hide a word from the search.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+"
)
# Arabic ligatures: NFKC would make up to eighteen letters of one, and no phrase needs them.
_LIGATURES = re.compile("[\ufdf0-\ufdff]")
_APOSTROPHES = str.maketrans(dict.fromkeys("‘’ʼ`´", "'"))
# Marks people put between Chinese characters to hide a word. Sentence punctuation is not among
# them, so that two sentences are never read as one. Possessive: no way back, hence linear.
_NOISE = re.compile(rf"(?<=[{_CJK}])[ \t*_~.·•/|\\#+=^@&%$-]++(?=[{_CJK}])")
# Words spelled letter by letter; four letters at least, so that "a b c" stays as it is.
_SPELLED = re.compile(r"(?<![a-z0-9])[a-z](?:[ ._*-][a-z]){3,}(?![a-z0-9])")
_SPELLING_MARKS = re.compile(r"[ ._*-]")
_LATIN_GAPS = re.compile(r"[ \t*_~-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalText:
    """A text as the rules see it."""

    text: str
    """NFKC, lower case, straight apostrophes, no marks between Chinese characters."""
    gaps: frozenset[int]
    """Offsets in `text` before which such marks stood."""


def normal_text(raw: str) -> NormalText:
    """Return the text in the one form in which phrases are written and looked for."""
    plain = _LIGATURES.sub(" ", raw).translate(_APOSTROPHES)
    text = unicodedata.normalize("NFKC", plain).lower()
    text = _INVISIBLE.sub("", _LINE_BREAKS.sub("\n", text))
    text = _SPELLED.sub(lambda match: _SPELLING_MARKS.sub("", match.group()), text)
    return _without_noise(_LATIN_GAPS.sub(_one_space, text))


def is_cjk(char: str) -> bool:
    """Return whether a character is a Chinese one."""
    return _IS_CJK.match(char) is not None


def _one_space(_: re.Match[str]) -> str:
    return " "


def _without_noise(text: str) -> NormalText:
    """Drop marks between Chinese characters and remember where they stood."""
    pieces: list[str] = []
    gaps: list[int] = []
    done, length = 0, 0
    for match in _NOISE.finditer(text):
        piece = text[done : match.start()]
        pieces.append(piece)
        length += len(piece)
        gaps.append(length)
        done = match.end()
    pieces.append(text[done:])
    return NormalText(text="".join(pieces), gaps=frozenset(gaps))
