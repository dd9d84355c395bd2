"""What a sub-agent is handed: kept with its run, and read from there by whoever goes on with it."""

from __future__ import annotations

import orjson

from executor_service.decisions.effects import LONGEST_SUBAGENT_S
from executor_service.decisions.judging import judged
from executor_service.decisions.policy import NO_POLICY
from executor_service.decisions.subagent_task import MOST_TOLD, SubagentTask, snapshot_of
from heartrule.model.ports import ChatMessage
from tests.support.decision_examples import changed, example
from tests.support.gate_ground import GROUND, a_decision

SPAWN = "002-10-spawn-subagent"
TASK = SubagentTask(
    agent="researcher",
    request={"query": "失眠", "max_results": 3},
    message_id="msg_1",
    plain_line="没查到。",
    goal="睡得好",
    variables={"年龄": 30},
    messages=(("assistant", "你好"), ("user", "睡不着")),
    told={"current_goal": "研究"},
    outputs=("来源",),
    text_to="小结",
    language="zh",
)


def test_a_task_is_read_as_it_was_kept() -> None:
    """Through JSON, as a run keeps it."""
    assert SubagentTask.of(orjson.loads(orjson.dumps(TASK.kept()))) == TASK


def test_what_age_emptied_is_absent() -> None:
    """A run whose inputs are gone has a task without anything in it."""
    assert SubagentTask.of({}) == SubagentTask(agent="", message_id="", plain_line="")


def test_the_models_words_stand_under_a_name_that_says_so() -> None:
    """Nobody takes them for what the client or the engine said."""
    read = TASK.readable()
    assert read["told_by_the_model"] == {"current_goal": "研究"}
    assert "研究" not in str({**read, "told_by_the_model": None})


def test_a_snapshot_has_the_newest_messages_and_small_values() -> None:
    """Twenty messages, the client's newest words among them; a large value stays out."""
    history = [ChatMessage(role="user", content=str(number)) for number in range(30)]
    variables, messages = snapshot_of({"a": 1, "b": "x" * 70_000}, history, "好")
    assert variables == {"a": 1}
    assert len(messages) == MOST_TOLD
    assert messages[-2:] == (("user", "29"), ("user", "好"))


def test_what_the_page_prints_asks_for_a_researcher() -> None:
    """Scenario 10 as document 002 prints it: its priority, time and snapshot."""
    effect = judged(a_decision(example(SPAWN)), GROUND, NO_POLICY).effect
    assert effect is not None
    assert effect.spawned is not None
    assert (effect.spawned.agent, effect.spawned.priority) == ("researcher", 8)
    assert effect.spawned.timeout.total_seconds() == 120
    assert effect.spawned.told["session_id"] == "session_001"


def test_a_sub_agent_has_an_hour_at_most() -> None:
    """Whatever a decision says."""
    effect = judged(a_decision(changed(SPAWN, "timeout", 1e9)), GROUND, NO_POLICY).effect
    assert effect is not None
    assert effect.spawned is not None
    assert effect.spawned.timeout.total_seconds() == LONGEST_SUBAGENT_S
