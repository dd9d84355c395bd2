"""What a session was, folded from what its steps changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from heartrule.domain.replacement import ActionReplacement
from heartrule.domain.variables import (
    VariableOperation,
    VariableOperationKind,
    VariableScope,
    VariableValue,
)
from session_store.past import (
    BEFORE_ALL,
    PastStep,
    globals_written,
    plan_after,
    turn_before,
    variables_after,
)
from session_store.records import InstanceState
from tests.support.store_builders import instance, variable

NOW = datetime(2026, 11, 22, tzinfo=UTC)
FIRST = ActionReplacement(phase_id="p1", topic_id="t1", action_id="a1")
SECOND = replace(FIRST, action_id="a2")


def does(
    kind: VariableOperationKind,
    name: str,
    value: object = None,
    scope: VariableScope = VariableScope.TOPIC,
    *,
    later: int = 0,
) -> VariableOperation:
    """Return an operation of action a1 in topic t1, or in another scope."""
    return VariableOperation(
        action_id="a1",
        operation=kind,
        variable_name=name,
        scope=scope,
        scope_id="t1" if scope is VariableScope.TOPIC else "",
        value=value,  # type: ignore[arg-type]  # whatever a test writes is JSON
        timestamp=NOW + timedelta(seconds=later),
    )


def extracts(name: str, value: object, *, later: int = 0) -> VariableOperation:
    return does(VariableOperationKind.EXTRACT, name, value, later=later)


def deletes(name: str) -> VariableOperation:
    return does(VariableOperationKind.DELETE, name)


def after(*operations: VariableOperation, first: tuple[VariableValue, ...] = ()) -> list[object]:
    """Return name, value and whether it is archived, of what one step left."""
    left = variables_after(first, [PastStep(turn_no=0, operations=operations)])
    return [(each.name, each.value, each.archived) for each in left]


def test_the_last_write_of_a_variable_counts() -> None:
    """With the value's own type and source."""
    (found,) = variables_after(
        [variable("x", 1)],
        [PastStep(turn_no=0, operations=(extracts("y", "a"), extracts("y", True)))],
    )[1:]
    assert (found.value, found.type, found.source, found.scope_id) == (True, "boolean", "a1", "t1")


def test_what_a_session_began_with_stays_until_it_is_written() -> None:
    """No step wrote it, yet it is there."""
    first = variable("x", 1, VariableScope.TOPIC, "t1")
    assert after(first=(first,)) == [("x", 1, False)]
    assert after(extracts("x", 2), first=(first,)) == [("x", 2, False)]


def test_a_scope_that_was_left_is_in_the_archive() -> None:
    """Deleting a value is leaving its scope."""
    assert after(extracts("x", 1), deletes("x")) == [("x", 1, True)]
    assert after(deletes("x")) == []


def test_the_archive_keeps_the_newest_of_a_name() -> None:
    """Whichever scope was left last."""
    old = replace(variable("x", "old"), archived=True, last_updated=NOW)
    assert after(extracts("x", "new", later=1), deletes("x"), first=(old,)) == [("x", "new", True)]
    late = replace(old, last_updated=NOW + timedelta(seconds=9))
    assert after(extracts("x", "new"), deletes("x"), first=(late,)) == [("x", "old", True)]


def test_globals_never_go_back() -> None:
    """They are named instead, each once."""
    shared = does(VariableOperationKind.EXTRACT, "name", "小明", VariableScope.GLOBAL)
    step = PastStep(turn_no=0, operations=(shared, shared, extracts("x", 1)))
    assert [each.name for each in variables_after([], [step])] == ["x"]
    assert globals_written([step]) == ("name",)


def test_a_plan_is_what_its_instances_were_last() -> None:
    """One per id."""
    steps = [
        PastStep(turn_no=0, instances=(instance(), instance("ai_2", 1))),
        PastStep(turn_no=1, instances=(instance(round=3),)),
    ]
    assert plan_after(steps) == {"ai_1": instance(round=3), "ai_2": instance("ai_2", 1)}


def test_an_action_opens_once_it_is_pending_no_more() -> None:
    """The place before it is the end of the turn before."""
    waits = instance("ai_2", 1, state=InstanceState.PENDING)
    steps = [
        PastStep(turn_no=0, instances=(instance(), waits)),
        PastStep(turn_no=3, instances=(instance("ai_2", 1),)),
        PastStep(turn_no=4, instances=(instance("ai_2", 1, round=2),)),
    ]
    assert turn_before(steps, SECOND, newest=9) == 2
    assert turn_before(steps, FIRST, newest=9) == BEFORE_ALL
    assert turn_before(steps[:1], SECOND, newest=9) == 9


def test_an_action_of_a_technique_is_another_one() -> None:
    """Though it bears the same id."""
    inside = instance("ai_9", 1, technique_id="breathe", parent_instance_id="ai_1")
    steps = [PastStep(turn_no=4, instances=(inside,))]
    assert turn_before(steps, SECOND, newest=9) == 9
