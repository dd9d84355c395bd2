"""Where a session can stand, and what comes after."""

from __future__ import annotations

from dataclasses import replace

import pytest

from executor_service.engine.cursor import (
    TopicPlace,
    instantiate,
    next_place,
    place_of,
    position_at,
    topic_of,
)
from executor_service.orchestration.edited_definitions import action_of
from heartrule.domain.errors import NotFound
from heartrule.domain.position import ExecutionPosition
from session_store.records import ActionInstance, InstanceState
from tests.support.engine_builders import ask, counting_ids, phase, say, script_of, topic
from tests.support.plan_builders import technique

SCRIPT = script_of(
    phase(topic(ask("a1"), say("a2"), topic_id="t1"), topic(say("b1"), topic_id="t2")),
    phase(topic(say("c1"), topic_id="t1"), phase_id="p2"),
)


def plan(*states: InstanceState) -> tuple[ActionInstance, ...]:
    """Return instances of topic t1 in these states."""
    return tuple(
        ActionInstance(
            action_instance_id=f"act_{number}",
            phase_id="p1",
            topic_id="t1",
            action_id=f"a{number}",
            action_type="ai_say",
            ordinal=number - 1,
            state=state,
        )
        for number, state in enumerate(states, start=1)
    )


def test_topics_follow_each_other_through_the_phases() -> None:
    """After a phase's last topic comes the next phase's first, after the last one nothing."""
    places, place = [], next_place(SCRIPT, None)
    while place is not None:
        places.append((place.phase, place.topic))
        place = next_place(SCRIPT, place)
    assert places == [(0, 0), (0, 1), (1, 0)]


def test_a_place_is_found_by_ids_and_not_by_indices() -> None:
    """Ids are authoritative: a topic's id counts within its phase."""
    position = ExecutionPosition(phase_id="p2", topic_id="t1", current_phase_idx=0)
    assert place_of(SCRIPT, position) == TopicPlace(1, 0)


def test_before_the_first_topic_there_is_no_place() -> None:
    """A position without ids is that of a session that has not begun."""
    assert place_of(SCRIPT, ExecutionPosition()) is None


@pytest.mark.parametrize("ids", [("p9", "t1"), ("p2", "t2")])
def test_a_place_the_script_does_not_have_is_not_found(ids: tuple[str, str]) -> None:
    """A position of another script is an error, not the beginning."""
    with pytest.raises(NotFound):
        place_of(SCRIPT, ExecutionPosition(phase_id=ids[0], topic_id=ids[1]))


def test_entering_a_topic_plans_each_of_its_actions_once() -> None:
    """The plan has a pending instance with an id of its own for every action, in order."""
    made = instantiate(SCRIPT, TopicPlace(0, 0), counting_ids())
    assert [(i.action_instance_id, i.action_id, i.ordinal) for i in made] == [
        ("act_1", "a1", 0),
        ("act_2", "a2", 1),
    ]
    assert {(i.phase_id, i.topic_id, i.state, i.round) for i in made} == {
        ("p1", "t1", InstanceState.PENDING, 0)
    }


def test_an_instance_of_an_action_the_topic_lacks_is_not_found() -> None:
    """A plan row is read against its own topic only."""
    with pytest.raises(NotFound):
        action_of(SCRIPT.phases[0].topics[1], plan(InstanceState.PENDING)[0])


def test_an_action_of_a_technique_is_defined_there() -> None:
    """The topic that defines an instance is its technique's, or the one it stands in."""
    breath = technique("breath", say("inhale"))
    running = script_of(phase(topic(say("a1"))), techniques={"breath": breath})
    here = plan(InstanceState.PENDING)[0]
    inner = replace(here, technique_id="breath")
    assert topic_of(running, TopicPlace(0, 0), here).topic_id == "t1"
    assert topic_of(running, TopicPlace(0, 0), inner) is breath.topic
    with pytest.raises(NotFound):
        topic_of(running, TopicPlace(0, 0), replace(here, technique_id="gone"))


def test_a_position_names_ids_indices_and_rounds() -> None:
    """Clients read where the session stands without knowing the script."""
    instance = instantiate(SCRIPT, TopicPlace(1, 0), counting_ids())[0]
    position = position_at(TopicPlace(1, 0), instance, ask("c1", max_rounds=4))
    assert (position.phase_id, position.topic_id, position.action_id) == ("p2", "t1", "c1")
    assert (position.current_phase_idx, position.current_topic_idx) == (1, 0)
    assert (position.current_round, position.max_rounds) == (0, 4)
