"""A text that may not be sent: asked for once more, then replaced."""

from __future__ import annotations

from typing import Any

import pytest

from executor_service.actions.action_context import RoundContext
from executor_service.actions.outgoing.outgoing_texts import OutgoingTable, OutgoingTexts
from executor_service.actions.outgoing.text_fault import TextFault
from executor_service.actions.prompting import Brief
from executor_service.actions.reply_streamer import ReplyStreamer
from executor_service.actions.second_try import TOLD_IN_VAIN
from executor_service.actions.talk import Talk, talk
from heartrule.domain.errors import ModelUnavailable
from tests.support.engine_builders import (
    RecordingSink,
    ask,
    counting_ids,
    round_context,
)
from tests.support.fake_model import FakeModel, Reply, ask_reply

TEXTS = OutgoingTexts(
    ask_again=dict.fromkeys(TextFault, "换一句"), other_words=("换个说法：{question}",)
)
BRIEF = Brief(task="问称呼", own_text="怎么称呼你？", max_rounds=3)
ECHO = ask_reply("我叫小鱼。")


def answering(model: FakeModel, **given: Any) -> RoundContext:
    """Return a round in which the client said their name."""
    table = OutgoingTable({"zh": TEXTS})
    streamer = ReplyStreamer(model=model, sink=RecordingSink(), new_id=counting_ids(), texts=table)
    return round_context(ask(), model, reply="我叫小鱼", streamer=streamer, **given)


async def talked(*replies: Reply | str) -> tuple[Talk, FakeModel]:
    """Answer a client with these replies."""
    model = FakeModel(replies)
    return await talk(answering(model), BRIEF), model


async def test_a_second_text_is_asked_for_with_what_was_wrong() -> None:
    """The line stands before the format's own; the second text is sent."""
    one, model = await talked(ECHO, ask_reply("小鱼你好，多大了？"))
    assert one.message.text == "小鱼你好，多大了？"
    assert model.last_prompt().split("\n")[-2] == "换一句"
    assert one.faults == ("echo",)


async def test_a_second_echo_gives_way_to_the_scripts_question_in_other_words() -> None:
    """Two calls are made, not three."""
    one, model = await talked(ECHO, ECHO)
    assert one.message.text == "换个说法：怎么称呼你？"
    assert (one.faults, len(model.requests)) == (("echo", "echo"), 2)


async def test_a_turn_asks_again_once() -> None:
    """The next message of the same turn has no second try."""
    model = FakeModel([ECHO, ECHO, ECHO])
    context = answering(model)
    await talk(context, BRIEF)
    await talk(context, BRIEF)
    assert len(model.requests) == 3


async def test_without_a_second_text_the_scripts_own_counts() -> None:
    """A model that fails now costs the client no turn; the first reply is still judged."""
    one, _ = await talked(
        ECHO, Reply((), fails=ModelUnavailable("down", reason="MODEL_UNAVAILABLE"))
    )
    assert one.message.text == "换个说法：怎么称呼你？"
    assert one.made.reply is not None


@pytest.mark.parametrize("reply", [ECHO, ask_reply("多大了？")])
async def test_a_model_told_in_vain_is_not_told_again(reply: str) -> None:
    """Its action remembers it, whatever comes between."""
    model = FakeModel([reply, ECHO])
    one = await talk(answering(model, memory={TOLD_IN_VAIN: True}), BRIEF)
    assert (len(model.requests), one.told_in_vain) == (1, True)
    assert (await talked(ECHO, ECHO))[0].told_in_vain
    assert not (await talked(ECHO, ask_reply("多大了？")))[0].told_in_vain
