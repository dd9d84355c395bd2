"""How long a message may be."""

from __future__ import annotations

import pytest

from heartrule.domain.conversation import FormAnswer, Media, Part, text_part
from heartrule.domain.errors import InvalidRequest
from heartrule.domain.input_limit import characters_of, check_length

CHINESE = "这条消息有 6 个字，一条消息最多 5 个字。请把它分成几条，一条一条发送。"
ENGLISH = (
    "This message has 6 characters; one message may have 5 at most. "
    "Please send it in several shorter messages."
)


def test_characters_are_counted_and_not_bytes() -> None:
    """Texts, what stands for a picture, and the texts of a form's answers."""
    shown = Media(mime_type="image/png", data=b"x" * 99, caption="树")
    picture = Part(media=shown, fallback_text="图")
    answers = FormAnswer(values={"近况": "很累", "年龄": 25, "选": ["一", "二三"]})
    form = Part(form=answers, fallback_text="表")
    assert characters_of([text_part("你好👋")]) == 3
    assert characters_of([picture]) == len("图\n树")
    assert characters_of([form]) == len("表很累一二三")


@pytest.mark.parametrize(("locale", "said"), [("zh-CN", CHINESE), ("en-US", ENGLISH)])
def test_a_longer_message_is_refused_in_the_sessions_language(locale: str, said: str) -> None:
    """As long as the limit passes; one more is refused with what to do, and without the text."""
    check_length([text_part("五个字呀。")], 5, locale)
    with pytest.raises(InvalidRequest, match="6") as refused:
        check_length([text_part("五个字呀。。")], 5, locale)
    error = refused.value
    assert (error.message, error.reason) == (said, "INPUT_TOO_LONG")
    assert error.metadata == {"characters": "6", "max_characters": "5"}
