"""What of an action's prompt may give way."""

from __future__ import annotations

from typing import Any

from executor_service.actions.ai_ask import run_ai_ask
from executor_service.actions.giving_way import variables_giving_way
from heartrule.model.ports import ChatMessage, ChatRequest, GivesWay
from tests.support.engine_builders import ask, round_context, topic
from tests.support.fake_model import FakeModel, ask_reply

LONG = "很久以前" * 300


async def request_of(**changes: Any) -> ChatRequest:
    """Return the request an ai_ask makes."""
    model = FakeModel([ask_reply("好。")])
    await run_ai_ask(round_context(ask(), model, **changes))
    return model.requests[0]


def texts(request: ChatRequest, kind: GivesWay) -> list[str]:
    return [each.text for each in request.yielding if each.kind is kind]


async def test_a_long_reply_may_give_way() -> None:
    """The client's words give way as they stand in the prompt; a few of them never do."""
    request = await request_of(reply=LONG)
    assert texts(request, GivesWay.REPLY) == [f"> {LONG}"]
    assert f"> {LONG}" in request.messages[-1].content
    assert (await request_of(reply="嗯")).yielding == ()


async def test_words_before_an_opening_may_give_way() -> None:
    """An action that opens behind the client's words quotes them, and they may be cut."""
    request = await request_of(history=(ChatMessage(role="user", content=LONG),))
    assert texts(request, GivesWay.REPLY) == [f"> {LONG}"]
    assert request.messages[-1].content.startswith(f"> {LONG}\n")


async def test_unread_variables_may_give_way() -> None:
    """Of many variables those may go that no action of the topic names."""
    inside = topic(ask(content="叫你{称呼}好吗"))
    request = await request_of(variables={"称呼": "小明", "旧事": LONG}, within=inside)
    assert texts(request, GivesWay.VARIABLE) == [f"\n- 旧事：{LONG}"]
    assert f"\n- 旧事：{LONG}" in request.messages[-1].content


async def test_long_values_may_give_way() -> None:
    """A long value may be cut, read or not; short ones stay."""
    request = await request_of(variables={"称呼": "小明", "旧事": LONG})
    assert texts(request, GivesWay.VALUE) == [LONG]


async def test_an_edited_action_reads_its_variables() -> None:
    """A variable that only the action at hand names stays, as one of the topic's does."""
    within = topic(ask("other"))
    context = round_context(
        ask(content="还记得{旧事}吗"), FakeModel(), variables={"旧事": LONG}, within=within
    )
    kinds = [each.kind for each in variables_giving_way(context)]
    assert kinds == [GivesWay.VALUE]
