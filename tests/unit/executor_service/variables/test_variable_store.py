"""The working copy of variables during a turn."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from executor_service.scripts.model.findings import SourcePlace
from executor_service.scripts.model.script import Phase, Topic
from executor_service.scripts.model.settings import Declaration
from executor_service.variables.declared import session_values
from executor_service.variables.variable_changes import VariableChanges
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.errors import NotReady
from heartrule.domain.json_value import JsonValue
from heartrule.domain.variables import (
    ScopeSnapshot,
    VariableOperation,
    VariableOperationKind,
    VariableScope,
    VariableValue,
)

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
SCOPES = tuple(VariableScope)


def declared(var: str, scope: VariableScope, value: JsonValue = None) -> Declaration:
    """Return a declaration."""
    return Declaration(
        var=var, scope=scope, value=value, place=SourcePlace(file="s.yaml", line=1, column=1)
    )


def topic(topic_id: str = "t1", *declarations: Declaration) -> Topic:
    """Return a topic that holds declarations."""
    return Topic(topic_id=topic_id, declarations=declarations, actions=())


def phase(phase_id: str = "p1", *declarations: Declaration) -> Phase:
    """Return a phase that holds declarations."""
    return Phase(phase_id=phase_id, declarations=declarations, topics=())


def inside(*declarations: Declaration, within: Topic | None = None) -> VariableStore:
    """Return an empty store inside topic t1 of phase p1."""
    return VariableStore((), declarations, phase=phase(), topic=within or topic())


def write(store: VariableStore, name: str, value: JsonValue = "v") -> VariableValue:
    """Write a value as an action does."""
    return store.write(name, value, action_id="ask", now=NOW)


@pytest.mark.parametrize("scope", SCOPES)
def test_declaration_decides(scope: VariableScope) -> None:
    """A declared name is written in the scope of its declaration, under that scope's id."""
    written = write(inside(declared("x", scope)), "x")
    ids = {VariableScope.TOPIC: "t1", VariableScope.PHASE: "p1"}
    assert (written.scope, written.scope_id) == (scope, ids.get(scope, ""))


def test_undeclared_names_belong_to_the_topic() -> None:
    """A name nobody declared lives in the topic (C19)."""
    assert write(inside(), "x").scope is VariableScope.TOPIC


def test_inner_declaration_wins() -> None:
    """A topic's own declaration counts before the session's of the same name."""
    store = inside(
        declared("x", VariableScope.SESSION),
        within=topic("t1", declared("x", VariableScope.TOPIC)),
    )
    assert write(store, "x").scope is VariableScope.TOPIC


def test_session_before_global() -> None:
    """Of two declarations in one place the narrower scope counts."""
    store = inside(declared("x", VariableScope.GLOBAL), declared("x", VariableScope.SESSION))
    assert store.scope_of("x") is VariableScope.SESSION


def test_keywords_come_after_declarations() -> None:
    """A keyword rule decides for undeclared names only, and the topic has the rest."""
    words = {"用户基础": VariableScope.GLOBAL, "x": VariableScope.GLOBAL}
    store = VariableStore(
        (),
        (declared("x", VariableScope.PHASE),),
        phase=phase(),
        topic=topic(),
        keyword_scope=words.get,
    )
    found = [store.scope_of(name) for name in ("x", "用户基础", "别的")]
    assert found == [VariableScope.PHASE, VariableScope.GLOBAL, VariableScope.TOPIC]


def test_written_value() -> None:
    """A written variable bears its type, writer and time."""
    assert write(inside(), "年龄", 25) == VariableValue(
        name="年龄",
        value=25,
        type="number",
        scope=VariableScope.TOPIC,
        scope_id="t1",
        source="ask",
        last_updated=NOW,
    )


@pytest.mark.parametrize("value", [0, False, "", None, [], {}])
def test_every_value_can_be_written(value: JsonValue) -> None:
    """Empty values are stored and read back like any other."""
    store = inside()
    write(store, "x", value)
    assert store.visible() == {"x": value}


def test_a_write_is_recorded() -> None:
    """Each write is an operation, in order; the value to commit is the last."""
    store = inside()
    write(store, "x", 1)
    store.write("x", 2, action_id="say", now=NOW, kind=VariableOperationKind.UPDATE)
    changes = store.take_changes()
    assert [v.value for v in changes.variables] == [2]
    assert [(o.action_id, o.operation.value, o.value) for o in changes.operations] == [
        ("ask", "extract", 1),
        ("say", "update", 2),
    ]
    assert changes.operations[0] == VariableOperation(
        action_id="ask",
        operation=VariableOperationKind.EXTRACT,
        variable_name="x",
        scope=VariableScope.TOPIC,
        scope_id="t1",
        value=1,
        timestamp=NOW,
    )


def test_changes_are_taken_once() -> None:
    """A step commits what changed since the step before, and nothing twice."""
    store = inside()
    write(store, "x")
    store.take_changes()
    assert store.take_changes() == VariableChanges()
    write(store, "y")
    assert [v.name for v in store.take_changes().variables] == ["y"]


def test_loaded_values_are_no_changes() -> None:
    """What was read from the store is not written back."""
    store = VariableStore(session_values((declared("x", VariableScope.SESSION, "v"),), NOW))
    assert store.get("x") == "v"
    assert store.take_changes() == VariableChanges()


def test_same_name_in_two_scopes() -> None:
    """A topic's variable hides a wider one of its name and leaves it untouched."""
    session = session_values((declared("x", VariableScope.SESSION, "wide"),), NOW)
    store = VariableStore(session, phase=phase(), topic=topic())
    write(store, "x", "near")
    assert store.get("x") == "near"
    assert [v.scope for v in store.take_changes().variables] == [VariableScope.TOPIC]
    store.leave_topic()
    assert store.get("x") == "wide"


def test_no_topic_entered() -> None:
    """A topic's variable cannot be written outside every topic."""
    with pytest.raises(NotReady):
        write(VariableStore((), phase=phase()), "x")


def test_entering_sets_declared_values() -> None:
    """A phase's and a topic's declared values hold from their entry, and are recorded."""
    store = VariableStore(())
    store.enter_phase(phase("p1", declared("a", VariableScope.PHASE, "甲")), NOW)
    assert store.visible() == {"a": "甲"}
    store.enter_topic(topic("t1", declared("b", VariableScope.TOPIC, 0)), NOW)
    assert store.visible() == {"a": "甲", "b": 0}
    changes = store.take_changes()
    assert [(v.name, v.scope_id, v.source) for v in changes.variables] == [
        ("a", "p1", "declared"),
        ("b", "t1", "declared"),
    ]
    assert [o.operation for o in changes.operations] == [VariableOperationKind.UPDATE] * 2


def test_declared_without_value() -> None:
    """A declaration without a value leaves its variable unset."""
    store = VariableStore(())
    store.enter_phase(phase("p1", declared("a", VariableScope.PHASE)), NOW)
    assert "a" not in store.visible()


def test_outer_declarations_of_inner_scope() -> None:
    """A topic-scoped declaration of the session gives each topic its value anew."""
    store = VariableStore((), (declared("x", VariableScope.TOPIC, "first"),))
    store.enter_phase(phase(), NOW)
    store.enter_topic(topic("t1"), NOW)
    write(store, "x", "changed")
    store.enter_topic(topic("t2", declared("x", VariableScope.TOPIC, "own")), NOW)
    assert store.get("x") == "own"
    store.enter_topic(topic("t3"), NOW)
    assert store.get("x") == "first"


def test_leaving_archives() -> None:
    """Leaving a topic tells the store and keeps its values readable, archived."""
    store = inside()
    write(store, "x")
    store.leave_topic()
    changes = store.take_changes()
    (left,) = changes.scopes_left
    assert left == ScopeSnapshot(scope=VariableScope.TOPIC, scope_id="t1", variables={"x": "v"})
    assert [v.archived for v in changes.variables] == [True]
    assert store.get("x") == "v"


def test_leaving_a_phase_leaves_its_topic() -> None:
    """A phase is left after its topic, and only once."""
    store = inside()
    store.leave_phase()
    store.leave_phase()
    left = [(left.scope.value, left.scope_id) for left in store.take_changes().scopes_left]
    assert left == [("topic", "t1"), ("phase", "p1")]


def test_entering_leaves_what_was_before() -> None:
    """Entering the next topic or phase leaves the one before."""
    store = inside()
    store.enter_topic(topic("t2"), NOW)
    store.enter_phase(phase("p2"), NOW)
    left = [left.scope_id for left in store.take_changes().scopes_left]
    assert left == ["t1", "t2", "p1"]
    assert (store.place.phase_id, store.place.topic_id) == ("p2", "")


def test_session_values_survive() -> None:
    """Leaving a phase takes nothing of the session's and the user's."""
    store = inside(declared("s", VariableScope.SESSION), declared("g", VariableScope.GLOBAL))
    write(store, "s")
    write(store, "g")
    store.leave_phase()
    assert [v.archived for v in store.take_changes().variables] == [False, False]


def test_a_topic_id_may_return() -> None:
    """A topic of the same id in a later phase begins without the earlier one's values."""
    wide = declared("x", VariableScope.SESSION, "wide")
    near = declared("x", VariableScope.TOPIC)
    store = VariableStore(session_values((wide,), NOW), phase=phase(), topic=topic("t1", near))
    write(store, "x", "near")
    store.enter_phase(phase("p2"), NOW)
    store.enter_topic(topic("t1"), NOW)
    assert store.get("x") == "wide"


def test_resuming_sets_nothing() -> None:
    """A store taken up inside a topic does not declare its values again."""
    store = inside(within=topic("t1", declared("x", VariableScope.TOPIC, "first")))
    assert "x" not in store.visible()


def test_a_new_session_begins() -> None:
    """A new session gets its declared session and global values, and no others."""
    made = session_values(
        (
            declared("g", VariableScope.GLOBAL, "全"),
            declared("s", VariableScope.SESSION, False),
            declared("t", VariableScope.TOPIC, "不"),
            declared("u", VariableScope.SESSION),
        ),
        NOW,
    )
    assert [(v.name, v.value, v.scope.value, v.type) for v in made] == [
        ("s", False, "session", "boolean"),
        ("g", "全", "global", "string"),
    ]
