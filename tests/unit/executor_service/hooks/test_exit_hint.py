"""How an action ended, kept for the next one's opening (document 000, scene 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from executor_service.actions.action_context import RoundOutcome
from executor_service.exits.hints import ExitHints
from executor_service.hooks.exit_hint import ExitHint, exit_before
from heartrule.domain.action_result import ActionResult
from heartrule.domain.exits import ExitReason
from heartrule.domain.json_value import JsonValue
from session_store.records import ActionInstance, InstanceState
from tests.support.plan_builders import turn_before_its_first_step

REASON = ExitReason.MAX_ROUNDS_REACHED


def one(ordinal: int, kind: str = "ai_ask", *, ended: ExitReason | None = None) -> ActionInstance:
    """Return a completed instance that keeps why it ended."""
    return ActionInstance(
        action_instance_id=f"act_{ordinal}",
        phase_id="p",
        topic_id="t",
        action_id=f"a{ordinal}",
        action_type=kind,
        ordinal=ordinal,
        state=InstanceState.COMPLETED,
        memory={"exit_reason": ended.value} if ended else {},
    )


def kept(result: ActionResult) -> Mapping[str, JsonValue]:
    """Return the memory of an instance after a round with this result."""
    outcome = RoundOutcome(result=result, memory={"repeated": True})
    return ExitHint(turn_before_its_first_step(), hints=ExitHints()).after_round(outcome).memory


def test_the_action_before_counts() -> None:
    """Of several that ended the nearest before it is meant, not a later one."""
    plan = (one(0, ended=ExitReason.OFF_TOPIC), one(1, ended=REASON), one(2), one(3, ended=REASON))
    assert exit_before(plan, plan[2]) is REASON
    assert exit_before(plan, plan[1]) is ExitReason.OFF_TOPIC
    assert exit_before(plan, plan[0]) is None


@pytest.mark.parametrize("kind", ["ai_think", "show_pic", "say", "use_skill"])
def test_inner_steps_are_looked_past(kind: str) -> None:
    """What the client did not answer says nothing of how the talk went."""
    plan = (one(0, ended=REASON), one(1, kind), one(2))
    assert exit_before(plan, plan[2]) is REASON


def test_a_skipped_action_is_looked_past() -> None:
    """What was passed over ended nothing."""
    plan = (one(0, ended=REASON), replace(one(1), state=InstanceState.SKIPPED), one(2))
    assert exit_before(plan, plan[2]) is REASON


def test_an_action_that_ended_without_a_reason_hides_older_ones() -> None:
    """A silent utterance just before leaves nothing to tell."""
    plan = (one(0, ended=REASON), one(1, "ai_say"), one(2))
    assert exit_before(plan, plan[2]) is None


@pytest.mark.parametrize("completed", [True, False])
def test_an_instance_remembers_only_its_end(*, completed: bool) -> None:
    """A classification of a round that goes on is the monitor's, not the next action's."""
    result = ActionResult(success=True, completed=completed, exit_reason=REASON)
    assert kept(result) == (
        {"repeated": True} | ({"exit_reason": REASON.value} if completed else {})
    )


def test_the_acknowledgement_of_a_single_utterance_gives_no_hint() -> None:
    """An ai_say of one round left nothing undone when the client answered it."""
    result = ActionResult(
        success=True, completed=True, action_type="ai_say", max_rounds=1, exit_reason=REASON
    )
    assert kept(result) == {"repeated": True}
    assert kept(replace(result, max_rounds=2)) == {"repeated": True, "exit_reason": REASON.value}


def test_an_explanation_that_was_understood_gives_no_hint() -> None:
    """It has gathered nothing: that everything is gathered would be told of an ai_ask alone."""
    result = ActionResult(
        success=True,
        completed=True,
        action_type="ai_say",
        max_rounds=3,
        exit_reason=ExitReason.EXIT_CRITERIA_MET,
    )
    assert kept(result) == {"repeated": True}
    assert kept(replace(result, exit_reason=ExitReason.USER_BLOCKED)) == {
        "repeated": True,
        "exit_reason": "user_blocked",
    }
