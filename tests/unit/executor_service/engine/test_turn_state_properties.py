"""A property of all scripts: every action that is not skipped is visited once, in order."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from executor_service.engine.turn_state import TurnState
from executor_service.scripts.model.actions import SkillConfig
from executor_service.scripts.model.fields import SkillInput, SkillOutput
from executor_service.scripts.model.script import Action, Script, Topic
from executor_service.scripts.model.settings import Condition, OnError
from executor_service.variables.keywords import NO_KEYWORDS
from heartrule.domain.output_type import OutputType
from heartrule.domain.variables import VariableScope, VariableValue
from session_store.records import ENDED, ActionInstance, InstanceState, TurnSnapshot
from tests.support.engine_builders import (
    NOW,
    before_the_script,
    counting_ids,
    phase,
    say,
    script_of,
    topic,
)
from tests.support.plan_builders import condition, technique, use

FLAG = {"旗": OutputType.BOOLEAN}
CONDITIONS: dict[str, Condition | None] = {
    "none": None,
    "flag": condition("{旗}", FLAG),
    "no flag": condition("!{旗}", FLAG),
    "never": condition("1 == 2"),
    "missing, runs": condition("{没有} == 'x'"),
    "missing, skips": condition("{没有} == 'x'", on_error=OnError.SKIP),
}
SKILLS = ("inner", "outer")


def holds(asked: Condition | None, *, flag: bool) -> bool:
    """Say whether something begins, told apart from how the engine asks."""
    (name,) = (name for name, known in CONDITIONS.items() if known is asked)
    return {"flag": flag, "no flag": not flag}.get(name, name in {"none", "missing, runs"})


@st.composite
def actions(draw: st.DrawFn, skills: tuple[str, ...] = SKILLS) -> tuple[Action, ...]:
    """Return a few actions, some with conditions, some of them skills."""
    made = []
    for number in range(draw(st.integers(1, 3))):
        skill = draw(st.sampled_from(("", *skills)))
        outputs = (SkillOutput(get="得到", source="里面"),)
        given_in = (SkillInput(name="里面", value="一"),)
        action = say(f"say{number}")
        if skill:
            action = use(skill, f"use{number}", input=given_in, outputs=outputs)
        asked = CONDITIONS[draw(st.sampled_from(sorted(CONDITIONS)))]
        made.append(replace(action, condition=asked))
    return tuple(made)


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    """Return a script of a few phases and topics, and its two techniques."""
    inner = technique("inner", *draw(actions(())), outputs=("里面",))
    outer = technique("outer", *draw(actions(("inner",))), outputs=("里面",))
    phases = [
        replace(
            phase(
                *(
                    topic(*draw(actions()), topic_id=f"t{t}")
                    for t in range(draw(st.integers(1, 2)))
                ),
                phase_id=f"p{p}",
            ),
            entry_condition=CONDITIONS[draw(st.sampled_from(sorted(CONDITIONS)))],
        )
        for p in range(draw(st.integers(1, 3)))
    ]
    return script_of(*phases, techniques={"inner": inner, "outer": outer})


@dataclass
class Expected:
    """The way through a script, found by plain recursion; the flag turns with every action."""

    script: Script
    flag: bool = False
    visited: list[str] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def walk(self) -> None:
        """Go through the whole script."""
        for each in self.script.phases:
            if self._begins(each.entry_condition, each.phase_id):
                for inside in each.topics:
                    self._topic(inside)

    def _topic(self, inside: Topic) -> None:
        for action in inside.actions:
            if not self._begins(action.condition, action.action_id):
                continue
            if isinstance(action.config, SkillConfig):
                self._topic(self.script.techniques[action.config.skill].topic)
            else:
                self.visited.append(action.action_id)
                self.flag = not self.flag

    def _begins(self, asked: Condition | None, name: str) -> bool:
        if holds(asked, flag=self.flag):
            return True
        self.skipped.append(name)
        return False


@dataclass
class Rows:
    """What a store would hold."""

    plan: dict[str, ActionInstance] = field(default_factory=dict)
    values: dict[tuple[VariableScope, str, str], VariableValue] = field(default_factory=dict)
    archive: dict[str, VariableValue] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)

    def commit(self, walk: TurnState) -> None:
        """Write what a step changed: clear what was left, then what was written."""
        self.plan |= {one.action_instance_id: one for one in walk.take_plan()}
        changes = walk.variables.take_changes()
        left = {(each.scope, each.scope_id) for each in changes.scopes_left}
        self.values = {key: v for key, v in self.values.items() if key[:2] not in left}
        for value in changes.variables:
            if value.archived:
                self.archive[value.name] = value
            else:
                self.values[value.scope, value.scope_id, value.name] = value
        self.skipped += [each.action_id or each.phase_id for each in walk.take_skipped()]

    def snapshot(self, walk: TurnState) -> TurnSnapshot:
        """Return what a later turn begins with."""
        here = walk.position
        plan = [
            one
            for one in self.plan.values()
            if (one.phase_id, one.topic_id) == (here.phase_id, here.topic_id)
        ]
        return before_the_script(
            position=here,
            plan=tuple(sorted(plan, key=lambda one: one.ordinal)),
            variables=(*self.values.values(), *self.archive.values()),
        )


@given(running=scripts(), interrupted=st.lists(st.booleans(), min_size=12, max_size=12))
def test_every_action_that_is_not_skipped_is_visited_once_and_in_order(
    running: Script, interrupted: list[bool]
) -> None:
    """Wherever turns end in between; at the end every row has ended and no scope is live."""
    expected = Expected(running)
    expected.walk()
    rows, new_id, visited = Rows(), counting_ids(), []
    begun = _flag(value=False)
    begin = partial(
        TurnState,
        running,
        new_id=new_id,
        clock=lambda: NOW,
        keyword_scope=NO_KEYWORDS.scope_of,
    )
    walk = begin(before_the_script(variables=(begun,)))
    rows.values[begun.scope, begun.scope_id, begun.name] = begun
    rows.commit(walk)
    for number in range(1000):
        current = walk.current()
        if current is None:
            break
        visited.append(current[1])
        _assert_live(walk, rows)
        _turn_flag(walk)
        walk.update(replace(current[1], state=InstanceState.COMPLETED))
        rows.commit(walk)
        if walk.current() is not None and interrupted[number % len(interrupted)]:
            walk = begin(rows.snapshot(walk))
    assert [one.action_id for one in visited] == expected.visited
    assert len({one.action_instance_id for one in visited}) == len(visited)
    assert sorted(rows.skipped) == sorted(expected.skipped)
    assert all(one.state in ENDED for one in rows.plan.values())
    assert rows.values == {}


def _assert_live(walk: TurnState, rows: Rows) -> None:
    """Only scopes around the current action hold values."""
    around = set(walk.variables.place.levels())
    assert {key[:2] for key in rows.values} <= around


def _turn_flag(walk: TurnState) -> None:
    """Turn what conditions ask of; as an outside writer, whatever scope the walk is in."""
    store = walk.variables
    keys = ((*level, "旗") for level in store.place.levels())
    key = next(key for key in keys if key in store._values)
    store._values[key] = replace(store._values[key], value=not store._values[key].value)
    store._written[key] = None
    store._visible = None


def _flag(*, value: bool) -> VariableValue:
    return VariableValue(
        name="旗", value=value, type="boolean", scope=VariableScope.SESSION, last_updated=NOW
    )
