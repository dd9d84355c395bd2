"""What an answer means behind a question of safety, and what it does not mean."""

from __future__ import annotations

import pytest

from heartrule.domain.safety import SafetyLevel
from heartrule.safety.screen import ScreenContext
from tests.support.shipped_files import shipped_screen

SAFE = "有的人会觉得撑不下去，或者担心自己的安全；你有过这样的时候吗？现在觉得安全吗？"
SAFE_EN = "Have you had times when you could not go on? Do you feel safe now?"
ITEM = "有不如死掉，或用某种方式伤害自己的念头，有多少天？"
ITEM_EN = (
    "How often have you had thoughts that you would be better off dead, or of hurting yourself?"
)
DIRECT = "你有没有想过结束自己的生命？"
DIRECT_EN = "Are you thinking about ending your life?"


def level(asked: str, said: str) -> SafetyLevel:
    """Return what is said behind a question."""
    return shipped_screen().screen(said, ScreenContext(question=asked)).level


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (SAFE, "我现在是安全的，没有那样想过"),
        (SAFE, "没有，我没有想死，我很安全"),
        (SAFE, "问这么多干什么，真够烦的！我现在是安全的，没有那样想过！"),
        (DIRECT, "我现在是安全的，没有那样想过"),
        (DIRECT, "对，我从来没有想过这个"),
        (DIRECT, "最近工作很累，但没有这种念头"),
        (DIRECT, "我不知道你为什么这么说，我没有想过自杀"),
        (ITEM, "这一题完全不会"),
        (ITEM, "刚才说得不对，提不起劲应该是几乎每天。这一题完全不会"),
        (ITEM, "我前面说过了，一次都没有"),
        (SAFE_EN, "I am safe and never thought so"),
        (SAFE_EN, "I said so in the beginning: I am safe and never thought so"),
        (DIRECT_EN, "I am safe and never thought so"),
        (DIRECT_EN, "Work is a lot right now, but I have no thoughts like that"),
        (DIRECT_EN, "yeah no, not at all"),
        (DIRECT_EN, "honestly, no"),
        (ITEM_EN, "for that one, not at all"),
        (SAFE, "I am safe and never thought so"),
        (DIRECT_EN, "没有，从来没有这样想过"),
        (ITEM_EN, "I slept badly this week. That one: not at all."),
    ],
)
def test_a_clear_denial_is_believed_wherever_it_stands(asked: str, said: str) -> None:
    """A clause that denies what was asked, or says that one is safe, answers the question."""
    assert level(asked, said) is SafetyLevel.NONE


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (ITEM, "对了，楼下这两天在修路，吵得不行"),
        (ITEM, "昨天看了部老电影，挺有意思的"),
        (ITEM, "我家猫最近胖了"),
        (ITEM, "我27岁，住在3楼"),
        (DIRECT, "今晚吃火锅"),
        (DIRECT, "我想换个话题"),
        (ITEM_EN, "My neighbour has had builders in for a few days"),
        (ITEM_EN, "I have two kids and I sleep 6 hours"),
        (DIRECT_EN, "My boss sent me a letter today"),
        (DIRECT_EN, "I'm a bit tired of all this work"),
        (DIRECT_EN, "One of my friends got married last night"),
    ],
)
def test_a_change_of_subject_is_asked_about_and_is_no_admission(asked: str, said: str) -> None:
    """A time, a number or a day in a digression says nothing of how often the thought comes."""
    assert level(asked, said) is SafetyLevel.CONCERN


@pytest.mark.parametrize(
    ("asked", "said", "least"),
    [
        (DIRECT, "没有人在乎我", SafetyLevel.CONCERN),
        (DIRECT, "没办法", SafetyLevel.CONCERN),
        (DIRECT, "最近没有", SafetyLevel.CONCERN),
        (DIRECT, "不是没有", SafetyLevel.CONCERN),
        (DIRECT, "没有，不过有时候会", SafetyLevel.CONCERN),
        (DIRECT, "昨晚加班的时候想过", SafetyLevel.CRISIS),
        (DIRECT, "我每天晚上都有这种念头", SafetyLevel.CRISIS),
        (ITEM, "应该有好几天吧", SafetyLevel.CRISIS),
        (SAFE, "没有", SafetyLevel.CONCERN),
        (SAFE, "有过", SafetyLevel.CONCERN),
        (SAFE, "我现在不安全", SafetyLevel.CRISIS),
        ("你现在安全吗？", "没有", SafetyLevel.CRISIS),
        ("你现在安全吗？", "安全，但是有时候会想", SafetyLevel.CONCERN),
        (DIRECT_EN, "I'm not okay", SafetyLevel.CONCERN),
        (DIRECT_EN, "nobody would care", SafetyLevel.CONCERN),
        (DIRECT_EN, "not lately", SafetyLevel.CONCERN),
        (DIRECT_EN, "no. well, some nights I do", SafetyLevel.CONCERN),
        (DIRECT_EN, "the thoughts come every night when he snores", SafetyLevel.CRISIS),
        ("Do you feel safe where you are?", "not at all", SafetyLevel.CRISIS),
        ("Do you feel safe where you are?", "I'm not safe", SafetyLevel.CRISIS),
    ],
)
def test_what_is_unclear_stays_on_the_safe_side(asked: str, said: str, least: SafetyLevel) -> None:
    """A limited denial, a complaint in its words and a denial that is taken back are no denial."""
    assert level(asked, said) >= least


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("你是不是累死了？", "嗯"),
        ("你打算什么时候做这个呼吸练习？", "今晚"),
        ("这样的想法出现时，你有多相信它？", "90"),
        ("这周末你有具体的计划吗？", "有"),
        ("Do you have a plan for the weekend?", "yes"),
        ("How would you do it differently next time at work?", "I'd ask first"),
        ("When would you do the breathing exercise?", "tonight, when the kids are in bed"),
        ("Are you dead tired after the shift?", "yes"),
    ],
)
def test_plans_and_thoughts_of_every_day_are_no_question_of_danger(asked: str, said: str) -> None:
    """Vague words beside an exercise, work or a belief ask for no danger."""
    assert level(asked, said) is SafetyLevel.NONE
