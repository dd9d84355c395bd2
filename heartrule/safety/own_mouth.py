"""What a message tells of somebody else, as that one would say it: she says he hurts her, he me.

Whatever the rules know of the client they then know of everybody who is told of. Words in the marks
of a quotation stay as they are: they are in their speaker's mouth already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from heartrule.safety.scope_words import ScopeWords
from heartrule.safety.term_finder import Span
from heartrule.safety.told_sentence import Person, Sentence, named_person

_QUOTED = re.compile('“[^”]*”?|「[^」]*」?|『[^』]*』?|"[^"]*"?')
# Characters between I and a person who is mine.
_POSSESSIVE = 10
# Letters of the longest modifier and more.
_LONGEST = 24
_WORD = re.compile(r"[a-z0-9']+")
_LIKE_I = {
    "i": "you",
    "i'm": "you're",
    "i've": "you've",
    "i'd": "you'd",
    "i'll": "you'll",
    "me": "you",
    "my": "your",
    "mine": "yours",
    "myself": "yourself",
    "we": "you",
    "we're": "you're",
    "we've": "you've",
    "us": "you",
    "our": "your",
    "he": "i",
    "she": "i",
    "he'd": "i'd",
    "she'd": "i'd",
    "he'll": "i'll",
    "she'll": "i'll",
    "him": "me",
    "his": "my",
    "hers": "mine",
    "himself": "myself",
    "hisself": "myself",
    "herself": "myself",
}
_LIKE_THEM = {
    "themself": "myself",
    "themselves": "myself",
    "they": "i",
    "they're": "i'm",
    "they've": "i've",
    "they'd": "i'd",
    "they'll": "i'll",
    "them": "me",
    "their": "my",
}
# Is or has: he's gone, he's written letters.
_IS_OR_HAS = frozenset({"he's", "she's"})
_DONE = re.compile(r"\w+(?:ed|en)$|(?:been|had|got|put|made|set|done|found|bought|thought|left)$")
# Behind `her` they show that it is no owner.
_NO_NOUN = frozenset(
    re.findall(
        r"\w+",
        """to that and or but if in on at from with the a an for because when while so until not by
        about this how what who i he she up out off down away alone last today tonight yesterday
        now again before after as is was going crying hanging""",
    )
)
_AGREES = {
    "i has": "i have",
    "i does": "i do",
    "i goes": "i go",
    "i wishes": "i wish",
    "i is": "i'm",
    "i isn't": "i'm not",
    "i hasn't": "i haven't",
    "i doesn't": "i don't",
}
_SAME = frozenset({"was", "wasn't", "always", "sometimes", "perhaps", "besides"})
_I_AND_VERB = re.compile(r"\bi ([a-z']+s|[a-z]+sn't)\b")
_ONE = re.compile(r"\b(?:s?he|him|her|his)\b")
_FOLLOWING = re.compile(r" ([a-z0-9']+)")
_MODIFIER = re.compile(r"([a-z0-9']+) $")


def english_own_mouth(sentence: Sentence, subjects: Sequence[Span], words: ScopeWords) -> str:
    """Return an English sentence as the one it tells of would say it.

    Args:
        sentence: What is told.
        subjects: Those of its persons that are somebody else, and can be its subject.
        words: The words of the language.
    """
    text = sentence.text
    begins = {_phrase_start(text, one, words): one for one in subjects}
    all_of_them = words.generic.isdisjoint(text.split()) and not _ONE.search(text)
    said: list[str] = []
    place = 0
    for start, end in _unquoted(text):
        said.append(text[place:start])
        said.append(_shifted(text, (start, end), begins, words, all_of_them=all_of_them))
        place = end
    said.append(text[place:])
    return _I_AND_VERB.sub(_agreeing, "".join(said))


def _unquoted(text: str) -> Iterator[Span]:
    place = 0
    for match in _QUOTED.finditer(text):
        yield place, match.start()
        place = match.end()
    yield place, len(text)


def _phrase_start(text: str, person: Span, words: ScopeWords) -> int:
    """Return where the words for a person begin: my best friend."""
    start = person[0]
    while before := _MODIFIER.search(text, max(0, start - _LONGEST), start):
        if before[1] not in words.modifiers:
            break
        start = before.start()
    return start


def _shifted(
    text: str, within: Span, begins: dict[int, Span], words: ScopeWords, *, all_of_them: bool
) -> str:
    low, high = within
    pronouns = words.pronouns
    said: list[str] = []
    place = low
    for match in _WORD.finditer(text, low, high):
        if match.start() < place:
            continue
        person = begins.get(match.start())
        if person is not None and text[slice(*person)] not in pronouns:
            end, word = person[1], _of(text[slice(*person)], _following(text, person[1]))
        else:
            end = match.end()
            word = _other_word(match[0], _following(text, end), all_of_them=all_of_them)
        said += (text[place : match.start()], word)
        place = end
    said.append(text[place:high])
    return "".join(said)


def _following(text: str, place: int) -> str:
    """Return the word behind a place, in the same clause."""
    behind = _FOLLOWING.match(text, place)
    return behind[1] if behind else ""


def _of(word: str, following: str) -> str:
    if not word.endswith("'s"):
        return "i"
    goes_on = following.endswith("ing") or following in _NO_NOUN or following == "been"
    return "i'm" if goes_on else "my"


def _other_word(word: str, following: str, *, all_of_them: bool) -> str:
    if word in _IS_OR_HAS:
        return "i've" if _DONE.match(following) else "i'm"
    if word == "her":
        return "me" if not following or following in _NO_NOUN else "my"
    if all_of_them and word in _LIKE_THEM:
        return _LIKE_THEM[word]
    return _LIKE_I.get(word, word)


def _agreeing(match: re.Match[str]) -> str:
    said, verb = match[0], match[1]
    if said in _AGREES:
        return _AGREES[said]
    plain = verb in _SAME or verb.endswith(("ss", "us", "'s", "n't"))
    return said if plain else said[:-1]


def chinese_own_mouth(sentence: Sentence, subjects: Sequence[Span], words: ScopeWords) -> str:
    """Return a Chinese sentence as the one it tells of would say it."""
    text = sentence.text
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    said: list[str] = []
    place = 0
    for number, one in enumerate(sentence.persons):
        if one[0] < place or any(low <= one[0] < high for low, high in quoted):
            continue
        word = text[slice(*one)]
        person = named_person(word, words)
        if person is Person.SELF:
            owned = _owned_by(sentence, number, subjects, words)
            said += (text[place : one[0]], "我" if owned else "你")
            place = owned[1] if owned else one[1]
        elif one in subjects or word in words.pronouns:
            said += (text[place : one[0]], "我")
            place = one[1]
    said.append(text[place:])
    return "".join(said)


def _owned_by(
    sentence: Sentence, number: int, subjects: Sequence[Span], words: ScopeWords
) -> Span | None:
    """Return the person whom a word for the client only makes mine: 我的朋友."""
    end = sentence.persons[number][1]
    for one in sentence.persons[number + 1 : number + 3]:
        if one[0] > end + _POSSESSIVE:
            break
        if one in subjects and words.owns(sentence.text[end : one[0]].strip()):
            return one
    return None
