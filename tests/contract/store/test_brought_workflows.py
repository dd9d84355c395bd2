"""Workflows that a session's script brings: there before its first event, its own from there on."""

from __future__ import annotations

from heartrule.domain.keys import SessionKey
from heartrule.domain.workflows import Workflow
from session_store.ports import Store
from session_store.records import ForkOrder, Page, RetryOrder
from tests.support.store_builders import created, opened
from tests.support.store_decisions import made, revision, turn_with

BROUGHT = tuple(revision(1, name).workflow for name in ("a", "b", "c"))


async def listed(store: Store, key: SessionKey) -> list[tuple[str, int, bool]]:
    """Return id, revision and origin of the newest revision of each."""
    found, _ = await store.list_workflows(key, Page())
    return [(e.workflow.workflow_id, e.workflow.revision, e.is_of_script) for e in found]


async def changed(store: Store) -> SessionKey:
    """Begin a session with what a script brings; its first turn drafts and changes one of them."""
    key = await opened(store, workflows=BROUGHT)
    revisions = (revision(2, "a"), revision(1, "wf_1"))
    await turn_with(store, key, "m1", made(), workflows=revisions)
    return key


async def test_a_session_begins_with_them(store: Store) -> None:
    """In their order; no event, no decision and no turn made them."""
    key = await created(store, workflows=BROUGHT)
    found, _ = await store.list_workflows(key, Page())
    assert tuple(each.workflow for each in found) == BROUGHT
    assert {(each.decision_id, each.turn_id, each.sequence) for each in found} == {("", "", 0)}
    assert all(each.create_time for each in found)
    assert await store.get_workflow(key, "b") == found[1]
    assert await store.read_events(key, 0) == ()


async def test_they_are_listed_by_page(store: Store) -> None:
    """As any others."""
    key = await created(store, workflows=BROUGHT)
    names: list[str] = []
    token = ""
    while len(names) < len(BROUGHT):
        found, token = await store.list_workflows(key, Page(size=1, token=token))
        names += [each.workflow.workflow_id for each in found]
    assert (names, token) == (["a", "b", "c"], "")


async def test_a_change_is_the_sessions_own(store: Store) -> None:
    """The revision that was brought is still found by its number."""
    key = await changed(store)
    assert await listed(store, key) == [
        ("b", 1, True),
        ("c", 1, True),
        ("a", 2, False),
        ("wf_1", 1, False),
    ]
    assert (await store.get_workflow(key, "a", 1)).workflow == BROUGHT[0]


async def test_a_retry_takes_back_no_more_than_its_turn_made(store: Store) -> None:
    """What the script brought stays."""
    key = await changed(store)
    await store.retry_turn(RetryOrder(key=key, text="再来", client_message_id="again"))
    assert await listed(store, key) == [("a", 1, True), ("b", 1, True), ("c", 1, True)]


async def test_a_fork_has_them_too(store: Store) -> None:
    """With what the session made of them, and before any turn."""
    key = await changed(store)
    fork = (await store.fork_session(ForkOrder(source=key, session_id="f1"))).session.key
    assert await listed(store, fork) == await listed(store, key)
    bare = await created(store, "s2", workflows=BROUGHT)
    fork = (await store.fork_session(ForkOrder(source=bare, session_id="f2"))).session.key
    assert await brought_to(store, fork) == BROUGHT


async def brought_to(store: Store, key: SessionKey) -> tuple[Workflow, ...]:
    """Return what a session has of its script."""
    found, _ = await store.list_workflows(key, Page())
    return tuple(each.workflow for each in found if each.is_of_script)
