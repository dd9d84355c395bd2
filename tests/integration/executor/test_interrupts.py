"""InterruptTurn, on Converse and beside it (CONTRACT: InterruptTurn)."""

from __future__ import annotations

import grpc
import pytest

from heartrule.domain.conversation import Completeness
from heartrule.domain.events import (
    DraftDelta,
    DraftPosition,
    DraftVoided,
    InputRejected,
    MessageCommitted,
    Outcome,
    SessionEvent,
    TurnEnded,
)
from heartrule.domain.position import ExecutionStatus
from heartrule.v1 import turn_pb2
from tests.support.interrupting import Held, held

INTERRUPTED = Outcome.INTERRUPTED


def heard_of(talk: Held, offset: int) -> DraftPosition:
    """Return a place in the draft that was shown."""
    body = talk.drafts[0].body
    assert isinstance(body, DraftDelta)
    return DraftPosition(message_id=body.at.message_id, offset=offset)


@pytest.mark.parametrize("shown", ["", "好的，小明。我们"])
async def test_a_stalled_turn_ends_and_its_draft_is_void(shown: str) -> None:
    """Before the first word or after it, a model that says nothing holds nobody up."""
    async with held(shown) as talk:
        await talk.stream.interrupt(talk.turn_id)
        ended = await talk.ended()
        assert (ended.outcome, ended.message_ids) == (INTERRUPTED, ())
        assert ended.client_message_ids == ("m1",)
        assert bool(talk.stream.told.of(DraftVoided)) == bool(shown)
        assert ended.state is not None
        assert ended.state.status is ExecutionStatus.WAITING_INPUT
        assert ended.state.position.current_round == 1


async def test_the_next_words_are_judged_in_the_same_round() -> None:
    """The words that were not answered stay in the conversation, and count no round."""
    async with held() as talk:
        await talk.stream.interrupt(talk.turn_id)
        await talk.ended()
        following = await talk.stream.turn("m2", "叫我小红")
        assert (following.outcome, following.client_message_ids) == (Outcome.WAITING, ("m2",))
        assert following.state is not None
        assert following.state.position.current_round == 2
        assert any("小明" in message.content for message in talk.model.requests[-1].messages)


async def test_what_was_heard_is_kept() -> None:
    """The text up to there is the message, marked as interrupted, and the round counts (C4)."""
    async with held() as talk:
        await talk.stream.interrupt(talk.turn_id, heard_of(talk, 4))
        committed = await talk.stream.until_body(MessageCommitted)
        ended = await talk.ended()
        assert committed.message.plain_text() == "好的，小"
        assert committed.message.completeness is Completeness.INTERRUPTED
        assert committed.message.message_id == heard_of(talk, 0).message_id
        assert (ended.outcome, ended.message_ids) == (INTERRUPTED, (committed.message.message_id,))
        assert ended.state is not None
        assert ended.state.position.current_round == 2
        assert not talk.stream.told.of(DraftVoided)


@pytest.mark.parametrize("heard", [("", 0), ("msg_unknown", 4)])
async def test_a_place_that_is_none_voids_the_draft(heard: tuple[str, int]) -> None:
    """Nothing heard, or a draft of another message: the draft goes."""
    async with held() as talk:
        place = heard_of(talk, heard[1])
        if heard[0]:
            place = DraftPosition(message_id=heard[0], offset=heard[1])
        await talk.stream.interrupt(talk.turn_id, place)
        assert (await talk.ended()).message_ids == ()
        assert talk.stream.told.of(DraftVoided)


async def test_it_works_without_bidi_and_is_safe_to_repeat() -> None:
    """A repeat is answered as the first was; another request hears how the turn had ended."""
    async with held() as talk:
        first = await talk.client.interrupt(talk.session_id, talk.turn_id, request_id="r1")
        assert (await talk.ended()).outcome is INTERRUPTED
        again = await talk.client.interrupt(talk.session_id, talk.turn_id, request_id="r1")
        other = await talk.client.interrupt(talk.session_id, talk.turn_id, request_id="r2")
        assert (first.already_ended, first) == (False, again)
        assert (other.already_ended, other.outcome) == (True, turn_pb2.OUTCOME_INTERRUPTED)
        assert len(talk.stream.told.of(TurnEnded)) == 2


async def test_a_stale_turn_stops_nothing() -> None:
    """The opening turn's id, sent while another turn runs, leaves that alone."""
    async with held() as talk:
        opening = talk.stream.told.events[-2].turn_id
        stale = next(e.turn_id for e in talk.stream.told.events if isinstance(e.body, TurnEnded))
        answer = await talk.client.interrupt(talk.session_id, stale)
        assert (answer.already_ended, answer.outcome) == (True, turn_pb2.OUTCOME_WAITING)
        await talk.stream.interrupt(stale)
        await talk.client.interrupt(talk.session_id, talk.turn_id)
        assert (await talk.ended()).client_message_ids == ("m1",)
        assert opening


async def test_a_turn_that_never_was_is_refused_in_band() -> None:
    """On the stream it is an event that names no input, beside it a status; nothing stops."""
    async with held() as talk:
        await talk.stream.interrupt("turn_0")
        rejected = await talk.stream.until_body(InputRejected)
        assert (rejected.client_message_id, rejected.problem.code) == ("", 5)
        await talk.stream.interrupt("")
        rejected = await talk.stream.until_body(InputRejected)
        assert (rejected.client_message_id, rejected.problem.code) == ("", 3)
        with pytest.raises(grpc.aio.AioRpcError) as unknown:
            await talk.client.interrupt(talk.session_id, "turn_0")
        assert unknown.value.code() is grpc.StatusCode.NOT_FOUND


async def test_a_client_that_hangs_up_has_interrupted_all_the_same() -> None:
    """The request is durable; the stream that brought it is not needed any more."""
    async with held() as talk:
        await talk.client.interrupt(talk.session_id, talk.turn_id)
        async with talk.client.converse(talk.session_id, after=0) as other:
            await other.until(lambda e: _interrupted(e, talk.turn_id))


async def test_half_close_after_an_interrupt_ends_the_stream() -> None:
    """The interrupted turn answers its inputs: nothing is left to wait for."""
    async with held() as talk:
        await talk.stream.interrupt(talk.turn_id)
        await talk.stream.finish()
        assert talk.stream.told.of(TurnEnded)[-1].outcome is INTERRUPTED


async def test_a_replay_tells_the_interrupted_turn() -> None:
    """Sending the input again gives the same durable events, and runs nothing."""
    async with held() as talk:
        await talk.stream.interrupt(talk.turn_id)
        await talk.ended()
        asked = len(talk.model.requests)
        again = await talk.client.send(talk.session_id, "m1", "小明")
        assert again.of(TurnEnded)[-1].outcome is INTERRUPTED
        assert len(talk.model.requests) == asked


async def test_the_history_has_no_gap_and_each_input_once() -> None:
    """Interrupted and interrupted again, the sequence is whole."""
    async with held() as talk:
        await talk.stream.interrupt(talk.turn_id)
        await talk.ended()
        await talk.stream.turn("m2", "好")
        async with talk.client.converse(talk.session_id, after=0) as other:
            await other.finish()
        numbers = [event.sequence for event in other.told.durable()]
        assert numbers == list(range(1, len(numbers) + 1))


def _interrupted(event: SessionEvent, turn_id: str) -> bool:
    body = event.body
    return isinstance(body, TurnEnded) and event.turn_id == turn_id and body.outcome is INTERRUPTED
