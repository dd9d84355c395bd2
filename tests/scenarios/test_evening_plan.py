"""The shipped script with an agent, from its opening to its end.

The rehearsal model speaks, so what is shown here is what a newcomer sees without a key.
"""

from __future__ import annotations

from pathlib import Path

from heartrule.domain.decision_events import WorkflowChanged
from heartrule.domain.events import MessageCommitted, Outcome, SessionEvent, TurnEnded
from heartrule.domain.workflows import WorkflowStatus
from heartrule_cli.rehearsal.doubles import RehearsalModel
from tests.support.harness import harness_of
from tests.support.scenes import script_under_test

SCRIPT = Path(__file__).parents[2] / "_system" / "scripts" / "evening_plan.yaml"


def spoken(events: list[SessionEvent]) -> str:
    said = [event.body.message for event in events if isinstance(event.body, MessageCommitted)]
    return "\n".join(message.plain_text() for message in said)


async def test_the_agent_listens_drafts_and_lets_go() -> None:
    """What the client said is a variable, the draft is ready and did not run, thanks end it.

    The opening asks for no variables: nobody has said any yet.
    """
    harness = harness_of(model := RehearsalModel())
    await harness.create_session(script_under_test(SCRIPT.read_text(encoding="utf-8")))
    await harness.initialize()
    told = [
        await harness.send(f"m{number}", words)
        for number, words in enumerate(("小明", "睡前总在看手机", "帮我起草几步", "谢谢"))
    ]
    changed = [each.body for each in told[2] if isinstance(each.body, WorkflowChanged)]
    assert [each.status for each in changed] == [WorkflowStatus.READY]
    assert "还没有运行" in spoken(told[2])
    values = {value.name: value.value for value in await harness.store.list_variables(harness.key)}
    assert values["睡前习惯"] == "睡前总在看手机"
    ends = [each.body.outcome for each in told[3] if isinstance(each.body, TurnEnded)]
    assert ends == [Outcome.SESSION_COMPLETED]
    assert "小明，今天先到这里" in spoken(told[3])
    opening, listening, *_ = (r for r in model.requests if r.prompt_type == "ai_agent_v1")
    assert ("variables" in opening.reply_fields, "variables" in listening.reply_fields) == (
        False,
        True,
    )
