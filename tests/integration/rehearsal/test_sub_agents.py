"""The rehearsal model asks a sub-agent, and answers its units: threads without a key."""

from __future__ import annotations

from heartrule.domain.conversation import Completeness
from heartrule.domain.events import MessageCommitted
from heartrule.domain.threads import ThreadState
from heartrule_cli.rehearsal.doubles import RehearsalModel
from session_store.records import Page
from tests.support.harness import harness_of
from tests.support.scenes import script_under_test
from tests.support.scripts import topic_script

AGENT = (
    "{action_type: ai_agent, action_id: talk, goal: 陪他睡好, run_output: 小结, "
    "subagent_types: [researcher], allowed_decisions: [respond, spawn_subagent]}"
)


async def test_a_client_who_asks_for_it_has_something_looked_up() -> None:
    """The answer takes the placeholder's place, and the agent goes on behind it."""
    harness = harness_of(RehearsalModel())
    await harness.create_session(script_under_test(topic_script(AGENT)))
    await harness.initialize()
    events = await harness.send("m1", "帮我查一查睡不着怎么办")
    said = [each.body.message for each in events if isinstance(each.body, MessageCommitted)]
    kinds = [each.completeness for each in said]
    assert kinds == [Completeness.PLACEHOLDER, Completeness.COMPLETE, Completeness.COMPLETE]
    assert said[1].replaces_message_id == said[0].message_id
    assert "演示模型的回答" in said[1].plain_text()
    assert "查到的在上面" in said[2].plain_text()
    (kept,) = (await harness.store.list_threads(harness.key, Page()))[0]
    assert (kept.thread.agent, kept.thread.state) == ("researcher", ThreadState.COMPLETED)
