"""A whole chat against a written executor: who speaks when, what is shown, what is waited for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from heartrule.domain import events as body
from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import Completeness
from heartrule.domain.monitoring import AnalysisOutcome
from heartrule_cli.chat.chat_end import ChatEnd, ChatOutcome
from tests.support.chat_room import POSITION, Listed, room, talked
from tests.support.fake_executor import FakeExecutor, echo, ended, said


async def test_each_line_is_one_turn_and_the_whole_conversation_is_shown() -> None:
    """The client's lines behind the prompt's sign, each message once, the place after it."""
    talk = await talked(FakeExecutor(), "hi", "bye")
    assert talk.end == ChatEnd(how=ChatOutcome.COMPLETED)
    assert talk.lines == ["hello", POSITION, "> hi", "echo hi", POSITION, "> bye", "echo bye"]


async def test_lines_left_after_the_scripts_end_are_told() -> None:
    """They were not sent, and the chat says so."""
    fake = FakeExecutor()
    talk = await talked(fake, "bye", "more", "words")
    assert talk.end == ChatEnd(how=ChatOutcome.COMPLETED, unsent=("more", "words"))
    assert len(fake.received) == 1


async def test_lines_that_end_early_leave_the_session_waiting() -> None:
    """The script goes on whenever the client does."""
    assert (await talked(FakeExecutor(), "hi")).end == ChatEnd(how=ChatOutcome.LINES_ENDED)


async def test_what_a_terminal_echoed_is_not_shown_again() -> None:
    """A person has seen what she typed."""
    assert "> hi" not in (await talked(FakeExecutor(), "hi", attended=True)).lines


async def test_a_signal_leaves_the_conversation() -> None:
    """Ctrl-C while a turn runs: the turn goes on without us."""
    async with room(FakeExecutor(openings=[(said("m", "hello"),)]), Listed([])) as entered:
        entered.stop.set()
        assert (await entered.talk()).end == ChatEnd(how=ChatOutcome.LEFT)


async def test_a_lost_stream_changes_nothing_that_is_said() -> None:
    """The answer comes after the reconnection, once."""
    talk = await talked(FakeExecutor(drop_inputs=1), "hi")
    assert [line for line in talk.lines if "(" not in line] == [
        "hello", POSITION, "> hi", "echo hi", POSITION,
    ]  # fmt: skip
    assert "  (connection lost; connecting again …)" in talk.lines


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
    assert talk.end == ChatEnd(how=ChatOutcome.COMPLETED)
    assert not [line for line in talk.lines if "no analysis" in line]


async def test_a_monitor_that_stays_silent_is_not_waited_for_for_ever() -> None:
    """The chat says so and goes on."""
    talk = await talked(FakeExecutor(answer=judged), "hi", "bye")
    assert talk.end == ChatEnd(how=ChatOutcome.COMPLETED)
    assert talk.lines.count("  (no analysis within 0.2 s; going on)") == 1


async def test_nobody_at_a_terminal_waits_for_the_monitor() -> None:
    """A person types when she likes."""
    talk = await talked(FakeExecutor(answer=judged), "hi", "bye", attended=True)
    assert not [line for line in talk.lines if "no analysis" in line]


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
