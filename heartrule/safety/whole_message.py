"""A message as a whole: what is asked about all of it, each thing once."""

from __future__ import annotations

from functools import cached_property

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
        self._ends = text if len(text) <= 2 * _TOLD else f"{text[:_TOLD]}\n{text[-_TOLD:]}"
        self._scope = own.scope
        self._company = company

    @cached_property
    def worried(self) -> bool:
        """Whether it worries about somebody else."""
        return self._scope.worries(self._ends)

    @cached_property
    def earnest(self) -> bool:
        """Whether it says that what sounds like an idiom is meant."""
        return self._scope.is_earnest(self._ends)

    @cached_property
    def resolved(self) -> bool:
        """Whether it says that what was is over and well."""
        return self._scope.is_resolved(self._ends)

    @cached_property
    def names_other(self) -> bool:
        """Whether it begins with a word for somebody else."""
        beginning = self.text[:_NAMED]
        return any(word in beginning for word in self._scope.third_person)

    @cached_property
    def company(self) -> frozenset[str]:
        """The rules of which the message has a word that they need beside them."""
        return frozenset(self._company.spans(self._ends))

    @cached_property
    def unmasked(self) -> bool:
        """Whether it says that somebody else is the client."""
        return self._scope.unmasks(self._ends)
