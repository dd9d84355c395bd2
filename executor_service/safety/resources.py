"""Which fixed message a client gets, by locale."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

#: The message for locales without one of their own.
GENERIC = "generic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """The reviewed messages; keys are locales in lower case."""

    default: str
    """Key of the message for a session without a locale."""
    aliases: Mapping[str, str]
    messages: Mapping[str, str]

    def message(self, locale: str) -> str:
        """Return the message of a locale: its own, its alias's, its language's, else generic."""
        name = _plain(locale)
        if not name:
            return self.messages[self.default]
        while name:
            key = self.aliases.get(name, name)
            if key in self.messages:
                return self.messages[key]
            name = name.rpartition("-")[0]
        return self.messages[GENERIC]


def _plain(locale: str) -> str:
    """Return `zh_CN.UTF-8` as `zh-cn`."""
    return re.split("[.@]", locale.strip(), maxsplit=1)[0].replace("_", "-").lower()
