"""Which unreadable replies may be said as they are (RESOLUTIONS C4)."""

from __future__ import annotations

import pytest

from heartrule.model.reply.prose import is_prose, is_refusal


@pytest.mark.parametrize("text", ["你好吗？", "第一行\n第二行", " a "])
def test_plain_words(text: str) -> None:
    """Words without brace and fence are prose."""
    assert is_prose(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", " \n", "{", "我{深呼吸}", "x}", "```\n好\n```"),
        *("[1,2]", "42", " null\n", "true", "-1.5e3", "[]", '["你好"]'),
        *("<html>502</html>", "<!DOCTYPE html>\n<p>x", "502 <b>Bad</b> Gateway"),
    ],
)
def test_not_prose(text: str) -> None:
    """Nothing, braces, fences, JSON values and HTML are not."""
    assert not is_prose(text)


@pytest.mark.parametrize("text", ["42岁也不晚", "[微笑] 你好", "3 < 5", "<3", '"你好"'])
def test_words_beside_signs(text: str) -> None:
    """Signs among words, and words in quotation marks, are prose."""
    assert is_prose(text)


def test_the_templates_own_words_are_not_prose() -> None:
    """A reply that only repeats the description of content says nothing."""
    assert not is_prose("这一轮 要说的话\n", hint="这一轮要说的话")
    assert is_prose("这一轮要说的话是：你好", hint="这一轮要说的话")


@pytest.mark.parametrize(
    "text", ["抱歉，我无法协助完成这个请求。", "作为一个AI，我没有感受。", "I'm sorry, but no."]
)
def test_refusals(text: str) -> None:
    """A model's refusal is known as one."""
    assert is_refusal(text)


def test_ordinary_words_are_no_refusal() -> None:
    """A client's own trouble is not the model's refusal."""
    assert not is_refusal("你无法入睡的时候会做什么？")
