"""A sentence, or a part of one, by its code: in which language it is told is decided later."""

from __future__ import annotations

import gettext
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import TypeAlias

from heartrule.words.language import ReaderLanguage

FOLDER = Path(__file__).parent
"""Holds `<language>/LC_MESSAGES/<area>.po`, and what is made of them: `.mo`, and JSON for pages."""
_COUNT = "count"
_HAN = re.compile("[\u3400-\u9fff]")
_LATIN = re.compile("[A-Za-z0-9`'_]")


@dataclass(frozen=True, slots=True)
class Words:
    """A code of the catalogues with what fills its braces; as text it is English.

    The fact `count` decides between singular and plural. A tuple is told as a list.
    """

    code: str
    facts: tuple[tuple[str, Fact], ...] = ()

    def told(self, language: ReaderLanguage) -> str:
        """Return the sentence in a language."""
        filled = {name: _told(fact, language) for name, fact in self.facts}
        template = _template(self.code, language, filled.get(_COUNT))
        if language is ReaderLanguage.CHINESE:
            return _spaced(template, filled)
        return template.format_map(filled)

    def __str__(self) -> str:
        return self.told(ReaderLanguage.ENGLISH)


Said: TypeAlias = "Words | str"
"""Words of the catalogues, or a text that is told as it stands."""
Fact: TypeAlias = "Words | str | float | tuple[Words | str, ...]"
"""What may fill a place of a sentence; a text is shown, and never read as a code."""


def say(code: str, /, **facts: Fact) -> Words:
    """Return the words of a code, their braces filled with facts."""
    return Words(code, tuple(facts.items()))


def is_known(code: str) -> bool:
    """Return whether the catalogues have words for a code."""
    return _template(code, ReaderLanguage.ENGLISH, None) != code


def page_words(language: ReaderLanguage) -> Path:
    """Return the file of what the console says: each code with its text or its plural forms."""
    return FOLDER / language.folder / "LC_MESSAGES" / "console.json"


def told(said: Said, language: ReaderLanguage) -> str:
    """Return words in a language; a text as it is."""
    return said.told(language) if isinstance(said, Words) else said


def _told(fact: Fact, language: ReaderLanguage) -> str | float:
    if isinstance(fact, Words):
        return fact.told(language)
    if not isinstance(fact, tuple):
        return fact
    sign = _template("list.sign", language, None) if fact else ""
    return sign.join(told(each, language) for each in fact) or _template(
        "list.none", language, None
    )


def _spaced(template: str, filled: Mapping[str, str | float]) -> str:
    """Return a template filled, with a space wherever its Chinese meets a fact in Latin letters."""
    text = fact = ""
    for literal, name, form, conversion in Formatter().parse(template):
        text += _space(literal[:1], fact[-1:]) + literal
        fact = ""
        if name is None:  # a brace of the text itself, or the end
            continue
        mark = f"!{conversion}" if conversion else ""
        fact = f"{{{name}{mark}:{form}}}".format_map(filled)
        text += _space(literal[-1:], fact[:1]) + fact
    return text


def _space(own: str, filled: str) -> str:
    return " " if _HAN.match(own) and _LATIN.match(filled) else ""


def _template(code: str, language: ReaderLanguage, count: object) -> str:
    """Return the words of a code, not filled; the code itself where it has none."""
    catalogue = _catalogue(language)
    if isinstance(count, int):
        found = catalogue.ngettext(code, code, count)
        if found != code:
            return found
    return catalogue.gettext(code)


@cache
def _catalogue(language: ReaderLanguage) -> gettext.NullTranslations:
    """Return all areas of a language as one catalogue."""
    made = gettext.NullTranslations()
    for path in sorted((FOLDER / language.folder / "LC_MESSAGES").glob("*.mo")):
        with path.open("rb") as file:
            made.add_fallback(gettext.GNUTranslations(file))
    return made
