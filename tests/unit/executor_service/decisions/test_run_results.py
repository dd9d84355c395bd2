"""What came of a run: its result, where it lands, and what an agent is told of it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from executor_service.decisions.run_results import (
    LONGEST_OUTPUTS,
    RunResult,
    land,
    run_result,
    subagent_result,
    told,
)
from executor_service.decisions.subagent_task import SubagentTask
from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from heartrule.domain.runs import (
    NodeFailure,
    NodeRecord,
    NodeState,
    RunErrorCode,
    RunProgress,
    RunState,
)
from heartrule.domain.threads import SubThread, ThreadSettings, ThreadState
from heartrule.domain.variables import ValueSupport
from heartrule.domain.workflows import NodeType, Workflow
from session_store.records.kept_runs import KeptRun
from tests.support.engine_builders import NOW, known
from tests.support.workflow_builders import a_node, a_plan

FORK = a_plan(
    a_node("start", NodeType.START),
    a_node("read"),
    a_node("left"),
    a_node("right"),
    a_node("end", NodeType.END),
    edges=["start>read", "read>left", "read>right", "left>end", "right>end"],
)


def nested(levels: int) -> JsonValue:
    """Return a list in a list, so many times."""
    value: JsonValue = []
    for _ in range(levels):
        value = [value]
    return value


def a_result(
    *done: str,
    plan: Workflow = FORK,
    state: RunState = RunState.COMPLETED,
    failed: NodeFailure | None = None,
    **changes: Any,
) -> RunResult:
    """Return what came of a run of which these nodes completed, each with its id."""
    nodes = {
        each: NodeRecord(path=each, state=NodeState.COMPLETED, output={"by": each}) for each in done
    }
    kept = KeptRun(
        key=SessionKey("t", "s"),
        run_id="run_1",
        workflow_id="w",
        revision=1,
        state=state,
        lands_in="结果",
        failure=failed,
    )
    return replace(run_result(kept, RunProgress(workflow=plan, nodes=nodes)), **changes)


@pytest.mark.parametrize(
    ("done", "value", "source"),
    [
        (("start", "read", "left", "end"), {"by": "left"}, "run_1/left"),
        (
            ("start", "read", "left", "right", "end"),
            {"left": {"by": "left"}, "right": {"by": "right"}},
            "run_1",
        ),
        (("start", "read"), {"by": "read"}, "run_1/read"),
    ],
)
def test_a_result_is_what_the_last_nodes_gave(
    done: tuple[str, ...], value: JsonValue, source: str
) -> None:
    """START and END give nothing; of a branch that was not taken nothing is said."""
    found = a_result(*done)
    assert (found.value, found.source) == (value, source)


def test_a_result_lands_with_its_run_and_node() -> None:
    """Nobody said it, so it needs no quote, and is no answer of the client."""
    variables = known({})
    assert land(a_result("start", "read", "left", "end"), variables, NOW) is None
    landed = variables.in_force("结果")
    assert landed is not None
    assert (landed.value, landed.source) == ({"by": "left"}, "run_1/left")
    assert (landed.support, landed.known) == (ValueSupport.RUN, False)


@pytest.mark.parametrize(
    "changes", [{"state": RunState.FAILED}, {"state": RunState.CANCELLED}, {"lands_in": ""}]
)
def test_only_what_completed_and_is_waited_for_lands(changes: dict[str, Any]) -> None:
    """A variable keeps its value behind a run that failed."""
    variables = known({"结果": "先前"})
    assert land(a_result("read", **changes), variables, NOW) is None
    assert variables.get("结果") == "先前"


@pytest.mark.parametrize("output", ["长" * 70_000, [0] * 5_000, nested(40), nested(2_000)])
def test_a_result_that_is_too_large_is_left_out_and_told(output: JsonValue) -> None:
    """Every later turn would read it; what an agent is told of it ends early."""
    variables = known({})
    large = a_result("read", outputs={"read": output})
    found = land(large, variables, NOW)
    assert found is not None
    assert found.reason == "RUN_RESULT_TOO_LARGE"
    assert variables.get("结果") is None
    line = told(large, with_outputs=True)["outputs"]
    assert isinstance(line, str)
    assert len(line.encode()) <= LONGEST_OUTPUTS + len("…".encode())


def test_outputs_are_told_up_to_a_limit() -> None:
    """Beyond it stands the beginning of their JSON."""
    line = told(a_result("read", outputs={"read": "长" * LONGEST_OUTPUTS}), with_outputs=True)
    assert isinstance(line["outputs"], str)
    assert line["outputs"].startswith('{"read":"长长')
    assert len(line["outputs"].encode()) <= LONGEST_OUTPUTS + len("…".encode())
    short = told(a_result("read"), with_outputs=True)
    assert json.dumps(short["outputs"]) == '{"read": {"by": "read"}}'


def test_a_run_that_failed_by_itself_says_why() -> None:
    """No node of it failed: its time was up."""
    late = NodeFailure(
        code=RunErrorCode.RUN_TIMEOUT, message="the run reached its deadline", is_retryable=False
    )
    line = told(a_result("read", state=RunState.FAILED, failed=late), with_outputs=False)
    failure = {"node_id": "", "code": "RUN_TIMEOUT", "message": late.message}
    assert line["failures"] == [failure]


def of_thread(state: RunState = RunState.COMPLETED, **values: JsonValue) -> RunResult:
    """Return what came of a sub-agent for which the script declares one variable."""
    kept = KeptRun(
        key=SessionKey("t", "s"),
        run_id="run_1",
        workflow_id="",
        revision=0,
        name="researcher",
        thread_id="thr_1",
        state=state,
        lands_in="小结",
    )
    thread = SubThread(
        thread_id="thr_1",
        parent_thread_id="",
        anchor_message_id="msg_1",
        depth=1,
        agent="researcher",
        state=ThreadState.COMPLETED,
        settings=ThreadSettings(phase="done"),
        result_text="早点睡",
        values=values,
    )
    task = SubagentTask(agent="researcher", message_id="m", plain_line="", outputs=("来源",))
    return subagent_result(kept, thread, task.kept())


def test_a_sub_agents_values_land_under_the_names_that_the_script_declares() -> None:
    """Its text lands in the run's own variable; their source is the thread."""
    variables = known({})
    assert land(of_thread(来源="两篇", 别的="不要"), variables, NOW) is None
    written = {each.name: each for each in variables.take_changes().variables}
    assert {name: each.value for name, each in written.items()} == {
        "小结": "早点睡",
        "来源": "两篇",
    }
    assert {(each.source, each.support) for each in written.values()} == {
        ("thr_1", ValueSupport.RUN)
    }


def test_a_sub_agent_that_failed_lands_nothing() -> None:
    """Whatever its thread had by then."""
    variables = known({})
    assert land(of_thread(RunState.FAILED, 来源="两篇"), variables, NOW) is None
    assert variables.take_changes().variables == ()


def test_an_agent_is_told_what_a_sub_agent_answered() -> None:
    """Its text and its values, by the agent's name."""
    line = told(of_thread(来源="两篇"), with_outputs=True)
    assert line == {
        "run_id": "run_1",
        "state": "completed",
        "subagent": "researcher",
        "outputs": {"text": "早点睡", "来源": "两篇"},
    }
