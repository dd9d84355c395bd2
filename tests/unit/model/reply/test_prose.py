"""Which unreadable replies may be said as they are (RESOLUTIONS C4)."""

from __future__ import annotations

import pytest

from heartrule.model.reply.prose import is_prose, is_refusal


@pytest.mark.parametrize("text", ["你好吗？", "第一行\n第二行", " a "])
def test_plain_words(text: str) -> None:
    """Words without brace and fence are prose."""
    assert is_prose(text)


@pytest.mark.parametrize("text", ["", " \n", "{", "我{深呼吸}", "x}", "```\n好\n```"])
def test_not_prose(text: str) -> None:
    """Nothing, braces and fences are not."""
    assert not is_prose(text)


@pytest.mark.parametrize(
    "text", ["抱歉，我无法协助完成这个请求。", "作为一个AI，我没有感受。", "I'm sorry, but no."]
)
def test_refusals(text: str) -> None:
    """A model's refusal is known as one."""
    assert is_refusal(text)


def test_ordinary_words_are_no_refusal() -> None:
    """A client's own trouble is not the model's refusal."""
    assert not is_refusal("你无法入睡的时候会做什么？")
