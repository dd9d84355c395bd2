"""Input requests: told, kept, open until the step that closes them, answered by forms alone."""

from __future__ import annotations

import pytest

from heartrule.domain.conversation import Feature, FormAnswer, Part
from heartrule.domain.errors import InvalidRequest
from heartrule.domain.events import MessageCommitted, TurnEnded
from heartrule.domain.input_request import InputRequested
from heartrule.domain.keys import SessionKey
from session_store.ports import Store
from session_store.records import RetryOrder
from tests.support.store_builders import accept, begun, created, last_step, opening, said
from tests.support.told import kinds

REQUEST = InputRequested(
    input_request_id="req_1",
    kind=Feature.FORM,
    schema={"title": "PHQ-9", "properties": {"phq_1": {"type": "integer", "minimum": 0}}},
    fallback_text="请填写：PHQ-9",
)
FORM = (Part(form=FormAnswer(values={"phq_1": 1}), fallback_text="已填写"),)


async def asked(store: Store) -> SessionKey:
    """Create a session whose opening turn asked for a form, and return its key."""
    key = await created(store)
    snapshot = await opening(store, key)
    step = last_step(snapshot, said("请填表"), requested=REQUEST, open_request="req_1")
    await store.commit_step(snapshot.lease, step)
    return key


async def test_a_request_is_told_behind_the_words_and_told_again_the_same(store: Store) -> None:
    """The event that is read later equals the one that was told."""
    key = await created(store)
    snapshot = await opening(store, key)
    step = last_step(snapshot, said("请填表"), requested=REQUEST, open_request="req_1")
    told = (await store.commit_step(snapshot.lease, step)).events
    assert kinds(told) == [MessageCommitted, InputRequested, TurnEnded]
    assert told[1].body == REQUEST
    assert (await store.read_events(key, 0))[-3:] == told


async def test_the_session_knows_the_request_that_is_open(store: Store) -> None:
    """Who comes late finds the form."""
    key = await asked(store)
    assert (await store.get_session(key)).open_request == REQUEST


async def test_a_step_that_says_nothing_of_requests_leaves_it_open(store: Store) -> None:
    """Crisis resources, for one, close no form."""
    key = await asked(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    await store.commit_step(snapshot.lease, last_step(snapshot))
    assert (await store.get_session(key)).open_request == REQUEST


async def test_a_form_names_the_open_request_and_keeps_that_name(store: Store) -> None:
    """The turn that takes the form up sees which request it answers."""
    key = await asked(store)
    await accept(store, key, parts=FORM, input_request_id="req_1")
    (message,) = (await begun(store, key)).inputs
    assert (message.input_request_id, message.parts) == ("req_1", FORM)


@pytest.mark.parametrize("named", ["req_0", "req_2"])
async def test_a_form_for_another_request_is_refused(store: Store, named: str) -> None:
    """The refusal names the request that is open, and nothing is stored."""
    key = await asked(store)
    with pytest.raises(InvalidRequest) as refused:
        await accept(store, key, parts=FORM, input_request_id=named)
    assert refused.value.reason == "INPUT_REQUEST_NOT_OPEN"
    assert refused.value.metadata["open_input_request_id"] == "req_1"
    assert (await store.get_session(key)).pending_client_message_ids == ()


async def test_a_closed_request_takes_no_form(store: Store) -> None:
    """A step may end the action that asked."""
    key = await asked(store)
    await accept(store, key)
    snapshot = await begun(store, key)
    await store.commit_step(snapshot.lease, last_step(snapshot, open_request=""))
    assert (await store.get_session(key)).open_request is None
    with pytest.raises(InvalidRequest, match="not open"):
        await accept(store, key, "m2", parts=FORM, input_request_id="req_1")


async def test_a_repeat_of_a_form_is_no_second_answer(store: Store) -> None:
    """The same id again replays, though its request is closed meanwhile."""
    key = await asked(store)
    first = await accept(store, key, parts=FORM, input_request_id="req_1")
    snapshot = await begun(store, key)
    await store.commit_step(snapshot.lease, last_step(snapshot, open_request=""))
    again = await accept(store, key, parts=FORM, input_request_id="req_1")
    assert again.duplicate
    assert again.sequence == first.sequence


async def test_a_form_that_was_merged_with_talk_is_said_again_as_a_form(store: Store) -> None:
    """Whichever came last, the request it answers comes along."""
    key = await asked(store)
    await accept(store, key, "m1", parts=FORM, input_request_id="req_1")
    await accept(store, key, "m2", "还有一句")
    snapshot = await begun(store, key)
    await store.commit_step(snapshot.lease, last_step(snapshot, open_request=""))
    again = (await store.retry_turn(RetryOrder(key=key))).message
    assert (len(again.parts), again.input_request_id) == (2, "req_1")
