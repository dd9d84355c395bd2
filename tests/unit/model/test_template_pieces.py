"""What of a template's text may be copied instead of an answer."""

from __future__ import annotations

import pytest

from heartrule.model.reply.prose import Skeleton
from heartrule.model.template_texts import template_pieces

TEXT = """- 先用半句话接住对方的意思，再问。例如「说了职业，没说年限」。
{"content":"好的","variables":{"起床时间":"五点就醒"}}"""
OWN = Skeleton({}, template_pieces([TEXT]))


@pytest.mark.parametrize(
    "value",
    ["先用半句话接住对方的意思，再问", "「说了职业，没说年限」", " 五点就醒。", "…", "……", "..."],
)
def test_the_templates_words_are_no_answer(value: str) -> None:
    """Its sentences, quotations and example values, and dots alone, are copies."""
    assert OWN.copied("x", value)


@pytest.mark.parametrize("value", ["对方", "我五点就醒，很累", "再问", 3, None, "起床时间"])
def test_other_words_are(value: object) -> None:
    """Short words, longer texts and values that are no text are not."""
    assert not OWN.copied("x", value)  # type: ignore[arg-type]


def test_what_the_client_said_is_an_answer() -> None:
    """The client may say what the template's example says."""
    assert not OWN.copied("x", "五点就醒", said="我五点就醒了")
