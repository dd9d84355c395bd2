"""The fixed texts of the crisis path: what a client reads at a step, with where help is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeVar

from heartrule.domain.safety import ResourceKind, SafetyCard, SafetyLevel, SafetyResource
from heartrule.safety.guard import GuardRules, SentenceLines
from heartrule.safety.safety_path import Said, Steps

SLOT = "{resources}"
#: The key of what serves locales that have nothing of their own.
UNKNOWN = "unknown"

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedResource:
    """A place to turn to."""

    names: Mapping[str, str]
    """By locale of the messages."""
    kind: ResourceKind
    number: str
    """Its number or address; empty where the name says whom to call."""
    hours: str
    languages: tuple[str, ...]
    """Those it speaks."""
    source: str
    verified_at: date
    emergency: bool
    """It is for danger that is there now."""

    def shown(self, locale: str) -> SafetyResource:
        """Return it as a client of a locale of the messages gets it."""
        return SafetyResource(
            name=self.name(locale),
            kind=self.kind,
            number=self.number,
            hours=self.hours,
            languages=self.languages,
        )

    def name(self, locale: str) -> str:
        """Return its name for a locale of the messages, else the first there is."""
        return self.names.get(locale) or next(iter(self.names.values()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Forms:
    """The wordings of one step."""

    first: str
    further: tuple[str, ...]
    short: str

    def all(self) -> tuple[str, ...]:
        """Return every wording."""
        return (self.first, *self.further, self.short)


@dataclass(frozen=True, slots=True, kw_only=True)
class LocaleTexts:
    """The texts of one locale."""

    locale: str
    language: str
    steps: Mapping[tuple[SafetyLevel, str], Forms]
    answers: Mapping[str, str]
    """What answers each barrier."""
    joint: str
    hours: str
    lines: SentenceLines
    """What stands in the place of a model's sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyTexts:
    """All fixed texts and resources, by locale and region."""

    steps: Steps
    messages: Mapping[str, LocaleTexts]
    """By every locale, in lower case, that a file names."""
    regions: Mapping[str, tuple[ListedResource, ...]]
    guard: GuardRules
    default_locale: str
    unknown_locale: str

    def messages_for(self, locale: str, language: str = "") -> LocaleTexts:
        """Return the texts of a locale; those of `language` where the client writes in another.

        A locale without texts of its own loses its last part, and is looked up again.
        """
        found = _nearest(self.messages, locale or self.default_locale)
        own = found or self.messages[self.unknown_locale.lower()]
        if not language or own.language == language:
            return own
        return _nearest(self.messages, language) or own

    def language_of(self, locale: str) -> str:
        """Return the language in which a locale is spoken to."""
        return self.messages_for(locale).language

    def resources_for(self, locale: str) -> tuple[ListedResource, ...]:
        """Return where help is in a locale's region."""
        found = _nearest(self.regions, locale or self.default_locale)
        return found or self.regions[UNKNOWN]

    def hotlines(self, locale: str, language: str = "") -> str:
        """Return where help is in a locale's region, in one line, in words of `language`."""
        own = self.messages_for(locale, language)
        return own.joint.join(_line(each, own) for each in self.resources_for(locale))

    def all_resources(self) -> tuple[ListedResource, ...]:
        """Return those of every region, each once."""
        return tuple({id(each): each for own in self.regions.values() for each in own}.values())

    def card(
        self, level: SafetyLevel, locale: str, language: str = "", *, short: bool = False
    ) -> SafetyCard:
        """Return the card of a level: its first step's first form, or its short form."""
        said = Said(level=level, step=self.steps.after(level, "").step, short=short)
        return self.shown(said, locale, language)

    def brief_card(self, level: SafetyLevel, locale: str, language: str = "") -> SafetyCard:
        """Return the short form of a level's card.

        A concern has no card of its own; the crisis's short form only says where help is.
        """
        own = SafetyLevel.CRISIS if level is SafetyLevel.CONCERN else level
        return replace(self.card(own, locale, language, short=True), level=level)

    def refusal_card(self, level: SafetyLevel, locale: str, language: str = "") -> SafetyCard:
        """Return what is shown in the place of an input that was refused."""
        shows = self.brief_card if level is SafetyLevel.CONCERN else self.card
        return shows(level, locale, language)

    def shown(self, said: Said, locale: str, language: str = "") -> SafetyCard:
        """Return what is said as a card, with the resources beside its text."""
        own = self.messages_for(locale, language).locale
        return SafetyCard(
            level=said.level,
            text=self.text(said, locale, language),
            short=said.short or said.with_card,
            locale=own,
            resources=tuple(each.shown(own) for each in self.resources_for(locale)),
        )

    def text(self, said: Said, locale: str, language: str = "") -> str:
        """Return what is said, with where help is in the locale's region."""
        messages, own = self.messages_for(locale, language), self.resources_for(locale)
        if said.barrier:
            text = messages.answers[said.barrier]
        else:
            forms = messages.steps[said.level, said.step]
            fill = _in_line if said.short else _filled
            text = fill(_chosen(forms, said), said.level, own, messages)
        if not said.with_card:
            return text
        return f"{self.card(said.level, locale, language, short=True).text}\n{text}"


def _nearest(table: Mapping[str, _T], locale: str) -> _T | None:
    # `zh_CN.UTF-8` is `zh-cn`.
    name = re.split("[.@]", locale.strip(), maxsplit=1)[0].replace("_", "-").lower()
    while name:
        if name in table:
            return table[name]
        name = name.rpartition("-")[0]
    return None


def _chosen(forms: Forms, said: Said) -> str:
    if said.short:
        return forms.short
    return forms.first if said.further is None else forms.further[said.further % len(forms.further)]


def _filled(
    text: str, level: SafetyLevel, own: Sequence[ListedResource], messages: LocaleTexts
) -> str:
    """Return a text with its resources, a line each."""
    lines = (f"· {each}" for each in _lines(level, own, messages))
    return text.replace(SLOT, "\n".join(lines))


def _in_line(
    text: str, level: SafetyLevel, own: Sequence[ListedResource], messages: LocaleTexts
) -> str:
    """Return a text with its resources in one line."""
    return text.replace(SLOT, messages.joint.join(_lines(level, own, messages)))


def _lines(level: SafetyLevel, own: Sequence[ListedResource], messages: LocaleTexts) -> list[str]:
    """Name each resource; where danger is there now, those for emergencies come first."""
    urgent = level in (SafetyLevel.EMERGENCY, SafetyLevel.IMMINENT)
    shown = sorted(own, key=lambda each: not each.emergency) if urgent else own
    return [_line(each, messages) for each in shown]


def _line(each: ListedResource, messages: LocaleTexts) -> str:
    hours = messages.hours.format(hours=each.hours) if each.hours else ""
    return f"{each.name(messages.locale)} {each.number}".strip() + hours
