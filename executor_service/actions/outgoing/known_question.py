"""A question for what the client has told gives way to the question for what is missing.

A question counts as one for a known output only where it holds a phrase of that output's label or
name, and no part of the label of a missing one. One that names a value confirms it, and stays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from executor_service.actions.outgoing.sentences import first_sentence, is_question, sentences_of
from heartrule.domain.json_value import JsonValue
from heartrule.model.reply.prose import plain_words
from heartrule.model.template_filling import render_value

_BETWEEN = re.compile(r"[，、；。：！？（）,;:.!?()/\n]|或者?|\bor\b|\band\b")
# Fewer Chinese characters are part of too many other words, as is one Latin word (name, work).
_LEAST = 4
_LEAST_LATIN = 2
# So much of a missing output's label is enough to keep a question.
_LEAST_MISSING = 2
_NO_WORD = re.compile(r"[\W_]+")
# Who speaks of a change asks for a known value on purpose.
_CHANGES = re.compile(r"改|更正|纠正|还是|\b(?:change|correct|still)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedOutput:
    """One output that an action asks for, as a client reads it."""

    name: str
    label: str
    """A question for it holds a phrase of this."""
    question: str = ""
    """What the engine asks; empty where it has no words for it."""
    required: bool = True
    steps: tuple[str, ...] = ()
    """Of a scale, the words of its steps, from `least` on."""
    least: int = 0

    def named(self, value: JsonValue) -> str:
        """Return how a question would name a value: a step by its word."""
        if self.steps and isinstance(value, int):
            at = value - self.least
            return plain_words(self.steps[at]) if 0 <= at < len(self.steps) else ""
        return plain_words(render_value(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedOutputs:
    """What an action asks for, and what of it the client has given."""

    outputs: tuple[AskedOutput, ...] = ()
    held: Mapping[str, JsonValue] = field(default_factory=dict)
    """By name, what the client gave."""
    by_item: bool = False
    """Whether the engine asks for one at a time, the first one too."""

    @property
    def question(self) -> str:
        """What is to be asked now; empty: the action's own text, or nothing is missing."""
        lacking = self._lacking()
        return lacking[0].question if lacking and (self.held or self.by_item) else ""

    @property
    def tells_apart(self) -> bool:
        """Whether a question may be for what is known, and another one is to be asked."""
        return bool(self.held and self.question)

    def after(self, given: Mapping[str, JsonValue]) -> AskedOutputs:
        """Return the same once the client has given more."""
        return replace(self, held={**self.held, **given})

    def known_alone(self, question: str) -> bool:
        """Return whether a question asks for what is known, and for nothing else."""
        known = [each for each in self.outputs if each.name in self.held]
        asks = any(_names(question, part) for each in known for part in _parts(each))
        if not asks or _CHANGES.search(question):
            return False
        missing = (each for each in self.outputs if each.name not in self.held)
        parts = (plain_words(part) for each in missing for part in _parts(each))
        kept = {part for part in parts if len(part) >= _LEAST_MISSING}
        kept.update(each.named(self.held[each.name]) for each in known)
        words = plain_words(question)
        return not any(part in words for part in kept if part)

    def _lacking(self) -> list[AskedOutput]:
        return [each for each in self.outputs if each.required and each.name not in self.held]


#: Of an action that asks for nothing.
NOTHING_ASKED = AskedOutputs()


def _parts(output: AskedOutput) -> list[str]:
    return _BETWEEN.split(output.label)


def _names(question: str, part: str) -> bool:
    """Return whether a question holds a part of a label, as far as that says what is asked."""
    if not part.isascii():
        words = plain_words(part)
        return len(words) >= _LEAST and words in plain_words(question)
    words = _spaced(part)
    return len(words.split()) >= _LEAST_LATIN and words in _spaced(question)


def _spaced(text: str) -> str:
    """Return the words of a text with a space around each."""
    return f" {_NO_WORD.sub(' ', text.casefold()).strip()} "


class KnownQuestion:
    """Lets one text pass until it asks for what is known; another question ends it then."""

    def __init__(self, asked: AskedOutputs, instead: str) -> None:
        """`instead` is the question for what is missing; empty: every question passes."""
        self.learn(asked, instead)
        self._coming = ""
        self.replaced = ""
        """The question that was not put."""

    def learn(self, asked: AskedOutputs, instead: str) -> None:
        """Go by what is known now that the reply's values have come."""
        self._asked, self._instead = asked, instead
        self._passes = not (instead and asked.tells_apart)

    def feed(self, piece: str) -> str:
        """Return what may leave once a piece has come."""
        if self._passes and not self._coming:
            return piece
        self._coming += piece
        out = ""
        while not self.replaced and (sentence := first_sentence(self._coming)):
            self._coming = self._coming[len(sentence) :]
            out += self._passed(sentence)
        return out

    def finish(self) -> str:
        """Return what may leave at the text's end."""
        rest, self._coming = self._coming, ""
        out = ""
        for sentence in sentences_of(rest):
            out += "" if self.replaced else self._passed(sentence)
        return out

    def _passed(self, sentence: str) -> str:
        known = not self._passes and is_question(sentence) and self._asked.known_alone(sentence)
        if not known:
            return sentence
        self.replaced = sentence
        return self._instead
