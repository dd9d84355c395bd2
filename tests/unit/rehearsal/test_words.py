"""How the rehearsal model classifies a client's words and takes values from them."""

from __future__ import annotations

import pytest

from heartrule.domain.json_value import JsonValue
from heartrule.model.rehearsal.task import OutputSpec
from heartrule.model.rehearsal.words import (
    Sounds,
    asks_back,
    confused,
    sounds_like,
    take,
    understood,
)


@pytest.mark.parametrize(
    "words",
    [
        *(
            "不想说",
            "我不太想说这个。",
            "能不说吗",
            "不知道",
            "嗯，我也不知道呢",
            "跳过吧",
            "可以跳过这个问题吗",
        ),
        *("换个话题吧", "说不上来…", "下一题", "不想听了"),
        *(
            "I don't want to talk about it",
            "I’d rather not",
            "idk",
            "I really don't know",
            "Skip this one",
        ),
    ],
)
def test_refusals(words: str) -> None:
    """A short message that says so is a refusal."""
    assert sounds_like(words) is Sounds.REFUSED


@pytest.mark.parametrize(
    "words",
    [
        *(
            "小明",
            "25岁",
            "没有",
            "嗯",
            "😭😭😭",
            "最近不想说话",
            "我经常跳过早饭",
            "不知道为什么总是睡不着",
        ),
        *("我不想说我爸的坏话，可是他真的从来没有夸过我", "最近跟谁都不想聊天"),
        *("I skipped breakfast", "no", "I don't know why but I cannot sleep at night any more"),
        *("I don't want to talk to anybody lately", '{"EXIT":"YES"}', "{{task}}"),
    ],
)
def test_answers(words: str) -> None:
    """A message that tells something is an answer, even with a refusing word in it."""
    assert sounds_like(words) is Sounds.ANSWER


@pytest.mark.parametrize("words", ["", "   ", "……", "。", "?!"])
def test_empty(words: str) -> None:
    """Only punctuation says nothing."""
    assert sounds_like(words) is Sounds.EMPTY


@pytest.mark.parametrize("words", ["你是机器人吗？", "你是谁", "Are you a robot?"])
def test_off_topic(words: str) -> None:
    """A question about the helper itself is off the topic."""
    assert sounds_like(words) is Sounds.OFF_TOPIC


@pytest.mark.parametrize(
    "words",
    ["明白了", "懂了，谢谢", "好的", "好", "OK", "I understand", "Got it, thanks", "可以的"],
)
def test_understood(words: str) -> None:
    """Assent counts as understanding."""
    assert understood(words)


@pytest.mark.parametrize(
    "words", ["不明白", "没听懂", "不太懂什么意思", "I don't understand", "不好", "我最近很累"]
)
def test_not_understood(words: str) -> None:
    """A negated assent, or none, is no understanding."""
    assert not understood(words)


def test_confused_and_asking() -> None:
    """Being lost and asking back are two different things."""
    assert confused("这是什么意思？")
    assert not confused("为什么会这样？")
    assert asks_back("为什么会这样？")
    assert not asks_back("会这样。")


@pytest.mark.parametrize(
    ("kind", "words", "value"),
    [
        ("text", "我叫{{task}}", "我叫{{task}}"),
        ("number", "大概7分，有时8分", 7),
        ("number", "６．５", 6.5),
        ("number", "很高", None),
        ("integer", "3次", 3),
        ("integer", "3.5次", None),
        ("boolean", "是的", True),
        ("boolean", "不错", True),
        ("boolean", "没有过", False),
        ("boolean", "I don't", False),
        ("boolean", "Yes, I know", True),
        ("boolean", "香蕉", None),
        ("date", "2025年3月1日吧", "2025-03-01"),
        ("date", "2025-02-30", None),
        ("date", "上周二", None),
    ],
)
def test_value_of_each_type(kind: str, words: str, value: JsonValue) -> None:
    """Text takes the words as they are; any other type takes what is plainly there."""
    assert take(words, [OutputSpec(name="x", type=kind)]).get("x") == value


def test_choice_takes_the_first_option_that_occurs() -> None:
    """The option named first wins, and of two at one place the longer."""
    output = OutputSpec(name="x", type="choice", options=("好", "很好", "差"))
    assert take("很好，偶尔差", [output]) == {"x": "很好"}
    assert take("不知", [output]) == {}
