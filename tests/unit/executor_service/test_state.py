"""A session's record as the state clients read."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from executor_service.state import execution_state
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import ExecutionPosition, ExecutionStatus
from heartrule.domain.variables import VariableScope
from session_store.records import SessionRecord
from tests.support.store_builders import problem, variable

WHEN = datetime(2026, 11, 21, tzinfo=UTC)
RECORD = SessionRecord(
    key=SessionKey("default", "ses_1"),
    script_id="s",
    script_version="v1",
    user_id="",
    locale="zh-CN",
    time_zone="",
    status=ExecutionStatus.ERROR,
    position=ExecutionPosition(phase_id="p1", topic_id="t1", action_id="ask"),
    plan_revision=3,
    last_sequence=7,
    opened=True,
    opening_turn_id="turn_1",
    last_ai_message="你好",
    pending_client_message_ids=("m2",),
    error=problem(),
    create_time=WHEN,
    update_time=WHEN,
)


def test_the_state_is_the_records() -> None:
    """Status, position, sequence, what waits and what failed."""
    state = execution_state(RECORD, ())
    assert (state.status, state.sequence, state.plan_revision) == (ExecutionStatus.ERROR, 7, 3)
    assert (state.position.action_id, state.last_ai_message) == ("ask", "你好")
    assert (state.pending_client_message_ids, state.error) == (("m2",), problem())


def test_inside_a_skill_its_own_variables_are_seen_first() -> None:
    """The innermost skill's, then those of the skill around it, then the topic's."""
    position = replace(RECORD.position, skill_instance_ids=("act_1", "act_2"))
    values = (
        variable("称呼", "里面的", VariableScope.TOPIC, "t1/act_2"),
        variable("称呼", "话题里的", VariableScope.TOPIC, "t1"),
        variable("年龄", 7, VariableScope.TOPIC, "t1/act_1"),
    )
    state = execution_state(replace(RECORD, position=position), values)
    assert (state.variables["称呼"], state.variables["年龄"]) == ("里面的", 7)


def test_variables_are_those_visible_from_the_position() -> None:
    """The nearest scope wins; another topic's values are not seen."""
    values = (
        variable("称呼", "会谈里的", VariableScope.SESSION),
        variable("称呼", "话题里的", VariableScope.TOPIC, "t1"),
        variable("年龄", 0, VariableScope.SESSION),
    )
    assert execution_state(RECORD, values).variables == {"称呼": "话题里的", "年龄": 0}


def test_a_running_turn_is_named_and_hides_the_last_failure() -> None:
    """A session whose failed turn is being resumed runs; its error is told again if it fails."""
    state = execution_state(replace(RECORD, running_turn_id="turn_2"), ())
    assert (state.status, state.running_turn_id) == (ExecutionStatus.RUNNING, "turn_2")
    assert state.error is None
