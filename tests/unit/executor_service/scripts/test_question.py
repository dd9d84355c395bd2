"""What an ai_ask's `content` may be: a question that the client could read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from executor_service.scripts.loading.loader import LoadResult

Load = Callable[..., LoadResult]

QUESTIONS = [
    "我可以怎么称呼你呢？",
    "谢谢你。这样的感觉，大概有多久了？比如几天、几个星期？",
    "了解你自己的情绪，对你来说难吗？",
    "{来访者}，今天好吗？",
    "From 1.5 to 3.5, how much? Take your time. There is no rush.",
]


@pytest.mark.parametrize("content", QUESTIONS)
def test_a_question_passes(load_config: Load, content: str) -> None:
    """Three sentences at most, and they speak to the client."""
    found = load_config("ai_ask", f"content: '{content}'").findings
    assert [each for each in found if each.rule == "long-question"] == []


BRIEFS = [
    ("先问好。再问名字。然后问年龄。最后问职业。", "has 4 sentences"),
    ("Say hello. Ask the name. Ask the age. Then go on.", "has 4 sentences"),
    ("请来访者说说最近的睡眠", "来访者"),
    ("询问睡眠的情况", "询问"),
    ("Ask about sleep and meals", "Ask"),
    ("What does the client want to tell?", "the client"),
]


@pytest.mark.parametrize(("content", "said"), BRIEFS)
def test_a_brief_in_the_place_of_a_question_is_a_warning(
    load_config: Load, content: str, said: str
) -> None:
    """It stands at the text and says where the text belongs."""
    result = load_config("ai_ask", f"content: {content}")
    assert result.script is not None
    (found,) = result.warnings
    assert (found.where, found.rule) == ("s.yaml:11:20", "long-question")
    assert said in found.message
    assert "`brief`" in found.message


def test_a_brief_may_be_long(load_config: Load) -> None:
    """It is for the model, and an ai_say's points are as well."""
    long = "问来访者：一。二。三。四。五。"
    assert load_config("ai_ask", f"content: 睡得好吗？\nbrief: {long}").findings == ()
    assert load_config("ai_say", f"content: {long}").findings == ()
