"""The rules of one language: groups of patterns, and the words that decide what a hit means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from heartrule.domain.safety import SafetyLevel, Subject
from heartrule.safety.answers import AnswerReader
from heartrule.safety.disguise import Disguises
from heartrule.safety.frames import Frames
from heartrule.safety.patterns import Pattern
from heartrule.safety.quotation import Quotation
from heartrule.safety.scope_words import ScopeWords
from heartrule.safety.word_lists import Language


class Excuse(StrEnum):
    """What may take a hit's meaning away."""

    DENIED = "denied"
    REPORTED = "reported"
    FRAMED = "framed"
    """Named as a subject of study, work, news, games or fiction."""
    TOLD = "told"
    """Inside a story, a title or a line that the sentence introduces."""
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyRule:
    """A named group of patterns of one level."""

    rule_id: str
    level: SafetyLevel
    """The gravest that it can mean."""
    subject: Subject | None
    """None: read from the sentence."""
    patterns: tuple[Pattern, ...]
    idioms: tuple[str, ...]
    """Items that take the meaning of a hit away where they cover its end."""
    strangers: tuple[str, ...]
    """Items of which none is in a sentence that has a hit."""
    excused_by: frozenset[Excuse]
    own_level: SafetyLevel
    """What it means about the client."""
    other_level: SafetyLevel
    """What it means about somebody else."""
    worried_level: SafetyLevel
    """What it means about somebody else in a message that worries about them."""
    over_level: SafetyLevel
    """What it means where it is past and over."""
    only_with: bool
    """Counts only in a message that has one of the words of its `company`."""
    beside: SafetyLevel
    """Counts only in a message with another hit of at least this level; NONE: by itself."""
    admits: bool = False
    """Takes a denial back: a hit of another rule that is denied stands beside it as well."""
    agrees: bool = False
    """Takes a quotation as one's own: a hit that is reported or framed stands beside it as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageRules:
    """All rules of a language."""

    language: Language
    rules: tuple[SafetyRule, ...]
    terms: Mapping[str, tuple[str, ...]]
    """The terms of each item; `!id` has the idioms of the rule with that id, `?id` the words that
    make a sentence no matter of it."""
    phrases: Mapping[str, tuple[Pattern, ...]]
    """The patterns of each named construction, which later ones and rules have as an item."""
    company: Mapping[str, tuple[str, ...]]
    """Words of which a message needs one for the rule of that id to count."""
    scope: ScopeWords
    disguises: Disguises
    quotation: Quotation
    frames: Frames
    answers: AnswerReader
