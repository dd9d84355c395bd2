"""Skills on the way from an action to the next."""

from __future__ import annotations

from executor_service.engine.turn_state import TurnState
from executor_service.scripts.model.fields import SkillInput, SkillOutput
from heartrule.domain.variables import VariableScope
from session_store.records import InstanceState
from tests.support.engine_builders import (
    NOW,
    ask,
    before_the_script,
    say,
    script,
    waiting_at,
)
from tests.support.plan_builders import complete, technique, use, walking, when

BREATH = technique("breath", ask("inhale", get=("感受",)), say("exhale"), outputs=("感受",))
SKILLED = script(
    say("a1"),
    use(
        "breath",
        "skill",
        input=(SkillInput(name="焦点", value="{情绪}"),),
        outputs=(SkillOutput(get="效果", source="感受"),),
    ),
    say("a3"),
    techniques={"breath": BREATH},
)


def inside_skill() -> TurnState:
    """Return a walk that has just come to the first action of a skill."""
    walk = walking(SKILLED, before_the_script())
    walk.variables.write("情绪", "低落", action_id="a1", now=NOW)
    complete(walk)
    return walk


def test_a_skill_puts_its_actions_behind_itself() -> None:
    """It runs while they are open; what comes after it moves on."""
    walk = inside_skill()
    assert [(i.action_id, i.ordinal, i.state) for i in walk.take_plan()] == [
        ("a1", 0, InstanceState.COMPLETED),
        ("skill", 1, InstanceState.RUNNING),
        ("a3", 4, InstanceState.PENDING),
        ("inhale", 2, InstanceState.PENDING),
        ("exhale", 3, InstanceState.PENDING),
    ]


def test_the_position_in_a_skill_names_the_inner_action() -> None:
    """Topic and phase are the script's; the technique and the use of it are named beside."""
    position = inside_skill().position
    assert (position.topic_id, position.action_id) == ("t1", "inhale")
    assert (position.technique_id, position.skill_instance_ids) == ("breath", ("act_2",))


def test_an_inner_action_follows_its_techniques_topic() -> None:
    """Goal and strategy of the technique hold while it runs."""
    walk = inside_skill()
    current = walk.current()
    assert current is not None
    assert walk.topic_for(current[1]) is BREATH.topic


def test_a_skill_has_variables_of_its_own() -> None:
    """Its inputs are there at once; what is written inside stays inside."""
    walk = inside_skill()
    written = walk.variables.write("感受", "平静", action_id="inhale", now=NOW)
    assert walk.variables.get("焦点") == "低落"
    assert (written.scope, written.scope_id) == (VariableScope.TOPIC, "t1/act_2")
    assert walk.variables.get("情绪") == "低落"


def test_a_skill_that_is_done_hands_its_outputs_out() -> None:
    """It completes with its last action; its variables are archived before the next begins."""
    walk = inside_skill()
    walk.variables.write("感受", "平静", action_id="inhale", now=NOW)
    complete(walk)
    walk.take_plan()
    complete(walk)
    assert [(i.action_id, i.state) for i in walk.take_plan()] == [
        ("exhale", InstanceState.COMPLETED),
        ("skill", InstanceState.COMPLETED),
    ]
    changes = walk.variables.take_changes()
    assert walk.variables.get("效果") == "平静"
    assert ("效果", "t1", "skill") in [(v.name, v.scope_id, v.source) for v in changes.variables]
    assert [scope.scope_id for scope in changes.scopes_left] == ["t1/act_2"]
    assert (walk.position.action_id, walk.position.skill_instance_ids) == ("a3", ())


def test_a_turn_that_begins_inside_a_skill_stands_inside_it() -> None:
    """Plan and variables of the snapshot are enough to go on."""
    before = inside_skill()
    rows = tuple(sorted(before.take_plan(), key=lambda one: one.ordinal))
    variables = before.variables.take_changes().variables
    snapshot = before_the_script(plan=rows, position=before.position, variables=variables)
    walk = walking(SKILLED, snapshot)
    assert walk.variables.get("焦点") == "低落"
    complete(walk)
    assert walk.position.action_id == "exhale"


def test_a_skipped_skill_brings_none_of_its_actions() -> None:
    """The condition of a use_skill is asked before anything is handed in."""
    running = script(
        say("a1"), when(use("breath"), "1 == 2"), say("a3"), techniques={"breath": BREATH}
    )
    walk = walking(running, waiting_at(running))
    complete(walk)
    assert walk.position.action_id == "a3"
    assert [i.action_id for i in walk.take_plan()] == ["a1", "use"]


def test_a_skill_all_of_whose_actions_are_skipped_is_done_at_once() -> None:
    """It was entered and left on the way to the next action."""
    idle = technique("idle", when(say("b1"), "1 == 2"))
    running = script(say("a1"), use("idle"), say("a3"), techniques={"idle": idle})
    walk = walking(running, waiting_at(running))
    complete(walk)
    assert walk.position.action_id == "a3"
    states = {i.action_id: i.state for i in walk.take_plan()}
    assert (states["use"], states["b1"]) == (InstanceState.COMPLETED, InstanceState.SKIPPED)


def test_a_skill_may_use_a_skill() -> None:
    """Inside the inner one the outer one's variables are seen, and both end one after the other."""
    outer = technique("outer", ask("o1", get=("甲",)), use("breath", "inner"))
    running = script(use("outer", "skill"), techniques={"outer": outer, "breath": BREATH})
    walk = walking(running, before_the_script())
    walk.variables.write("甲", "1", action_id="o1", now=NOW)
    complete(walk)
    assert walk.position.skill_instance_ids == ("act_1", "act_3")
    assert walk.variables.get("甲") == "1"
    complete(walk)
    complete(walk)
    assert walk.current() is None
    left = [scope.scope_id for scope in walk.variables.take_changes().scopes_left]
    assert left == ["t1/act_3", "t1/act_1", "t1", "p1", ""]
