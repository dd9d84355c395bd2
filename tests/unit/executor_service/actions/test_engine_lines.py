"""What the engine says where a text may not be sent: each wording once, while there are others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from executor_service.actions.action_context import RoundContext
from executor_service.actions.outgoing.known_question import AskedOutput, AskedOutputs
from executor_service.actions.outgoing.outgoing_texts import OutgoingTable, OutgoingTexts
from executor_service.actions.prompting import Brief
from executor_service.actions.reply_streamer import ReplyStreamer, SecondTries
from executor_service.actions.say import run_say
from executor_service.actions.show_pic import run_show_pic
from executor_service.actions.talk import talk
from executor_service.scripts.model.actions import ActionType, LiteralConfig, PictureConfig
from executor_service.scripts.model.script import Action
from executor_service.variables.known import OutputsBeside
from heartrule.domain.skipping import KnownAnswer
from heartrule.model.ports import ChatMessage
from tests.support.engine_builders import (
    RecordingSink,
    action_of_type,
    ask,
    counting_ids,
    round_context,
    say,
)
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.written_templates import CLOSING, REASK, written_templates
from tests.support.written_templates import TEXTS as TALK_TEXTS

TEXTS = OutgoingTexts(
    other_words=("换个说法：{question}", "再问一次：{question}"),
    told_again=("再说一遍：{text}",),
    reasks=("请再说说。",),
    closings=("好，先这样。",),
    confirmations=("你说过「{known}」。",),
)
BRIEF = Brief(task="问称呼", own_text="怎么称呼你？", max_rounds=3)
ECHO, BROKEN, COPIED = ask_reply("我叫小鱼"), "{", ask_reply("…")


def context(
    model: FakeModel, *said: str, action: Action | None = None, **given: Any
) -> RoundContext:
    """Return a round before which the assistant said these."""
    tries = SecondTries(left=0)
    table = OutgoingTable({"zh": TEXTS})
    streamer = ReplyStreamer(
        model=model,
        sink=RecordingSink(),
        new_id=counting_ids(),
        texts=table,
        second_tries=tries,
    )
    history = tuple(ChatMessage(role="assistant", content=text) for text in said)
    given = {"reply": "我叫小鱼", **given}
    return round_context(action or ask(), model, streamer=streamer, history=history, **given)


async def said_instead(raw: str, *said: str, brief: Brief = BRIEF, **given: Any) -> str:
    """Return what a client reads in place of a reply."""
    return (await talk(context(FakeModel([raw]), *said, **given), brief)).message.text


@pytest.mark.parametrize("raw", [ECHO, COPIED])
async def test_the_scripts_question_in_a_wording_not_said_lately(raw: str) -> None:
    """A caught text, and a copied shape: the question; where all ways were used, the oldest."""
    first, second = "换个说法：怎么称呼你？", "再问一次：怎么称呼你？"
    assert await said_instead(raw) == first
    assert await said_instead(raw, first) == second
    assert await said_instead(raw, first, second) == first


async def test_what_is_missing_is_asked_for_where_a_part_is_known() -> None:
    """A form's next item, not its introduction."""
    item = AskedOutput(name="睡眠", label="睡得怎样", question="睡得怎样")
    brief = replace(BRIEF, asked=AskedOutputs(outputs=(item,), by_item=True))
    assert await said_instead(ECHO, brief=brief) == "换个说法：睡得怎样"


async def test_an_unreadable_reply_has_the_neutral_line_first() -> None:
    """Then the question (RESOLUTIONS C4); without text of the script, further lines."""
    assert await said_instead(BROKEN) == REASK
    assert await said_instead(BROKEN, REASK) == "换个说法：怎么称呼你？"
    assert await said_instead(BROKEN, REASK, brief=replace(BRIEF, own_text="")) == "请再说说。"


async def test_what_an_ai_say_tells_is_told_again() -> None:
    """It is no question."""
    told = await said_instead(
        ECHO, action=say(max_rounds=3), brief=replace(BRIEF, own_text="欢迎你。")
    )
    assert told == "再说一遍：欢迎你。"


async def test_a_closing_line_that_was_said_is_spare() -> None:
    """The template's line, then another; then it may be left out."""
    model = FakeModel([BROKEN] * 3)
    found = []
    for said in ((), (CLOSING,), (CLOSING, "好，先这样。")):
        one = await talk(context(model, *said, round_=BRIEF.max_rounds), BRIEF)
        found.append((one.message.text, one.message.spare))
    assert found == [(CLOSING, False), ("好，先这样。", False), (CLOSING, True)]


async def test_a_template_without_a_closing_line_ends_in_the_engines() -> None:
    """Nothing at all would leave the client without an answer."""
    silent = written_templates({("silent", "ai_ask"): TALK_TEXTS["ai_ask"].replace(CLOSING, "")})
    brief = replace(BRIEF, own_text="")
    end = {"round_": BRIEF.max_rounds, "templates": silent, "scheme": "silent"}
    assert await said_instead(BROKEN, brief=brief, **end) == "好，先这样。"


async def test_the_script_confirms_in_the_engines_words() -> None:
    """Literal words come behind a message of their own; an opening's stand-in begins with it."""
    heard = OutputsBeside(to_confirm=(KnownAnswer(variable="岁数", value=30, quote="三十岁"),))
    literal = action_of_type(ActionType.SAY, "say", LiteralConfig(content="欢迎你。"))
    model = FakeModel([BROKEN])
    outcome = await run_say(context(model, action=literal, reply=None, beside=heard))
    assert [each.text for each in outcome.messages] == ["你说过「三十岁」。", "欢迎你。"]
    picture = PictureConfig(source="https://example.org/a.png", caption="湖", alt="一片湖")
    shown = action_of_type(ActionType.SHOW_PIC, "pic", picture)
    outcome = await run_show_pic(context(model, action=shown, reply=None, beside=heard))
    assert [each.text for each in outcome.messages] == ["你说过「三十岁」。", "一片湖"]
    opened = await said_instead(BROKEN, reply=None, beside=heard)
    assert opened == "你说过「三十岁」。怎么称呼你？"
