"""One form for all text the safety rules look at; every step is linear in its length."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

import opencc


def simplified(text: str) -> str:
    """Return the text with traditional characters and words simplified."""
    return str(_converter().convert(text))


@cache
def _converter() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


CJK = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_IS_CJK = re.compile(f"[{CJK}]")
_LINE_BREAKS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
# Zero-width and direction marks, which would hide a word from the search.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]+"
)
# Arabic ligatures: NFKC would make up to eighteen letters of one, and no phrase needs them.
_LIGATURES = re.compile("[\ufdf0-\ufdff]")
_COMBINING = re.compile(
    "[\u0300-\u036f\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+"
)
_APOSTROPHES = str.maketrans(dict.fromkeys("‘’ʼ`´′＇", "'"))
# Latin letters with a stroke or without a dot, which have no plain form of their own.
_STROKED = str.maketrans("ıłøđħŧ", "ilodht")
# Letters of other scripts that look like Latin ones. A word is read as Latin where each of its
# letters has such a twin; most words of Russian and Greek have a letter that has none.
_LOOK_ALIKE = str.maketrans(
    "асеіјорԛѕԝхуһԁɡαβεικμνορτυχωηвкмнт",
    "aceijopqswxyhdgabeikuvoptuxwnbkmht",
)
_MIXED_WORD = re.compile("[a-z\u0370-\u03ff\u0400-\u052f\u0261]+")
_FOREIGN = re.compile("[\u0370-\u03ff\u0400-\u052f\u0261]")
# Marks people put between Chinese characters to hide a word. Sentence punctuation is not among
# them, so that two sentences are never read as one. Possessive: no way back, hence linear.
_NOISE = re.compile(rf"(?<=[{CJK}])[ \t*_~.·•●○/|\\#+=^@&%$\-—'\"()\[\]{{}}<>]++(?=[{CJK}])")
# Straight quotation marks around Chinese words, which are no noise between these.
_QUOTED = re.compile(rf'"((?:[{CJK}][^"\n]{{0,200}})?[{CJK}][,.!?;~…]{{0,3}})"')
# Words spelled letter by letter; three letters at least, so that "a b" stays as it is.
_SPELLED = re.compile(r"(?<![a-z0-9])(?<![a-z0-9]\*)[a-z0-9](?:[ ._*/|\-][a-z0-9]){2,}(?![a-z0-9])")
# Words with a dot behind each letter: w.a.n.t. t.o.
_DOTTED = re.compile(r"(?<![a-z0-9])[a-z](?:\.[a-z0-9])+\.?(?![a-z0-9])")
_SPELLING_MARKS = re.compile(r"[ ._*/|\-]")
# Letters drawn out (`dieeee`) are written twice at most, as in any English word.
# A star inside a word may stand for a letter (`s*icide`); elsewhere it is emphasis.
_LONG_RUN = re.compile(r"([a-z])\1{2,}")
_LATIN_GAPS = re.compile(r"(?:[ \t~\-—]|(?<![a-z0-9*])[*_]|[*_](?![a-z0-9*]))+")
# Texts that no step but the simplification changes: most of the 38,000 words of the rules, so that
# a service starts the sooner. No letter stands alone, as in a word that is spelled out.
_PLAIN_CHINESE = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]+")
_PLAIN_LATIN = re.compile("[a-z']{2,}(?: [a-z']{2,})*")


def normal_text(raw: str) -> str:
    """Return the text in the one form in which terms are written and looked for.

    NFKC, lower case, simplified Chinese, straight apostrophes, no invisible or combining marks, no
    marks between Chinese characters, one space for any gap between Latin words.
    """
    if _PLAIN_CHINESE.fullmatch(raw):
        return simplified(raw)
    if _PLAIN_LATIN.fullmatch(raw) and not _LONG_RUN.search(raw):
        return raw
    plain = _INVISIBLE.sub("", _LIGATURES.sub(" ", raw).translate(_APOSTROPHES))
    text = unicodedata.normalize("NFKC", plain).casefold()
    if not text.isascii():
        text = _COMBINING.sub("", unicodedata.normalize("NFKD", text))
        text = unicodedata.normalize("NFKC", text).translate(_STROKED)
        text = _MIXED_WORD.sub(_as_latin, text)
        text = _QUOTED.sub(_as_quotation, simplified(text))
    text = _LINE_BREAKS.sub("\n", text)
    text = _DOTTED.sub(lambda match: match.group().replace(".", ""), text)
    text = _SPELLED.sub(lambda match: _SPELLING_MARKS.sub("", match.group()), text)
    text = _LONG_RUN.sub(r"\1\1", text)
    return _NOISE.sub(_joined, _LATIN_GAPS.sub(" ", text)).strip()


def is_cjk(char: str) -> bool:
    """Return whether a character is a Chinese one."""
    return _IS_CJK.match(char) is not None


def _as_quotation(match: re.Match[str]) -> str:
    """Return a quotation in marks that open and close; a single character is no quotation."""
    inside = match.group(1)
    return f"“{inside}”" if len(inside) > 1 else match.group()


def _joined(match: re.Match[str]) -> str:
    """Return what a gap between Chinese characters stands for: a comma between words, else nothing.

    A space beside a single character hides a word (自 杀); between longer ones it is punctuation.
    """
    text, (start, end) = match.string, match.span()
    words = is_cjk(text[max(0, start - 2)]) and start > 1 and is_cjk(text[end + 1 : end + 2])
    return "," if words and match.group().isspace() else ""


def _as_latin(match: re.Match[str]) -> str:
    """Return a word of look-alikes in Latin letters; one with other letters stays as it is."""
    latin = match.group().translate(_LOOK_ALIKE)
    return match.group() if _FOREIGN.search(latin) else latin
