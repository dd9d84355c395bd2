"""Accepting inputs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heartrule.domain.conversation import Audience, FormAnswer, IfBusy, Media, Part, Role
from heartrule.domain.errors import (
    InvalidRequest,
    NotFound,
    SessionBusy,
    SessionFinished,
)
from heartrule.domain.events import InputAccepted, Outcome
from heartrule.domain.keys import SessionKey
from session_store.ports import Store
from session_store.records import Page, TurnStatus
from tests.support.store_builders import (
    accept,
    begun,
    created,
    ended,
    failure,
    last_step,
    opened,
    said,
    user_input,
)


async def test_an_input_is_stored_with_its_number(store: Store) -> None:
    """An accepted input is a message with a sequence number, outside any turn, and told once."""
    key = await created(store)
    taken = await accept(store, key, "m1", "你好")
    (event,) = taken.events
    assert event.body == InputAccepted(messages=(taken.message,))
    assert (event.sequence, event.turn_id, event.attempt) == (taken.sequence, "", 0)
    assert (event.audience, event.create_time) == (Audience.CLIENT, taken.message.create_time)
    assert (taken.duplicate, taken.turn_id, taken.turn_state) == (False, "", None)
    assert (taken.message.role, taken.message.plain_text()) == (Role.CLIENT, "你好")
    assert (taken.message.sequence, taken.message.client_message_id) == (1, "m1")
    assert await store.read_events(key, 0) == taken.events
    assert await store.list_messages(key, Page()) == ([taken.message], "")


async def test_every_kind_of_part_is_kept(store: Store) -> None:
    """Bytes, addresses and form answers come back as they were sent."""
    key = await created(store)
    parts = (
        Part(media=Media(mime_type="image/png", caption="c", data=b"\x00\xff"), fallback_text="f"),
        Part(media=Media(mime_type="audio/ogg", uri="https://x/y"), fallback_text="g"),
        Part(form=FormAnswer(values={"年龄": 25, "list": [1.5, None, {"a": True}]})),
    )
    taken = await store.accept_input(key, user_input(parts=parts))
    assert taken.message.parts == parts
    listed, _ = await store.list_messages(key, Page())
    assert listed[0].parts == parts


async def test_a_repeat_is_a_duplicate(store: Store) -> None:
    """The same id with the same content stores nothing and tells what was stored."""
    key = await created(store)
    first = await accept(store, key)
    again = await accept(store, key)
    assert again == replace(first, duplicate=True, events=())
    assert (await store.get_session(key)).last_sequence == 1


async def test_a_repeat_names_its_turn(store: Store) -> None:
    """A repeat tells which turn took the input, and how far that is."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    while_running = await accept(store, key)
    await ended(store, snapshot)
    after = await accept(store, key)
    assert (while_running.turn_id, while_running.turn_state) == (
        snapshot.turn_id,
        TurnStatus.RUNNING,
    )
    assert (after.turn_id, after.turn_state) == (snapshot.turn_id, TurnStatus.COMPLETED)
    assert after.message.turn_id == snapshot.turn_id


async def test_an_id_names_one_content(store: Store) -> None:
    """The same id with other content is refused and stores nothing."""
    key = await created(store)
    await accept(store, key, "m1", "one")
    with pytest.raises(InvalidRequest) as refused:
        await accept(store, key, "m1", "two")
    assert refused.value.reason == "CLIENT_MESSAGE_ID_REUSED"
    assert (await store.get_session(key)).last_sequence == 1


async def test_an_id_belongs_to_its_session(store: Store) -> None:
    """Two sessions may use the same client_message_id."""
    first, second = await created(store, "s1"), await created(store, "s2")
    await accept(store, first)
    assert not (await accept(store, second)).duplicate


async def test_the_seventeenth_waiting_input_is_refused(store: Store) -> None:
    """Sixteen inputs may wait; the next is refused with a pause, a repeat is not."""
    key = await created(store)
    for number in range(16):
        await accept(store, key, f"m{number}")
    with pytest.raises(SessionBusy) as refused:
        await accept(store, key, "m16")
    assert (refused.value.reason, bool(refused.value.retry_after)) == ("TOO_MANY_WAITING", True)
    assert refused.value.metadata == {"max_waiting": "16"}
    assert (await accept(store, key, "m15")).duplicate
    assert (await store.get_session(key)).last_sequence == 16


async def test_a_turn_makes_room(store: Store) -> None:
    """Inputs that a turn took up no longer wait."""
    key = await opened(store)
    for number in range(16):
        await accept(store, key, f"m{number}")
    await begun(store, key)
    assert not (await accept(store, key, "m16")).duplicate


async def test_reject_is_refused_while_a_turn_runs(store: Store) -> None:
    """An input that will not wait is refused while a turn runs, with a pause."""
    key = await opened(store)
    await accept(store, key)
    await begun(store, key)
    with pytest.raises(SessionBusy) as refused:
        await accept(store, key, "m2", if_busy=IfBusy.REJECT)
    assert (refused.value.reason, bool(refused.value.retry_after)) == ("SESSION_BUSY", True)


async def test_reject_is_taken_as_an_answer_to_the_text_of_the_turn_that_runs(
    store: Store,
) -> None:
    """The text is complete for the client; a second answer would wait for the first."""
    key = await opened(store)
    await accept(store, key)
    await begun(store, key)
    sent = user_input("m2", if_busy=IfBusy.REJECT)
    assert not (await store.accept_input(key, sent, answers=True)).duplicate
    with pytest.raises(SessionBusy):
        await store.accept_input(key, replace(sent, client_message_id="m3"), answers=True)


async def test_reject_is_refused_behind_a_waiting_input(store: Store) -> None:
    """An input that will not wait is refused where another is first."""
    key = await opened(store)
    await accept(store, key)
    with pytest.raises(SessionBusy):
        await accept(store, key, "m2", if_busy=IfBusy.REJECT)


async def test_reject_is_taken_by_an_idle_session(store: Store) -> None:
    """An input that will not wait is taken where nothing runs or waits, opened or not."""
    for key in (await opened(store, "s1"), await created(store, "s2")):
        assert not (await accept(store, key, if_busy=IfBusy.REJECT)).duplicate


async def test_the_sessions_own_rule_counts_where_an_input_names_none(store: Store) -> None:
    """An input without `if_busy` gets what the session was created with."""
    key = await opened(store, if_busy=IfBusy.REJECT)
    await accept(store, key)
    with pytest.raises(SessionBusy):
        await accept(store, key, "m2")
    assert not (await accept(store, key, "m3", if_busy=IfBusy.MERGE)).duplicate


async def test_an_ended_session_takes_no_input(store: Store) -> None:
    """Input after the script's end is refused; a repeat of an earlier one still is a repeat."""
    key = await opened(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    bye = last_step(snapshot, said("bye"), outcome=Outcome.SESSION_COMPLETED)
    await store.commit_step(snapshot.lease, bye)
    with pytest.raises(SessionFinished) as refused:
        await accept(store, key, "m2")
    assert refused.value.reason == "SESSION_COMPLETED"
    assert (await accept(store, key)).duplicate


async def test_an_unknown_session_takes_no_input(store: Store) -> None:
    """Input for a session that never was is NotFound."""
    with pytest.raises(NotFound):
        await accept(store, SessionKey("t", "nobody"))


async def test_waiting_inputs_are_pending(store: Store) -> None:
    """A session names the inputs that wait for a turn, in order, until a turn takes them."""
    key = await opened(store)
    await accept(store, key, "m1")
    await accept(store, key, "m2")
    assert (await store.get_session(key)).pending_client_message_ids == ("m1", "m2")
    snapshot = await begun(store, key)
    assert (await store.get_session(key)).pending_client_message_ids == ()
    await store.fail_turn(snapshot.lease, failure(snapshot))
    assert (await store.get_session(key)).pending_client_message_ids == ()
