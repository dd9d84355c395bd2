"""Files that nodes of a run wrote, as later nodes find them."""

from __future__ import annotations

from executor_service.workflows.nodes.node_port import NodeCall, NodeFile, NodeResult
from heartrule.domain.runs import NodeRecord, RunState
from heartrule.domain.workflows import NodeType
from tests.support.driven_runs import RunWorld
from tests.support.workflow_builders import a_node, a_plan

CHART = NodeFile(mime_type="image/png", data=b"png")
PLAN = a_plan(
    a_node("draw", NodeType.PYTHON),
    a_node("mail", NodeType.HTTP, method="POST", body={"file": "${draw.output.chart}"}),
    a_node("plain", NodeType.HTTP, method="POST", body={"text": "chart"}),
    a_node("again", NodeType.PYTHON),
    edges=["draw>mail", "draw>plain", "draw>again"],
)


async def test_a_file_is_given_to_the_nodes_that_may_want_it(world: RunWorld) -> None:
    """Code finds every file before it, a request those that its body names."""
    seen: dict[str, dict[str, NodeFile]] = {}

    def does(record: NodeRecord, call: NodeCall) -> NodeResult:
        seen[record.path] = dict(call.files)
        files = {"a.png": CHART} if record.path == "draw" else {}
        return NodeResult(output={"chart": "a.png"}, files=files)

    world.nodes.does = does
    run = await world.run(PLAN)
    assert run.state is RunState.COMPLETED
    assert seen == {"draw": {}, "mail": {"a.png": CHART}, "plain": {}, "again": {"a.png": CHART}}


async def test_a_file_outlives_the_worker(world: RunWorld) -> None:
    """Whoever takes the run over has the files of nodes that ended before."""
    found: list[str] = []

    def does(record: NodeRecord, call: NodeCall) -> NodeResult:
        if record.path == "again":
            found.extend(call.files)
            world.leaving.set()
        return NodeResult(output={"chart": "a.png"}, files={"a.png": CHART} if not found else {})

    world.nodes.does = does
    plan = a_plan(*PLAN.nodes[::3], a_node("b", NodeType.PYTHON), edges=["draw>again", "again>b"])
    run_id = await world.queue(plan)
    await world.drive(run_id)
    world.leaving.clear()
    world.nodes.does = lambda _, call: found.extend(call.files)
    await world.drive(run_id, owner="w2")
    assert found == ["a.png", "a.png"]


async def test_what_goes_out_is_marked(world: RunWorld) -> None:
    """A request that changes something outside is an effect that no retry takes back."""
    run = await world.run(
        a_plan(
            a_node("get", NodeType.HTTP),
            a_node("post", NodeType.HTTP, method="POST"),
            a_node("code", NodeType.PYTHON),
        )
    )
    nodes = (await world.store.get_run(world.key, run.run_id)).nodes
    assert {each.record.path: each.has_effect for each in nodes} == {
        "get": False,
        "post": True,
        "code": False,
    }
