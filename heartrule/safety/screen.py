"""The screen: a client's text in, the level of danger out; pure, and linear in the text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from heartrule.domain.safety import SafetyLevel, SafetySource, Subject
from heartrule.safety.answer_words import Question, SafetyQuestion
from heartrule.safety.answers import Answer
from heartrule.safety.normal_text import is_cjk, normal_text
from heartrule.safety.rule_hits import RuleHit, standing
from heartrule.safety.rule_matcher import RuleMatcher
from heartrule.safety.safety_rules import LanguageRules
from heartrule.safety.word_lists import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenContext:
    """What came before a text."""

    question: str = ""
    """What the assistant said last."""
    earlier: tuple[str, ...] = ()
    """The client's inputs since then, oldest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Screening:
    """What a text means; it holds no word of the client."""

    level: SafetyLevel = SafetyLevel.NONE
    source: SafetySource = SafetySource.RULE
    rules: tuple[str, ...] = ()
    """Ids of the rules that counted, the gravest first."""
    subject: Subject = Subject.SELF
    language: Language | None = None
    excused: tuple[str, ...] = ()
    """`rule:excuse` of each hit that did not count."""
    answer: Answer = Answer.NONE
    """What the text answers to a safety question."""


_NO_CONTEXT = ScreenContext()
# An input is read when it is accepted and again, with its question, when its turn begins: as many
# as wait meanwhile are remembered, in memory alone. Longer ones are rare and would fill it.
_REMEMBERED = 256
_REMEMBERED_CHARS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyScreen:
    """Screens texts by the rules of all languages; what a text means hangs on nothing else."""

    languages: tuple[LanguageRules, ...]
    _matchers: tuple[RuleMatcher, ...] = field(init=False, repr=False, compare=False)
    _remembered: Callable[[str], Screening] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Build the automata."""
        object.__setattr__(self, "_matchers", tuple(map(RuleMatcher, self.languages)))
        object.__setattr__(self, "_remembered", lru_cache(_REMEMBERED)(self._read))

    def screen(self, text: str, context: ScreenContext = _NO_CONTEXT) -> Screening:
        """Return the level of a text, read by itself and together with the inputs before it."""
        found = self._screened(text)
        if context.earlier:
            joined = ("".join((*context.earlier, text)), " ".join((*context.earlier, text)))
            together = map(self._screened, joined)
            found = max(found, *together, key=lambda each: each.level)
        if context.question:
            found = self._answered(text, context.question, found)
        return found

    def _screened(self, text: str) -> Screening:
        short = len(text) <= _REMEMBERED_CHARS
        return self._remembered(text) if short else self._read(text)

    def _read(self, text: str) -> Screening:
        plain = normal_text(text)
        results = [_screening(matcher, matcher.hits(plain)) for matcher in self._matchers]
        best = max(results, key=lambda each: each.level)
        excused = tuple(each for result in results for each in result.excused)
        rules = tuple(dict.fromkeys(rule for result in results for rule in result.rules))
        return replace(best, excused=excused, rules=rules)

    def _answered(self, text: str, question: str, found: Screening) -> Screening:
        """Read the text as the answer to what the assistant asked, where that was about safety."""
        said = normal_text(question)
        for each in self.languages:
            asked = each.answers.question(said)
            if asked.kind is Question.NONE:
                continue
            plain = normal_text(text)
            reader, answer = self._reads(each, plain, asked)
            level = reader.answers.level(plain, answer, asked)
            if level <= found.level:
                return replace(found, answer=answer)
            return replace(
                found,
                level=level,
                source=SafetySource.CONTEXT,
                subject=Subject.SELF,
                rules=(*found.rules, f"answer_{answer}"),
                language=each.language,
                answer=answer,
            )
        return found

    def _reads(
        self, own: LanguageRules, plain: str, asked: SafetyQuestion
    ) -> tuple[LanguageRules, Answer]:
        """Return what an answer says, and by whose words: those it is written in."""
        written = _written_in(plain)
        readers = [each for each in self.languages if each.language in written] or [own]
        for each in readers:
            answer = each.answers.read(plain, asked)
            if answer is not Answer.OTHER:
                return each, answer
        return own, Answer.OTHER


def _written_in(plain: str) -> frozenset[Language]:
    """Return the languages of a normal text's letters; none where it has only digits and marks."""
    letters = set(filter(str.isalpha, plain))
    chinese = {Language.CHINESE} if any(map(is_cjk, letters)) else set()
    english = {Language.ENGLISH} if any(map(str.isascii, letters)) else set()
    return frozenset(chinese | english)


def _screening(matcher: RuleMatcher, hits: list[RuleHit]) -> Screening:
    counted = standing(hits)
    excused = dict.fromkeys(
        f"{hit.rule.rule_id}:{hit.excuse}" for hit in hits if hit.excuse is not None
    )
    if not counted:
        return Screening(excused=tuple(excused))
    return Screening(
        level=counted[0].level,
        rules=tuple(dict.fromkeys(hit.rule.rule_id for hit in counted)),
        subject=counted[0].subject,
        language=matcher.own.language,
        excused=tuple(excused),
    )
