"""Look-up and life cycle against a naive model: a list of all that was ever written."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from executor_service.scripts.model.findings import SourcePlace
from executor_service.scripts.model.script import Phase, Topic
from executor_service.scripts.model.settings import Declaration
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.json_value import JsonValue
from heartrule.domain.variables import VariableScope, VariableValue

START = datetime(2026, 11, 21, tzinfo=UTC)
NAMES = {
    "题": VariableScope.TOPIC,
    "段": VariableScope.PHASE,
    "会": VariableScope.SESSION,
    "全": VariableScope.GLOBAL,
    "野": VariableScope.TOPIC,
}
"""Every name and the scope it lives in; the last is declared by nobody."""
DECLARED = tuple(
    Declaration(var=name, scope=scope, place=SourcePlace(file="s", line=1, column=1))
    for name, scope in NAMES.items()
    if name != "野"
)
MOVES = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(sorted(NAMES)), st.sampled_from([0, False, "", 1])),
    st.tuples(st.just("topic"), st.sampled_from(["t1", "t2"]), st.none()),
    st.tuples(st.just("phase"), st.sampled_from(["p1", "p2"]), st.none()),
)


@dataclass
class Naive:
    """What a reader of document 001 would keep: live values by scope, and all that ever left."""

    live: dict[tuple[VariableScope, str], JsonValue] = field(default_factory=dict)
    left: dict[str, JsonValue] = field(default_factory=dict)

    def write(self, name: str, value: JsonValue) -> None:
        """Set a name where it lives."""
        self.live[NAMES[name], name] = value

    def leave(self, scope: VariableScope) -> None:
        """Move what lives in a scope to the archive."""
        for key in [key for key in self.live if key[0] is scope]:
            self.left[key[1]] = self.live.pop(key)

    def visible(self) -> dict[str, JsonValue]:
        """Return every name with the value that counts."""
        return self.left | {name: value for (_, name), value in self.live.items()}


@dataclass
class Both:
    """The store and the model, moved alike; the store goes through its rows now and then."""

    store: VariableStore = field(default_factory=lambda: VariableStore((), DECLARED))
    model: Naive = field(default_factory=Naive)
    rows: dict[tuple[object, ...], VariableValue] = field(default_factory=dict)
    now: datetime = START

    def enter(self, kind: str, name: str) -> None:
        """Enter a phase or topic, as the engine does: a phase begins with a topic."""
        self.now += timedelta(seconds=1)
        if kind == "phase":
            self.store.enter_phase(Phase(phase_id=name, topics=()), self.now)
            self.model.leave(VariableScope.TOPIC)
            self.model.leave(VariableScope.PHASE)
            name = "t1"
        else:
            self.model.leave(VariableScope.TOPIC)
        self.store.enter_topic(Topic(topic_id=name, actions=()), self.now)

    def write(self, name: str, value: JsonValue) -> None:
        """Write a value."""
        self.now += timedelta(seconds=1)
        self.store.write(name, value, action_id="a", now=self.now)
        self.model.write(name, value)

    def commit(self) -> None:
        """Keep what changed as the rows a store would have."""
        changes = self.store.take_changes()
        left = {(each.scope, each.scope_id) for each in changes.scopes_left}
        self.rows = {key: v for key, v in self.rows.items() if key[:2] not in left}
        for value in changes.variables:
            scope = "archive" if value.archived else value.scope
            self.rows[scope, "" if value.archived else value.scope_id, value.name] = value

    def reloaded(self) -> VariableStore:
        """Return the store the next turn begins with."""
        place = self.store.place
        return VariableStore(
            self.rows.values(),
            DECLARED,
            phase=Phase(phase_id=place.phase_id, topics=()),
            topic=Topic(topic_id=place.topic_id, actions=()),
        )


def played(moves: list[tuple[str, str, JsonValue]]) -> Both:
    """Play the moves on both."""
    both = Both()
    both.enter("phase", "p1")
    for kind, name, value in moves:
        if kind == "write":
            both.write(name, value)
        else:
            both.enter(kind, name)
        both.commit()
    return both


@given(st.lists(MOVES, max_size=25))
def test_look_up_is_that_of_the_naive_model(moves: list[tuple[str, str, JsonValue]]) -> None:
    """Live before archived, narrow before wide, the last of each; also from the rows."""
    both = played(moves)
    expected = both.model.visible()
    assert dict(both.store.visible()) == expected
    assert {name: both.store.get(name) for name in expected} == expected
    assert dict(both.reloaded().visible()) == expected


@given(st.lists(MOVES, max_size=25))
def test_nothing_lives_on_after_its_scope(moves: list[tuple[str, str, JsonValue]]) -> None:
    """Only scopes that are entered have live rows; every other value is in the archive, once."""
    both = played(moves)
    place = both.store.place
    live = [each for each in both.rows.values() if not each.archived]
    assert all(each.scope_id == place.scope_id(each.scope) for each in live)
    assert len(both.rows) <= 2 * len(NAMES)


@given(st.lists(MOVES, max_size=25))
def test_the_end_keeps_globals_and_the_archive(moves: list[tuple[str, str, JsonValue]]) -> None:
    """After the session's end no value was lost, and none but a global lives."""
    both = played(moves)
    before = dict(both.store.visible())
    both.store.leave_session()
    both.commit()
    assert dict(both.store.visible()) == before
    assert {v.scope for v in both.rows.values() if not v.archived} <= {VariableScope.GLOBAL}


@given(st.lists(MOVES, max_size=25))
def test_operations_give_the_live_values(moves: list[tuple[str, str, JsonValue]]) -> None:
    """Writes and deletions, played in order, leave exactly what lives."""
    both = Both()
    both.enter("phase", "p1")
    held: dict[tuple[VariableScope, str, str], JsonValue] = {}
    for kind, name, value in moves:
        if kind == "write":
            both.write(name, value)
        else:
            both.enter(kind, name)
    for done in both.store.take_changes().operations:
        key = (done.scope, done.scope_id, done.variable_name)
        if done.operation == "delete":
            del held[key]
        else:
            held[key] = done.value
    assert {(s, n): v for (s, _, n), v in held.items()} == both.model.live


@given(st.sampled_from(sorted(NAMES)), st.sampled_from([0, False, ""]))
def test_empty_values_hide_wider_ones(name: str, value: JsonValue) -> None:
    """0, false and empty text are values: they answer before any archived or wider one."""
    both = Both()
    both.enter("phase", "p1")
    both.write(name, "before")
    both.enter("topic", "t2")
    both.write(name, value)
    assert both.store.get(name) == value
