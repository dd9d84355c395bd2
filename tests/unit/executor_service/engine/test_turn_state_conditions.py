"""Conditions on the way from an action to the next."""

from __future__ import annotations

from dataclasses import replace

from session_store.records import InstanceState
from tests.support.engine_builders import (
    NOW,
    before_the_script,
    phase,
    reasons,
    say,
    script,
    script_of,
    topic,
    waiting_at,
)
from tests.support.plan_builders import complete, condition, walking, when


def test_an_action_whose_condition_does_not_hold_is_passed_over() -> None:
    """Its row says so, the position is the next action, and the skip is told once."""
    running = script(say("a1"), when(say("a2"), "{x} == 'yes'"), say("a3"))
    walk = walking(running, waiting_at(running))
    walk.variables.write("x", "no", action_id="a1", now=NOW)
    complete(walk)
    assert walk.position.action_id == "a3"
    assert [(i.action_id, i.state) for i in walk.take_plan()] == [
        ("a1", InstanceState.COMPLETED),
        ("a2", InstanceState.SKIPPED),
    ]
    assert [(each.action_id, each.reason) for each in walk.take_skipped()] == [
        ("a2", "CONDITION_FALSE")
    ]
    assert walk.take_skipped() == ()


def test_a_condition_is_asked_when_its_action_is_about_to_begin() -> None:
    """What an action learned decides about the next one."""
    running = script(say("a1"), when(say("a2"), "{x} == 'yes'"))
    walk = walking(running, waiting_at(running))
    walk.variables.write("x", "yes", action_id="a1", now=NOW)
    complete(walk)
    assert walk.position.action_id == "a2"


def test_an_undecided_condition_runs_its_action() -> None:
    """The degradation goes with the step that reached it."""
    running = script(say("a1"), when(say("a2"), "{x} == 'yes'"))
    walk = walking(running, waiting_at(running))
    complete(walk)
    assert walk.position.action_id == "a2"
    assert reasons(walk.take_degradations()) == ["CONDITION_UNDECIDED"]
    assert walk.take_degradations() == ()


def test_a_topic_all_of_whose_actions_are_skipped_is_left_at_once() -> None:
    """The next topic's first action is current."""
    running = script_of(
        phase(topic(say("a1")), topic(when(say("b1"), "1 == 2"), topic_id="t2")),
        phase(topic(say("c1"), topic_id="t3"), phase_id="p2"),
    )
    walk = walking(running, waiting_at(running))
    complete(walk)
    assert (walk.position.phase_id, walk.position.action_id) == ("p2", "c1")
    left = [scope.scope_id for scope in walk.variables.take_changes().scopes_left]
    assert left == ["t1", "t2", "p1"]


def test_a_phase_whose_entry_condition_does_not_hold_is_never_entered() -> None:
    """None of its topics is planned, none of its scopes left; the skip names the phase."""
    never = phase(topic(say("b1"), topic_id="t2"), phase_id="p2")
    running = script_of(
        phase(topic(say("a1"))),
        replace(never, entry_condition=condition("{x} != 'mild'")),
        phase(topic(say("c1"), topic_id="t3"), phase_id="p3"),
    )
    walk = walking(running, before_the_script())
    walk.variables.write("x", "mild", action_id="a1", now=NOW)
    complete(walk)
    assert walk.position.action_id == "c1"
    assert {i.action_id for i in walk.take_plan()} == {"a1", "c1"}
    skipped = walk.take_skipped()
    assert [(each.phase_id, each.topic_id, each.reason) for each in skipped] == [
        ("p2", "", "CONDITION_FALSE")
    ]


def test_a_script_whose_rest_is_skipped_is_at_its_end() -> None:
    """All scopes are left, as after a last action that ran."""
    never = replace(phase(topic(say("b1")), phase_id="p2"), entry_condition=condition("1 == 2"))
    running = script_of(phase(topic(say("a1"), when(say("a2"), "1 == 2"))), never)
    walk = walking(running, waiting_at(running))
    complete(walk)
    assert walk.current() is None
    assert walk.position.action_id == "a1"
    assert [each.reason for each in walk.take_skipped()] == ["CONDITION_FALSE"] * 2


def test_a_script_may_be_skipped_as_a_whole() -> None:
    """Nothing was entered, nothing is current."""
    running = script_of(replace(phase(topic(say())), entry_condition=condition("1 == 2")))
    walk = walking(running, before_the_script())
    assert (walk.current(), walk.place) == (None, None)
    assert walk.take_plan() == ()
