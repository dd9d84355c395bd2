"""Applies the rules of one language to a normal text; time is linear in the text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from heartrule.domain.safety import SafetyLevel, Subject
from heartrule.safety.chinese_speech import is_told_in_chinese
from heartrule.safety.english_subject import english_person, is_told
from heartrule.safety.excuses import FICTION, Piece, standing_excuse
from heartrule.safety.patterns import EDGES, Clauses, Found, Pattern, matches
from heartrule.safety.rule_hits import RuleHit, standing
from heartrule.safety.safety_rules import Excuse, LanguageRules, SafetyRule
from heartrule.safety.sentence_pieces import sentence_pieces
from heartrule.safety.subject import last_subject, person_of, possible_subjects
from heartrule.safety.term_finder import Span, TermFinder, longest, without_hidden
from heartrule.safety.told_of_others import OthersReader
from heartrule.safety.told_sentence import HIDING, PERSON, Person, Sentence
from heartrule.safety.whole_message import WholeMessage
from heartrule.safety.word_lists import Language

# A flood of different sentences is read up to this number: each of them holds a grave word, and
# by then one of them counted or fifty were excused.
_MOST_PIECES = 300
# By then some counted, or so many were excused that the next ones did.
_MOST_HITS = 400
# Denied or reported hits after which the next counts: a denial is not repeated so often.
_DOUBTS = 50


class RuleMatcher:
    """The rules of one language, ready to search."""

    def __init__(self, own: LanguageRules) -> None:
        """Build the automata."""
        self.own = own
        english = own.language is Language.ENGLISH
        self._person = english_person if english else person_of
        self._is_told = is_told if english else is_told_in_chinese
        persons = {PERSON: tuple(own.scope.persons), HIDING: own.scope.hiding}
        self._finder = TermFinder({**own.terms, **persons})
        self._persons = TermFinder(persons)
        self._company = TermFinder(own.company)
        self._others = OthersReader(own, self._persons)
        patterns = [(rule, pattern) for rule in own.rules for pattern in rule.patterns]
        self._common = Counter(item for _, pattern in patterns for item in set(pattern.items))
        self._by_item: dict[str, list[tuple[SafetyRule, Pattern]]] = {}
        for rule, pattern in patterns:
            self._by_item.setdefault(self._rarest(pattern), []).append((rule, pattern))
        self._phrases = {phrase: self._indexed(each) for phrase, each in own.phrases.items()}
        rare = {term for item in self._by_item for term in self._needed(item)}
        self._rare = TermFinder({item: own.terms[item] for item in rare})

    def _rarest(self, pattern: Pattern) -> str:
        """Return the item of a pattern by which it is looked up."""
        terms, many = self.own.terms, 60

        def commonness(item: str) -> tuple[bool, bool, int]:
            words = terms.get(item, ())
            return len(words) > many, any(map(str.isdigit, words)), self._common[item]

        return min((item for item in pattern.items if item not in EDGES), key=commonness)

    def _indexed(self, patterns: Iterable[Pattern]) -> Mapping[str, list[Pattern]]:
        """Return patterns by the item by which each is looked up."""
        by_item: dict[str, list[Pattern]] = {}
        for pattern in patterns:
            by_item.setdefault(self._rarest(pattern), []).append(pattern)
        return by_item

    def _needed(self, item: str) -> Iterator[str]:
        """Yield the lists of which a term is in any text that has this item."""
        if item in self.own.terms:
            yield item
        for pattern in self.own.phrases.get(item, ()):
            yield from self._needed(self._rarest(pattern))

    def hits(self, plain: str) -> list[RuleHit]:
        """Return all hits in a normal text, those that are excused too."""
        whole = WholeMessage(self.own, self._company, self.own.disguises.undone(plain))
        found = self._found(whole)
        if any(hit.level >= SafetyLevel.THIRD_PARTY for hit in standing(found)):
            return found
        excused = {hit.rule.rule_id for hit in found if hit.excuse is not None}
        for told, said in zip(self._others.told(whole), (True, False), strict=True):
            if told:
                theirs = self._found(WholeMessage(self.own, self._company, told))
                new = (hit for hit in theirs if hit.rule.rule_id not in excused)
                found += whole.of_other(new, said=said)
        return found

    def _found(self, whole: WholeMessage) -> list[RuleHit]:
        """Return all hits in a message as it is written."""
        found: list[RuleHit] = []
        doubts = 0
        for text, before in self._pieces(whole.text):
            for hit in self._in_piece(whole, text, before):
                if hit.excuse is not None:
                    doubts += 1
                    if doubts > _DOUBTS:
                        hit = RuleHit(rule=hit.rule, level=hit.rule.level)
                found.append(hit)
                if len(found) > _MOST_HITS:
                    return found
        return [hit for hit in found if hit.excuse is not Excuse.OVER or not whole.resolved]

    def _pieces(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield the distinct sentences that hold a rare term, long ones in overlapping pieces.

        Each comes with the text before it.
        """
        seen: set[str] = set()
        for piece, before in sentence_pieces(text):
            if piece not in seen and self._rare.any_in(piece):
                seen.add(piece)
                yield piece, before
                if len(seen) > _MOST_PIECES:
                    return

    def _in_piece(self, whole: WholeMessage, text: str, before: str) -> Iterator[RuleHit]:
        clauses, spans = self._looked_up(text)
        piece: Piece | None = None  # most sentences meet no rule
        named = spans.keys()
        for item in spans:
            for rule, pattern in self._by_item.get(item, ()):
                # Most patterns end here, some hundreds for a sentence: no call for each.
                if not pattern.needed <= named or any(each in named for each in rule.strangers):
                    continue
                if rule.only_with and rule.rule_id not in whole.company:
                    continue
                idioms = [span for each in rule.idioms for span in spans.get(each, ())]
                for found in matches(pattern, spans, clauses):
                    if not whole.earnest and _is_idiom(found, idioms):
                        continue
                    piece = piece or self._piece(whole, clauses, spans, before)
                    hit = self._meant(piece, rule, found)
                    yield hit
                    if hit.subject is Subject.SELF and hit.level >= rule.own_level:
                        break  # further places of these words say no more

    def _looked_up(self, text: str) -> tuple[Clauses, dict[str, list[Span]]]:
        """Return the clauses of a sentence, and the places of its terms and phrases."""
        own = self.own.scope
        clauses = Clauses(text, own.clause_ends(text), own.skipped)
        spans = without_hidden(self._finder.spans(text), HIDING) | clauses.edges()
        named = spans.keys()
        for phrase, by_item in self._phrases.items():
            if by_item.keys().isdisjoint(named):
                continue
            met = {
                (found.start, found.end)
                for item in by_item.keys() & named
                for pattern in by_item[item]
                if pattern.needed <= named
                for found in matches(pattern, spans, clauses)
            }
            if met:
                spans[phrase] = sorted(met)
        return clauses, spans

    def _piece(
        self, whole: WholeMessage, clauses: Clauses, spans: Mapping[str, list[Span]], before: str
    ) -> Piece:
        own, text = self.own, clauses.text
        told = Sentence(
            text=text,
            persons=longest(spans.get(PERSON, ())),
            ends=clauses.ends,
            topic=self._topic(before) if own.scope.drops_subjects else None,
            worried=whole.worried,
            names_other=whole.names_other,
            unmasked=whole.unmasked,
        )
        if own.scope.drops_subjects:
            told = replace(told, subjects=possible_subjects(told, own.scope))
        return Piece(clauses, spans, told, whole, own.frames.read(text))

    def _topic(self, before: str) -> Person | None:
        """Return whom the text before a sentence was about."""
        persons = longest(without_hidden(self._persons.spans(before), HIDING).get(PERSON, ()))
        return last_subject(Sentence(text=before, persons=persons, ends=()), self.own.scope)

    def _meant(self, piece: Piece, rule: SafetyRule, found: Found) -> RuleHit:
        person = self._person(piece.told, found, self.own.scope)
        excuse = standing_excuse(self.own, piece, rule, found, person)
        if excuse in FICTION and self.own.frames.is_authored(piece.frames):
            danger = rule.level is SafetyLevel.EMERGENCY  # in a dream it is none
            return RuleHit(rule=rule, level=SafetyLevel.NONE if danger else SafetyLevel.CONCERN)
        if excuse is not None:
            return RuleHit(rule=rule, level=SafetyLevel.NONE, excuse=excuse)
        level, subject = self._about(piece, rule, found, person)
        clause = piece.text[piece.clauses.start(found.start) : found.end]
        if Excuse.OVER in rule.excused_by and self._is_over(piece, rule, clause, subject):
            level = min(level, rule.over_level)
            if subject is Subject.OTHER and not piece.told.worried:
                level = SafetyLevel.NONE
            return RuleHit(rule=rule, level=level, subject=subject, excuse=Excuse.OVER)
        return RuleHit(rule=rule, level=level, subject=subject)

    def _about(
        self, piece: Piece, rule: SafetyRule, found: Found, person: Person
    ) -> tuple[SafetyLevel, Subject]:
        """Return what a hit means about the person it is about."""
        own, text = self.own.scope, piece.text
        now = rule.level is SafetyLevel.IMMINENT and not own.tells_past(text)
        if person is Person.NOBODY and own.drops_subjects and now:  # someone on a bridge
            person = Person.OTHER
        if person is Person.NOBODY and rule.subject is None:
            return SafetyLevel.NONE, Subject.OTHER
        # "I wish I were dead", my brother says: his words, whatever the rule is about.
        named = rule.subject is not None
        if person is Person.SELF or (named and not self._is_told(piece.told, found, own)):
            return rule.own_level, rule.subject or Subject.SELF
        if person is Person.YOU:
            mine = own.hits_me(text[found.start : found.end])  # 你见不到我
            return rule.own_level if mine else SafetyLevel.NONE, Subject.SELF
        if own.is_completed(text[slice(*piece.clauses.around(found.start))]):
            return SafetyLevel.NONE, Subject.OTHER
        return rule.worried_level if piece.told.worried else rule.other_level, Subject.OTHER

    def _is_over(self, piece: Piece, rule: SafetyRule, clause: str, subject: Subject) -> bool:
        own, text = self.own.scope, piece.text
        if not own.drops_subjects:
            return own.is_over(text, clause, text) or (
                piece.whole.resolved and own.tells_past(clause)
            )
        if rule.level <= rule.over_level:
            return True
        told = clause if subject is Subject.OTHER else text[: text.find(clause) + len(clause)]
        return own.is_over(text, clause, told)


def _is_idiom(found: Found, idioms: Iterable[Span]) -> bool:
    """Return whether an idiom goes on from what was found, or covers its last item."""
    end = max(high for low, high in found.spans if low < high)
    return any(start < end <= behind for start, behind in idioms)
