"""The queue of a topic's action instances."""

from __future__ import annotations

import pytest

from executor_service.engine.plan import Queue, next_open, planned, skills_around
from executor_service.scripts.model.actions import ActionType
from session_store.records import ActionInstance, InstanceState
from tests.support.engine_builders import counting_ids, say

PENDING, RUNNING, COMPLETED, SKIPPED = (
    InstanceState.PENDING,
    InstanceState.RUNNING,
    InstanceState.COMPLETED,
    InstanceState.SKIPPED,
)


def one(
    name: str,
    state: InstanceState = PENDING,
    *,
    inside: str = "",
    kind: ActionType = ActionType.AI_SAY,
) -> ActionInstance:
    """Return an instance."""
    return ActionInstance(
        action_instance_id=name,
        phase_id="p1",
        topic_id="t1",
        action_id=name,
        action_type=kind.value,
        ordinal=0,
        state=state,
        parent_instance_id=inside,
    )


def skill(name: str, state: InstanceState = RUNNING, *, inside: str = "") -> ActionInstance:
    """Return a use_skill."""
    return one(name, state, inside=inside, kind=ActionType.USE_SKILL)


def test_every_action_is_planned_once() -> None:
    """A pending instance with an id of its own for every action, in order."""
    made = planned(
        (say("a1"), say("a2")),
        counting_ids(),
        phase_id="p1",
        topic_id="t1",
        technique_id="breath",
        parent_instance_id="act_9",
    )
    assert [(i.action_instance_id, i.action_id, i.ordinal) for i in made] == [
        ("act_1", "a1", 0),
        ("act_2", "a2", 1),
    ]
    assert {(i.technique_id, i.parent_instance_id, i.state) for i in made} == {
        ("breath", "act_9", PENDING)
    }


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        ((one("a", COMPLETED), one("b")), "b"),
        ((one("a", RUNNING), one("b")), "a"),
        ((one("a", COMPLETED), one("b", SKIPPED), one("c")), "c"),
        ((skill("s"), one("a", COMPLETED, inside="s"), one("b", inside="s")), "b"),
        ((skill("s", PENDING), one("a")), "s"),
    ],
)
def test_the_first_instance_that_has_not_ended_runs_now(
    plan: tuple[ActionInstance, ...], expected: str
) -> None:
    """Ended ones are behind; of a running skill, its actions are meant."""
    found = next_open(plan)
    assert found is not None
    assert found.action_id == expected


def test_a_plan_whose_instances_have_ended_has_none_open() -> None:
    """Nothing of a finished topic runs again."""
    assert next_open((one("a", COMPLETED), one("b", SKIPPED))) is None


def test_the_skills_around_an_instance_begin_with_the_outermost() -> None:
    """A skill in a skill has two around its actions; a topic's own action none."""
    plan = (skill("s"), skill("r", inside="s"), one("a", inside="r"), one("b"))
    assert [each.action_id for each in skills_around(plan, plan[2])] == ["s", "r"]
    assert skills_around(plan, plan[3]) == ()
    assert skills_around(plan, None) == ()


def test_inserted_instances_move_the_rest_on() -> None:
    """Ordinals are places: those behind what is inserted are numbered anew."""
    queue = Queue((skill("s"), one("z")))
    queue.insert((one("a"), one("b")), after=skill("s"))
    assert [(each.action_id, each.ordinal) for each in queue.plan] == [
        ("s", 0),
        ("a", 1),
        ("b", 2),
        ("z", 3),
    ]


def test_an_instance_is_replaced_by_its_id() -> None:
    """A new state takes the place of the old one."""
    queue = Queue((one("a"), one("b")))
    queue.put(one("a", COMPLETED))
    assert queue.plan == (one("a", COMPLETED), one("b"))


def test_a_queue_gives_what_changed_once() -> None:
    """Rows that are as they were stored are not written again."""
    queue = Queue((skill("s", PENDING), one("z")))
    queue.put(skill("s"))
    queue.insert((one("a"),), after=skill("s"))
    assert [each.action_id for each in queue.take()] == ["s", "a", "z"]
    assert queue.take() == ()


def test_a_queue_remembers_the_rows_of_a_topic_it_left() -> None:
    """The last row of one topic and all rows of the next are one step's."""
    queue = Queue((one("a"),))
    queue.put(one("a", COMPLETED))
    queue.become((one("b"),))
    assert [each.action_id for each in queue.take()] == ["a", "b"]
