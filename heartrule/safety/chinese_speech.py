"""Whose words a Chinese sentence holds: a quotation, or what somebody tells the client."""

from __future__ import annotations

import re

from heartrule.safety.normal_text import CJK
from heartrule.safety.patterns import Found
from heartrule.safety.scope_words import ScopeWords
from heartrule.safety.told_sentence import Person, Sentence, begun_before, named_person

# Another language goes over into Chinese behind a word for saying: she 说 on the phone 我.
_SWITCHED = re.compile(f"[说写]:? (?:[a-z' ]* )?我?[{CJK}]{{0,2}}$")
_SWITCHING = 40
# Clauses that belong to what somebody says to me, and what ends it.
_SPEECH = 2
_SAYS_TO_ME = re.compile("(?:[跟对和向]我[说讲喊哭]|告诉我|问我)$")
_CONTRASTS = ("可", "但", "不过", "所以", "而", "结果", "其实")
_ADDRESSES = ("你", "您")
_CONDITIONS = ("要是", "如果", "再", "等", *_ADDRESSES)


def is_told_in_chinese(sentence: Sentence, found: Found, words: ScopeWords) -> bool:
    """Return whether a hit is in another one's own words: 她说“我走了”, 他跟我说,要是再这样."""
    text = sentence.text
    subjects = begun_before(sentence.subjects, found.spans[-1][0])
    quote = quote_before(text, found.start, words)
    speakers = [one for one in subjects if one[0] < quote]
    if speakers:
        return named_person(text[slice(*speakers[-1])], words) is Person.OTHER
    others = [one for one in subjects if named_person(text[slice(*one)], words) is Person.OTHER]
    if not others:
        return False
    told, *behind = text[others[-1][1] : found.start].split(",")
    if not behind or not _SAYS_TO_ME.search(told):
        return False
    *before, own = behind
    if own.startswith(_CONTRASTS) or ("我" in own and not own.startswith(_ADDRESSES)):
        return False
    spoken = all(one.startswith(_CONDITIONS) or one in words.third_person for one in before)
    return len(before) < _SPEECH and spoken


def quote_before(text: str, place: int, words: ScopeWords) -> int:
    """Return where the quotation that holds a place begins; -1 where it stands in none."""
    begins = [text.rfind(mark, 0, place) for mark in "“「『"]
    ends = [text.rfind(mark, 0, place) for mark in "”」』"]
    if text.count('"', 0, place) % 2:
        return text.rfind('"', 0, place)
    quoted = max((a for a, b in zip(begins, ends, strict=True) if a > b), default=-1)
    if switched := _SWITCHED.search(text, max(0, place - _SWITCHING), place):
        return max(quoted, switched.start())
    colon = text.rfind(":", 0, place)
    said = colon > 0 and text[:colon].endswith((*words.sayings, "我"))
    return colon if quoted < 0 and said else quoted
