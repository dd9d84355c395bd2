"""One turn's way through its script."""

from __future__ import annotations

from dataclasses import replace

from executor_service.engine.cursor import max_rounds_of
from executor_service.scripts.model.settings import Declaration
from heartrule.domain.variables import VariableScope
from session_store.records import InstanceState
from tests.support.engine_builders import (
    PLACE,
    ask,
    before_the_script,
    phase,
    say,
    script,
    script_of,
    think,
    topic,
    waiting_at,
)
from tests.support.plan_builders import complete, walking

THREE_TOPICS = script_of(
    phase(topic(ask("a1"), say("a2"), topic_id="t1"), topic(say("b1"), topic_id="t2")),
    phase(topic(say("c1"), topic_id="t3"), phase_id="p2"),
)


def test_a_session_that_has_not_begun_enters_its_first_topic() -> None:
    """The first topic's plan is made, and the position is its first action, not yet opened."""
    walk = walking(THREE_TOPICS, before_the_script())
    assert [instance.action_id for instance in walk.take_plan()] == ["a1", "a2"]
    assert (walk.position.action_id, walk.position.current_round) == ("a1", 0)


def test_a_turn_stands_where_its_snapshot_stands() -> None:
    """Nothing is planned or entered again for a session under way."""
    walk = walking(THREE_TOPICS, waiting_at(THREE_TOPICS, place=(0, 0, 1)))
    current = walk.current()
    assert current is not None
    assert current[0].action_id == "a2"
    assert walk.take_plan() == ()


def test_a_round_moves_the_position_and_nothing_else() -> None:
    """An action that goes on stays current, in its next round."""
    walk = walking(THREE_TOPICS, waiting_at(THREE_TOPICS))
    current = walk.current()
    assert current is not None
    walk.update(replace(current[1], round=2))
    assert (walk.position.action_id, walk.position.current_round) == ("a1", 2)


def test_a_completed_action_hands_over_to_the_next() -> None:
    """The position is the next action of the topic, not yet opened."""
    walk = walking(THREE_TOPICS, waiting_at(THREE_TOPICS))
    complete(walk)
    assert (walk.position.action_id, walk.position.current_round) == ("a2", 0)


def test_the_last_action_of_a_topic_leads_into_the_next_topic() -> None:
    """The next topic's plan is made with the step that left the one before."""
    walk = walking(THREE_TOPICS, waiting_at(THREE_TOPICS, place=(0, 0, 1)))
    complete(walk)
    changed = [(i.action_id, i.state) for i in walk.take_plan()]
    assert changed == [("a2", InstanceState.COMPLETED), ("b1", InstanceState.PENDING)]
    assert (walk.position.topic_id, walk.topic.topic_id) == ("t2", "t2")


def test_the_plan_is_taken_once() -> None:
    """A step commits what changed since the step before."""
    walk = walking(THREE_TOPICS, before_the_script())
    assert walk.take_plan()
    assert walk.take_plan() == ()


def test_leaving_a_topic_of_a_phase_leaves_the_topic_alone() -> None:
    """The phase's variables stay while its next topic runs."""
    walk = walking(THREE_TOPICS, waiting_at(THREE_TOPICS, place=(0, 0, 1)))
    complete(walk)
    left = [scope.scope_id for scope in walk.variables.take_changes().scopes_left]
    assert left == ["t1"]


def test_the_last_topic_of_a_phase_leaves_both() -> None:
    """Topic first, then phase; the next phase is entered after them."""
    walk = walking(THREE_TOPICS, waiting_at(THREE_TOPICS, place=(0, 1, 0)))
    complete(walk)
    left = [scope.scope_id for scope in walk.variables.take_changes().scopes_left]
    assert (left, walk.phase.phase_id) == (["t2", "p1"], "p2")


def test_after_the_last_action_nothing_is_current() -> None:
    """The position stays at the last action, all its scopes are left."""
    walk = walking(THREE_TOPICS, waiting_at(THREE_TOPICS, place=(1, 0, 0)))
    complete(walk)
    assert walk.current() is None
    assert walk.position.action_id == "c1"
    left = [scope.scope for scope in walk.variables.take_changes().scopes_left]
    assert left == ["topic", "phase", "session"]


def test_a_topic_begins_with_its_declared_values() -> None:
    """Entering a scope writes what the author declared for it."""
    declared = Declaration(var="语气", value="温和", scope=VariableScope.TOPIC, place=PLACE)
    running = script_of(phase(topic(say(), declarations=(declared,))))
    walk = walking(running, before_the_script())
    assert walk.variables.get("语气") == "温和"


def test_an_ai_think_has_no_rounds() -> None:
    """Only actions that talk count rounds."""
    assert [max_rounds_of(action) for action in (think(), ask(max_rounds=4), say())] == [0, 4, 1]


def test_a_script_of_one_action_ends_with_it() -> None:
    """The smallest script has one position and then none."""
    running = script(say())
    walk = walking(running, before_the_script())
    complete(walk)
    assert walk.current() is None
