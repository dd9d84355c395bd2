"""The fixed messages a client gets, by locale."""

from __future__ import annotations

import re
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, model_validator

#: The message for locales without one of their own.
GENERIC = "generic"


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
        needed = {GENERIC, self.default, *self.aliases.values()}
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
        return self._by_locale[GENERIC]
