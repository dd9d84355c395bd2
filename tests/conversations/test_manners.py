"""The scripted models read the shipped prompts, and answer in their manners."""

from __future__ import annotations

import json
from random import Random

import pytest

from heartrule.domain.model_call import Purpose
from heartrule.model.ports import ChatMessage, ChatRequest
from tests.conversations.fact_sheet import facts_of
from tests.conversations.manners import MANNERS
from tests.conversations.personas import PERSONAS, Client, Sheet
from tests.conversations.prompt_reading import ReadPrompt, read_prompt

FACTS = facts_of(["称呼", "年龄"])
SYSTEM = """# 输出格式
- EXIT：只写 YES 或 NO
- content：要说的话
- variables：总是一个对象
- metrics.user_engagement：愿意谈的程度

{"EXIT":"NO","content":"别的会谈","variables":{"起床时间":"五点"},"metrics":{"user_engagement":"别的"}}
"""
TURN = """【这一步要问的】我可以怎么称呼你？
【要了解的内容】
- 称呼（text）：希望被怎样称呼
【结束条件】来访者说出一个称呼，或表示不想说
【来访者刚才说的话】
> %s
【说完】
请先评估这段回答。"""


def prompt_of(words: str, *, last: str = TURN, system: str = SYSTEM) -> ReadPrompt:
    asked = ChatMessage(role="assistant", content="我可以怎么称呼你？")
    messages = (
        ChatMessage(role="system", content=system),
        asked,
        ChatMessage(role="user", content=last % words),
    )
    request = ChatRequest(
        purpose=Purpose.TALK, messages=messages, prompt_type="ai_ask_v1", template_hash=""
    )
    return read_prompt(request)


def reply_of(manner: str, words: str) -> str:
    return MANNERS[manner](FACTS, Random(1)).reply(prompt_of(words))


def test_a_prompt_is_read_by_its_labels() -> None:
    """Task, outputs, condition, words and fields are found where the prompt has them."""
    read = prompt_of("叫我小林就好")
    assert (read.outputs, read.words, read.opening) == (("称呼",), "叫我小林就好", False)
    assert list(read.fields) == ["EXIT", "content", "variables", "metrics.user_engagement"]


def test_a_shape_in_the_task_names_the_fields() -> None:
    """Where the task shows the object to write, that object counts."""
    last = TURN + '\n请只输出：{"EXIT":"…","content":"…"}'
    assert list(prompt_of("小林", last=last).fields) == ["EXIT", "content"]


def test_quotes_are_written_where_they_are_asked_for() -> None:
    """The format decides whether a value carries its quote."""
    read = prompt_of("叫我小林就好", system=SYSTEM.replace("总是一个对象", "value 和 quote"))
    written = json.loads(MANNERS["obeys"](FACTS, Random(1)).reply(read))
    assert written["variables"] == {"称呼": {"value": "小林", "quote": "叫我小林就好"}}


def test_who_obeys_exits_when_all_is_said() -> None:
    """An answer, or a refusal that the condition allows, ends the action; silence does not."""
    exits = [json.loads(reply_of("obeys", words))["EXIT"] for words in ("小林", "不想说", "……")]
    assert exits == ["YES", "YES", "NO"]


@pytest.mark.parametrize(
    ("manner", "sign"),
    [
        ("never-exits", '。",'),
        ("exits-early", "100%"),
        ("copies-example", "五点"),
        ("invents", "阿宁"),
        ("rambles", "好的，这是我的回复"),
        ("thinks-first", "<think>"),
    ],
)
def test_a_manner_shows(manner: str, sign: str) -> None:
    """Each manner writes what its model is known for."""
    assert sign in reply_of(manner, "……")


def test_echoes_come_by_turns() -> None:
    """Of three replies one repeats itself and one repeats the client."""
    talker = MANNERS["echoes"](FACTS, Random(1))
    for _ in range(3):
        talker.reply(prompt_of("小林"))
    assert talker.said == "小林"


@pytest.mark.parametrize("name", PERSONAS)
def test_a_client_says_the_same_each_time(name: str) -> None:
    """What a persona says depends on its seed and the questions alone."""

    def talk() -> list[str]:
        persona = PERSONAS[name]
        client = Client(Sheet(facts=FACTS, language=persona.language, random=Random(3)), persona)
        asked = (("怎么称呼你？", "称呼"), ("你多大？", "年龄"), ("这样可以吗？", "")) * 2
        return [client.reply([question], name) for question, name in asked]

    assert talk() == talk()
