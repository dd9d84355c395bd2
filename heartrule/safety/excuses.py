"""What excuses a hit: a denial, a quotation, a frame; and what shows that it is meant after all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from heartrule.safety.frames import FrameSpans
from heartrule.safety.patterns import Clauses, Found
from heartrule.safety.quotation import is_reported
from heartrule.safety.safety_rules import Excuse, LanguageRules, SafetyRule
from heartrule.safety.scope import is_denied
from heartrule.safety.term_finder import Span
from heartrule.safety.told_sentence import PERSON, Person, Sentence
from heartrule.safety.whole_message import WholeMessage

# Excuses that do not hold where the client says that it is meant.
_STORIES = frozenset({Excuse.FRAMED, Excuse.TOLD, Excuse.REPORTED})
#: Those of what may be the client's own story.
FICTION = frozenset({Excuse.FRAMED, Excuse.TOLD})


@dataclass(slots=True)
class Piece:
    """A sentence, and what is looked up in it once."""

    clauses: Clauses
    spans: Mapping[str, list[Span]]
    told: Sentence
    whole: WholeMessage
    frames: FrameSpans

    @property
    def text(self) -> str:
        """The sentence."""
        return self.clauses.text


def standing_excuse(
    own: LanguageRules, piece: Piece, rule: SafetyRule, found: Found, person: Person
) -> Excuse | None:
    """Return what excuses a hit, and is not meant all the same."""
    excuse = _excuse(own, piece, rule, found)
    if excuse is None and _is_a_story(own, piece, rule, found, person):
        excuse = Excuse.FRAMED
    return None if excuse in _STORIES and _is_meant(piece, own, person, excuse) else excuse


def _is_a_story(
    own: LanguageRules, piece: Piece, rule: SafetyRule, found: Found, person: Person
) -> bool:
    """Return whether a frame names somebody else: the pupil of whom the news tell."""
    if person is not Person.OTHER or rule.subject is not None:
        return False
    if own.frames.named(_frames_of(own, piece, found)):
        return True
    return piece.whole.is_framed and not piece.whole.names_someone


def _is_meant(piece: Piece, own: LanguageRules, person: Person, excuse: Excuse) -> bool:
    """Return whether a frame is no excuse: it is unmasked, or its person is worried about."""
    taught = own.frames.is_taught(piece.frames)
    known = piece.told.worried or piece.whole.confided
    feared = person is Person.OTHER and known and not taught
    return piece.told.unmasked or (feared and excuse is not Excuse.REPORTED)


def _excuse(own: LanguageRules, piece: Piece, rule: SafetyRule, found: Found) -> Excuse | None:
    text, excused = piece.text, rule.excused_by
    if Excuse.DENIED in excused and is_denied(text, found, own.scope, own.language):
        return Excuse.DENIED
    named = found.spans[-1] if own.scope.drops_subjects else (found.start, found.end)
    # In the marks of a quotation, study or work named anywhere in the sentence is enough.
    framed = own.frames.named(piece.frames)
    if Excuse.REPORTED in excused and is_reported(text, *named, own.quotation, is_framed=framed):
        return Excuse.REPORTED
    frames = _frames_of(own, piece, found)
    if Excuse.FRAMED in excused and own.frames.named(frames):
        return Excuse.FRAMED
    if Excuse.TOLD in excused and own.frames.told(frames, text, found):
        return Excuse.TOLD
    return None


def _frames_of(own: LanguageRules, piece: Piece, found: Found) -> FrameSpans:
    """Return the words of the frames a hit can be in: of its clause, where I am its subject."""
    if not own.frames.by_clause:
        return piece.frames
    low, high = piece.clauses.around(found.start)
    if piece.text[low] == ":":
        return piece.frames
    persons = (span for span in piece.spans.get(PERSON, ()) if low <= span[0] < high)
    if not any(piece.text[slice(*span)] in own.scope.first_person for span in persons):
        return piece.frames
    return own.frames.within(piece.frames, (low, high))
