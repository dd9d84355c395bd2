"""Inputs that stop the turn that runs (CONTRACT: IfBusy INTERRUPT and RESTART)."""

from __future__ import annotations

from heartrule.domain.conversation import Completeness
from heartrule.domain.events import (
    DraftVoided,
    InputAccepted,
    MessageCommitted,
    Outcome,
    TurnEnded,
    TurnStarted,
)
from tests.support.interrupting import held
from tests.support.scripts import ask_script

INTERRUPTED = Outcome.INTERRUPTED


async def test_an_interrupting_input_stops_the_turn_and_forms_the_next() -> None:
    """A whole sentence that was shown stays, marked as interrupted; the new words are answered."""
    async with held("好的，小明。我们") as talk:
        await talk.stream.say("m2", "等等", if_busy="IF_BUSY_INTERRUPT")
        stopped = await talk.ended()
        following = await talk.ended()
        kept = talk.stream.told.messages()[1]
        assert (kept.plain_text(), kept.completeness) == (
            "好的，小明。我们",
            Completeness.INTERRUPTED,
        )
        assert (stopped.outcome, stopped.client_message_ids) == (INTERRUPTED, ("m1",))
        assert (following.outcome, following.client_message_ids) == (Outcome.WAITING, ("m2",))
        assert not talk.stream.told.of(DraftVoided)


async def test_less_than_a_sentence_is_voided() -> None:
    """What nobody could have understood goes."""
    async with held("好的，小") as talk:
        await talk.stream.say("m2", "等等", if_busy="IF_BUSY_INTERRUPT")
        stopped = await talk.ended()
        assert stopped.message_ids == ()
        assert [body.reason for body in talk.stream.told.of(DraftVoided)] == ["INTERRUPTED"]
        assert (await talk.ended()).client_message_ids == ("m2",)


async def test_a_script_may_let_every_input_interrupt() -> None:
    """`input.if_busy` holds for inputs that name nothing themselves."""
    script = ask_script(9).replace(
        "  session_id: asking\n", "  session_id: asking\n  input: {if_busy: interrupt}\n"
    )
    async with held("", script=script) as talk:
        await talk.stream.say("m2", "等等")
        assert (await talk.ended()).outcome is INTERRUPTED
        assert (await talk.ended()).client_message_ids == ("m2",)


async def test_two_that_interrupt_at_once_are_one_next_turn() -> None:
    """The first stops the turn; both are answered together."""
    async with held("") as talk:
        for name in ("m2", "m3"):
            await talk.stream.say(name, name, if_busy="IF_BUSY_INTERRUPT")
        ends = [await talk.ended() for _ in range(2)]
        answered = [name for end in ends for name in end.client_message_ids]
        while len(answered) < 3:
            answered += (await talk.ended()).client_message_ids
        assert answered == ["m1", "m2", "m3"]


async def test_before_the_first_word_a_restart_joins_both_inputs() -> None:
    """The turn runs again, one attempt further, and counts one round."""
    async with held("") as talk:
        await talk.stream.say("m2", "我是小红", if_busy="IF_BUSY_RESTART")
        again = await talk.stream.until_body(TurnStarted)
        ended = await talk.ended()
        assert again.client_message_ids == ended.client_message_ids == ("m1", "m2")
        assert (ended.outcome, len(talk.stream.told.messages())) == (Outcome.WAITING, 2)
        assert ended.state is not None
        assert ended.state.position.current_round == 2
        assert "> 小明\n> 我是小红\n" in talk.model.last_prompt()
        assert [body.reason for body in talk.stream.told.of(DraftVoided)] == ["RESTARTED"]


async def test_after_the_first_word_a_restart_waits_for_the_next_turn() -> None:
    """What was begun is said to its end."""
    async with held("好的，小明。我们") as talk:
        await talk.stream.say("m2", "我是小红", if_busy="IF_BUSY_RESTART")
        await talk.stream.until_body(InputAccepted)
        await talk.stream.interrupt(talk.turn_id)
        assert (await talk.ended()).client_message_ids == ("m1",)
        assert (await talk.ended()).client_message_ids == ("m2",)


async def test_a_restarted_turn_may_be_restarted_and_replayed() -> None:
    """Every one of its inputs gives the whole turn again."""
    async with held("") as talk:
        await talk.stream.say("m2", "我是小红", if_busy="IF_BUSY_RESTART")
        await talk.ended()
        again = await talk.client.send(talk.session_id, "m2", "我是小红")
        assert again.of(TurnEnded)[-1].client_message_ids == ("m1", "m2")
        assert len(again.of(MessageCommitted)) == 1
