"""The words signals are found by, and those they are told in: data of the system files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter

from heartrule.chassis.config_files import FilePart, read_config

FILE = "signals.yaml"

_Word = Annotated[str, Field(min_length=2, max_length=60, pattern=r"^[^\n]+$")]
_Line = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\n]+$")]
_Name = Annotated[str, Field(pattern=r"^[a-z_]+$")]


class WordsOfLanguage(FilePart):
    """The words of one language."""

    strong_feelings: tuple[_Word, ...] = ()
    asking: tuple[_Word, ...] = ()
    common: tuple[_Word, ...] = ()
    lines: Mapping[_Name, _Line] = Field(default_factory=dict)
    """By the name of a signal; `{count}` is how often."""


@dataclass(frozen=True)
class SignalWords:
    """The words of all languages: a client may mix them."""

    languages: Mapping[str, WordsOfLanguage] = field(default_factory=dict)

    def feels(self, text: str) -> bool:
        """Return whether a text, in lower case, names a strong feeling and does not deny it."""
        return self._feelings is not None and self._feelings.search(text) is not None

    def asks(self, sentence: str) -> bool:
        """Return whether a sentence asks although it has no question mark."""
        return self._asking is not None and self._asking.search(sentence.casefold()) is not None

    @cached_property
    def common(self) -> frozenset[str]:
        """What stands in every sentence: Latin words, Chinese characters."""
        words = [word for each in self.languages.values() for word in each.common]
        return frozenset(unit for word in words for unit in ([word] if word.isascii() else word))

    def described(self, signals: Mapping[str, object], language: str) -> tuple[str, ...]:
        """Return what is told of signals, a line each; the first language stands for others."""
        first = next(iter(self.languages.values()), WordsOfLanguage())
        lines = self.languages.get(language.partition("-")[0], first).lines
        return tuple(
            lines.get(name, name).replace("{count}", str(count)) for name, count in signals.items()
        )

    @cached_property
    def _feelings(self) -> re.Pattern[str] | None:
        return _any_of(word for each in self.languages.values() for word in each.strong_feelings)

    @cached_property
    def _asking(self) -> re.Pattern[str] | None:
        return _any_of(word for each in self.languages.values() for word in each.asking)


#: For a process without the file: signals that need words are not found.
NO_SIGNAL_WORDS = SignalWords()
_SHAPE: TypeAdapter[Mapping[str, WordsOfLanguage]] = TypeAdapter(Mapping[str, WordsOfLanguage])


def load_signal_words(folder: Path) -> SignalWords:
    """Read `signals.yaml` of the `config` folder.

    Raises:
        InvalidConfigFile: The file breaks its rules.
    """
    return SignalWords(read_config(folder / FILE, _SHAPE, absent={}))


def _any_of(words: Iterable[str]) -> re.Pattern[str] | None:
    """Return what finds a word in a casefolded text: a Latin one whole, a Chinese one anywhere."""
    parts = [
        rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word)
        for word in sorted(map(str.casefold, words), key=len, reverse=True)
    ]
    if not parts:
        return None
    return re.compile(rf"(?<![不没])(?<!\bnot )(?:{'|'.join(parts)})")
