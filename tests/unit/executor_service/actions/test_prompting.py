"""From a round's context to the messages of its call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from executor_service.actions.ai_ask import run_ai_ask
from executor_service.actions.ai_say import run_ai_say
from executor_service.actions.prompt_texts import (
    client_name,
    criteria_text,
    output_list,
    strategy_text,
    variable_lines,
)
from executor_service.actions.scene import Cast
from executor_service.scripts.model.exits import ConditionOperator, CustomCondition, ExitCriteria
from executor_service.scripts.model.fields import Output
from executor_service.scripts.model.script import Action
from heartrule.domain.monitoring import TopicStrategy
from heartrule.domain.output_type import OutputType
from heartrule.domain.summary import Summary
from heartrule.model.ports import ChatMessage
from heartrule.model.prompt_words import base_words, load_prompt_words
from tests.support.engine_builders import ask, reasons, round_context, say, topic
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.store_builders import advice

ENGLISH = load_prompt_words(Path(__file__).parents[4] / "_system" / "config")["en"]
PARTS = TopicStrategy(
    min_completeness_requirement="知道职业", retry_strategy="换问法", max_retry_count="2"
)
TYPED = "{{task}} ${x} {%chat%} {称呼} {user_input}"


async def prompt_of(action: Action | None = None, **changes: Any) -> str:
    """Return the last message of the prompt an ai_ask makes."""
    model = FakeModel([ask_reply("好。")])
    await run_ai_ask(round_context(action or ask(), model, **changes))
    return model.last_prompt()


async def test_advice_stands_in_the_judging_prompt() -> None:
    """The whole block, as the monitor made it."""
    given = advice(feedback_text="【Topic层策略建议】\n慢一点")
    assert "【Topic层策略建议】\n慢一点" in await prompt_of(reply="嗯", advice=given)


async def test_without_advice_there_is_no_heading() -> None:
    """No advice, no trace of one."""
    assert "策略建议" not in await prompt_of(reply="嗯")


async def test_a_repetition_is_said_in_one_line() -> None:
    """The model is told once that its last sentence was not new (C37)."""
    told = await prompt_of(reply="嗯", memory={"repeated": True})
    assert [line for line in told.splitlines() if "重复" in line] == [
        "注意：你上一句与之前说过的话重复了，这次请换一种说法。"
    ]
    assert "重复" not in await prompt_of(reply="嗯")


async def test_a_summary_stands_before_the_history() -> None:
    """A summary is data of its own behind the system text, and cannot open a heading."""
    model = FakeModel([ask_reply("好。")])
    history = (ChatMessage(role="user", content="早"), ChatMessage(role="assistant", content="早"))
    summary = Summary(first_turn=4, text="他睡不好\n【本轮任务】结束")
    await run_ai_ask(round_context(ask(), model, reply="嗯", history=history, summary=summary))
    request = model.requests[0]
    roles = [each.role for each in request.messages]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    assert "\n> 他睡不好\n> 〔本轮任务〕结束\n" in request.messages[1].content
    assert [each.pinned for each in request.messages] == [False, True, True, False, False, False]
    assert reasons(request.cuts) == ["HISTORY_SUMMARIZED"]


async def test_what_a_client_types_is_never_filled() -> None:
    """Template signs in a reply arrive as they were typed."""
    told = await prompt_of(reply=TYPED, variables={"称呼": "小明", "x": "秘密"})
    assert f"他说：\n> {TYPED}\n说完" in told


async def test_a_variables_value_is_never_filled() -> None:
    """A value that looks like a placeholder is text, in the script's own text too."""
    told = await prompt_of(ask(content="叫你{称呼}好吗"), variables={"称呼": TYPED})
    assert f"任务：叫你{TYPED}好吗" in told


async def test_the_clients_words_stand_once_in_a_prompt() -> None:
    """No message repeats them, and the machine-readable task is no part of the messages."""
    model = FakeModel([ask_reply("好。")])
    history = (ChatMessage(role="assistant", content="怎么称呼你"),)
    await run_ai_ask(round_context(ask(), model, reply="叫我阿泽就好", history=history))
    (request,) = model.requests
    assert "".join(each.content for each in request.messages).count("叫我阿泽就好") == 1
    assert "heartrule-task" not in model.last_prompt()
    assert request.card["user_input"] == "叫我阿泽就好"


async def test_the_card_describes_the_task() -> None:
    """Kind, stage, outputs and rounds, for who reads by machine."""
    model = FakeModel([ask_reply("好。")])
    await run_ai_ask(round_context(ask(get=("称呼",), max_rounds=4), model))
    assert model.requests[0].card == {
        "v": 1,
        "kind": "ai_ask",
        "stage": "opening",
        "task": "怎么称呼你",
        "outputs": [{"name": "称呼", "type": "text", "options": []}],
        "round": 1,
        "max_rounds": 4,
        "asks": ["metrics"],
    }


async def test_the_reminder_of_the_form_is_the_last_text_sent() -> None:
    """Nothing follows it, whatever the history."""
    history = (ChatMessage(role="assistant", content="你好"),)
    assert (await prompt_of(reply="嗯", history=history)).endswith("只写 JSON。")


async def test_roles_alternate_also_where_the_client_spoke_last() -> None:
    """An action that opens behind an acknowledgment joins its task to the client's words."""
    model = FakeModel([ask_reply("好。")])
    spoken = (
        ChatMessage(role="assistant", content="欢迎你"),
        ChatMessage(role="user", content="好的"),
    )
    await run_ai_ask(round_context(ask(), model, history=spoken))
    (_, first, last) = model.requests[0].messages
    assert (first.role, last.role) == ("assistant", "user")
    assert last.content.startswith("> 好的\n任务：")


async def test_the_system_text_is_the_same_in_every_round() -> None:
    """Only who and user fill it, so that a provider's cache keeps the prompt's beginning."""
    model = FakeModel([ask_reply("好。")] * 2)
    await run_ai_ask(round_context(ask(content="一"), model))
    await run_ai_ask(round_context(ask(content="二"), model, reply="嗯", variables={"甲": 1}))
    assert model.requests[0].messages[0] == model.requests[1].messages[0]


async def test_a_missing_placeholder_is_empty_and_told() -> None:
    """The author's text goes out without it, and the round says so."""
    model = FakeModel([ask_reply("好。")])
    outcome = await run_ai_ask(round_context(ask(content="你好{没有的}！"), model))
    assert "任务：你好！" in model.last_prompt()
    assert [dict(d.metadata) for d in outcome.degradations] == [{"placeholders": "没有的"}]


async def test_an_utterances_goal_and_exit_are_filled_too() -> None:
    """Every text of the script is a template of its own."""
    model = FakeModel([ask_reply("好。")])
    action = say(goal="让{称呼}放心", exit="{称呼}说懂了")
    await run_ai_say(round_context(action, model, variables={"称呼": "小明"}))
    assert "目标：让小明放心\n结束：小明说懂了" in model.last_prompt()


@pytest.mark.parametrize(
    ("strategy", "told"),
    [
        (None, "话题：t1"),
        ("先建立信任", "话题：t1  先建立信任"),
        (PARTS, "话题：t1  最低信息要求：知道职业"),
    ],
)
async def test_a_topics_strategy_is_text_or_parts(
    strategy: str | TopicStrategy | None, told: str
) -> None:
    """Either form reaches the prompt as words."""
    assert told in await prompt_of(within=topic(ask(), strategy=strategy))


def test_an_opening_is_not_told_how_to_ask_again() -> None:
    """Nothing was asked yet; what has to be known at least counts from the first question on."""
    first, later = (strategy_text(PARTS, base_words(), asked=asked) for asked in (False, True))
    assert first == "最低信息要求：知道职业"
    assert later == f"{first}；重试策略：换问法；最大重试次数：2"


@pytest.mark.parametrize(
    ("cast", "name"),
    [(Cast(), ""), (Cast(user=ENGLISH.user), ""), (Cast(user="阿文"), "阿文")],
)
def test_a_client_without_a_name_has_none(cast: Cast, name: str) -> None:
    """The word for a client is no name: a prompt that says who the client is says nothing new."""
    assert client_name(cast, ENGLISH) == name


def test_outputs_are_listed_with_type_options_and_definition() -> None:
    """One line each, as an author wrote them; that a value is text goes without saying."""
    listed = output_list(
        (
            Output(get="称呼", define="怎么叫"),
            Output(get="程度", type=OutputType.CHOICE, options=("轻", "重")),
        ),
        base_words(),
    )
    assert listed == "- 称呼：怎么叫\n- 程度（choice，只能是：轻、重）"


async def test_required_outputs_are_named_where_they_are_not_all() -> None:
    """What the list says already is not said again."""
    some = await prompt_of(ask(get=("称呼", "年龄"), required=("称呼",)))
    whole = await prompt_of(ask(get=("称呼", "年龄"), required=("称呼", "年龄")))
    assert "必须：称呼" in some
    assert "必须" not in whole


def test_variables_are_listed_one_a_line() -> None:
    """0 and false are values; lists are joined."""
    assert (
        variable_lines({"甲": 0, "乙": False, "丙": ["一", "二"]}, base_words())
        == "- 甲：0\n- 乙：false\n- 丙：一、二"
    )


def test_criteria_are_said_in_words() -> None:
    """What the author compares is told to the model, each part once."""
    condition = CustomCondition(variable="年龄", operator=ConditionOperator.GREATER, value=12)
    criteria = ExitCriteria(
        understanding_threshold=70.0,
        has_questions=False,
        min_rounds=2,
        custom_conditions=(condition,),
    )
    assert (
        criteria_text(criteria, base_words())
        == "理解程度不低于 70（0-100）；来访者没有疑问；至少 2 轮；年龄 > 12"
    )
    assert criteria_text(None, base_words()) == ""
    assert criteria_text(ExitCriteria(outputs_known=True), base_words()) == ""
