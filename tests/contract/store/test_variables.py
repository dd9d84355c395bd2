"""Variables: values, scopes, archive, and a user's globals (RESOLUTIONS C19, C32)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from heartrule.domain.variables import ScopeSnapshot, ValueSupport, VariableScope, VariableValue
from session_store.ports import Store
from tests.support.store_builders import (
    accept,
    begun,
    created,
    last_step,
    new_session,
    opened,
    variable,
)

TOPIC, PHASE = VariableScope.TOPIC, VariableScope.PHASE
SESSION, GLOBAL = VariableScope.SESSION, VariableScope.GLOBAL


def values(variables: Iterable[VariableValue]) -> dict[tuple[str, str], JsonValue]:
    """Return the values by scope and name."""
    return {(each.scope.value, each.name): each.value for each in variables}


async def wrote(
    store: Store, key: SessionKey, *written: VariableValue, left: tuple[ScopeSnapshot, ...] = ()
) -> None:
    """Run a turn that writes variables and leaves scopes."""
    sequence = (await store.get_session(key)).last_sequence
    await accept(store, key, f"m{sequence}")
    snapshot = await begun(store, key)
    done = last_step(snapshot, variables=written, scopes_left=left)
    await store.commit_step(snapshot.lease, done)


async def test_declared_values_are_there_from_the_start(store: Store) -> None:
    """A session begins with its declared values, before anything ran."""
    key = await created(store, variables=(variable("x", 1), variable("y", "二")))
    assert values(await store.list_variables(key)) == {("session", "x"): 1, ("session", "y"): "二"}


@pytest.mark.parametrize(
    "value", [None, False, 0, 0.5, "", "文", [], [1, [None]], {}, {"键": {"a": [True]}}]
)
async def test_every_value_keeps_its_kind(store: Store, value: JsonValue) -> None:
    """Whatever JSON can hold is read back as it was written, empty values too."""
    key = await opened(store)
    await wrote(store, key, variable("x", value))
    (found,) = await store.list_variables(key)
    assert (found.value, type(found.value)) == (value, type(value))
    assert replace(found, last_updated=None) == variable("x", value)
    assert found.last_updated is not None


async def test_a_value_replaces_the_one_of_its_scope(store: Store) -> None:
    """One name has one value in each scope; writing replaces only that one."""
    key = await opened(store)
    await wrote(store, key, variable("x", 1), variable("x", 2, TOPIC, "t1"))
    await wrote(store, key, variable("x", 3, TOPIC, "t1"), variable("x", 4, TOPIC, "t2"))
    found = {(each.scope_id, each.value) for each in await store.list_variables(key)}
    assert found == {("", 1), ("t1", 3), ("t2", 4)}


async def test_a_turn_sees_all_variables(store: Store) -> None:
    """A snapshot holds the variables of every scope, archived ones, and the user's globals."""
    key = await opened(store, user_id="u")
    await wrote(
        store,
        key,
        archived("a", 1),
        variable("b", 2, PHASE, "p1"),
        variable("c", 3, GLOBAL),
    )
    await accept(store, key)
    seen = (await begun(store, key)).variables
    assert sorted(seen, key=_name) == sorted(await store.list_variables(key), key=_name)
    assert [each.name for each in seen if each.archived] == ["a"]
    assert len(seen) == 3


def archived(
    name: str, value: JsonValue, scope: VariableScope = TOPIC, scope_id: str = "t1"
) -> VariableValue:
    """Return a value whose scope was left."""
    return replace(variable(name, value, scope, scope_id), archived=True)


def _name(value: VariableValue) -> str:
    return value.name


async def test_leaving_a_scope_deletes_its_variables(store: Store) -> None:
    """What lived in a scope that was left is gone; other scopes keep theirs."""
    key = await opened(store)
    await wrote(store, key, variable("x", 1, TOPIC, "t1"), variable("x", 2, TOPIC, "t2"))
    await wrote(store, key, left=(ScopeSnapshot(scope=TOPIC, scope_id="t1"),))
    assert [each.scope_id for each in await store.list_variables(key)] == ["t2"]


async def test_a_scope_left_and_entered_anew_begins_empty(store: Store) -> None:
    """One step may leave a topic and enter one of the same id: what it writes stays."""
    key = await opened(store)
    await wrote(store, key, variable("old", 1, TOPIC, "t1"))
    left = ScopeSnapshot(scope=TOPIC, scope_id="t1", variables={"old": 1})
    await wrote(store, key, variable("new", 2, TOPIC, "t1"), left=(left,))
    assert values(await store.list_variables(key)) == {("topic", "new"): 2}


async def test_the_archive_keeps_one_value_of_a_name(store: Store) -> None:
    """However many scopes held a name, the archive has what was put there last, and its scope."""
    key = await opened(store)
    await wrote(store, key, archived("x", 1))
    await wrote(store, key, archived("x", 2, PHASE, "p1"), archived("y", 3))
    found = {each.name: each for each in await store.list_variables(key)}
    assert {name: each.value for name, each in found.items()} == {"x": 2, "y": 3}
    assert (found["x"].scope, found["x"].scope_id, found["x"].archived) == (PHASE, "p1", True)


async def test_a_live_value_stands_beside_the_archived_one(store: Store) -> None:
    """Writing to a scope that is entered anew leaves the archive as it is."""
    key = await opened(store)
    await wrote(store, key, archived("x", 1))
    await wrote(store, key, variable("x", 2, TOPIC, "t1"))
    found = await store.list_variables(key)
    assert {(each.value, each.archived) for each in found} == {(1, True), (2, False)}


async def test_globals_are_the_users(store: Store) -> None:
    """A global written in one session is there in the user's others, and in no one else's."""
    first = await opened(store, "s1", user_id="u")
    await wrote(store, first, variable("x", 1, GLOBAL))
    second = await created(store, "s2", user_id="u")
    stranger = await created(store, "s3", user_id="v")
    other_tenant = await store.create_session(new_session(tenant="other", user_id="u"))
    assert values(await store.list_variables(second)) == {("global", "x"): 1}
    assert await store.list_variables(stranger) == ()
    assert await store.list_variables(other_tenant.key) == ()


async def test_the_last_writer_of_a_global_counts(store: Store) -> None:
    """A global written in a second session is changed for the first as well."""
    first = await opened(store, "s1", user_id="u")
    second = await opened(store, "s2", user_id="u")
    await wrote(store, first, variable("x", 1, GLOBAL))
    await wrote(store, second, variable("x", 2, GLOBAL))
    assert values(await store.list_variables(first)) == {("global", "x"): 2}


async def test_what_a_global_rests_on_is_of_the_session_that_wrote_it(store: Store) -> None:
    """A global of another session rests on nothing in this one, until this one writes it."""
    first = await opened(store, "s1", user_id="u")
    second = await opened(store, "s2", user_id="u")
    x, y = (
        replace(variable(name, 1, GLOBAL), support=ValueSupport.CLIENT_WORDS, quote="一")
        for name in ("x", "y")
    )
    await wrote(store, first, x, y)
    await wrote(store, second, replace(y, value=2))
    assert [v.quote for v in await store.list_variables(first)] == ["一", ""]
    assert [v.known for v in await store.list_variables(second)] == [False, True]


async def test_globals_without_a_user_stay_in_the_session(store: Store) -> None:
    """Where no user is named, a global lives with its session alone."""
    first, second = await opened(store, "s1"), await opened(store, "s2")
    await wrote(store, first, variable("x", 1, GLOBAL))
    assert values(await store.list_variables(first)) == {("global", "x"): 1}
    assert await store.list_variables(second) == ()


async def test_a_global_does_not_hide_a_declaration(store: Store) -> None:
    """A declared session variable is written though the user has a global of its name."""
    first = await opened(store, "s1", user_id="u")
    await wrote(store, first, variable("x", 1, GLOBAL))
    second = await created(store, "s2", user_id="u", variables=(variable("x", 0),))
    assert values(await store.list_variables(second)) == {("global", "x"): 1, ("session", "x"): 0}


async def test_a_value_keeps_the_time_it_was_written(store: Store) -> None:
    """The store stamps only a value that does not say when it was written."""
    key = await opened(store)
    written = replace(variable("x", 1), last_updated=datetime(2026, 1, 2, tzinfo=UTC))
    await wrote(store, key, written)
    assert await store.list_variables(key) == (written,)


async def test_a_declared_global_does_not_overwrite(store: Store) -> None:
    """A script's declared global is written only where the user has none of that name."""
    first = await opened(store, "s1", user_id="u")
    await wrote(store, first, variable("x", 1, GLOBAL))
    declared = (variable("x", 0, GLOBAL), variable("y", 0, GLOBAL))
    second = await created(store, "s2", user_id="u", variables=declared)
    assert values(await store.list_variables(second)) == {("global", "x"): 1, ("global", "y"): 0}


async def test_what_a_turn_reads_does_not_grow_with_the_scopes_left(store: Store) -> None:
    """After many topics a snapshot holds one archived value of each name, not one of each topic."""
    key = await opened(store)
    for number in range(12):
        left = ScopeSnapshot(scope=TOPIC, scope_id=f"t{number}", variables={"x": number})
        now = variable("x", number + 1, TOPIC, f"t{number + 1}")
        await wrote(store, key, archived("x", number, TOPIC, f"t{number}"), now, left=(left,))
    await accept(store, key)
    seen = (await begun(store, key)).variables
    assert [(each.value, each.archived) for each in sorted(seen, key=_value)] == [
        (11, True),
        (12, False),
    ]


def _value(value: VariableValue) -> int:
    assert isinstance(value.value, int)
    return value.value
