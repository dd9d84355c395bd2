"""Hidden spelling, undone."""

from __future__ import annotations

from importlib import import_module

import pytest

from heartrule.safety.disguise import Disguises
from heartrule.safety.hidden_letters import HiddenLetters
from heartrule.safety.normal_text import normal_text
from heartrule.safety.sounds import sound_of, syllables

CHINESE = Disguises(
    variants={"想4$": "想死", "zs": "自杀"},
    mixed={"die": "死"},
    core=(),
    sounds=("自杀",),
    sounded=("不想活", "自杀"),
    same_sound=("紫砂壶",),
)
LATIN = HiddenLetters(("kill", "suicide", "die"))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("我想4", "我想死"),
        ("我想4个人去", "我想4个人去"),
        ("zs的念头", "自杀的念头"),
        ("zsh", "zsh"),
        ("自sha", "自杀"),
        ("自s了", "自杀了"),
        ("不想huo了", "不想活了"),
        ("自鲨", "自杀"),
        ("紫砂壶", "紫砂壶"),
        ("自🔪杀", "自杀"),
        ("我想die", "我想死"),
        ("i want to die", "i want to die"),
    ],
)
def test_chinese_words_behind_sounds_and_letters(written: str, meant: str) -> None:
    """Sounds, initials, fillers and foreign words are read as the word they stand for."""
    assert CHINESE.undone(normal_text(written)) == meant


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("k1ll", "kill"),
        ("ki11", "kill"),
        ("kiiilll!", "kill!"),
        ("sui.cide", "suicide"),
        ("suicde", "suicide"),
        ("sui ci de", "suicide"),
        ("su*c*de", "suicide"),
        ("s*****e", "suicide"),
        ("su1c1d3", "suicide"),
        ("d*e", "die"),
        ("k*", "k*"),
        ("kiln 42 100", "kiln 42 100"),
        ("diet dye", "diet dye"),
    ],
)
def test_latin_words_behind_signs(written: str, meant: str) -> None:
    """Digits, signs, stars and repeated letters are undone in the listed words only."""
    assert LATIN.undone(written) == meant


@pytest.mark.parametrize(
    ("word", "parts"),
    [("buxianghuo", ("bu", "xiang", "huo")), ("zisha", ("zi", "sha")), ("kkk", ())],
)
def test_syllables_of_pinyin(word: str, parts: tuple[str, ...]) -> None:
    """A word of pinyin is divided into its syllables, another word is none."""
    assert syllables(word) == parts


def test_sounds_of_words_are_not_read() -> None:
    """Only those of characters are needed; the others would take 44 MiB of each process."""
    assert sound_of("死") == "si"
    assert import_module("pypinyin.constants").PHRASES_DICT == {}
