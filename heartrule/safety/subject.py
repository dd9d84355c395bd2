"""Whom a sentence is about: its own subject, or what was spoken of before where it names none.

Chinese and notes to oneself drop the subject. Then it is the client, unless somebody else is
what the text is about: named before, and said, worried or told about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from heartrule.safety.chinese_speech import is_told_in_chinese, quote_before
from heartrule.safety.normal_text import CJK
from heartrule.safety.patterns import Found
from heartrule.safety.scope_words import ScopeWords
from heartrule.safety.term_finder import Span
from heartrule.safety.told_sentence import Person, Sentence, begun_before, named_person

# Characters between I and a person who is mine: 我的一个朋友.
_POSSESSIVE = 10
# Characters before a person in which a word for company or cause stands.
_NEAR = 24
# Characters behind a hit in which its bearer is named: 自杀念头的人.
_BEARING = 8
_COPULAS = ("是", "成", "成了", "成为", "当", "当成")
# A clause that only names somebody, of whom the next one tells: 我那个侄女啊, ...
_IS_NAMED = re.compile(f"[,哎唉]*[我咱俺]们?[的家]?[那这][个位]?[{CJK}]{{1,4}}[啊呀呢吧嘛]")
_BESIDE = re.compile("(?:旁边|身边|面前|眼前|隔壁|床边|怀里|对面|跟前)")
_AT = re.compile("(?<![现实正存])[在到从来]$")
_GREETING = frozenset("好您你们,")


def person_of(sentence: Sentence, found: Found, words: ScopeWords) -> Person:
    """Return whom a hit is about: the nearest person before it that can be its subject.

    The hit's own clause decides; without a person there, what was spoken of before it.
    """
    told = is_told_in_chinese(sentence, found, words)
    person = Person.OTHER if told else _person_of(sentence, found, words)
    if person is Person.OTHER and sentence.unmasked:
        return Person.SELF
    unknown = person is Person.OTHER and not sentence.worried and _names_nobody(sentence, words)
    return Person.NOBODY if unknown else person


def _names_nobody(sentence: Sentence, words: ScopeWords) -> bool:
    """Return whether all persons beside the client are some people or others: 有人, 病人."""
    text = sentence.text
    others = [
        one
        for one in sentence.persons
        if named_person(text[slice(*one)], words) is Person.OTHER
        and text[slice(*one)] not in words.pronouns
    ]
    return bool(others) and all(
        text[slice(*one)] in words.generic
        and not text[max(0, one[0] - _POSSESSIVE) : one[0]].endswith(words.owners_before)
        for one in others
    )


def last_subject(sentence: Sentence, words: ScopeWords) -> Person | None:
    """Return the last person of a text that can be a subject; None where nobody is named."""
    named = possible_subjects(sentence, words)
    return named_person(sentence.text[slice(*named[-1])], words) if named else None


def possible_subjects(sentence: Sentence, words: ScopeWords) -> list[Span]:
    """Return the persons that can be a subject; once for a sentence, whatever is found in it."""
    return [one for one in sentence.persons if _can_be_subject(sentence, one, words)]


def _person_of(sentence: Sentence, found: Found, words: ScopeWords) -> Person:
    text = sentence.text
    quote = quote_before(text, found.start, words)
    subjects = [
        one
        for one in begun_before(sentence.subjects, found.spans[-1][0])
        if not words.drops_subjects or not _is_quoted_before(text, one, found.start)
    ]
    speakers = [one for one in subjects if one[0] < quote]
    if speakers and named_person(text[slice(*speakers[-1])], words) is Person.OTHER:
        return Person.OTHER
    if words.drops_subjects and _begins_with_me(sentence, found.start, words):
        return Person.SELF
    clause = max((end for end in sentence.ends if end <= found.start), default=0)
    own = [one for one in subjects if one[0] >= clause]
    if own:
        return named_person(text[slice(*own[-1])], words)
    if _is_made_to(sentence, (clause, found.start), words):
        return Person.OTHER
    if words.bears(text[found.end : found.end + _BEARING]):
        return Person.OTHER
    if words.drops_subjects:
        said = words.says(text[clause : found.spans[-1][0]]) or words.ends_saying(text[:clause])
        return _dropped(sentence, subjects, words, said=said, until=clause)
    whose = [named_person(text[slice(*one)], words) for one in subjects]
    if subjects and Person.SELF not in whose:
        return whose[-1]
    return Person.SELF


def _dropped(
    sentence: Sentence, subjects: Sequence[Span], words: ScopeWords, *, said: bool, until: int
) -> Person:
    """Return whom a clause without a subject, which begins at `until`, is about."""
    if not subjects:
        spoken_of = sentence.topic is Person.OTHER and (said or sentence.worried)
        asked_about = sentence.topic is None and sentence.worried and sentence.names_other
        return Person.OTHER if spoken_of or asked_about else Person.SELF
    last = subjects[-1]
    person = named_person(sentence.text[slice(*last)], words)
    if person is not Person.OTHER:
        return Person.SELF if person is Person.SELF or not said else person
    behind = min((end for end in sentence.ends if end > last[1]), default=len(sentence.text))
    told = sentence.text[last[1] : behind]
    if said or (sentence.worried and not words.hits_me(told)):
        return Person.OTHER
    clause = max((end for end in sentence.ends if end <= last[0]), default=0)
    if _IS_NAMED.fullmatch(sentence.text, clause, behind):
        return Person.OTHER
    if words.says_of_dying(sentence.text[clause:behind]) and not words.hits_me(told):
        return Person.OTHER
    if words.says_of_dying(sentence.text[last[1] : until]):
        return Person.OTHER
    others_only = all(
        named_person(sentence.text[slice(*one)], words) is Person.OTHER for one in subjects
    )
    if others_only and words.tells_state(told) and not words.hits_me(told):
        return Person.OTHER
    return Person.SELF


def _begins_with_me(sentence: Sentence, place: int, words: ScopeWords) -> bool:
    """Return whether a hit begins with the client: 我死了, and not 我妹妹."""
    first = next((one for one in sentence.persons if one[0] == place), None)
    if first is None or first not in sentence.subjects:
        return False
    return named_person(sentence.text[slice(*first)], words) is Person.SELF


def _is_owner(sentence: Sentence, span: Span, words: ScopeWords) -> bool:
    """Return whether a person only says whose another one is: 我的朋友."""
    behind = (one for one in sentence.persons if span[1] <= one[0] <= span[1] + _POSSESSIVE)
    return any(words.owns(sentence.text[span[1] : one[0]].strip()) for one in behind)


def _is_quoted_before(text: str, person: Span, place: int) -> bool:
    """Return whether a person stands in a quotation that has ended before a place."""
    for opening, closing in ("“”", "「」", "『』"):
        ended = text.find(closing, person[1], place)
        if ended >= 0 and text.rfind(opening, 0, person[0]) > text.rfind(closing, 0, person[0]):
            return True
    return False


def _can_be_subject(sentence: Sentence, span: Span, words: ScopeWords) -> bool:
    text = sentence.text
    if _is_owner(sentence, span, words):
        return False
    before = text[max(0, span[0] - _NEAR) : span[0]].rstrip(" ")
    word = text[slice(*span)]
    if words.drops_subjects and before[-1:] in words.first_person:
        before = before[:-1]  # whose the person is: 跟我妈
    if words.drops_subjects and _is_addressed(text, span):
        return False
    if word in words.first_person and _BESIDE.match(text, span[1]):
        return _AT.search(text, 0, span[0]) is None  # 她在我旁边哭: where, not who
    if words.drops_subjects and before.endswith(_COPULAS) and text.startswith("的", span[1]):
        return False  # 我是别人的负担: the client is
    if not before.endswith(words.companions) or before.endswith(words.openers):
        return True
    if word in words.first_person and words.causes and before.endswith(words.causes):
        return not before[:-1].endswith(words.sayings)
    return not any(
        before.endswith(word) and (not word.isascii() or not before[: -len(word)][-1:].isalnum())
        for word in words.companions
    )


def _is_made_to(sentence: Sentence, within: Span, words: ScopeWords) -> bool:
    """Return whether somebody else is asked or made to do what follows: 让我姐打消念头."""
    low, high = within
    others = (
        one
        for one in sentence.persons
        if low <= one[0] < high
        and named_person(sentence.text[slice(*one)], words) is Person.OTHER
        and sentence.text.endswith(words.causes, low, one[0])
    )
    return bool(words.causes) and next(others, None) is not None


def _is_addressed(text: str, span: Span) -> bool:
    """Return whether a person is called, in a clause of its own: 妈, or 老师您好."""
    start, end = span
    if start and text[start - 1] not in ",:":
        return False
    behind = text[end : end + 3]
    return bool(behind) and set(behind.split(",")[0]) <= _GREETING


def known_others(sentence: Sentence, words: ScopeWords) -> list[Span]:
    """Return the persons of a sentence that are somebody else whom the client may know.

    None where they are dead, or where it tells what others think of the client.
    """
    text = sentence.text
    if words.is_departed(text):
        return []
    return [
        one
        for one in possible_subjects(sentence, words)
        if named_person(text[slice(*one)], words) is Person.OTHER
        and (
            text[slice(*one)] not in words.generic
            or text[max(0, one[0] - _POSSESSIVE) : one[0]].endswith(words.owners_before)
        )
    ]
