"""Words of the rules, in their normal form."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, BeforeValidator

from heartrule.safety.normal_text import normal_text

_CHOICE = re.compile(r"\(([^()]+)\)")


class Language(StrEnum):
    """The languages that have rules."""

    CHINESE = "zh"
    ENGLISH = "en"


def spelled_out(written: str) -> Iterator[str]:
    """Yield the words that one with choices stands for: `hurts (him|her)self` is two."""
    choice = _CHOICE.search(written)
    if choice is None:
        yield written
        return
    before, behind = written[: choice.start()], written[choice.end() :]
    for each in choice[1].split("|"):
        yield from spelled_out(f"{before}{each}{behind}")


def _all_spelled_out(words: object) -> object:
    if not isinstance(words, list):
        return words
    parts = (spelled_out(each) if isinstance(each, str) else (each,) for each in words)
    return [word for part in parts for word in part]


def _normal(word: str) -> str:
    """Return a word as the screen sees it; a `*` or `$` at its end is a sign of the rules."""
    mark = word[-1:] if word[-1:] in {"*", "$"} else ""
    normal = normal_text(word.removesuffix(mark))
    if not normal:
        raise ValueError(f"{word!r} is empty in its normal form")
    return normal + mark


NormalWord: TypeAlias = Annotated[str, AfterValidator(_normal)]
SPELLED_OUT = BeforeValidator(_all_spelled_out)
Words: TypeAlias = Annotated[tuple[NormalWord, ...], SPELLED_OUT]
WordSet: TypeAlias = Annotated[frozenset[NormalWord], SPELLED_OUT]
