"""Whom an English hit is about: reflexive words, the subject of its clause, the one before it.

Without any of these it is the client: notes to oneself drop the I, hardly ever a he or she.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from heartrule.safety.patterns import Found
from heartrule.safety.scope_words import ScopeWords
from heartrule.safety.term_finder import Span
from heartrule.safety.told_sentence import Person, Sentence

_WORD = re.compile(r"[a-z0-9']+")
_REFLEXIVE = {
    **dict.fromkeys(("myself", "ourselves", "oneself"), Person.SELF),
    **dict.fromkeys(("yourself", "yourselves"), Person.YOU),
    **dict.fromkeys(("himself", "herself", "themselves", "themself", "hisself"), Person.OTHER),
}
_MINE = frozenset({"my", "me", "mine"})
_THEIRS = frozenset({"his", "her", "their"})
_CLOSING = {'"': '"', "“": "”"}
_AM = frozenset({"i'm", "am", "be", "became", "becoming"})
# Tells what somebody has written, in the words that it is written in.
_WRITES = re.compile(r" (?:wrote|texted|texts|posted|posts|messaged|tweeted|writes) (?=i\b)")
# The same, where the message worries about somebody: what do I say to a friend who says I.
_SAYS = re.compile(r" (?:said|says|saying) (?=i\b)")
# Before what somebody else is like: my suicidal brother.
_DETERMINERS = frozenset({"my", "our", "his", "her", "their", "a", "an", "the", "any", "another"})
# Tells of a person who was named as an object: help a friend of mine who, a girl in my class who.
_WHO = re.compile(
    r"(?: of (?:mine|ours)| (?:from|at|in|on) (?:my |our |the )?\w+)? (?:who|who's|that)\b"
)
# Begins a part of a clause with a subject of its own.
_ANEW = re.compile(r" and (?:the|my|these|those|this|it|there) ")
_TELLS = frozenset({"tell", "tells", "told", "telling", "text", "texted", "gave", "show"})
_OBJECTS = frozenset({"him", "her", "them"})
# Behind a kind of people, or before it, they make it one that the client knows or belongs to.
_LIKE_ME = (" like me", " like us", " such as me", " such as us", " around me")
_KNOWN = frozenset({"my", "our", "his", "her", "their", "these", "two", "three", "both", "some"})
# Before `of` and a person they are a part of those: one of my patients.
_PARTS = frozenset({"one", "two", "three", "some", "many", "several", "both", "any", "each", "all"})
# Words between a person and what stands before it: my best friend, the old man.
_MODIFIERS = 4
# Characters before a person in which these and a preposition stand.
_NEAR = 40


def english_person(sentence: Sentence, found: Found, words: ScopeWords) -> Person:
    """Return whom a hit in an English sentence is about."""
    if sentence.unmasked:
        return Person.SELF
    if is_told(sentence, found, words):
        return Person.OTHER
    return _own(sentence, found, words)


def is_told(sentence: Sentence, found: Found, words: ScopeWords) -> bool:
    """Return whether a hit is in another one's own words: she texted "I want to die"."""
    text = sentence.text
    near = max(0, found.start - _NEAR), found.spans[-1][0]
    written = _WRITES.search(text, *near) or (sentence.worried and _SAYS.search(text, *near))
    if written:
        speakers = _subjects(sentence, written.start(), words)
        return bool(speakers) and _person_at(text, speakers[-1], words) is Person.OTHER
    quote = text.rfind('"', 0, found.spans[-1][0])
    if text.count('"', 0, found.spans[-1][0]) % 2 == 0:
        quote = text.rfind("“", 0, found.spans[-1][0])
        quote = quote if text.find("”", quote, found.spans[-1][0]) < 0 else -1
    if quote < 0:
        quote = max((end for end in sentence.ends if end <= found.start), default=-1)
        if quote < 0 or text[quote] != ":" or not text[:quote].endswith(words.sayings):
            return False
    speakers = _subjects(sentence, quote, words)
    if not speakers and text[quote] in _CLOSING:
        return _is_said_behind(sentence, text.find(_CLOSING[text[quote]], found.end), words)
    return bool(speakers) and _person_at(text, speakers[-1], words) is Person.OTHER


def _is_said_behind(sentence: Sentence, closing: int, words: ScopeWords) -> bool:
    """Return whether somebody else is told to have said what is quoted before: sang my husband."""
    if closing < 0 or sentence.text[closing - 1] == ".":
        return False  # a sentence of its own follows
    behind = [one for one in sentence.persons if closing < one[0] <= closing + _NEAR]
    if not behind or _person_at(sentence.text, behind[0], words) is not Person.OTHER:
        return False
    said = _WORD.findall(sentence.text[closing : behind[0][1] + _NEAR])[:_MODIFIERS]
    return not words.quoted_by.isdisjoint(said)


def _own(sentence: Sentence, found: Found, words: ScopeWords) -> Person:
    text = sentence.text
    inside = _WORD.findall(text[found.start : found.end])
    subjects = _subjects(sentence, found.spans[-1][0], words)
    for word in reversed(inside):
        if word in _REFLEXIVE:
            named = _REFLEXIVE[word]
            if named is Person.OTHER and subjects:  # people who kill themselves are nobody
                nobody = _person_at(text, subjects[-1], words) is Person.NOBODY
                return Person.NOBODY if nobody else named
            is_other = named is Person.SELF and _is_shortened(sentence, subjects, found, words)
            return Person.OTHER if is_other else named
    if _MINE.isdisjoint(inside) and _is_owned(text[: found.start], words):
        return Person.OTHER
    whose = _whose_attribute(text, found, words)
    if whose is not None:
        return whose
    clause = max((end for end in sentence.ends if end <= found.start), default=0)
    own = [one for one in subjects if one[0] >= clause]
    if own and _ANEW.search(text[own[-1][1] : found.start]):
        own = []
    person = _person_at(text, own[-1], words) if own else None
    if person is None and _follows_object(text[clause : found.start], words):
        person = Person.OTHER
    begin = max(found.start, own[-1][1] if own else 0)  # told me that she would: of her
    inside = _WORD.findall(text[begin : found.end])
    if not _MINE.isdisjoint(inside):
        # What somebody else does to my arms is no harm that I do to myself.
        return Person.YOU if person is Person.OTHER else Person.SELF
    if person is Person.SELF and not _THEIRS.isdisjoint(inside[:-1]):
        return Person.OTHER
    return person or _dropped(sentence, found, subjects, words)


def _is_shortened(
    sentence: Sentence, subjects: Sequence[Span], found: Found, words: ScopeWords
) -> bool:
    """Return whether another's own act is written without a person: he's going to kms."""
    if not subjects or _person_at(sentence.text, subjects[-1], words) is not Person.OTHER:
        return False
    between = sentence.text[subjects[-1][1] : found.start].split()
    return words.skipped.issuperset(between)


def _is_owned(before_hit: str, words: ScopeWords) -> bool:
    """Return whether a hit is somebody else's: her suicidal thoughts, my wife's attempt."""
    before = _WORD.findall(before_hit[-_NEAR:])
    while before and before[-1] in words.skipped - words.third_person:
        before.pop()
    if not before:
        return False
    told = not _TELLS.isdisjoint(before[-2:-1])  # told her: an object
    named = before[-1].endswith("'s") and before[-1] in words.owners
    return named or (before[-1] in _THEIRS and not told)


def _whose_attribute(text: str, found: Found, words: ScopeWords) -> Person | None:
    """Return whom a hit tells what they are like: my suicidal brother, suicidal patients."""
    before = _WORD.findall(text[max(0, found.start - _NEAR) : found.start])
    behind = _WORD.match(text[found.end :].lstrip(" "))
    if not behind or behind[0] not in words.third_person or _AM.intersection(before[-2:]):
        return None
    if _DETERMINERS.intersection(before[-1:]):
        return Person.OTHER
    return Person.NOBODY if behind[0] in words.generic else None


def _follows_object(before_hit: str, words: ScopeWords) -> bool:
    """Return whether another person stands directly before a hit: I found him hanging."""
    before = _WORD.findall(before_hit[-_NEAR:])
    return bool(before) and (before[-1] in _OBJECTS or before[-1] in words.third_person)


def _dropped(
    sentence: Sentence, found: Found, subjects: Sequence[Span], words: ScopeWords
) -> Person:
    """Return whom a clause without a subject is about."""
    text = sentence.text
    clause = max((end for end in sentence.ends if end <= found.start), default=0)
    verbs = _WORD.findall(text[clause : found.end])
    whose = [_person_at(text, one, words) for one in subjects]
    if words.third_verbs.intersection(verbs[:1]) and Person.SELF not in whose:
        return Person.OTHER
    if not _THEIRS.isdisjoint(verbs):
        return Person.OTHER
    if whose and Person.SELF not in whose and not _MINE.intersection(_WORD.findall(text)):
        return whose[-1]
    return Person.SELF


def _subjects(sentence: Sentence, end: int, words: ScopeWords) -> list[Span]:
    """Return the persons before `end` that can be a subject."""
    before = [one for one in sentence.persons if one[0] <= end]
    return [one for one in before if _can_be_subject(sentence.text, one, words)]


def _can_be_subject(text: str, span: Span, words: ScopeWords) -> bool:
    word = text[slice(*span)]
    before = _WORD.findall(text[max(0, span[0] - _NEAR) : span[0]])
    if word in words.first_person:
        return not (before and before[-1] in words.strangers and _is_known(text, span, words))
    if word in words.owners and text.startswith(words.belongings, span[1] + 1):
        return False
    if word in words.second_person:
        return not before or before[-1] not in words.object_of
    for _ in range(_MODIFIERS):
        if before and (before[-1] in words.modifiers or before[-1].isdigit()):
            before.pop()
    if before and before[-1] in _AM:
        return False
    if before[-1:] == ["of"] and not _PARTS.isdisjoint(before[-3:-1]):
        return True
    return bool(_WHO.match(text, span[1])) or not before or before[-1] not in words.object_of


def _is_known(text: str, span: Span, words: ScopeWords) -> bool:
    """Return whether I only says who somebody is: a guy I used to know, someone I met."""
    behind = _WORD.findall(text[span[1] : span[1] + _NEAR])[:_MODIFIERS]
    return not words.acquainted.isdisjoint(behind)


def _person_at(text: str, span: Span, words: ScopeWords) -> Person:
    word = text[slice(*span)]
    if word in words.first_person:
        return Person.SELF
    if word in words.generic and not text.startswith(_LIKE_ME, span[1]):
        before = _WORD.findall(text[max(0, span[0] - _NEAR) : span[0]])[-3:]
        return Person.OTHER if _KNOWN.intersection(before) else Person.NOBODY
    return Person.YOU if word in words.second_person else Person.OTHER


def individuals(sentence: Sentence, words: ScopeWords) -> list[Span]:
    """Return the persons of a sentence that are somebody else, and no kind of people."""
    text = sentence.text
    if words.is_completed(text):
        return []
    return [
        one
        for one in _subjects(sentence, len(text), words)
        if _person_at(text, one, words) is Person.OTHER
    ]
