"""The languages that the catalogues are written in, and which of them a person asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import StrEnum


class ReaderLanguage(StrEnum):
    """A language with a catalogue; its value is the tag that people and headers name it by."""

    ENGLISH = "en"
    CHINESE = "zh-CN"

    @property
    def folder(self) -> str:
        """Its name as gettext spells it."""
        return self.value.replace("-", "_")


ACCEPT_LANGUAGE = "accept-language"
"""The header of HTTP, and the key of gRPC's metadata, in which a caller names languages."""
# In the order in which POSIX reads them.
_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
_LONGEST = 200


def language_of(named: str) -> ReaderLanguage:
    """Return the best of the languages that an `Accept-Language` or a `LANG` names.

    English where none of them is ours, as of an empty text.
    """
    wanted: list[tuple[float, ReaderLanguage]] = []
    for part in named[:_LONGEST].split(","):
        tag, _, weight = part.partition(";")
        language = _ours(tag)
        if language is not None and _weight(weight) > 0:
            wanted.append((-_weight(weight), language))
    return min(wanted, key=lambda each: each[0])[1] if wanted else ReaderLanguage.ENGLISH


def language_in(environ: Mapping[str, str], chosen: str = "") -> ReaderLanguage:
    """Return the language of a terminal: the one chosen, else that of its environment."""
    named = next(filter(None, (environ.get(name, "") for name in _VARIABLES)), "")
    return language_of(chosen or named)


def language_asked(metadata: Iterable[tuple[str, str | bytes]] | None) -> ReaderLanguage:
    """Return the language that the metadata of a gRPC call asks for."""
    sent = (value for key, value in metadata or () if key == ACCEPT_LANGUAGE)
    return language_of(next((each for each in sent if isinstance(each, str)), ""))


def _ours(tag: str) -> ReaderLanguage | None:
    first = tag.strip().lower().replace("_", "-").partition("-")[0].partition(".")[0]
    return {"en": ReaderLanguage.ENGLISH, "zh": ReaderLanguage.CHINESE}.get(first)


def _weight(text: str) -> float:
    """Return the number of `q=0.8`; 1 where there is none, 0 where it cannot be read."""
    name, _, number = text.strip().partition("=")
    if not name:
        return 1.0
    try:
        return float(number)
    except ValueError:
        return 0.0
