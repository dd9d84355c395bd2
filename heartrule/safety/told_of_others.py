"""What a message tells of somebody else whom the client knows, in that one's own words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from heartrule.safety.english_subject import individuals
from heartrule.safety.own_mouth import chinese_own_mouth, english_own_mouth
from heartrule.safety.safety_rules import LanguageRules
from heartrule.safety.sentence_pieces import sentence_pieces
from heartrule.safety.subject import known_others
from heartrule.safety.term_finder import Span, TermFinder, longest, without_hidden
from heartrule.safety.told_sentence import HIDING, PERSON, Sentence
from heartrule.safety.whole_message import WholeMessage
from heartrule.safety.word_lists import Language

# Of quotations.
_MARKS = frozenset('“「『"')


class OthersReader:
    """Reads sentences about somebody else as that one would say them."""

    def __init__(self, own: LanguageRules, persons: TermFinder) -> None:
        """Read by the words of a language."""
        self._own = own
        self._persons = persons
        english = own.language is Language.ENGLISH
        self._shift = english_own_mouth if english else chinese_own_mouth
        self._subjects = individuals if english else known_others
        own.scope.names_someone("")  # its automaton is built now, and not for the first message

    def told(self, whole: WholeMessage) -> tuple[str, str]:
        """Return such sentences at both ends of a message, as those would say them.

        First those that tell that one's words, then the others. Empty where it tells of nobody
        whom the client knows, or of study, work, news or fiction.
        """
        if not whole.names_other:
            return "", ""
        if whole.is_framed and not (whole.worried or whole.confided):
            return "", ""
        scope = self._own.scope
        said: dict[str, None] = {}
        done: dict[str, None] = {}
        for text, _ in sentence_pieces(whole.ends):
            sentence = self._about_others(self._sentence(text))
            if subjects := self._subjects(sentence, scope):
                told = scope.confides(text) or not _MARKS.isdisjoint(text)
                kind = said if told else done
                kind[self._shift(sentence, subjects, scope)] = None
        return "\n".join(said), "\n".join(done)

    def _about_others(self, sentence: Sentence) -> Sentence:
        """Return the clauses of a sentence that are about somebody else, as a sentence.

        A clause without a subject goes on with that of the clause before it.
        """
        scope, text = self._own.scope, sentence.text
        others = {one[0] for one in self._subjects(sentence, scope)}
        if not others:
            return Sentence(text="", persons=(), ends=())
        kept: list[str] = []
        goes_on = False
        bounds = (0, *sentence.ends, len(text))
        for low, high in pairwise(bounds):
            named = [one for one in sentence.persons if low <= one[0] < high]
            if any(one[0] in others for one in named):
                goes_on = True
            elif any(text[slice(*one)] in scope.first_person for one in named):
                goes_on = False
            if goes_on:
                kept.append(text[low:high])
        return self._sentence("".join(kept).lstrip(","))

    def _sentence(self, text: str) -> Sentence:
        found = self._persons.spans(text)
        persons: Sequence[Span] = longest(without_hidden(found, HIDING).get(PERSON, ()))
        return Sentence(text=text, persons=persons, ends=self._own.scope.clause_ends(text))
