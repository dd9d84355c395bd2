"""A whole conversation over Converse."""

from __future__ import annotations

from heartrule.domain.events import (
    DraftDelta,
    InputAccepted,
    MessageCommitted,
    Opened,
    Outcome,
    TurnEnded,
    TurnStarted,
)
from heartrule.domain.position import ExecutionStatus
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import ask_script


def cooperative() -> Neighbours:
    """Return a model that asks, hears a name, and says good-bye."""
    return Neighbours(
        model=FakeModel(
            [
                ask_reply("怎么称呼你？"),
                ask_reply("谢谢你，小明。", exit_="YES", variables={"称呼": "小明"}),
                ask_reply("再见，小明。"),
            ]
        )
    )


async def test_a_script_runs_from_the_first_question_to_its_end() -> None:
    """The opening asks, the answer closes the question, the last action ends the session."""
    async with running_executor(cooperative()) as running:
        session_id = await running.client.start(ask_script())
        async with running.client.converse(session_id) as stream:
            opening = await stream.until_body(TurnEnded)
            ended = await stream.turn("m1", "小明")
        assert opening.outcome is Outcome.WAITING
        assert ended.outcome is Outcome.SESSION_COMPLETED
        assert stream.told.texts() == ["怎么称呼你？", "谢谢你，小明。", "再见，小明。"]


async def test_opened_is_the_first_event_and_tells_where_the_session_stands() -> None:
    """A stream begins with the state, so that a client needs no second call."""
    async with running_executor(cooperative()) as running:
        session_id = await running.client.start(ask_script())
        async with running.client.converse(session_id) as stream:
            opened = await stream.until_body(Opened)
        assert stream.told.events[0].body == opened
        assert (opened.max_input_bytes, opened.max_input_chars) == (1_048_576, 16_000)


async def test_an_input_is_acknowledged_before_its_turn_begins() -> None:
    """InputAccepted means durable; only then the turn starts and speaks."""
    async with running_executor(cooperative()) as running:
        session_id = await running.client.start(ask_script())
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            before = len(stream.told.events)
            await stream.turn("m1", "小明")
        kinds = [type(event.body) for event in stream.told.events[before:]]
        order = [InputAccepted, TurnStarted, DraftDelta, MessageCommitted, TurnEnded]
        assert order == sorted(order, key=kinds.index)


async def test_the_committed_message_replaces_drafts_that_were_its_beginning() -> None:
    """Drafts of a message, joined, are the committed text, under the same id."""
    async with running_executor(cooperative()) as running:
        session_id = await running.client.start(ask_script())
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            seen = len(stream.told.events)
            await stream.turn("m1", "小明")
        bodies = [event.body for event in stream.told.events[seen:]]
        drafts = [body for body in bodies if isinstance(body, DraftDelta)]
        told = {m.message_id: m.plain_text() for m in stream.told.messages()}
        assert drafts
        assert all(told[draft.at.message_id].startswith(draft.text) for draft in drafts)


async def test_sequences_have_no_gap() -> None:
    """Durable events of every audience are numbered 1..n."""
    async with running_executor(cooperative()) as running:
        session_id = await running.client.start(ask_script())
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", "小明")
        numbers = [event.sequence for event in stream.told.durable()]
        assert numbers == list(range(1, len(numbers) + 1))


async def test_half_close_lets_accepted_turns_finish() -> None:
    """A client that says no more still hears the answer, and then OK."""
    async with running_executor(cooperative()) as running:
        session_id = await running.client.start(ask_script())
        async with running.client.converse(session_id) as stream:
            await stream.say("m1", "小明")
            await stream.finish()
            assert "OK" in str(await stream.code())
        assert stream.told.texts()[-1] == "再见，小明。"


async def test_a_variable_of_the_answer_fills_the_next_action() -> None:
    """What the model extracted is written to its scope and read by the next action's text."""
    around = cooperative()
    async with running_executor(around) as running:
        session_id = await running.client.start(ask_script())
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            await stream.turn("m1", "小明")
        assert "谢谢你，小明" in around.model.last_prompt()


async def test_the_end_of_a_turn_tells_the_position_and_why_an_action_ended() -> None:
    """TurnEnded carries state, exit decision and its source (document 001 section 3.2.3)."""
    async with running_executor(cooperative()) as running:
        session_id = await running.client.start(ask_script())
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
            ended = await stream.turn("m1", "小明")
        assert ended.state is not None
        assert ended.state.status is ExecutionStatus.COMPLETED
        assert ended.exit_decision is not None
        assert ended.exit_decision.decision_source == "exit_flag"
