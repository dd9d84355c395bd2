"""What an interrupted agent left to do is held while the session is frozen."""

from __future__ import annotations

import pytest

from heartrule.domain.decisions import DecisionState
from heartrule.domain.errors import ModelUnavailable
from session_store.records import StepCommit
from tests.support.agent_talk import AgentTalk, Dying, agent, answers, node, respond

BATCH = answers(node(), respond("写好了。"), intent="complex_task")


async def interrupted() -> AgentTalk:
    """Return a talk whose answer was queued when its turn broke off."""
    talk = AgentTalk(agent(max_decisions=4))
    await talk.opens(answers(respond("你好。")))
    talk.turns += 1
    with pytest.raises(ModelUnavailable):
        await talk.runs(talk.answering("帮我个忙"), BATCH, sink=Dying())
    talk.turns += 1
    return talk


def decisions(step: StepCommit) -> list[tuple[str, DecisionState]]:
    """Return what a step does to decisions."""
    return [(each.decision.decision_type, each.state) for each in step.decisions]


async def test_the_step_that_freezes_the_session_holds_what_waits() -> None:
    """Nothing takes effect, and no model is asked."""
    talk = await interrupted()
    calls = len(talk.model.requests)
    _, sink = await talk.runs(talk.answering("CRISIS"))
    assert decisions(sink.steps[0]) == [("respond", DecisionState.HELD)]
    assert len(talk.model.requests) == calls


async def test_what_is_held_goes_on_when_the_path_has_ended() -> None:
    """As after an answer: the client's words are read first."""
    talk = await interrupted()
    await talk.runs(talk.answering("CRISIS"))
    _, sink = await talk.hears("我没事了", answers(node("又一步")))
    assert sink.texts() == ["写好了。"]


async def test_other_turns_are_left_alone() -> None:
    """Where nothing was left, the crisis path's step is its own."""
    talk = AgentTalk()
    await talk.opens(answers(respond("你好。")))
    talk.turns += 1
    _, sink = await talk.runs(talk.answering("CRISIS"))
    assert decisions(sink.steps[0]) == []
