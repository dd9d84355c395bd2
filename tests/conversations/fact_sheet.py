"""What a client of the bench knows: variable by variable, what is asked and what is told.

The sheets stand beside the engine: what was told, and what a question asks for, is judged by
them alone.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, TypeAlias

import yaml
from pydantic import BaseModel, ConfigDict

Language: TypeAlias = Literal["zh", "en"]
Value: TypeAlias = bool | int | float | str

_FILE = Path(__file__).parent / "facts.yaml"
_NO_WORD = re.compile(r"[\W_]+")
_SENTENCE = re.compile(r"[^。！？!?\n]*[。！？!?\n]?")
_LETTERS, _WIDE = re.compile(r"[A-Za-z]"), re.compile(r"[\u3400-\u9fff]")
_ASKING = re.compile(r"[？?]")


class _Sheet(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Answer(_Sheet):
    """One answer in one language."""

    says: str
    """A sentence that needs no question to be understood."""
    short: str
    """The answer alone."""
    value: Value
    """What an engine should store."""


class Told(_Sheet):
    """One answer in both languages."""

    zh: Answer
    en: Answer

    def by(self, language: Language) -> Answer:
        """Return the answer in a language."""
        return self.zh if language == "zh" else self.en


class Fact(_Sheet):
    """One thing a client knows."""

    cues: tuple[str, ...]
    ask: Mapping[Language, tuple[str, ...]]
    told: tuple[Told, ...]
    after: bool = False
    """True: it cannot be told before it is asked."""


Facts: TypeAlias = Mapping[str, Fact]


@cache
def all_facts() -> Facts:
    """Return every sheet by its variable."""
    read = yaml.safe_load(_FILE.read_text(encoding="utf-8"))
    return {name: Fact.model_validate(sheet) for name, sheet in read.items()}


def facts_of(names: Iterable[str]) -> Facts:
    """Return the sheets of these variables, those without a sheet left out."""
    known = all_facts()
    return {name: known[name] for name in names if name in known}


@cache
def plain(text: str) -> str:
    """Return a text without spaces, signs and the difference of cases."""
    return _NO_WORD.sub("", unicodedata.normalize("NFKC", text).casefold())


def language_of(text: str, otherwise: Language) -> Language:
    """Return what a text is written in, by its letters."""
    wide, letters = len(_WIDE.findall(text)), len(_LETTERS.findall(text))
    if letters > 2 * wide and letters > 2:
        return "en"
    return "zh" if wide else otherwise


def asks(text: str) -> bool:
    """Return whether a text has a question."""
    return _ASKING.search(text) is not None


def questions(text: str) -> list[str]:
    """Return the sentences of a text that ask."""
    return [each for each in _SENTENCE.findall(text) if asks(each)]


def asked_in(text: str, facts: Facts) -> tuple[str, ...]:
    """Return the variables that a sentence speaks of, in its order; the longest cue decides."""
    lowered = text.casefold()
    found = sorted(
        (at, -len(cue), name)
        for name, fact in facts.items()
        for cue in fact.cues
        if (at := lowered.find(cue)) >= 0
    )
    taken, names = 0, []
    for at, minus, name in found:
        if at >= taken and name not in names:
            names.append(name)
            taken = at - minus
    return tuple(names)


def last_asked(texts: Sequence[str], facts: Facts) -> str:
    """Return the variable that the last of these messages asks for; empty: none.

    A form's item often asks without a question mark; a question that names no variable, such as
    "is that all right?", asks for none.
    """
    for text in reversed(texts):
        asking = questions(text)
        for sentence in reversed(asking or [text]):
            if names := asked_in(sentence, facts):
                return names[-1]
        if asking:
            return ""
    return ""
