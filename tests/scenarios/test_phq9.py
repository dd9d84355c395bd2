"""The shipped PHQ-9 script, from its opening to the score: by talk, and by one submitted form.

The rehearsal model speaks, so what is shown here is what a newcomer sees without a key.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from heartrule.domain.events import MessageCommitted, Outcome, SessionEvent, TurnEnded
from heartrule.domain.json_value import JsonValue
from heartrule_cli.rehearsal.doubles import RehearsalModel
from heartrule_cli.rehearsal.harness import Harness
from tests.support.harness import harness_of
from tests.support.scenes import script_under_test

SCRIPT = Path(__file__).parents[2] / "_system" / "scripts" / "phq9.yaml"
NAMES: tuple[str, ...] = ("兴趣减少", "心情低落", "睡眠问题", "疲倦", "食欲问题")
NAMES += ("自我否定", "注意困难", "动作变化", "伤害念头")


async def started() -> Harness:
    harness = harness_of(RehearsalModel())
    await harness.create_session(script_under_test(SCRIPT.read_text(encoding="utf-8")))
    await harness.initialize()
    return harness


async def submitted(harness: Harness, values: Mapping[str, JsonValue]) -> list[SessionEvent]:
    record = await harness.store.get_session(harness.key)
    assert record.open_request is not None
    return await harness.submit("form", values, record.open_request.input_request_id, text="")


def spoken(events: list[SessionEvent]) -> str:
    said = [event.body.message for event in events if isinstance(event.body, MessageCommitted)]
    return "\n".join(message.plain_text() for message in said)


def outcome(events: list[SessionEvent]) -> Outcome:
    (end,) = [event.body for event in events if isinstance(event.body, TurnEnded)]
    return end.outcome


async def score(harness: Harness) -> JsonValue:
    values = {value.name: value.value for value in await harness.store.list_variables(harness.key)}
    return values.get("总分")


@pytest.mark.parametrize(("answers", "total"), [("012012010", 7), ("000000000", 0)])
async def test_by_talk_question_by_question(answers: str, total: int) -> None:
    """Nine answers, one each; the score is told as no diagnosis."""
    harness = await started()
    for number, said in enumerate(answers[:-1]):
        told = await harness.send(f"m{number}", said)
        assert outcome(told) is Outcome.WAITING
        assert f"（{number + 2}/9）" in spoken(told)
    told = await harness.send("last", answers[-1])
    assert outcome(told) is Outcome.SESSION_COMPLETED
    assert f"总分是 {total} 分" in spoken(told)
    assert "不是诊断" in spoken(told)
    assert await score(harness) == total


async def test_by_one_submitted_form() -> None:
    """No model call for the form itself: only the sum and the saying of it."""
    harness = await started()
    told = await submitted(harness, dict.fromkeys(NAMES[:-1], 3) | {"伤害念头": 0})
    assert outcome(told) is Outcome.SESSION_COMPLETED
    assert "总分是 24 分" in spoken(told)
    assert isinstance(harness.model, RehearsalModel)
    prompts = [request.prompt_type for request in harness.model.requests]
    assert prompts == ["fill_form_v1", "ai_think_v1", "ai_say_v1"]


async def test_thoughts_of_harm_are_answered_before_the_score() -> None:
    """Item 9 above 0 is stored and begins the crisis path; the script waits until it is left."""
    harness = await started()
    told = await submitted(harness, dict.fromkeys(NAMES, 1))
    assert outcome(told) is Outcome.WAITING
    assert "12356" in spoken(told)
    assert "总分" not in spoken(told)
    values = {value.name: value.value for value in await harness.store.list_variables(harness.key)}
    assert values["伤害念头"] == 1
    for number, answer in enumerate(("没有", "会好的", "嗯", "我妈妈", "没有", "继续吧")):
        told = await harness.send(f"m{number}", answer)
        assert outcome(told) is Outcome.WAITING
        assert "总分" not in spoken(told)
    assert "总分是 9 分" in spoken(await harness.send("last", "现在安全，家里人在"))


async def test_half_a_form_by_talk_and_the_rest_submitted() -> None:
    """The form that comes back holds what was said."""
    harness = await started()
    await harness.send("m1", "1 1 1")
    record = await harness.store.get_session(harness.key)
    assert record.open_request is not None
    properties = record.open_request.schema["properties"]
    assert isinstance(properties, dict)
    assert [name for name in NAMES if "default" in properties[name]] == list(NAMES[:3])
    told = await submitted(harness, dict.fromkeys(NAMES[3:], 0))
    assert "总分是 3 分" in spoken(told)


async def test_a_form_left_unfilled_has_no_score() -> None:
    """Nobody is pressed, and no number is made up."""
    harness = await started()
    told = await harness.send("m1", "我不想填这个表")
    assert outcome(told) is Outcome.SESSION_COMPLETED
    assert "没有填完" in spoken(told)
    assert await score(harness) is None
