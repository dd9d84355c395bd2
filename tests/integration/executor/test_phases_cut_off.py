"""A reply of a phase that is stopped, or has no more time, through Converse (T14, R25)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from heartrule.domain.conversation import Completeness
from heartrule.domain.events import DraftDelta, DraftVoided, MessageCommitted, Outcome, TurnEnded
from tests.support.agent_runs import RunTalk, run_talk
from tests.support.fake_model import Reply
from tests.support.interrupting import held_after

PHASES = "{action_type: ai_agent, action_id: talk, goal: 写文章, agent: article_creation}"
ANSWER, SHOWN = "好的，小明。我们慢慢来，", "好的，小明。我们"


@asynccontextmanager
async def held_phase(shown: str = SHOWN, timeout: str = "60") -> AsyncIterator[RunTalk]:
    """Begin a turn in which the phase's reply is shown so far and then stalls."""
    waits = held_after(shown, ANSWER)
    answers: list[Reply | str] = ["想写什么？", "NO", waits, "好，写。", "YES"]
    environ = {"HEARTRULE_DRAFT_WINDOW_MS": "0", "HEARTRULE_TURN_TIMEOUT": timeout}
    async with run_talk(nodes=answers, actions=(PHASES,), environ=environ) as talk:
        await talk.stream.say("m1", "写小明")
        await talk.stream.until(lambda e: isinstance(e.body, DraftDelta))
        yield talk


async def committed(talk: RunTalk) -> tuple[str, Completeness]:
    """Return the text of the next message, and how complete it is."""
    message = (await talk.stream.until_body(MessageCommitted)).message
    return message.plain_text(), message.completeness


async def test_a_reply_that_is_stopped_is_interrupted_and_its_phase_answers_again() -> None:
    """Nobody is asked whether it was the last one; the next words are of the same phase."""
    async with held_phase() as talk:
        await talk.stream.say("m2", "等等", if_busy="IF_BUSY_INTERRUPT")
        assert await committed(talk) == (SHOWN, Completeness.INTERRUPTED)
        ended = await talk.stream.until_body(TurnEnded)
        assert ended.outcome is Outcome.INTERRUPTED
        assert await committed(talk) == ("好，写。", Completeness.COMPLETE)
        asked = talk.model.of_nodes.requests
        assert asked[3].messages[0] == asked[2].messages[0]
        assert not talk.stream.told.of(DraftVoided)


async def test_a_reply_that_stalls_is_truncated_and_its_phase_answers_again() -> None:
    """What the client has read stays, and the turn waits."""
    async with held_phase(timeout="4") as talk:
        assert await committed(talk) == (SHOWN, Completeness.TRUNCATED)
        ended = await talk.stream.until_body(TurnEnded)
        assert (ended.outcome, len(talk.model.of_nodes.requests)) == (Outcome.WAITING, 3)
        assert [each.metadata for each in ended.degradations] == [{"cause": "TURN_TIMEOUT"}]
        await talk.stream.say("m2", "然后呢")
        assert await committed(talk) == ("好，写。", Completeness.COMPLETE)


async def test_a_reply_without_a_whole_sentence_is_void() -> None:
    """Its phase is as it was."""
    async with held_phase("好的") as talk:
        turn_id = talk.stream.told.events[-1].turn_id
        await talk.stream.interrupt(turn_id)
        ended = await talk.stream.until_body(TurnEnded)
        assert (ended.outcome, ended.message_ids) == (Outcome.INTERRUPTED, ())
        assert talk.stream.told.of(DraftVoided)
        await talk.stream.say("m2", "接着说")
        assert await committed(talk) == ("好，写。", Completeness.COMPLETE)
