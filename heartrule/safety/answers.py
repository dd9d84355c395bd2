"""What an answer means after a safety question: a yes, a frequency, silence, something else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property

from heartrule.chassis.config_files import FilePart
from heartrule.domain.safety import SafetyLevel
from heartrule.safety.word_lists import Words


class Question(StrEnum):
    """What the assistant's last text asked about safety."""

    NONE = "none"
    DIRECT = "direct"
    """Whether the client thinks of suicide or self-harm, has a plan, or is in danger now."""
    SAFE = "safe"
    """Whether the client is safe: a yes is good news."""
    SCALE = "scale"
    """How often, or how much, on a scale."""


class Answer(StrEnum):
    """What the client said to it."""

    NONE = "none"
    """Nothing was asked."""
    YES = "yes"
    NO = "no"
    OFTEN = "often"
    """A frequency or degree above none."""
    UNSURE = "unsure"
    SILENCE = "silence"
    OTHER = "other"
    """A change of subject."""


_LEVELS: Mapping[Answer, SafetyLevel] = {
    Answer.YES: SafetyLevel.CRISIS,
    Answer.OFTEN: SafetyLevel.CRISIS,
    Answer.UNSURE: SafetyLevel.CONCERN,
    Answer.SILENCE: SafetyLevel.CONCERN,
    Answer.OTHER: SafetyLevel.CONCERN,
}
# Answers after which means at hand are no chance.
_ADMITTING = frozenset({Answer.YES, Answer.OTHER, Answer.OFTEN})
_NUMBER = re.compile(r"(?<![0-9.])(\d{1,3})(?![0-9.])")
# Behind a word that stands by itself: the end, a mark, a particle.
_ALONE = r"(?=[\W啊呀呢吧的哦哈呗啦嘛]|$)"
_SILENT = re.compile(r"[\W_]*")
# An answer is short; a longer text is no bare yes or no, and the rules read it.
_LONGEST = 60


class AnswerWords(FilePart):
    """The words of one language that ask about safety and answer."""

    direct: Words
    """What makes a text of the assistant a question of suicide, self-harm, a plan or danger."""
    gentle: Words = ()
    """What makes it a question of how bad it is, without the words."""
    safe: Words
    scale: Words
    yes: Words
    no: Words
    often: Words
    never: Words
    at_hand: Words
    """Means, a place or a time: what makes a yes a plan."""
    unsure: Words
    secure: Words = ()
    """Says that one is safe, where that was asked: 安全."""
    openers: Words = ()
    """Say nothing before an answer: honestly, 说实话."""
    evades: Words = ()
    """Anywhere in an answer it closes the subject, whatever the answer begins with: 别问了."""

    def question(self, asked: str) -> Question:
        """Return what a normal text of the assistant asks; the last thing asked counts."""
        about = self._direct.search(asked) is not None
        if self._safe.search(asked):
            return Question.SAFE
        if about and self._scale.search(asked):
            return Question.SCALE
        return Question.DIRECT if about else Question.NONE

    def read(self, text: str, question: Question) -> Answer:
        """Return what a client's normal text says to such a question."""
        if _SILENT.fullmatch(text):
            return Answer.SILENCE
        if question is Question.SCALE and (number := _NUMBER.search(text)):
            return Answer.NO if int(number.group(1)) == 0 else Answer.OFTEN
        said = text[:_LONGEST]
        start = self._opening.sub("", said, count=1) or said
        if question is Question.SAFE and self._secure.match(start):
            return Answer.YES
        begins: dict[Answer, int] = {}
        for answer, words in (
            (Answer.NO, self._never),
            (Answer.UNSURE, self._unsure),
            (Answer.OFTEN, self._often),
            (Answer.NO, self._no),
            (Answer.YES, self._yes),
        ):
            if begin := words.match(start):
                begins.setdefault(answer, begin.end())
        if begins:
            answer = max(begins, key=begins.__getitem__)
            return Answer.UNSURE if answer is Answer.NO and self._evades.search(said) else answer
        return Answer.OFTEN if self._often.search(start) else Answer.OTHER

    def level(self, text: str, answer: Answer, question: Question) -> SafetyLevel:
        """Return the level that a text raises as this answer."""
        if question is Question.SAFE:
            answer = {Answer.YES: Answer.NO, Answer.NO: Answer.YES}.get(answer, answer)
            if answer is Answer.OFTEN:
                answer = Answer.UNSURE
        if answer in _ADMITTING and self._at_hand.search(text[:_LONGEST]):
            return SafetyLevel.IMMINENT
        return _LEVELS.get(answer, SafetyLevel.NONE)

    @cached_property
    def _direct(self) -> re.Pattern[str]:
        return _any(self.direct)

    @cached_property
    def _safe(self) -> re.Pattern[str]:
        return _any(self.safe)

    @cached_property
    def _scale(self) -> re.Pattern[str]:
        return _any(self.scale)

    @cached_property
    def _yes(self) -> re.Pattern[str]:
        return _any(self.yes)

    @cached_property
    def _no(self) -> re.Pattern[str]:
        return _any(self.no)

    @cached_property
    def _often(self) -> re.Pattern[str]:
        return _any(self.often)

    @cached_property
    def _never(self) -> re.Pattern[str]:
        return _any(self.never)

    @cached_property
    def _at_hand(self) -> re.Pattern[str]:
        return _any(self.at_hand)

    @cached_property
    def _unsure(self) -> re.Pattern[str]:
        return _any(self.unsure)

    @cached_property
    def _secure(self) -> re.Pattern[str]:
        return _any(self.secure)

    @cached_property
    def _evades(self) -> re.Pattern[str]:
        return _any(self.evades)

    @cached_property
    def _opening(self) -> re.Pattern[str]:
        return re.compile(f"^(?:[ ,.…。!、嗯呃额啊哦哈哎唉诶]|{_any(self.openers).pattern})++")


def _any(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern that finds any of the words, Latin ones as whole words.

    A word with `$` is a word by itself: 会$ finds 会啊 and not 会议.
    """
    parts = (
        rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word).replace("\\$", _ALONE)
        for word in sorted(words, key=len, reverse=True)
    )
    return re.compile("|".join(parts) or "(?!)")
