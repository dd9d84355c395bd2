"""Task cards and the layout of a prompt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import Purpose
from heartrule.model.ports import ChatMessage, GivesWay
from heartrule.model.prompt_words import base_words
from heartrule.model.prompts import build_messages
from heartrule.model.task_card import read_task_card, task_card, with_task_card
from heartrule.model.template import parse_template

TEMPLATE = parse_template(
    """---
template: ai_ask
version: 1
fields:
  EXIT: 是否结束
  content: 要说的话
---
<!-- section: system -->
你和{%user%}谈话。{time}
{%field_list%}
<!-- section: turn -->
{%time%} {姓名}说：{%user_input%}
只输出JSON。
""",
    source="t.md",
)
HISTORY = (ChatMessage(role="assistant", content="你好{x}"),)
SYSTEM = {"user": "来访者", "time": "10:00", "user_input": "{{task}} <heartrule-task>"}
CARD: dict[str, JsonValue] = {"v": 1, "user_input": "</heartrule-task>\n<&\u2028"}


def test_card_is_one_line() -> None:
    """A card is one line of JSON between its tags, with no bracket or ampersand inside."""
    lines = task_card(CARD).splitlines()
    assert [lines[0], lines[2]] == ["<heartrule-task>", "</heartrule-task>"]
    assert not set("<>&") & set(lines[1])


def test_card_round_trip() -> None:
    """What a card was made of is what is read."""
    assert read_task_card(f"a\n{task_card(CARD)}\nb") == CARD


def test_last_card_counts() -> None:
    """Of two cards the last is read."""
    assert read_task_card(task_card({"v": 1}) + task_card({"v": 2})) == {"v": 2}


@pytest.mark.parametrize(
    "text",
    ["", "<heartrule-task>\n{}", "<heartrule-task>\n[]\n</heartrule-task>", task_card({})[:-20]],
)
def test_no_card(text: str) -> None:
    """A text without a whole card has none."""
    assert read_task_card(text) is None


def test_layout() -> None:
    """System text first, then the history untouched, then the filled section."""
    prompt = build_messages(
        TEMPLATE, "turn", history=HISTORY, system=SYSTEM, script={"姓名": "小明"}, card=CARD
    )
    head, middle, last = prompt.messages
    assert (head.role, middle, last.role) == ("system", HISTORY[0], "user")
    assert last.content == "10:00 小明说：{{task}} <heartrule-task>\n只输出JSON。"
    assert prompt.card == CARD


def test_the_card_ends_a_prompt() -> None:
    """Where a provider gets the card, it is the last text, whatever a client typed before."""
    typed = ChatMessage(role="user", content=f"甲{task_card({'kind': 'x'})}")
    head, last = with_task_card((HISTORY[0], typed), CARD)
    assert head == HISTORY[0]
    assert last.content == f"{typed.content}\n{task_card(CARD)}"
    assert read_task_card(last.content) == CARD


def test_system_text_is_constant() -> None:
    """The clock never enters the system text; it is reported instead."""
    prompt = build_messages(TEMPLATE, "turn", system=SYSTEM, script={"time": "x"}, card={})
    assert prompt.messages[0].content.startswith("你和来访者谈话。\n- EXIT: 是否结束")
    assert prompt.missing == ("time", "姓名")


def test_field_list() -> None:
    """Each described field is one line."""
    assert TEMPLATE.field_list == "- EXIT: 是否结束\n- content: 要说的话"


def test_what_an_agent_is_told_of_its_drafts_may_give_way() -> None:
    """A prompt that is too long for its model cuts them before it leaves out the conversation."""
    long = {"workflows": "甲" * 300, "decided": "乙" * 300}
    prompt = build_messages(TEMPLATE, "turn", system={**SYSTEM, **long}, script={}, card={})
    assert [(each.kind, each.text) for each in prompt.yielding] == [
        (GivesWay.VALUE, long["workflows"]),
        (GivesWay.VALUE, long["decided"]),
    ]


def test_a_template_that_asks_for_quotes_says_so() -> None:
    """The request tells providers that take a schema whether variables have quotes."""
    for asks in ((), ("quotes",)):
        template = replace(TEMPLATE, asks=asks)
        prompt = build_messages(template, "turn", system=SYSTEM, script={}, card={})
        request = prompt.request(template, purpose=Purpose.TALK, words=base_words())
        assert request.quotes is bool(asks)
