"""In danger nobody waits for a model: what runs gives way, and the script does not go on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.events import Outcome, TurnEnded
from heartrule.domain.input_request import InputRequested
from heartrule.v1 import safety_pb2
from heartrule.v1 import safety_request_pb2 as pb
from tests.support.doors import DOORS, Door, typed
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, Reply, ask_reply, whole
from tests.support.interrupting import held
from tests.support.scripts import ask_script, form, topic_script

CRISIS = "我想自杀"
CONCERN = "大学时想过自杀"
GENTLE = "不想活"
WORRIED = "我朋友说他不想活了，我很担心"
PHQ = topic_script(
    form("{name: 念头, type: scale, min: 0, max: 3, safety_item: true, safety_values: ['2', '3']}")
)
GREETING = Path(__file__).parents[3] / "_system" / "scripts" / "greeting.yaml"


def hanging() -> Reply:
    """Return a reply that never comes."""
    return Reply(pieces=("{", "}"), gate=asyncio.Event())


def failing() -> Reply:
    """Return a failure."""
    return Reply((), fails=ModelUnavailable("down", reason="MODEL_TIMEOUT"))


@pytest.mark.parametrize("text", [CRISIS, WORRIED])
@pytest.mark.parametrize("reply", [hanging, failing])
@pytest.mark.parametrize("door", DOORS)
async def test_an_opening_that_hangs_or_fails_gives_way(
    door: Door, reply: type[Reply], text: str
) -> None:
    """The card comes though the assistant never said a word."""
    model = FakeModel([reply(), *[whole(ask_reply("你好"))] * 9])  # type: ignore[call-arg]
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(ask_script(9))
        assert "12356" in await door(running.client, session_id, typed(text))


@pytest.mark.parametrize("door", DOORS)
async def test_an_opening_that_hangs_already_gives_way(door: Door) -> None:
    """The opening began before the client wrote."""
    slow = hanging()
    async with running_executor(Neighbours(model=FakeModel([slow]))) as running:
        session_id = await running.client.start(ask_script(9))
        async with running.client.converse(session_id):
            await slow.started.wait()
            assert "12356" in await door(running.client, session_id, typed(CRISIS))


@pytest.mark.parametrize("mode", ["", "IF_BUSY_QUEUE", "IF_BUSY_REJECT"])
@pytest.mark.parametrize("text", [CRISIS, WORRIED])
async def test_a_turn_that_hangs_gives_way(mode: str, text: str) -> None:
    """Whatever the client or the script says about inputs while a turn runs."""
    async with held("") as talk:
        await talk.stream.say("m2", text, if_busy=mode)
        assert (await talk.ended()).outcome is Outcome.INTERRUPTED
        answered = await talk.ended()
        assert answered.client_message_ids == ("m2",)
        assert "12356" in talk.stream.told.texts()[1]


@pytest.mark.parametrize("door", DOORS)
async def test_a_concern_is_asked_about_though_the_opening_hangs(door: Door) -> None:
    """The question takes no model; it comes in place of the script's."""
    async with running_executor(Neighbours(model=FakeModel([hanging()]))) as running:
        session_id = await running.client.start(ask_script(9))
        assert GENTLE in await door(running.client, session_id, typed(CONCERN))


async def test_a_concern_is_asked_about_though_a_turn_hangs() -> None:
    """What the turn would have asked gives way."""
    async with held("") as talk:
        await talk.stream.say("m2", CONCERN)
        assert (await talk.ended()).outcome is Outcome.INTERRUPTED
        assert (await talk.ended()).client_message_ids == ("m2",)
        assert GENTLE in talk.stream.told.texts()[1]


async def test_a_sentence_over_several_inputs_is_found_at_once() -> None:
    """The inputs that wait for a turn that hangs are read together."""
    async with held("") as talk:
        for name, part in (("m2", "我不想"), ("m3", "活了")):
            await talk.stream.say(name, part)
        assert (await talk.ended()).outcome is Outcome.INTERRUPTED
        assert (await talk.ended()).client_message_ids == ("m2", "m3")
        assert "12356" in talk.stream.told.texts()[1]


async def test_a_sentence_that_began_in_the_turn_that_hangs_is_found_at_once() -> None:
    """The turn has its first part, and has answered nothing."""
    async with held("", first="我不想") as talk:
        await talk.stream.say("m2", "活了")
        assert (await talk.ended()).outcome is Outcome.INTERRUPTED
        assert (await talk.ended()).client_message_ids == ("m2",)
        assert "12356" in talk.stream.told.texts()[1]


async def test_a_form_is_not_kept_waiting_by_a_turn_that_hangs() -> None:
    """Only its script knows that an answer is a safety item's; its card takes no model."""
    slow = hanging()
    model = FakeModel([whole(ask_reply("请填一张表。")), slow, whole(ask_reply("谢谢。"))])
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(PHQ)
        async with running.client.converse(session_id, accepts=("FEATURE_FORM",)) as stream:
            await stream.until_body(TurnEnded)
            (asked,) = stream.told.of(InputRequested)
            await stream.say("m1", "这个表是做什么的？")
            await slow.started.wait()
            await stream.submit("f1", asked.input_request_id, {"念头": 2})
            assert (await stream.until_body(TurnEnded)).outcome is Outcome.INTERRUPTED
            assert (await stream.until_body(TurnEnded)).client_message_ids == ("f1",)
            assert "12356" in stream.told.texts()[1]


async def test_inputs_that_queue_are_not_waited_for() -> None:
    """The turn that says where help is takes up all that waits before it."""
    async with held("") as talk:
        for name in ("m2", "m3"):
            await talk.stream.say(name, "嗯", if_busy="IF_BUSY_QUEUE")
        await talk.stream.say("m4", CRISIS)
        assert (await talk.ended()).outcome is Outcome.INTERRUPTED
        assert (await talk.ended()).client_message_ids == ("m2", "m3", "m4")
        assert "12356" in talk.stream.told.texts()[1]


async def test_the_merge_window_is_not_waited_for() -> None:
    """Further fragments are no reason to let a client in danger wait."""
    script = ask_script(9).replace(
        "  session_id: asking\n", "  session_id: asking\n  input: {merge_window_ms: 60000}\n"
    )
    model = FakeModel([ask_reply("怎么称呼你？")])
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(script)
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.say("m1", "我今天")
            await stream.say("m2", CRISIS)
            ended = await stream.until_body(TurnEnded)
    assert ended.client_message_ids == ("m1", "m2")


async def test_the_greeting_never_takes_a_crisis_for_a_name() -> None:
    """Nothing of it is stored or spoken back, and the session does not end with good wishes."""
    model = FakeModel([whole(ask_reply("你好，怎么称呼你？"))] * 9)
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(GREETING.read_text("utf-8"))
        await running.client.initialize(session_id)
        of_the_opening = len(model.requests)
        for number, text in enumerate((CRISIS, "不知道", "算了，再见")):
            told = await running.client.send(session_id, f"m{number}", text)
            (ended,) = told.of(TurnEnded)
            assert ended.outcome is Outcome.WAITING
            assert not any(CRISIS in said or "顺顺利利" in said for said in told.texts())
        assert len(model.requests) == of_the_opening


async def test_a_card_that_quotes_a_question_asks_none() -> None:
    """How to ask a friend stands in the card; a yes behind it is no confession."""
    model = FakeModel([whole(ask_reply("怎么称呼你？")), failing(), *[whole(ask_reply("嗯"))] * 9])
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        await running.client.send(session_id, "m1", WORRIED)
        await running.client.send(session_id, "m2", "是的")
        state = await running.client.stubs.safety.GetSafetyState(
            pb.GetSafetyStateRequest(session_id=session_id)
        )
    assert state.state.level == safety_pb2.SAFETY_LEVEL_THIRD_PARTY
