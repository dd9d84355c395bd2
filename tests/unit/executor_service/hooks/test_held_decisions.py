"""What an interrupted agent left to do is held while the session is frozen."""

from __future__ import annotations

import asyncio
from typing import Any, NoReturn

import pytest

from executor_service.decisions.turn_reading import SessionReader
from executor_service.engine.run_turn import run_without_script
from executor_service.hooks import held_decisions
from heartrule.domain.decisions import DecisionState
from heartrule.domain.errors import ModelUnavailable, StoreUnavailable
from session_store.records import StepCommit
from tests.support.agent_talk import AgentTalk, Dying, agent, answers, node, respond
from tests.support.engine_builders import RecordingSink, engine_deps

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


async def raises(*_given: Any) -> NoReturn:
    """Fail as a store does that cannot read a row."""
    raise StoreUnavailable("a row cannot be read", reason="UNREADABLE")


async def hangs(*_given: Any) -> NoReturn:
    """Never answer."""
    await asyncio.Event().wait()
    raise AssertionError("nobody sets it")


@pytest.mark.parametrize("read", [raises, hangs])
async def test_danger_is_answered_whatever_the_store_does(
    read: SessionReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What waits stays queued then: the agent holds it when its next turn begins."""
    monkeypatch.setattr(held_decisions, "READ_S", 0.01)
    talk = await interrupted()
    monkeypatch.setattr(talk, "read", read)
    _, sink = await talk.runs(talk.answering("CRISIS"))
    assert (len(sink.texts()), decisions(sink.steps[0])) == (1, [])


async def test_a_script_that_cannot_be_read_changes_nothing() -> None:
    """The crisis path needs none, and what waits is held alike."""
    talk, sink = await interrupted(), RecordingSink()
    deps = engine_deps(talk.model, read_session=talk.read)
    await run_without_script(talk.answering("CRISIS"), deps, sink)
    assert decisions(sink.steps[0]) == [("respond", DecisionState.HELD)]
