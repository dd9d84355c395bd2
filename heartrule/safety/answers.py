"""What an answer means after a safety question: a yes, a frequency, silence, something else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from heartrule.domain.safety import SafetyLevel
from heartrule.safety.answer_clauses import ClauseSays, PlainClause, WordKind
from heartrule.safety.answer_words import AnswerWords, Question, SafetyQuestion


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
_ADMITTING = frozenset({Answer.YES, Answer.OFTEN})
_DOUBTS = frozenset({ClauseSays.OFTEN, ClauseSays.UNSURE, ClauseSays.TURNED})
_DENIALS = frozenset({ClauseSays.NO, ClauseSays.DENIED, ClauseSays.NEVER})
_ADMITS = frozenset({ClauseSays.YES, ClauseSays.OFTEN, ClauseSays.NEAR})
_NUMBER = re.compile(r"(?<![0-9.])(\d{1,3})(?![0-9.])")
_SILENT = re.compile(r"[\W_]*")
# An answer begins with what it answers; behind it only plain clauses count.
_LONGEST = 60
_NOTHING = PlainClause("", None)


class AnswerReader:
    """Reads what a client says to a question of safety, in one language."""

    def __init__(self, own: AnswerWords) -> None:
        """Read by these words."""
        self._own, self._finds = own, own.patterns

    def question(self, text: str) -> SafetyQuestion:
        """Return what a normal text of the assistant asks."""
        return self._own.question(text)

    def read(self, text: str, asked: SafetyQuestion) -> Answer:
        """Return what a client's normal text says to such a question."""
        if _SILENT.fullmatch(text):
            return Answer.SILENCE
        if asked.kind is Question.SCALE and (number := self._number(text)) is not None:
            return Answer.OFTEN if number else Answer.NO
        said = self._own.known.plain_clauses(text, asked.text)
        if asked.kind is Question.SAFE:
            return self._on_safety(text, asked, said)
        return self._on_danger(text, asked, said)

    def level(self, text: str, answer: Answer, asked: SafetyQuestion) -> SafetyLevel:
        """Return the level that a text raises as this answer."""
        if asked.kind is Question.SAFE:
            answer = {Answer.YES: Answer.NO, Answer.NO: Answer.YES}.get(answer, answer)
            if answer is Answer.OFTEN:
                answer = Answer.UNSURE
        if self._is_near(text, answer, asked):
            return SafetyLevel.IMMINENT
        return _LEVELS.get(answer, SafetyLevel.NONE)

    def _on_safety(self, text: str, asked: SafetyQuestion, said: Sequence[PlainClause]) -> Answer:
        """Read an answer to whether the client is safe: a clear word for it, or a denial of harm.

        A bare yes or no to two questions at once answers neither.
        """
        begun = self._begun(text, asked)
        plain = [each.says for each in said]
        if ClauseSays.UNSAFE in plain:
            return Answer.NO
        doubtful = not _DOUBTS.isdisjoint(plain)
        harmless = any(
            each.says is ClauseSays.DENIED
            and (asked.twofold or self._finds["direct"].search(each.text))
            for each in said
        )
        if ClauseSays.SECURE in plain or harmless or self._finds["secure"].match(self._bare(text)):
            good = Answer.UNSURE if doubtful else Answer.YES
            return Answer.NO if doubtful and begun is Answer.NO else good
        if plain[:1] == [ClauseSays.YES] and not asked.twofold:
            return Answer.YES
        if asked.twofold and begun in (Answer.YES, Answer.NO):
            return Answer.UNSURE
        return begun or Answer.OTHER

    def _on_danger(self, text: str, asked: SafetyQuestion, said: Sequence[PlainClause]) -> Answer:
        """Read an answer to a direct question: its beginning counts, and any plain clause."""
        begun = self._begun(text, asked)
        plain = [each.says for each in said]
        evades = self._finds["evades"].search(text[:_LONGEST]) is not None
        often = ClauseSays.OFTEN in plain or any(self._tells_often(each.text) for each in said)
        if ClauseSays.TURNED in plain:
            return Answer.YES
        doubtful = evades or often or ClauseSays.UNSURE in plain
        denied = not doubtful and (ClauseSays.DENIED in plain or ClauseSays.NEVER in plain)
        if begun is Answer.NO:
            return Answer.UNSURE if doubtful else Answer.NO
        if begun is Answer.UNSURE and often:
            return Answer.OFTEN
        if begun is not None:
            return self._denied_behind(begun, said[0]) if denied else begun
        if often:
            return Answer.OFTEN
        if ClauseSays.YES in plain:
            return Answer.YES
        return Answer.NO if denied else Answer.OTHER

    def _denied_behind(self, begun: Answer, first: PlainClause) -> Answer:
        """Return what an answer says that begins so and plainly denies behind it."""
        if first.says in _DENIALS or self._finds["nods"].fullmatch(first.text):
            return Answer.NO
        if first.says is not None or begun is Answer.YES:
            return begun
        if begun is Answer.UNSURE:
            return Answer.NO  # I don't know where to begin
        return begun if self._own.known.has(first.text, WordKind.OBJECT) else Answer.UNSURE

    def _begun(self, text: str, asked: SafetyQuestion) -> Answer | None:
        """Return what an answer begins with; a no counts from its first word only."""
        start = self._bare(text)
        if (answer := self._begins(start, asked)) is not None:
            return answer
        rest = self._begins(self._own.leading.sub("", start, count=1), asked)
        return None if rest is Answer.NO else rest

    def _begins(self, start: str, asked: SafetyQuestion) -> Answer | None:
        first = next(iter(self._own.known.plain_clauses(start, asked.text)), _NOTHING)
        named = first.says is None and self._own.known.has(first.text, WordKind.OBJECT)
        denied = Answer.NO if named or first.says in _DENIALS else Answer.UNSURE
        begins: dict[Answer, int] = {}
        for answer, words in (
            (Answer.NO, self._finds["never"]),
            (Answer.UNSURE, self._finds["unsure"]),
            (Answer.OFTEN, self._finds["often"]),
            (Answer.NO, self._finds["no"]),
            (denied, self._finds["denies"]),
            (Answer.YES, self._finds["yes"]),
            *(((Answer.YES, self._finds["leads"]),) if named or first.says in _ADMITS else ()),
        ):
            if begin := words.match(start):
                begins[answer] = max(begins.get(answer, 0), begin.end())
        return max(begins, key=begins.__getitem__) if begins else None

    def _bare(self, text: str) -> str:
        """Return the beginning of an answer without what says nothing."""
        said = text[:_LONGEST]
        return self._own.opening.sub("", said, count=1) or said

    def _tells_often(self, clause: str) -> bool:
        """Return whether a clause tells when what was asked came, whatever else it tells."""
        if not self._own.known.has(clause, WordKind.OFTEN, WordKind.TIME):
            return False
        if self._own.known.has(clause, WordKind.NO, WordKind.NEVER):
            return False
        named = self._finds["direct"].search(clause) or self._finds["vague"].search(clause)
        return named is not None or self._own.ending.search(clause) is not None

    def _is_near(self, text: str, answer: Answer, asked: SafetyQuestion) -> bool:
        """Return whether means, a place or a time are told that make it a plan."""
        said = text[:_LONGEST]
        if answer in _ADMITTING or (answer is Answer.OTHER and asked.plan):
            return bool(self._finds["means"].search(said) or self._finds["at_hand"].search(said))
        if answer is not Answer.OTHER:
            return False
        plain = (each.says for each in self._own.known.plain_clauses(text, asked.text))
        return self._finds["means"].search(said) is not None or ClauseSays.NEAR in plain

    def _number(self, text: str) -> int | None:
        """Return the first number that is no count of hours, years or persons."""
        counted = self._own.counted
        found = (each for each in _NUMBER.finditer(text) if not counted.match(text, each.end()))
        if (number := next(found, None)) is not None:
            return int(number[1])
        first = next(self._own.known.clauses(text), "")
        words = (each for each in self._finds["numbers"].finditer(first))
        return 1 if any(not counted.match(first, each.end()) for each in words) else None
