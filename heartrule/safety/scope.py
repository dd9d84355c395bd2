"""What a hit means in its sentence: denied, over or not; `subject` says about whom it is.

Whatever is unclear is no denial, is about the client, and goes on.
"""

from __future__ import annotations

import re

from heartrule.safety.patterns import Found
from heartrule.safety.scope_words import ScopeWords
from heartrule.safety.word_lists import Language

# Characters before a hit that can hold its denial.
_REACH = 96
# Bounds the work for one hit, so that the whole search stays linear.
_STEPS = 16
_LONGEST = 8
_AFTER = 24
# Before I they answer and deny nothing: no I'm not.
_ANSWERS = frozenset({"no", "nope", "nah"})
# A condition, behind which comes what follows from it (不复合就), and words that hold a negator
# and deny nothing.
_NO_DENIAL = re.compile(
    "[不没][^就]{1,12}就|[特分区差]别|别[人的]|不[停断知管禁仅只同错过如小]|[要忍]不|对不起|没事|不住|不了"
)
# For whom or what somebody would not do it, before a hit: 不会为渣男, 不至于因为一次考试就.
_FOR = re.compile("(?<=[会于得能必着])(?:因为|为)[^,]{1,8}$")
_REASON = 12
# Begins a clause, and has a negator in it.
_CONTRAST = "不过"
_WORD = re.compile(r"[a-z0-9']+")
# Put in between, it denies once more what is named behind it: not, and never have been, suicidal.
_ASIDE = re.compile(r", ?(?:and|or|nor) [a-z' ]{0,16}\b(?:never|ever)\b[a-z' ]{0,16}, ?$")


def is_denied(text: str, found: Found, words: ScopeWords, language: Language) -> bool:
    """Return whether a hit is plainly denied: an odd number of negators, or a denial behind it."""
    after = text[found.end : found.end + _AFTER].lstrip(" ")
    if after.startswith(words.failed_after):
        return False
    if words.denial_behind.match(after):
        return True
    inside = sum(
        _negators_between(text[one[1] : two[0]], words, language)
        for one, two in zip(found.spans, found.spans[1:], strict=False)
    )
    if language is Language.CHINESE:
        before = _chinese_negators(text, found.start, words)
    else:
        behind = text[found.start : found.start + _AFTER]
        before = _english_negators(text[max(0, found.start - _REACH) : found.start], behind, words)
    return before is not None and (before + inside) % 2 == 1


def _negators_between(gap: str, words: ScopeWords, language: Language) -> int:
    if not gap.strip() or gap.endswith(words.affirmers):
        return 0
    if language is Language.ENGLISH:
        return sum(word in words.negators for word in _WORD.findall(gap))
    gap = _NO_DENIAL.sub("", gap.rsplit(",", 1)[-1])
    found = 0
    place = len(gap)
    while place > 0:
        word = _word_before(gap, place, words.negators)
        if word and not _is_a_not_a(gap, place - len(word), len(word)):
            found += 1
        place -= len(word) or 1
    return found


def _chinese_negators(text: str, start: int, words: ScopeWords) -> int | None:
    """Count negators back over fillers; None where an affirmer makes them deny nothing."""
    place, negators = start, 0
    if reason := _FOR.search(text, max(0, start - _REASON), start):
        place = reason.start()
    known = words.negators | words.fillers
    for _ in range(_STEPS):
        if text.endswith(words.affirmers, 0, place):
            return None
        if text.endswith(_CONTRAST, 0, place):
            break
        word = _word_before(text, place, known)
        if not word:
            break
        if word in words.listed and negators:
            break
        if word in words.negators:
            if _is_a_not_a(text, place - len(word), len(word)):
                return None
            negators += 1
        place -= len(word)
    return negators


def _word_before(text: str, place: int, known: frozenset[str]) -> str:
    """Return the longest known word that ends at `place`; empty when there is none."""
    for length in range(min(_LONGEST, place), 0, -1):
        word = text[place - length : place]
        if word in known:
            return word
    return ""


def _is_a_not_a(text: str, negator: int, length: int) -> bool:
    """Return whether the negator stands between two equal characters, as in 想不想 or 有没有."""
    behind = negator + length
    return negator > 0 and behind < len(text) and text[negator - 1] == text[behind]


def _begins_anew(clause: list[str], index: int, words: ScopeWords) -> bool:
    """Return whether a clause without a mark before it begins: or anything I hurt."""
    first = clause[index] in words.first_person
    return first and index > 0 and clause[index - 1] in words.run_ons


def _english_negators(before: str, behind: str, words: ScopeWords) -> int | None:
    """Count negators back over fillers, one at most; None where an affirmer holds one."""
    before = _ASIDE.sub(" ", before)
    ends = words.clause_ends(before)
    clause = _WORD.findall(before[ends[-1] :] if ends else before)
    if ends and clause and clause[0] in words.breaks:
        clause = clause[1:]
    following = _WORD.findall(behind)
    negators = 0
    for index in range(len(clause) - 1, max(-1, len(clause) - 1 - _STEPS), -1):
        word = clause[index]
        if word in _ANSWERS and "".join(clause[index + 1 : index + 2]) in words.first_person:
            continue
        if word in words.negators:
            near = f" {' '.join((clause + following)[max(0, index - 4) : index + 4])} "
            if any(f" {affirmer} " in near for affirmer in words.affirmers):
                return None
            negators = 1
        elif word not in words.fillers or _begins_anew(clause, index, words):
            break
    return negators
