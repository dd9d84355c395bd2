"""One talk with all that an agent can do, through Converse on a whole executor, no model."""

from __future__ import annotations

from heartrule.domain.decision_events import DecisionMade, DecisionRejected, WorkflowChanged
from heartrule.domain.events import Outcome
from heartrule.domain.run_events import NodeExecutionFailed, RunChanged
from heartrule.domain.runs import RunState
from heartrule.domain.variables import ValueSupport
from tests.integration.executor.test_agents_with_runs import broken
from tests.integration.executor.test_agents_with_threads import FOUND, RESULT, SPAWN, replacing
from tests.support.agent_runs import RunTalk, run_talk
from tests.support.agent_talk import answers, ask_back, decision, respond
from tests.support.fake_model import Reply, ask_reply

AGENT = (
    "{action_type: ai_agent, action_id: talk, goal: 陪他睡好, run_output: 小结, "
    "output: [{get: findings}], subagent_types: [researcher], max_decisions: 6, "
    "allowed_decisions: [respond, request_clarification, create_workflow_plan, "
    "execute_workflow, spawn_subagent]}"
)
NEXT = "{action_type: ai_ask, action_id: next, content: '查到的是 {findings}，先试哪一样'}"
WRITES = {
    "node_id": "write",
    "type": "LLM",
    "name": "写小结",
    "config": {"prompt": "写一句小结"},
    "on_failure": {"action": "RETRY", "max_attempts": 1, "delay": 0},
}
PLAN = answers(
    decision(
        "create_workflow_plan", name="写小结", description="写成一句", nodes=[WRITES], edges=[]
    ),
    respond("起草好了，要运行吗？"),
    intent="complex_task",
)
LAST = answers(respond("查到了。", followup=False))


async def plan_runs(talk: RunTalk) -> None:
    """Have the agent run what it drafted; its node fails once, and is done again."""
    (drafted,) = talk.stream.told.of(WorkflowChanged)
    made = decision("execute_workflow", workflow_id=drafted.workflow_id, execution_mode="sync")
    told = answers(respond("小结写好了。"))
    talk.model.will_say(answers(made, intent="workflow_request"), told)
    ended = await talk.says("m4", "运行吧")
    assert (ended.outcome, ended.degradations) == (Outcome.WAITING, ())
    (failed,) = talk.stream.told.of(NodeExecutionFailed)
    assert failed.path == "write"
    landed = await talk.variable()
    assert landed is not None
    assert isinstance(landed.value, dict)
    assert (landed.value["text"], landed.support) == ("睡得晚", ValueSupport.RUN)


async def test_an_agent_talks_asks_plans_recovers_and_spawns_and_the_script_goes_on() -> None:
    """What the client reads, what was decided, and what the next action is told."""
    asks_back = answers(ask_back("你几点睡？"), intent="ambiguous")
    first = (answers(respond("先看作息。")), asks_back, PLAN)
    nodes: list[Reply | str] = [broken(), "睡得晚", FOUND, "YES", RESULT]
    async with run_talk(*first, nodes=nodes, actions=(AGENT, NEXT)) as talk:
        for name, text in (("m1", "睡不着"), ("m2", "怎么看"), ("m3", "一点，写个小结")):
            await talk.says(name, text)
        await plan_runs(talk)
        talk.model.will_say(SPAWN, LAST, ask_reply("先试离开床？"))
        await talk.says("m5", "再查查")
        assert f"查到的是 {FOUND}，先试哪一样" in talk.model.last_prompt()
        told = talk.stream.told
        assert replacing(talk) == [RESULT]
        assert told.texts()[-3:] == [RESULT, "查到了。", "先试离开床？"]
        assert told.of(DecisionRejected) == []
        assert [each.decision_type for each in told.of(DecisionMade)] == [
            *("respond", "request_clarification"),
            *("create_workflow_plan", "respond"),
            *("execute_workflow", "error_recovery", "respond"),
            *("spawn_subagent", "respond"),
        ]
        ends = [each.state for each in told.of(RunChanged) if each.state is RunState.COMPLETED]
        assert (len(ends), talk.model.of_nodes.replies) == (2, [])
