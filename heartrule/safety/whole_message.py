"""A message as a whole: what is asked about all of it, each thing once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from heartrule.domain.safety import SafetyLevel, Subject
from heartrule.safety.rule_hits import RuleHit, standing
from heartrule.safety.safety_rules import LanguageRules
from heartrule.safety.term_finder import TermFinder

# Characters at both ends of a message in which it is read what all of it is about.
_TOLD = 8_000
# Characters at its beginning in which somebody else is named.
_NAMED = 600


class WholeMessage:
    """A message, and what is asked about all of it."""

    def __init__(self, own: LanguageRules, company: TermFinder, text: str) -> None:
        """Read a normal text by the rules of a language."""
        self.text = text
        self.ends = text if len(text) <= 2 * _TOLD else f"{text[:_TOLD]}\n{text[-_TOLD:]}"
        self._scope = own.scope
        self._frames = own.frames
        self._company = company

    @cached_property
    def worried(self) -> bool:
        """Whether it worries about somebody else."""
        return self._scope.worries(self.ends)

    @cached_property
    def confided(self) -> bool:
        """Whether somebody tells it to the client: she told me, 他跟我说."""
        return self._scope.confides(self.ends)

    @cached_property
    def earnest(self) -> bool:
        """Whether it says that what sounds like an idiom is meant."""
        return self._scope.is_earnest(self.ends)

    @cached_property
    def resolved(self) -> bool:
        """Whether it says that what was is over and well."""
        return self._scope.is_resolved(self.ends)

    @cached_property
    def names_other(self) -> bool:
        """Whether it begins with a word for somebody else."""
        beginning = self.text[:_NAMED]
        return any(word in beginning for word in self._scope.third_person)

    @cached_property
    def is_framed(self) -> bool:
        """Whether it names study, work, news or fiction, and nothing that is meant."""
        return self._frames.named(self._frames.read(self.ends))

    @cached_property
    def names_someone(self) -> bool:
        """Whether it names somebody else by more than a pronoun or a kind of people."""
        return self._scope.names_someone(self.ends)

    @cached_property
    def company(self) -> frozenset[str]:
        """The rules of which the message has a word that they need beside them."""
        return frozenset(self._company.spans(self.ends))

    @cached_property
    def unmasked(self) -> bool:
        """Whether it says that somebody else is the client."""
        return self._scope.unmasks(self.ends)

    def of_other(self, hits: Iterable[RuleHit], *, said: bool) -> Iterator[RuleHit]:
        """Yield what hits mean that are found in what is told of somebody else.

        Args:
            hits: Of what is told, as that one would say it.
            said: It is told as that one's words.
        """
        found = tuple(hits)
        for hit in found if self.worried else standing(found):
            level = hit.level
            if level is SafetyLevel.CONCERN and not (said or self.worried):
                continue
            if level and level is not SafetyLevel.EMERGENCY:
                level = SafetyLevel.THIRD_PARTY
            if level:
                yield RuleHit(
                    rule=replace(hit.rule, beside=SafetyLevel.NONE),
                    level=level,
                    subject=Subject.OTHER,
                )
