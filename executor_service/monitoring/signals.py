"""Signals of a judged round: what code sees in it without a model. Pure; its words are data."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from operator import add

from executor_service.actions.outgoing.sentences import is_question, sentences_of
from executor_service.monitoring.signal_words import SignalWords
from heartrule.domain.spoken_language import language_spoken
from heartrule.model.reply.prose import plain_words

# Characters of a text that are looked at: what a round was about stands in them.
_LOOKED_AT = 2_000
# From this share of common pairs of characters on, two questions are the same one.
_SAME = 0.8
# A statement of so many characters says something; a shorter one acknowledges.
_STATEMENT = 12
# Texts known as they are compared: a round looks at those of the rounds before it.
_REMEMBERED = 1_024
_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[a-z]+(?:['’][a-z]+)?")


class Signal(StrEnum):
    """What may be seen in a round."""

    ECHO = "echo"
    """The reply is what the client said."""
    REPETITION = "repetition"
    """The reply is what the assistant said before."""
    LATE_EXIT = "late_exit"
    """The action ended with a message that asks."""
    UNSUPPORTED_VALUE = "unsupported_value"
    """A value was not stored, since the client's words do not hold it."""
    SHORTER_ANSWER = "shorter_answer"
    """The client's answer is shorter than each of the two before."""
    QUESTION_NOT_ANSWERED = "question_not_answered"
    """No output changed, and the answer has nothing in common with the question."""
    SAME_QUESTION = "same_question"
    """The question put now was put before; its count says how often in all."""
    LANGUAGE_MISMATCH = "language_mismatch"
    """The reply is in neither the session's language nor the client's."""
    CLIENT_NOT_ANSWERED = "client_not_answered"
    """The client asked something, and the reply says nothing about it."""
    FEELING_PASSED_OVER = "feeling_passed_over"
    """The client spoke of a strong feeling, and the reply puts a question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundSeen:
    """What of a judged round the signals are found in."""

    reply: str
    """The client's words that were judged."""
    answer: str = ""
    """What the assistant said to them."""
    client_before: tuple[str, ...] = ()
    """The client's earlier messages, oldest first."""
    said_before: tuple[str, ...] = ()
    """The assistant's earlier messages, oldest first; the last is what the client answered."""
    gathers: bool = False
    """Whether the action still lacked an output when the client answered."""
    gathered: bool = False
    """Whether an output changed."""
    caught: frozenset[Signal] = frozenset()
    """What the checks of the round's reply and values found: echo and repetition by these alone."""
    language: str = "zh"
    """The session's."""


def signals_of(seen: RoundSeen, words: SignalWords) -> dict[Signal, int]:
    """Return the signals of a round, each with its count, in the order of their names above."""
    found = {}
    for signal in Signal:
        rule = _RULES.get(signal)
        count = 1 if signal in seen.caught else int(rule(seen, words)) if rule else 0
        if count:
            found[signal] = count
    return found


def _shorter(seen: RoundSeen, _words: SignalWords) -> int:
    before = seen.client_before[-2:]
    size = len(_plain(seen.reply))
    return len(before) == 2 and 0 < size < min(len(_plain(each)) for each in before)


def _not_answered(seen: RoundSeen, words: SignalWords) -> int:
    if not seen.gathers or seen.gathered or not seen.said_before:
        return False
    asked = _questions(seen.said_before[-1])
    if not asked:
        return False
    return not _units(asked, words) & _units([seen.reply], words)


def _same_question(seen: RoundSeen, _words: SignalWords) -> int:
    put = _pairs_put(seen.answer)[-1:]
    if not any(put):
        return 0
    before = [text for text in seen.said_before if _puts(text, put[0])]
    return len(before) + 1 if before else 0


def _language_mismatch(seen: RoundSeen, _words: SignalWords) -> int:
    spoken = language_spoken(seen.answer)
    return bool(spoken) and spoken not in {seen.language, language_spoken(seen.reply)}


def _client_not_answered(seen: RoundSeen, words: SignalWords) -> int:
    asked = _questions(seen.reply) or list(filter(words.asks, _sentences(seen.reply)))
    if not asked or not seen.answer:
        return False
    statements = [each for each in _sentences(seen.answer) if not is_question(each)]
    if sum(len(_plain(each)) for each in statements) >= _STATEMENT:
        return False
    return not _units(asked, words) & _units(statements, words)


def _feeling_passed_over(seen: RoundSeen, words: SignalWords) -> int:
    return words.feels(_shown(seen.reply)) and bool(_questions(seen.answer))


_RULES: Mapping[Signal, Callable[[RoundSeen, SignalWords], int]] = {
    Signal.SHORTER_ANSWER: _shorter,
    Signal.QUESTION_NOT_ANSWERED: _not_answered,
    Signal.SAME_QUESTION: _same_question,
    Signal.LANGUAGE_MISMATCH: _language_mismatch,
    Signal.CLIENT_NOT_ANSWERED: _client_not_answered,
    Signal.FEELING_PASSED_OVER: _feeling_passed_over,
}


@lru_cache(maxsize=_REMEMBERED)
def _shown(text: str) -> str:
    return unicodedata.normalize("NFKC", text[:_LOOKED_AT]).casefold()


def _plain(text: str) -> str:
    return plain_words(text[:_LOOKED_AT])


def _sentences(text: str) -> list[str]:
    # Marks before NFKC: it would make three dots of an ellipsis.
    return sentences_of(text[:_LOOKED_AT])


def _questions(text: str) -> list[str]:
    return list(filter(is_question, _sentences(text)))


def _units(texts: Iterable[str], words: SignalWords) -> set[str]:
    """Return Chinese characters and Latin words, without those of every sentence."""
    found: set[str] = set()
    for text in map(_shown, texts):
        found.update(each for each in _LATIN.findall(text) if len(each) > 2)
        found.update(_HAN.findall(text))
    return found - words.common


@lru_cache(maxsize=_REMEMBERED)
def _pairs_put(text: str) -> tuple[frozenset[str], ...]:
    """Return the pairs of characters of each question that a text puts."""
    plain = map(_plain, _questions(text))
    return tuple(frozenset(map(add, each, each[1:])) for each in plain)


def _puts(text: str, pairs: frozenset[str]) -> bool:
    """Return whether a text puts a question with about the same pairs of characters."""
    return any(
        2 * len(pairs & other) >= _SAME * (len(pairs) + len(other)) for other in _pairs_put(text)
    )
