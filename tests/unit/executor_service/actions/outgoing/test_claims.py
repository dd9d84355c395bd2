"""What a text says its speaker is, and whether the client asks it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executor_service.actions.outgoing.claims import SelfClaims, asks_what_it_is

CLAIMS = (
    *(
        "我是人。",
        "我是真人",
        "我也是人啊。",
        "我是一名医生。",
        "我是你的心理咨询师，",
        "我是有血有肉的咨询师。",
    ),
    *(
        "作为一名医生，我建议你",
        "好的，我叫小鱼。",
        "你可以叫我小林。",
        "我的名字是小明。",
        "I'm human.",
    ),
    *(
        "I am a real person.",
        "I'm a licensed therapist.",
        "My name is Anna.",
        "You can call me Anna.",
    ),
)
NONE = (
    *(
        "我不是医生。",
        "我是一个程序，不是真人。",
        "你觉得我是医生吗？",
        "我是人工智能助手。",
        "如果我是医生，",
    ),
    *(
        "我是你的咨询助手。",
        "我叫你小明好吗？",
        "我听到了，这不好受。",
        "他说「我是医生」",
        "我叫不出名字",
    ),
    *(
        "我是个病人的朋友",
        "我们是人，都会累。",
        "你说过可以叫我帮忙",
        "I'm not a doctor.",
        "I hear you.",
    ),
    *("I'm an AI counselling assistant.", "I'm here to listen.", "call me when you can"),
)


def claims(text: str, *, size: int = 1, role: str = "咨询助手", own: str = "") -> tuple[bool, str]:
    """Return whether a text claims something, and what of it leaves."""
    found = SelfClaims(role=role, own=own)
    left = "".join(found.feed(text[at : at + size]) for at in range(0, len(text), size))
    left += found.finish()
    return found.claimed, left


@pytest.mark.parametrize("text", CLAIMS)
def test_a_person_or_another_name_is_a_claim(text: str) -> None:
    """The speaker is a program and has the name that the script gives it."""
    claimed, left = claims(text)
    assert claimed
    assert left in {"", "好的，"}


@pytest.mark.parametrize("text", NONE)
def test_what_is_denied_asked_or_quoted_is_none(text: str) -> None:
    """Nor is what somebody else is."""
    assert claims(text) == (False, text)


def test_the_roles_own_name_and_the_scripts_own_words_are_none() -> None:
    """A script may call its counsellor so, and may write such a sentence."""
    assert not claims("我叫小林，很高兴认识你。", role="小林")[0]
    assert not claims("我是心理咨询师小林。", role="心理咨询师小林")[0]
    assert not claims("我是医生。", own="请念：我是医生。")[0]


@pytest.mark.parametrize("word", ["That", "It", "How", "This", "Did"])
def test_a_word_that_leads_to_no_speaker_leaves_with_its_token(word: str) -> None:
    """Nor does a clause wait whose last word may become none of the speaker's."""
    found = SelfClaims(role="咨询助手")
    assert found.feed(word) == word
    assert found.feed(" is") == " is"


@pytest.mark.parametrize("lead", ["Okay", "Look", "Oh", "Hey", "Then", "No", "Well now", "You see"])
def test_what_stands_before_a_claim_waits_with_it(lead: str) -> None:
    """Nothing of a message is sent that begins with a claim, if a word or two come before it."""
    assert claims(f"{lead} I'm a real person.") == (True, "")


@given(st.text(alphabet="我是人叫小不医生，。？ Iam'doctr", max_size=30), st.integers(1, 5))
def test_pieces_change_no_finding(text: str, size: int) -> None:
    """A claim is found in whatever pieces it comes; what leaves is a beginning of the text."""
    claimed, left = claims(text, size=size)
    assert claimed == claims(text, size=len(text) or 1)[0]
    assert left == text if not claimed else text.startswith(left)


ASKED = (
    *(
        "你是人还是机器？",
        "你是机器人吗",
        "你是真人吗？",
        "你到底是什么",
        "你是AI吗",
        "你是不是机器人",
    ),
    *(
        "are you a bot?",
        "Are you human?",
        "am I talking to a real person?",
        "r u a bot",
        "what are you?",
    ),
)
NOT_ASKED = (
    "你是不是觉得我很烦",
    "我是人，也会累",
    "他是机器人吗",
    "are you ok?",
    "是什么让你这么想",
)


def test_a_client_who_asks_what_it_is_is_heard() -> None:
    """In either language; a question about something else is none."""
    assert [each for each in ASKED if not asks_what_it_is(each)] == []
    assert [each for each in NOT_ASKED if asks_what_it_is(each)] == []
