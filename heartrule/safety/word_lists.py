"""Words of the rules, in their normal form."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import AfterValidator

from heartrule.safety.normal_text import normal_text


class Language(StrEnum):
    """The languages that have rules."""

    CHINESE = "zh"
    ENGLISH = "en"


def _normal(word: str) -> str:
    """Return a word as the screen sees it; a `*` or `$` at its end is a sign of the rules."""
    mark = word[-1:] if word[-1:] in {"*", "$"} else ""
    normal = normal_text(word.removesuffix(mark))
    if not normal:
        raise ValueError(f"{word!r} is empty in its normal form")
    return normal + mark


NormalWord: TypeAlias = Annotated[str, AfterValidator(_normal)]
Words: TypeAlias = tuple[NormalWord, ...]
WordSet: TypeAlias = frozenset[NormalWord]
