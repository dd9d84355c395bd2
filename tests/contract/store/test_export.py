"""An export has each row that an erasure takes, and masks what operators' reads mask."""

from __future__ import annotations

import json
from collections import Counter

from heartrule.domain.keys import SessionKey
from heartrule.domain.sensitive import MASK, SensitiveVariables
from heartrule.domain.variables import VariableScope
from session_store.ports import Store
from session_store.records.exports import ExportedRow, ExportPlace
from session_store.sql.exports.export_rules import RULES
from session_store.sql.store import SqlStore
from tests.support.session_rows import rows_by_session, whole_life
from tests.support.store_builders import judged_turn, opened, variable

OPEN = SensitiveVariables()


async def exported(
    store: Store, *keys: SessionKey, hidden: SensitiveVariables = OPEN
) -> list[ExportedRow]:
    """Return every row of these sessions, and every global of the person `u`."""
    found: list[ExportedRow] = []
    place: ExportPlace | None
    for key in keys:
        place = ExportPlace()
        while place is not None:
            page = await store.export_session(key, hidden, place)
            found, place = [*found, *page.rows], page.next
    place = ExportPlace()
    while place is not None:
        page = await store.export_globals("t", "u", hidden, place)
        found, place = [*found, *page.rows], page.next
    return found


async def test_each_row_that_an_erasure_takes_is_exported(store: SqlStore) -> None:
    """By table and number; a new table of sessions or people is there, or this fails."""
    keys = await whole_life(store)
    before = await store._engine.read(rows_by_session)
    found = Counter(each.table for each in await exported(store, *keys))
    await store.delete_user_data("t", "u")
    after = await store._engine.read(rows_by_session)
    taken = {name: before[name].total() - after[name].total() for name in before}
    taken["sessions"] = len(keys)  # their tombstones stay
    taken.pop("erasures")
    assert taken == dict(found)


async def test_an_export_names_the_sessions_that_an_erasure_takes(store: Store) -> None:
    """The same ones, in the same order; nobody has none."""
    for name, user in (("s1", "u"), ("s2", "v"), ("s3", "u")):
        await opened(store, name, user_id=user)
    named = await store.sessions_of_user("t", "u")
    assert named == (await store.delete_user_data("t", "u")).session_ids == ("s1", "s3")
    assert await store.sessions_of_user("t", "") == ()


async def test_sensitive_values_are_masked_in_every_row(store: Store) -> None:
    """A value with a name is masked by it, wherever it stands: as it is now, and in the past."""
    key = await opened(store, user_id="u")
    secret = {"mood": "m00d", "g": "gl0bal"}
    await judged_turn(
        store,
        key,
        variables=(variable("mood", "m00d"), variable("g", "gl0bal", VariableScope.GLOBAL)),
    )
    hidden = SensitiveVariables(frozenset(secret))
    told = json.dumps([each.row for each in await exported(store, key, hidden=hidden)])
    whole = json.dumps([each.row for each in await exported(store, key)])
    assert [value in told for value in secret.values()] == [False, False]
    assert [value in whole for value in secret.values()] == [True, True]


async def test_what_may_repeat_any_value_is_masked_whole(store: Store) -> None:
    """A file of a run, its name, and what nodes were given: no name says what is in them."""
    keys = await whole_life(store)
    rows = await exported(store, *keys, hidden=SensitiveVariables(frozenset({"other"})))
    files = [each.row for each in rows if each.table == "run_artifacts"]
    assert files
    assert {(each["name"], each["content"]) for each in files} == {(MASK, MASK)}
    values = [each.row["value"] for each in rows if each.table == "run_values"]
    assert set(map(str, values)) == {MASK}


async def test_an_erased_session_has_no_rows(store: Store) -> None:
    """Nor has one that never was."""
    key = await opened(store)
    await store.delete_session(key)
    for each in (key, SessionKey("t", "nobody")):
        assert not (await store.export_session(each, OPEN, ExportPlace())).rows


async def test_json_is_exported_as_json(store: Store) -> None:
    """A document is no text within a text; times are those of RFC 3339, in UTC."""
    key = await opened(store, labels={"study": "autumn"})
    (session,) = [each.row for each in await exported(store, key) if each.table == "sessions"]
    assert (session["labels"], session["deleted"]) == ({"study": "autumn"}, False)
    assert str(session["create_time"]).endswith("Z")
    assert "tenant" not in session


def test_a_decision_of_a_type_that_nobody_knows_is_masked() -> None:
    """The model wrote its name, which may repeat any value."""
    rule = RULES["decisions"]
    row = dict.fromkeys(rule.documents, "{}") | {"decision_type": "小林的病历"}
    assert rule.shown(row, OPEN)["decision_type"] == "小林的病历"
    assert rule.shown(row, SensitiveVariables(frozenset({"病历"})))["decision_type"] == MASK
