"""Reading the crisis line's data files; a file with any error gives all its errors at once."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from executor_service.safety.crisis_rules import (
    CrisisCategory,
    CrisisRule,
    CrisisRules,
    crisis_rule,
)
from executor_service.safety.negation import Language, Negation
from executor_service.safety.normal_text import normal_text
from executor_service.safety.quotation import Quotation
from executor_service.safety.resources import GENERIC, Resources
from heartrule.domain.errors import FieldViolation, InvalidRequest
from heartrule.model.plain_yaml import read_plain_yaml

_Words = Annotated[tuple[str, ...], Field(min_length=1)]
_File = TypeVar("_File", bound=BaseModel)


class InvalidSafetyFile(InvalidRequest):
    """A file of the crisis line breaks its rules; each violation names `file: path`."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Rule(_Strict):
    id: Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
    category: CrisisCategory
    language: Language
    phrases: _Words
    unless: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _phrases_can_match(self) -> Self:
        problems = [
            *(_spelling_problem(text) for text in (*self.phrases, *self.unless)),
            *(self._doubled(phrase) for phrase in self.phrases),
            *(
                f"{idiom!r} contains no phrase of this rule"
                for idiom in self.unless
                if not any(phrase in idiom for phrase in self.phrases)
            ),
        ]
        if found := [problem for problem in problems if problem]:
            raise ValueError("; ".join(found))
        return self

    def _doubled(self, phrase: str) -> str:
        """Name the shorter phrase that already matches; English phrases end at word edges."""
        if self.language is Language.ENGLISH:
            return ""
        shorter = [other for other in self.phrases if other != phrase and other in phrase]
        return f"{phrase!r} is already matched by {shorter[0]!r}" if shorter else ""

    def domain(self) -> CrisisRule:
        return crisis_rule(self.id, self.category, phrases=self.phrases, unless=self.unless)


class _Negation(_Strict):
    negators: _Words
    fillers: _Words
    affirmers: _Words
    failed_after: tuple[str, ...] = ()

    def domain(self) -> Negation:
        return Negation(
            negators=frozenset(self.negators),
            fillers=frozenset(self.fillers),
            affirmers=self.affirmers,
            failed_after=self.failed_after,
        )


class _Quotation(_Strict):
    pairs: Annotated[tuple[Annotated[str, Field(min_length=2, max_length=2)], ...], Field()]
    titles: tuple[str, ...]
    sources: _Words
    narrators: _Words
    first_person: _Words
    own_voice_before: _Words
    own_voice_after: _Words

    def domain(self) -> Quotation:
        return Quotation(
            pairs=self.pairs,
            titles=frozenset(self.titles),
            sources=self.sources,
            narrators=self.narrators,
            first_person=frozenset(self.first_person),
            own_voice_before=self.own_voice_before,
            own_voice_after=self.own_voice_after,
        )


class _RulesFile(_Strict):
    version: str
    reviewed: str
    rules: Annotated[tuple[_Rule, ...], Field(min_length=1)]
    negation: dict[Language, _Negation]
    quotation: _Quotation

    @model_validator(mode="after")
    def _complete(self) -> Self:
        ids = [rule.id for rule in self.rules]
        if len(set(ids)) < len(ids):
            raise ValueError("two rules bear the same id")
        if set(self.negation) != set(Language):
            raise ValueError(f"negation must hold {', '.join(Language)}")
        return self


class _ResourcesFile(_Strict):
    version: str
    reviewed: str
    default: str
    aliases: dict[str, str] = {}
    messages: dict[str, Annotated[str, Field(min_length=1, max_length=2000)]]

    @model_validator(mode="after")
    def _complete(self) -> Self:
        needed = {GENERIC, self.default, *self.aliases.values()}
        if absent := sorted(needed - set(self.messages)):
            raise ValueError(f"messages lack {', '.join(absent)}")
        return self

    def domain(self) -> Resources:
        return Resources(
            default=self.default.lower(),
            aliases=MappingProxyType({k.lower(): v.lower() for k, v in self.aliases.items()}),
            messages=MappingProxyType({k.lower(): v.strip() for k, v in self.messages.items()}),
        )


def load_crisis_rules(folder: Path) -> CrisisRules:
    """Read `rules.yaml` and `resources.yaml`.

    Args:
        folder: The `safety` folder of the system files.

    Raises:
        InvalidSafetyFile: A file is absent or breaks its rules.
        InvalidSettingsFile: A file is not readable as YAML.
    """
    rules = _read(folder / "rules.yaml", _RulesFile)
    resources = _read(folder / "resources.yaml", _ResourcesFile)
    return CrisisRules(
        rules=tuple(rule.domain() for rule in rules.rules),
        negation=MappingProxyType({name: n.domain() for name, n in rules.negation.items()}),
        quotation=rules.quotation.domain(),
        resources=resources.domain(),
    )


def _read(path: Path, kind: type[_File]) -> _File:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _invalid([FieldViolation(field=path.name, description=str(error))]) from error
    try:
        return kind.model_validate(read_plain_yaml(text, source=path.name))
    except ValidationError as error:
        raise _invalid(
            [
                FieldViolation(
                    field=f"{path.name}: {'.'.join(str(part) for part in one['loc']) or 'file'}",
                    description=one["msg"],
                )
                for one in error.errors(include_url=False, include_input=False)
            ]
        ) from error


def _invalid(violations: list[FieldViolation]) -> InvalidSafetyFile:
    listed = "; ".join(f"{one.field}: {one.description}" for one in violations)
    return InvalidSafetyFile(listed, reason="INVALID_SAFETY_FILE", violations=violations)


def _spelling_problem(phrase: str) -> str:
    """Return why a phrase can never match a normalised text; empty where it can."""
    seen = normal_text(phrase).text
    if seen == phrase and len(phrase) > 1:
        return ""
    return f"{phrase!r} must be written as {seen!r}, of two characters at least"
