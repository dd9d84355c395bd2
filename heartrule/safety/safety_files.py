"""Reads the rules of the screen; one error has all faults of all files, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Annotated, TypeAlias

from pydantic import BeforeValidator, Field, TypeAdapter

from heartrule.chassis.config_files import Fault, FilePart, by_name
from heartrule.domain.safety import SafetyLevel, Subject
from heartrule.safety.answer_words import AnswerWords
from heartrule.safety.answers import AnswerReader
from heartrule.safety.data_files import DataFile, refuse_faults
from heartrule.safety.disguise import Disguises
from heartrule.safety.frames import Frames
from heartrule.safety.normal_text import normal_text
from heartrule.safety.patterns import EDGES, Pattern, parse_pattern
from heartrule.safety.quotation import Quotation
from heartrule.safety.safety_rules import Excuse, LanguageRules, SafetyRule
from heartrule.safety.scope_words import ScopeWords
from heartrule.safety.screen import SafetyScreen
from heartrule.safety.word_lists import SPELLED_OUT, Language, Words

_LIST = re.compile(r"<([a-z0-9_]+)>")


def _pattern(value: object) -> object:
    if not isinstance(value, str):
        return value
    written = parse_pattern(value)
    items = tuple(
        item if _LIST.fullmatch(item) else normal_text(item) or item for item in written.items
    )
    return replace(written, items=items)


_Level: TypeAlias = Annotated[SafetyLevel, by_name(SafetyLevel)]
_Pattern: TypeAlias = Annotated[Pattern, BeforeValidator(_pattern)]
_Patterns: TypeAlias = Annotated[tuple[_Pattern, ...], Field(min_length=1)]
_Written: TypeAlias = Annotated[tuple[str, ...], SPELLED_OUT]
_Sentences: TypeAlias = Annotated[tuple[str, ...], Field(min_length=3)]


class _RuleEntry(FilePart):
    id: Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
    level: _Level
    subject: Subject | None = None
    patterns: _Patterns
    unless: _Written = ()
    not_with: _Written = ()
    only_with: _Written = ()
    excused_by: frozenset[Excuse] = frozenset()
    own: _Level | None = None
    other: _Level = SafetyLevel.THIRD_PARTY
    worried: _Level = SafetyLevel.NONE
    over: _Level = SafetyLevel.CONCERN
    beside: _Level = SafetyLevel.NONE
    admits: bool = False
    agrees: bool = False
    hits: _Sentences
    misses: _Sentences

    def listed(self) -> Iterable[str]:
        return filter(_LIST.fullmatch, (*self.unless, *self.not_with))

    def rule(self) -> SafetyRule:
        return SafetyRule(
            rule_id=self.id,
            level=self.level,
            subject=self.subject,
            patterns=self.patterns,
            idioms=(f"!{self.id}", *filter(_LIST.fullmatch, self.unless)),
            strangers=(f"?{self.id}", *filter(_LIST.fullmatch, self.not_with)),
            excused_by=self.excused_by,
            own_level=self.level if self.own is None else self.own,
            other_level=self.other,
            worried_level=max(self.other, self.worried),
            over_level=self.over,
            only_with=bool(self.only_with),
            beside=self.beside,
            admits=self.admits,
            agrees=self.agrees,
        )


def _written(items: Iterable[str]) -> tuple[str, ...]:
    """Return the terms among items, without the lists."""
    return tuple(normal_text(item) for item in items if not _LIST.fullmatch(item))


def _in_brackets(names: Iterable[str]) -> set[str]:
    """Return names as patterns write them."""
    return {f"<{name}>" for name in names}


def _unknown(items: Iterable[str], known: set[str]) -> list[str]:
    """Return what is written in angle brackets and is not known."""
    return sorted({item for item in items if "<" in item} - known)


class _RulesFile(FilePart):
    version: str
    reviewed: str
    language: Language
    lists: dict[str, Annotated[Words, Field(min_length=1)]]
    phrases: Annotated[dict[str, _Patterns], Field(default_factory=dict)]
    rules: Annotated[tuple[_RuleEntry, ...], Field(min_length=1)]
    scope: ScopeWords
    disguises: Disguises
    quotation: Quotation
    frames: Frames
    answers: AnswerWords

    def rules_of_language(self) -> LanguageRules:
        return LanguageRules(
            language=self.language,
            rules=tuple(each.rule() for each in self.rules),
            terms=self._terms(),
            phrases={f"<{name}>": patterns for name, patterns in self.phrases.items()},
            company={rule.id: self._company(rule) for rule in self.rules if rule.only_with},
            scope=self.scope,
            disguises=self.disguises,
            quotation=self.quotation,
            frames=self.frames,
            answers=AnswerReader(self.answers),
        )

    def _terms(self) -> Mapping[str, tuple[str, ...]]:
        parts = (*(rule.patterns for rule in self.rules), *self.phrases.values())
        items = {item for patterns in parts for pattern in patterns for item in pattern.items}
        items |= {item for rule in self.rules for item in rule.listed()}
        # In one order in every process: of hits that weigh alike, the first found is named first.
        named = {item: _LIST.fullmatch(item) for item in sorted(items - EDGES)}
        terms: dict[str, tuple[str, ...]] = {
            item: self.lists[name[1]] if name else (item,)
            for item, name in named.items()
            if name is None or name[1] in self.lists
        }
        terms |= {f"!{rule.id}": _written(rule.unless) for rule in self.rules}
        terms |= {f"?{rule.id}": _written(rule.not_with) for rule in self.rules}
        undone = self.disguises.undone
        return {name: tuple(map(undone, each)) for name, each in terms.items()}

    def _company(self, rule: _RuleEntry) -> tuple[str, ...]:
        named = ((each, _LIST.fullmatch(each)) for each in rule.only_with)
        words = (
            word
            for each, name in named
            for word in (self.lists[name[1]] if name else (normal_text(each),))
        )
        return tuple(map(self.disguises.undone, words))

    def faults(self) -> Iterator[Fault]:
        """Yield what the parts do not agree on."""
        yield from self._faults_of_phrases()
        known: set[str] = set()
        lists = _in_brackets(self.lists)
        listed = lists | _in_brackets(self.phrases)
        for number, rule in enumerate(self.rules):
            if rule.id in known:
                yield Fault(("rules", number, "id"), f"two rules have the id {rule.id!r}")
            known.add(rule.id)
            for place, pattern in enumerate(rule.patterns):
                for name in _unknown(pattern.items, listed):
                    at = ("rules", number, "patterns", place)
                    yield Fault(at, f"{rule.id}: there is no list {name!r}")
            for name in _unknown(rule.only_with, lists):
                yield Fault(("rules", number), f"{rule.id}: there is no list {name!r}")
            for name in _unknown((*rule.unless, *rule.not_with), listed):
                yield Fault(("rules", number), f"{rule.id}: there is no list {name!r}")

    def _faults_of_phrases(self) -> Iterator[Fault]:
        known = _in_brackets(self.lists)
        for phrase, patterns in self.phrases.items():
            if phrase in self.lists:
                yield Fault(("phrases", phrase), f"there is a list {phrase!r}, too")
            for place, pattern in enumerate(patterns):
                for name in _unknown(pattern.items, known):
                    at = ("phrases", phrase, place)
                    yield Fault(at, f"{phrase}: there is no list or earlier phrase {name!r}")
            known |= _in_brackets((phrase,))

    def unproven(self, screen: SafetyScreen) -> Iterator[Fault]:
        """Yield the sentences of each rule that it does not decide as they say."""
        for number, rule in enumerate(self.rules):
            for kind, sentences in (("hits", rule.hits), ("misses", rule.misses)):
                for place, sentence in enumerate(sentences):
                    found = screen.screen(sentence)
                    met = rule.id in found.rules and found.level >= rule.level
                    if met != (kind == "hits"):
                        what = "is found" if met else "is not found"
                        at = ("rules", number, kind, place)
                        yield Fault(at, f"{rule.id}: {sentence!r} {what}")


_FILE = TypeAdapter(_RulesFile)


def load_screen(folder: Path) -> SafetyScreen:
    """Read every `rules/<language>.yaml`, and prove each rule by its own sentences.

    Args:
        folder: The `safety` folder of the system files.

    Raises:
        InvalidSafetyFile: A file is absent, breaks its rules, or a rule fails its own sentences.
    """
    files = [DataFile(folder / "rules" / f"{language}.yaml", _FILE) for language in Language]
    read = [(file, file.content) for file in files if file.content is not None]
    for file, content in read:
        file.add(content.faults())
    refuse_faults(chain.from_iterable(file.violations() for file in files))
    screen = SafetyScreen(languages=tuple(content.rules_of_language() for _, content in read))
    for file, content in read:
        file.add(content.unproven(screen))
    refuse_faults(chain.from_iterable(file.violations() for file in files))
    return screen
