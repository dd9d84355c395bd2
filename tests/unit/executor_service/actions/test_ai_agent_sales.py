"""The sales workflow of document 002, as printed, drafted in a talk and changed."""

from __future__ import annotations

from executor_service.decisions.policy import DecisionPolicy
from heartrule.domain.decisions import FindingCode
from heartrule.domain.workflows import SandboxTier, WorkflowStatus
from tests.support.agent_talk import AgentTalk, answers, decision, respond
from tests.support.decision_examples import example

PLAN = {
    "decision_type": "create_workflow_plan",
    "payload": example("002-03-create-workflow-plan"),
}
ALLOWED = DecisionPolicy(connections=frozenset({"sales_db"}))
EVERYWHERE = frozenset(SandboxTier)


async def drafted(talk: AgentTalk) -> AgentTalk:
    """Return the talk once the client has asked for the workflow."""
    await talk.opens(answers(respond("你好。")))
    await talk.hears("分析销售数据", answers(PLAN, intent="complex_task"), answers(respond("好。")))
    return talk


async def test_the_printed_plan_is_ready() -> None:
    """Its rules hold, so it could run."""
    talk = await drafted(AgentTalk(policy=ALLOWED, sandboxes=EVERYWHERE))
    (made,) = talk.workflows.values()
    assert (made.name, made.status) == ("销售数据分析工作流", WorkflowStatus.READY)
    assert [each.node_id for each in made.nodes] == ["node_1", "node_2", "node_3", "node_4"]


async def test_a_node_of_it_is_changed() -> None:
    """The workflow keeps its id; the revision before stays as it was."""
    talk = await drafted(AgentTalk(policy=ALLOWED, sandboxes=EVERYWHERE))
    change = decision("modify_node", node_id="node_4", updates={"config.timeout": 500})
    _, sink = await talk.hears("改一下超时", answers(change), answers(respond("改了。")))
    (made,) = talk.workflows.values()
    assert (made.revision, made.nodes[3].config["timeout"]) == (2, 300)
    assert [each.workflow.revision for each in sink.steps[0].workflows] == [2]


async def test_without_a_place_for_its_code_it_is_refused() -> None:
    """Nothing is drafted, and the agent is told why (RESOLUTIONS D9)."""
    talk = await drafted(AgentTalk(policy=ALLOWED))
    assert talk.workflows == {}
    assert FindingCode.FORBIDDEN_OPERATION.value in talk.codes()[1]
