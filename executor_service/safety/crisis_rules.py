"""The fixed messages of the crisis line, and the screen as the words it looks for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, TypeAdapter, model_validator

from executor_service.config_files import read_config
from executor_service.safety.safety_files import INVALID, load_screen
from executor_service.safety.screen import SafetyScreen
from heartrule.domain.safety import SafetyLevel

# The message for locales without one of their own.
_GENERIC = "generic"


class CrisisCategory(StrEnum):
    """What a client may name."""

    SUICIDE = "suicide"
    SELF_HARM = "self_harm"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleMatch:
    """What was found; never the client's words."""

    category: CrisisCategory
    rule: str
    """Id of the rule in the rules file."""


class Resources(BaseModel):
    """The reviewed messages, as the resources file lists them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    default: str
    """Key of the message for a session without a locale."""
    aliases: dict[str, str] = {}
    """Further locales, each with the key of its message."""
    messages: dict[str, Annotated[str, Field(min_length=1, max_length=2000)]]
    _by_locale: dict[str, str] = PrivateAttr(default_factory=dict)
    """The messages and their aliases; keys in lower case."""

    @model_validator(mode="after")
    def _complete(self) -> Self:
        needed = {_GENERIC, self.default, *self.aliases.values()}
        if absent := sorted(needed - set(self.messages)):
            raise ValueError(f"messages lack {', '.join(absent)}")
        named = self.messages | {alias: self.messages[key] for alias, key in self.aliases.items()}
        self._by_locale.update({key.lower(): text.strip() for key, text in named.items()})
        return self

    def message(self, locale: str) -> str:
        """Return the message of a locale: its own, its alias's, its language's, else generic."""
        # `zh_CN.UTF-8` is `zh-cn`.
        name = re.split("[.@]", locale.strip(), maxsplit=1)[0].replace("_", "-").lower()
        name = name or self.default.lower()
        while name:
            if name in self._by_locale:
                return self._by_locale[name]
            name = name.rpartition("-")[0]
        return self._by_locale[_GENERIC]


@dataclass(frozen=True, slots=True, kw_only=True)
class CrisisRules:
    """The screen, and the messages for what it finds (`executor_service.ports.CrisisWords`)."""

    screen: SafetyScreen
    resources: Resources

    def find(self, text: str) -> RuleMatch | None:
        """Return the gravest rule that counts, about the client or someone else; else None."""
        found = self.screen.screen(text)
        if found.level in {SafetyLevel.NONE, SafetyLevel.CONCERN, SafetyLevel.EMERGENCY}:
            return None
        rule = found.rules[0]
        harm = "self_harm" in rule
        category = CrisisCategory.SELF_HARM if harm else CrisisCategory.SUICIDE
        return RuleMatch(category=category, rule=rule)

    def message(self, locale: str) -> str:
        """Return the fixed text with the help there is in that locale; empty means the default."""
        return self.resources.message(locale)


class _ResourcesFile(Resources):
    version: str
    reviewed: str


_RESOURCES = TypeAdapter(_ResourcesFile)


def load_crisis_rules(folder: Path) -> CrisisRules:
    """Read the rules and `resources.yaml`.

    Args:
        folder: The `safety` folder of the system files.

    Raises:
        InvalidSafetyFile: A file is absent or breaks its rules; all its errors are named.
        InvalidSettingsFile: A file is not readable as YAML.
    """
    return CrisisRules(
        screen=load_screen(folder),
        resources=read_config(folder / "resources.yaml", _RESOURCES, invalid=INVALID),
    )
