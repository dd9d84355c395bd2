"""What the gate refuses, what an agent makes of it, and what waits for its turn."""

from __future__ import annotations

import pytest

from executor_service.decisions.policy import DecisionPolicy
from heartrule.domain.decisions import DecisionState, DecisionType, FindingCode
from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.events import Outcome
from heartrule.domain.exits import DecisionSource, ExitReason
from heartrule.domain.workflows import NodeType, WorkflowStatus
from tests.support.agent_talk import (
    AgentTalk,
    Dying,
    agent,
    answers,
    ask_back,
    decision,
    node,
    respond,
    thought,
)
from tests.support.engine_builders import RecordingSink, reasons
from tests.support.fake_model import Reply
from tests.support.written_templates import AGENT_CLOSING, AGENT_REASK

EMPTY = decision("respond", response="", intent="greeting", confidence=1)
BARE_HTTP = node("取天气", node_type="HTTP", config={})


async def answering(*replies: str, **config: object) -> tuple[AgentTalk, RecordingSink]:
    """Run one answering turn behind an opening."""
    talk = AgentTalk(agent(**config))  # type: ignore[arg-type]
    await talk.opens(answers(respond("你好。")))
    _, sink = await talk.hears("帮我个忙", *replies)
    return talk, sink


async def test_a_rejected_decision_is_mended() -> None:
    """The model is told code and path, and decides anew under the same correlation id (D13)."""
    mended = node("取天气", node_type="HTTP", config={"url": "https://a.example", "method": "GET"})
    talk, _ = await answering(
        answers(BARE_HTTP, intent="complex_task"),
        answers(mended, intent="complex_task"),
        answers(respond("写好了。")),
    )
    prompt = talk.model.requests[2].messages[-1].content
    assert all(part in prompt for part in ('"rejected"', "missing_field", "config.url"))
    first, second = list(talk.kept.values())[1:3]
    assert first.decision.correlation_id == second.decision.correlation_id
    assert (first.state, second.state) == (DecisionState.REJECTED, DecisionState.DONE)
    assert second.decision.causation_id == first.decision.decision_id


async def test_three_rejections_end_it_as_blocked() -> None:
    """One plain line, exit_flag with user_blocked (RESOLUTIONS C21)."""
    talk, sink = await answering(*(answers(EMPTY) for _ in range(3)))
    step = sink.steps[-1]
    assert (sink.texts(), step.end.outcome if step.end else None) == (
        [AGENT_CLOSING],
        Outcome.SESSION_COMPLETED,
    )
    assert step.result is not None
    assert step.result.exit_reason is ExitReason.USER_BLOCKED
    assert step.result.exit_decision is not None
    assert step.result.exit_decision.decision_source is DecisionSource.EXIT_FLAG
    assert {each.decision.correlation_id for each in list(talk.kept.values())[1:]} == {"cor_2"}


async def test_a_rejection_among_other_decisions_does_not_block() -> None:
    """Spent, but not refused: it waits for the client."""
    _, sink = await answering(answers(EMPTY), answers(thought()), answers(EMPTY))
    assert sink.texts() == [AGENT_REASK]


async def test_ten_decisions_at_once_are_three() -> None:
    """What passes the turn's budget is refused with its code, and recorded."""
    talk, sink = await answering(answers(*(thought(f"第{n}步") for n in range(10))))
    states = [state for _, state in talk.states()[1:]]
    assert states == [DecisionState.DONE] * 3 + [DecisionState.REJECTED] * 7
    assert talk.codes()[-1] == [FindingCode.OUT_OF_RANGE.value]
    assert sink.texts() == [AGENT_REASK]


async def test_an_unknown_type_is_refused() -> None:
    """It is in the log with its code (D20)."""
    talk, _ = await answering(answers(decision("dance")), answers(respond("好。")))
    assert talk.codes()[1:] == [[FindingCode.UNKNOWN_DECISION_TYPE.value], []]


async def test_a_type_that_the_script_does_not_allow_is_refused() -> None:
    """The script decides what an agent may decide."""
    allowed = (DecisionType.RESPOND, DecisionType.CONTINUE)
    talk, _ = await answering(answers(node()), answers(respond("好。")), allowed_decisions=allowed)
    assert talk.codes()[1] == [FindingCode.BAD_ENUM.value]
    assert talk.workflows == {}


async def test_a_type_that_nothing_executes_is_refused() -> None:
    """Where nothing runs workflows, a decision to run one says so when it is to be executed."""
    drafts = answers(node(), intent="complex_task")
    talk = AgentTalk(agent(max_decisions=4))
    await talk.opens(answers(respond("你好。")))
    await talk.hears("写一个", drafts, answers(respond("写好了。")))
    (made,) = talk.workflows.values()
    run = decision("execute_workflow", workflow_id=made.workflow_id)
    await talk.hears("运行它", answers(run), answers(respond("现在还不能运行。")))
    assert talk.codes()[-2:] == [[FindingCode.INVALID_STATE.value], []]


async def test_decisions_start_by_priority() -> None:
    """All are made before the first verdict; a step handles one, without a further call (D15)."""
    talk, sink = await answering(
        answers(respond("写好了。"), thought(), node(), intent="complex_task")
    )
    first = [(each.decision.decision_type, each.verdict) for each in sink.steps[0].decisions]
    assert [kind for kind, _ in first] == ["create_node", "respond", "continue"]
    assert [verdict is None for _, verdict in first] == [False, True, True]
    assert [kind for kind, _ in talk.states()[1:]] == ["respond", "continue", "create_node"]
    assert (len(talk.model.requests), sink.texts()) == (2, ["写好了。"])


async def test_a_decision_that_waits_is_judged_when_it_starts() -> None:
    """What was valid when it was made may not be when its turn has come."""
    change = decision("modify_node", node_id="node_1", updates={"config.temperature": 0.5})
    talk, _ = await answering(
        answers(node(), change, respond("好。"), intent="complex_task"),
        answers(change, intent="complex_task"),
        answers(respond("改好了。")),
    )
    # MODIFY_NODE comes before CREATE_NODE in the table: there is no node yet.
    assert talk.codes()[1:4] == [[], [FindingCode.UNKNOWN_REFERENCE.value], []]


async def test_a_question_holds_what_is_left() -> None:
    """It goes on after the answer, judged then (D17)."""
    talk, _ = await answering(answers(node(), ask_back("叫什么？"), intent="unknown"))
    assert talk.states()[1:] == [
        ("create_node", DecisionState.HELD),
        ("request_clarification", DecisionState.RUNNING),
    ]
    _, sink = await talk.hears("小结", answers(respond("加好了。")))
    assert [state for _, state in talk.states()[1:]] == [DecisionState.DONE] * 3
    assert (sink.texts(), len(talk.workflows)) == (["加好了。"], 1)


async def test_what_was_held_is_judged_by_what_holds_then() -> None:
    """A policy that has changed meanwhile counts (D15)."""
    talk, _ = await answering(answers(node(), ask_back("叫什么？"), intent="unknown"))
    talk.policy = DecisionPolicy(node_types=frozenset({NodeType.HTTP}))
    _, sink = await talk.hears("小结", answers(respond("现在不行。")))
    assert talk.states()[1] == ("create_node", DecisionState.REJECTED)
    assert talk.codes()[1] == [FindingCode.BAD_ENUM.value]
    assert (sink.texts(), talk.workflows) == (["现在不行。"], {})


async def test_the_answering_turn_may_take_the_place_of_what_was_held() -> None:
    """A decision of the same type supersedes it (D17)."""
    talk, _ = await answering(answers(node("旧的"), ask_back("叫什么？"), intent="unknown"))
    await talk.hears("小结", answers(node("新的"), respond("加好了。"), intent="complex_task"))
    assert talk.states()[1] == ("create_node", DecisionState.SUPERSEDED)
    (made,) = talk.workflows.values()
    assert [each.name for each in made.nodes] == ["新的"]


async def test_nothing_is_left_of_an_action_that_has_ended() -> None:
    """What still waits then is rejected: no decision is lost."""
    last = respond("再见。", followup=False)
    talk, _ = await answering(answers(last, thought()))
    assert talk.states()[-1] == ("continue", DecisionState.REJECTED)
    assert talk.codes()[-1] == [FindingCode.INVALID_STATE.value]


async def test_it_drafts_and_changes() -> None:
    """Each makes a revision; READY while the rules of a plan hold, else DRAFT (R9)."""
    talk, sink = await answering(
        answers(node("一"), intent="complex_task"),
        answers(respond("写好了一步。")),
    )
    (made,) = talk.workflows.values()
    assert (made.revision, made.status) == (1, WorkflowStatus.READY)
    assert '"status": "ready"' in talk.model.last_prompt()
    await talk.hears("再加一步", answers(node("二")), answers(respond("加了。")))
    (made,) = talk.workflows.values()
    assert (made.revision, made.status) == (2, WorkflowStatus.DRAFT)
    assert [each.node_id for each in made.nodes] == ["node_1", "node_2"]
    change = decision("modify_node", node_id="node_2", updates={"config.temperature": 0.9})
    await talk.hears("热一点", answers(change), answers(respond("改了。")))
    (made,) = talk.workflows.values()
    assert (made.revision, made.nodes[1].config["temperature"]) == (3, 0.9)
    assert sink.steps[0].workflows[0].decision_id == sink.steps[0].decisions[0].decision.decision_id


async def test_an_unexpected_decision_is_recorded() -> None:
    """The table of section 5 rejects nothing (R8)."""
    _, sink = await answering(answers(respond("好。"), intent="complex_task"))
    assert "UNEXPECTED_DECISION" in reasons(sink.steps[-1].degradations)


async def test_a_turn_taken_up_again_goes_on_behind_the_last_decision() -> None:
    """What is committed is not decided again; what was queued is not lost (R3)."""
    talk = AgentTalk(agent(max_decisions=4))
    await talk.opens(answers(respond("你好。")))
    talk.turns += 1
    snapshot = talk.answering("帮我个忙")
    batch = answers(node(), respond("写好了。"), intent="complex_task")
    with pytest.raises(ModelUnavailable):
        await talk.runs(snapshot, batch, sink=Dying())
    assert talk.states()[1:] == [
        ("create_node", DecisionState.DONE),
        ("respond", DecisionState.QUEUED),
    ]
    again = talk.answering("帮我个忙", inputs_consumed=True, steps=1, attempt=2)
    _, sink = await talk.runs(again)
    assert (sink.texts(), len(talk.model.requests)) == (["写好了。"], 2)
    assert talk.states()[-1] == ("respond", DecisionState.DONE)


THINKS = answers(node(), thought(), intent="complex_task")
SAYS = answers(respond("写好了。"))


@pytest.mark.parametrize(
    ("committed", "first", "again"),
    [(0, (THINKS,), (THINKS, SAYS)), (1, (THINKS,), (SAYS,)), (2, (THINKS, SAYS), (SAYS,))],
)
async def test_wherever_a_turn_breaks_off_each_effect_is_there_once(
    committed: int, first: tuple[str, ...], again: tuple[str, ...]
) -> None:
    """No decision is lost, doubled, or executed without its verdict."""
    talk = AgentTalk(agent(max_decisions=4))
    await talk.opens(answers(respond("你好。")))
    talk.turns += 1
    dying = Dying()
    dying.left = committed
    with pytest.raises(ModelUnavailable):
        await talk.runs(talk.answering("帮我个忙"), *first, sink=dying)
    taken_up = {"inputs_consumed": committed > 0, "steps": committed, "attempt": 2}
    _, sink = await talk.runs(talk.answering("帮我个忙", **taken_up), *again)
    assert (sink.texts(), len(talk.workflows), talk.model.replies) == (["写好了。"], 1, [])
    assert talk.states()[1:] == [
        ("create_node", DecisionState.DONE),
        ("continue", DecisionState.DONE),
        ("respond", DecisionState.DONE),
    ]


async def test_a_model_that_is_down_fails_the_turn() -> None:
    """Nothing of the step is kept, and the turn may be run again."""
    talk = AgentTalk()
    down = ModelUnavailable("down", reason="MODEL_UNAVAILABLE")
    with pytest.raises(ModelUnavailable):
        await talk.opens(Reply((), fails=down))
    assert (talk.kept, talk.instance) == ({}, None)
