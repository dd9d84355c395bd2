"""Sounds of Chinese characters: toneless pinyin (the tables of pypinyin)."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib import import_module

_COMMON = range(0x4E00, 0xA000)
_LONGEST = 6


def sound_of(char: str) -> str:
    """Return the most common sound of a Chinese character; any other one is its own sound."""
    return _sounds().get(ord(char), char)


@cache
def sound_table() -> Mapping[int, int]:
    """Return a table for `str.translate`: every Chinese character becomes one of its sound."""
    first: dict[str, int] = {}
    return {code: first.setdefault(sound, code) for code, sound in _sounds().items()}


def syllables(word: str) -> tuple[str, ...]:
    """Return the syllables of a word of pinyin, the longest first; empty where it is none."""
    found: list[str] = []
    place = 0
    while place < len(word):
        for length in range(min(_LONGEST, len(word) - place), 0, -1):
            if word[place : place + length] in _known():
                found.append(word[place : place + length])
                place += length
                break
        else:
            return ()
    return tuple(found)


@cache
def _known() -> frozenset[str]:
    return frozenset(_sounds().values())


@cache
def _sounds() -> Mapping[int, str]:
    # The sounds of words, which it reads unless told not to, take 44 MiB and a quarter of a second.
    os.environ.setdefault("PYPINYIN_NO_PHRASES", "1")
    known = import_module("pypinyin.constants").PINYIN_DICT
    return {code: _toneless(known[code].split(",")[0]) for code in _COMMON if code in known}


def _toneless(pinyin: str) -> str:
    letters = unicodedata.normalize("NFD", pinyin)
    return "".join(each for each in letters if each.isascii()).lower()
