"""A whole chat against a written executor: who speaks when, what is shown, what is waited for."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest

from heartrule.cli.chat import Chat, ChatEnd, End
from heartrule.cli.conversation import Conversation, Wish
from heartrule.cli.executor import executor_at
from heartrule.cli.failure import Failure
from heartrule.cli.screen import Screen
from heartrule.cli.style import Style
from heartrule.cli.teller import Teller
from heartrule.domain import events as body
from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import Audience, Completeness
from heartrule.domain.monitoring import AnalysisOutcome
from heartrule.domain.problem import Problem
from tests.support.fake_executor import SESSION, FakeExecutor, echo, ended, said, serving

DOWN = Problem(code=14, reason="MODEL_UNAVAILABLE", message="no provider", retry_after=timedelta(0))
WRONG = Problem(code=3, reason="INVALID_REQUEST", message="bad")
POSITION = "  p › t › ask · round 1 of 3"


@dataclass(slots=True)
class Listed:
    """A client whose lines are known beforehand."""

    left: list[str]
    attended: bool = False

    async def next(self) -> str | None:
        return self.left.pop(0) if self.left else None

    async def rest(self) -> list[str]:
        return self.left

    def close(self) -> None:
        """Nothing is held."""


@dataclass(slots=True)
class Talked:
    """How a chat went."""

    end: ChatEnd
    lines: list[str]


@dataclass(slots=True)
class Room:
    """A chat about to begin."""

    chat: Chat
    out: io.StringIO
    stop: asyncio.Event = field(default_factory=asyncio.Event)

    async def talk(self) -> Talked:
        async with asyncio.timeout(20):
            end = await self.chat.run(self.stop)
        return Talked(end=end, lines=self.out.getvalue().splitlines())


@asynccontextmanager
async def room(fake: FakeExecutor, lines: Listed, *, live: bool = False) -> AsyncIterator[Room]:
    out = io.StringIO()
    async with serving(fake) as address, executor_at(address) as executor:
        wish = Wish(
            session_id=SESSION, after_sequence=0, drafts=live, audiences=frozenset(Audience)
        )
        teller = Teller(Screen(out, Style(colours=False), live=live), debug=False)
        conversation = Conversation(executor, wish)
        chat = Chat(conversation=conversation, teller=teller, lines=lines, analysis_s=0.2)
        yield Room(chat, out)


async def talked(fake: FakeExecutor, *lines: str, attended: bool = False) -> Talked:
    async with room(fake, Listed([*lines], attended=attended)) as entered:
        return await entered.talk()


async def test_each_line_is_one_turn_and_the_whole_conversation_is_shown() -> None:
    """The client's lines behind the prompt's sign, each message once, the place after it."""
    talk = await talked(FakeExecutor(), "hi", "bye")
    assert talk.end == ChatEnd(how=End.COMPLETED)
    assert talk.lines == ["hello", POSITION, "> hi", "echo hi", POSITION, "> bye", "echo bye"]


async def test_lines_left_after_the_scripts_end_are_told() -> None:
    """They were not sent, and the chat says so."""
    fake = FakeExecutor()
    talk = await talked(fake, "bye", "more", "words")
    assert talk.end == ChatEnd(how=End.COMPLETED, unsent=("more", "words"))
    assert len(fake.received) == 1


async def test_lines_that_end_early_leave_the_session_waiting() -> None:
    """The script goes on whenever the client does."""
    assert (await talked(FakeExecutor(), "hi")).end == ChatEnd(how=End.LINES_ENDED)


async def test_what_a_terminal_echoed_is_not_shown_again() -> None:
    """A person has seen what she typed."""
    assert "> hi" not in (await talked(FakeExecutor(), "hi", attended=True)).lines


async def test_a_signal_leaves_the_conversation() -> None:
    """Ctrl-C while a turn runs: the turn goes on without us."""
    async with room(FakeExecutor(openings=[(said("m", "hello"),)]), Listed([])) as entered:
        entered.stop.set()
        assert (await entered.talk()).end == ChatEnd(how=End.LEFT)


async def test_a_lost_stream_changes_nothing_that_is_said() -> None:
    """The answer comes after the reconnection, once."""
    talk = await talked(FakeExecutor(drop_inputs=1), "hi")
    assert [line for line in talk.lines if "(" not in line] == [
        "hello", POSITION, "> hi", "echo hi", POSITION,
    ]  # fmt: skip
    assert "  (connection lost; connecting again …)" in talk.lines


def failing(times: int, problem: Problem = DOWN) -> FakeExecutor:
    """Return an executor whose first turns fail; a repeated input runs them again."""
    fake = FakeExecutor()
    failures = [problem] * times

    def answer(message_id: str, text: str) -> Iterable[body.EventBody]:
        if not failures:
            return echo(message_id, text)
        fake.received.remove(message_id)  # as a turn that may run again
        failed = body.TurnEnded(
            outcome=body.Outcome.FAILED,
            problem=failures.pop(),
            client_message_ids=(message_id,),
            state=fake.state,
        )
        return [failed]

    fake.answer = answer
    return fake


async def test_a_turn_that_fails_for_a_passing_reason_is_tried_again() -> None:
    """Where nobody watches, the same input goes out until it is answered."""
    talk = await talked(failing(2), "hi")
    assert talk.end == ChatEnd(how=End.LINES_ENDED)
    assert talk.lines.count("echo hi") == 1
    assert talk.lines.count("  the turn failed: no provider (MODEL_UNAVAILABLE)") == 2


async def test_a_turn_that_fails_for_good_ends_an_unattended_chat() -> None:
    """Trying again would not help."""
    assert (await talked(failing(9, WRONG), "hi", "more")).end == ChatEnd(how=End.FAILED)


async def test_a_turn_that_keeps_failing_is_given_up() -> None:
    """A model that is down for long does not hold a pipe for ever."""
    assert (await talked(failing(99), "hi")).end == ChatEnd(how=End.FAILED)


async def test_a_person_decides_whether_a_failed_turn_is_tried_again() -> None:
    """An empty line sends the same input again."""
    fake = failing(1)
    talk = await talked(fake, "hi", "", attended=True)
    assert "  press Enter to try again, or say something else" in talk.lines
    assert (talk.lines.count("echo hi"), len(set(fake.received))) == (1, 1)


async def test_a_failed_opening_is_tried_by_opening_again() -> None:
    """It answers no input, so there is none to send again."""
    failed = body.TurnEnded(outcome=body.Outcome.FAILED, problem=DOWN, state=None)
    fake = FakeExecutor(openings=[(failed,), (said("m", "hello"), ended())])
    talk = await talked(fake, "hi")
    assert talk.lines[1:] == ["hello", POSITION, "> hi", "echo hi", POSITION]
    assert (len(fake.opened_after), talk.end.how) == (2, End.LINES_ENDED)


def refusing(problem: Problem, times: int = 1) -> FakeExecutor:
    """Return an executor that takes the first inputs not."""
    refusals = [problem] * times

    def answer(message_id: str, text: str) -> Iterable[body.EventBody]:
        if refusals:
            return [body.InputRejected(client_message_id=message_id, problem=refusals.pop())]
        return echo(message_id, text)

    return FakeExecutor(answer=answer)


async def test_a_refused_line_is_told_and_the_next_one_sent() -> None:
    """One line that is wrong does not end the conversation, but it is counted."""
    talk = await talked(refusing(WRONG), "bad", "hi")
    assert talk.end == ChatEnd(how=End.LINES_ENDED, refused=1)
    assert "  not taken: bad (INVALID_REQUEST)" in talk.lines
    assert "echo hi" in talk.lines


async def test_a_line_refused_for_a_while_is_sent_again() -> None:
    """Too many inputs wait: the executor says how long."""
    busy = replace(DOWN, code=8, reason="SESSION_BUSY")
    talk = await talked(refusing(busy), "hi")
    assert talk.end == ChatEnd(how=End.LINES_ENDED)
    assert talk.lines.count("> hi") == 1


async def test_a_line_after_the_end_counts_as_not_sent() -> None:
    """Another client may have brought the script to its end."""
    talk = await talked(refusing(replace(WRONG, code=9)), "hi", "more")
    assert talk.end == ChatEnd(how=End.COMPLETED, unsent=("hi", "more"))


async def test_a_line_over_the_servers_limit_is_not_sent() -> None:
    """The limit stands in Opened; a longer message would break the stream."""
    fake = FakeExecutor()
    talk = await talked(fake, "长" * 400, "hi")
    assert talk.end == ChatEnd(how=End.LINES_ENDED, refused=1)
    assert "  not sent: the line has more than 1,000 bytes" in talk.lines
    assert len(fake.received) == 1


def judged(message_id: str, text: str) -> Iterable[body.EventBody]:
    """Answer with a round whose analysis is asked for and does not end."""
    result = ActionResult(
        success=True,
        completed=False,
        metadata={"analysis": "requested"},
        action_instance_id="act",
        round=1,
    )
    yield body.ActionResultRecorded(action_result=result)
    yield from echo(message_id, text)


def analysed(message_id: str, text: str) -> Iterable[body.EventBody]:
    """Answer with a round whose analysis ends after its turn."""
    yield from judged(message_id, text)
    yield body.AnalysisEnded(
        action_instance_id="act",
        about_round=1,
        judged_turn_id="turn",
        result=AnalysisOutcome.NO_ADVICE,
    )


async def test_an_analysis_that_ends_is_waited_for() -> None:
    """The next line is sent after it, so that its advice is in time."""
    fake = FakeExecutor(answer=analysed)
    talk = await talked(fake, "hi", "bye")
    assert talk.end == ChatEnd(how=End.COMPLETED)
    assert not [line for line in talk.lines if "no analysis" in line]


async def test_a_monitor_that_stays_silent_is_not_waited_for_for_ever() -> None:
    """The chat says so and goes on."""
    talk = await talked(FakeExecutor(answer=judged), "hi", "bye")
    assert talk.end == ChatEnd(how=End.COMPLETED)
    assert talk.lines.count("  (no analysis within 0.2 s; going on)") == 1


async def test_nobody_at_a_terminal_waits_for_the_monitor() -> None:
    """A person types when she likes."""
    talk = await talked(FakeExecutor(answer=judged), "hi", "bye", attended=True)
    assert not [line for line in talk.lines if "no analysis" in line]


async def test_a_turn_that_never_ends_is_not_waited_for_for_ever() -> None:
    """Silences are told; where nobody watches, the fifth in a row ends the chat."""
    fake = FakeExecutor(answer=lambda *_: ())
    async with room(fake, Listed(["hi"])) as entered:
        entered.chat.silence_s = 0.02
        with pytest.raises(Failure, match="does not answer"):
            await entered.talk()
        told = entered.out.getvalue().splitlines()
    assert told[-1] == "  (nothing has come for 0.1 s)"


async def test_drafts_are_shown_as_they_come_and_once() -> None:
    """The text grows on the screen; the commit adds nothing to it."""

    def streamed(message_id: str, text: str) -> Iterable[body.EventBody]:
        for offset, sign in enumerate(f"echo {text}"):
            at = body.DraftPosition(message_id=f"re-{message_id}", offset=offset)
            yield body.DraftDelta(at=at, text=sign)
        yield from echo(message_id, text)

    async with room(FakeExecutor(answer=streamed), Listed(["hi"]), live=True) as entered:
        talk = await entered.talk()
    assert talk.lines == ["hello", POSITION, "> hi", "echo hi", POSITION]


async def test_a_voided_draft_gives_way_to_the_next_attempt() -> None:
    """What will never be committed is taken off the screen."""

    def second_attempt(message_id: str, text: str) -> Iterable[body.EventBody]:
        at = body.DraftPosition(message_id="draft", offset=0)
        yield body.DraftDelta(at=at, text="half a")
        yield body.DraftVoided(up_to_attempt=1, reason="LEASE_LOST")
        yield from echo(message_id, text)

    async with room(FakeExecutor(answer=second_attempt), Listed(["hi"]), live=True) as entered:
        await entered.talk()
        shown = entered.out.getvalue()
    assert "half a\r\x1b[Jecho hi\n" in shown


async def test_a_message_that_broke_off_says_so() -> None:
    """The client knows that the sentence was not meant to end there."""

    def cut(message_id: str, _text: str) -> Iterable[body.EventBody]:
        whole = said("re", "一句。")
        yield body.MessageCommitted(
            message=replace(whole.message, completeness=Completeness.TRUNCATED)
        )
        yield ended(message_id)

    talk = await talked(FakeExecutor(answer=cut), "hi")
    assert talk.lines[3:5] == ["一句。", "  (the model's answer broke off here)"]
