"""What a hit means in its sentence: denied, over or not; `subject` says about whom it is.

Whatever is unclear is no denial, is about the client, and goes on.
"""

from __future__ import annotations

import re
from functools import cached_property

from executor_service.safety.patterns import Found
from executor_service.safety.term_finder import TermFinder
from executor_service.safety.word_lists import Language, WordLists, Words, WordSet

# Characters before a hit that can hold its denial.
_REACH = 96
# Bounds the work for one hit, so that the whole search stays linear.
_STEPS = 16
_LONGEST = 8
_AFTER = 24
# Before I they answer and deny nothing: no I'm not.
_ANSWERS = frozenset({"no", "nope", "nah"})
_WORD = re.compile(r"[a-z0-9']+")


class ScopeWords(WordLists):
    """The words of one language that decide what a hit means."""

    breaks: Words
    """Conjunctions that begin a clause of their own."""
    negators: WordSet
    fillers: WordSet
    """May stand between a negator and a hit."""
    skipped: WordSet = frozenset()
    """May stand in a gap that holds nothing else."""
    affirmers: Words
    """Hold a negator and yet deny nothing."""
    failed_after: Words
    """Behind a hit they undo a denial: 没自杀成功 is an attempt."""
    denied_after: tuple[str, ...]
    """Regular expressions that deny what stands before them: 自杀的念头我没有."""
    first_person: WordSet
    second_person: WordSet
    third_person: WordSet
    companions: Words
    """Before a person they make it no subject: with, 和."""
    possessive: Words
    """Between I and another person they make that one the subject: 我的朋友."""
    drops_subjects: bool = False
    """A clause without a subject is no fault: the client, or who was spoken of before."""
    hiding: Words = ()
    """Words in which a shorter term begins and means nothing: 想起, 其他, 自我."""
    causes: Words = ()
    """Companions behind which the client is a subject all the same: 让我."""
    sayings: Words = ()
    """What a dropped subject says is that of the person before: 说, 留言."""
    states: Words = ()
    """How somebody else is, of whom the next clause goes on to tell: 抑郁, 整天."""
    mine: Words = ()
    """Behind another person they make it a matter of the client: 骂我, 离开我."""
    worry: Words = ()
    """Show that a message worries about somebody else, or asks how to help."""
    unmasked: Words = ()
    """Show that the other person is the client."""
    present: Words = ()
    """In a hit's own clause they make it no matter of the past."""
    past: Words
    resolved: Words
    """It is over and well: there is nothing to ask about what is past."""
    current: Words
    """Again, still, lately: what is past is not over."""

    @cached_property
    def denial_behind(self) -> re.Pattern[str]:
        """What denies a hit when it stands directly behind it."""
        return re.compile("|".join(f"(?:{each})" for each in self.denied_after) or "(?!)")

    def owns(self, between: str) -> bool:
        """Return whether the words between I and another person make that one mine."""
        return self._owning.fullmatch(between) is not None

    def says(self, text: str) -> bool:
        """Return whether a text has a word for saying."""
        return any(word in text for word in self.sayings)

    def ends_saying(self, text: str) -> bool:
        """Return whether a text ends with a word for saying, be it with a comma behind it."""
        return text.rstrip(',: “"「').endswith(self.sayings) if self.sayings else False

    def tells_state(self, text: str) -> bool:
        """Return whether a text tells how somebody is."""
        return any(word in text for word in self.states)

    def hits_me(self, text: str) -> bool:
        """Return whether what somebody else does concerns the client."""
        return any(word in text for word in self.mine)

    def worries(self, text: str) -> bool:
        """Return whether a message worries about somebody else."""
        return "worry" in self._about.spans(text)

    def unmasks(self, text: str) -> bool:
        """Return whether a message says that the other person is the client."""
        return "unmasked" in self._about.spans(text)

    @cached_property
    def _about(self) -> TermFinder:
        return TermFinder({"worry": self.worry, "unmasked": self.unmasked})

    @cached_property
    def _owning(self) -> re.Pattern[str]:
        parts = "|".join(re.escape(word) for word in sorted(self.possessive, key=len, reverse=True))
        return re.compile(f"(?:{parts})*+")

    @cached_property
    def persons(self) -> frozenset[str]:
        """All words for persons."""
        return self.first_person | self.second_person | self.third_person

    def is_over(self, text: str, clause: str) -> bool:
        """Return whether a sentence is about what is past, and nothing says that it goes on.

        Args:
            text: The sentence.
            clause: That of the hit, up to its end.
        """
        found = self._times.spans(text)
        if "past" not in found or "current" in found:
            return False
        return not any(word in clause for word in self.present)

    def is_resolved(self, text: str) -> bool:
        """Return whether a text says that what was is over and well, and nothing goes on."""
        found = self._times.spans(text)
        return "resolved" in found and "current" not in found

    def clause_ends(self, text: str) -> list[int]:
        """Return where clauses end: at commas and before conjunctions."""
        return [match.start() for match in self._breaks.finditer(text)]

    @cached_property
    def _breaks(self) -> re.Pattern[str]:
        words = "|".join(
            rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word) for word in self.breaks
        )
        return re.compile(f"[,:()—]{'|' + words if words else ''}")

    @cached_property
    def _times(self) -> TermFinder:
        lists = ("past", "current", "resolved")
        return TermFinder({name: getattr(self, name) for name in lists})


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
        before = _english_negators(text[max(0, found.start - _REACH) : found.start], words)
    return before is not None and (before + inside) % 2 == 1


def _negators_between(gap: str, words: ScopeWords, language: Language) -> int:
    if not gap.strip() or gap.endswith(words.affirmers):
        return 0
    if language is Language.ENGLISH:
        return sum(word in words.negators for word in _WORD.findall(gap))
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
    known = words.negators | words.fillers
    for _ in range(_STEPS):
        if text.endswith(words.affirmers, 0, place):
            return None
        word = _word_before(text, place, known)
        if not word:
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


def _english_negators(before: str, words: ScopeWords) -> int | None:
    ends = words.clause_ends(before)
    clause = _WORD.findall(before[ends[-1] :] if ends else before)
    if ends and clause and clause[0] in words.breaks:
        clause = clause[1:]
    negators = 0
    for index in range(len(clause) - 1, max(-1, len(clause) - 1 - _STEPS), -1):
        word = clause[index]
        if word in _ANSWERS and "".join(clause[index + 1 : index + 2]) in words.first_person:
            continue
        if word in words.negators:
            so_far = f" {' '.join(clause[: index + 1])}"
            if so_far.endswith(tuple(f" {affirmer}" for affirmer in words.affirmers)):
                return None
            negators += 1
        elif word not in words.fillers:
            break
    return negators
