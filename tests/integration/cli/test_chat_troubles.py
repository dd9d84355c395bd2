"""A chat whose turns fail, whose lines are refused, whose executor falls silent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

import pytest

from heartrule.domain import events as body
from heartrule.domain.problem import Problem
from heartrule.domain.safety import SafetyFallback
from heartrule.words.failures import failure_sentence
from heartrule.words.language import ReaderLanguage
from heartrule_cli.chat.chat_end import ChatEnd, ChatOutcome
from heartrule_cli.failure import Failure
from tests.support.chat_room import POSITION, Listed, room, talked
from tests.support.fake_executor import FakeExecutor, echo, ended, said
from tests.support.wire_samples import CARD

DOWN = Problem(code=14, reason="MODEL_UNAVAILABLE", message="no provider", retry_after=timedelta(0))
WRONG = Problem(code=3, reason="INVALID_REQUEST", message="bad")


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
    assert talk.end == ChatEnd(how=ChatOutcome.LINES_ENDED)
    assert talk.lines.count("echo hi") == 1
    assert talk.lines.count("  the turn failed: no provider (MODEL_UNAVAILABLE)") == 1
    assert talk.lines.count("  (trying again, up to 4 times in all …)") == 1


async def test_a_rejected_key_is_said_once_and_not_tried_again() -> None:
    """A repeat fails in the same way until somebody has corrected the key."""
    known = {"cause": "key_rejected", "provider": "p", "base_url": "https://api.example/v1"}
    rejected = replace(DOWN, reason="MODEL_REJECTED", metadata=known)
    talk = await talked(failing(9, rejected), "hi", "more")
    assert talk.end == ChatEnd(how=ChatOutcome.FAILED, unsent=("more",))
    told = [line for line in talk.lines if "failed" in line]
    assert told == [f"  the turn failed: {failure_sentence(known)} (MODEL_REJECTED)"]


async def test_a_turn_that_fails_for_good_ends_an_unattended_chat() -> None:
    """Trying again would not help; what was not sent is told."""
    talk = await talked(failing(9, WRONG), "hi", "more")
    assert talk.end == ChatEnd(how=ChatOutcome.FAILED, unsent=("more",))


async def test_a_turn_that_keeps_failing_is_given_up() -> None:
    """A model that is down for long does not hold a pipe for ever."""
    talk = await talked(failing(99), "hi")
    assert talk.end == ChatEnd(how=ChatOutcome.FAILED)
    assert [line for line in talk.lines if "try" in line or "tried" in line] == [
        "  (trying again, up to 4 times in all …)",
        "  (tried 4 times without success; mend the cause, then go on with the command below)",
    ]


async def test_attempts_change_one_line_of_a_terminal() -> None:
    """A person who watches sees how often it was tried, and no list of the same words."""
    async with room(failing(2), Listed(["hi"]), live=True) as entered:
        shown = "".join((await entered.talk()).lines)
    assert [f"attempt {number} of 4" in shown for number in (2, 3, 4)] == [True, True, False]
    assert shown.count("the turn failed") == 1


async def test_a_chat_is_told_in_the_language_of_its_reader() -> None:
    """No English word stands around a Chinese conversation."""
    entered_in = ReaderLanguage.CHINESE
    async with room(failing(99), Listed(["你好"]), language=entered_in) as entered:
        talk = await entered.talk()
    told = [line for line in talk.lines if line.startswith("  ")]
    assert told == [
        "  p › t › ask · 第 1 轮，最多 3 轮",
        "  这一回合失败了：no provider (MODEL_UNAVAILABLE)",
        "  （正在重试，总共最多 4 次 …）",
        "  （试了 4 次都没有成功；请先排除原因，再用下面的命令继续）",
    ]


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
    assert talk.lines[2:] == ["hello", POSITION, "> hi", "echo hi", POSITION]
    assert (len(fake.opened_after), talk.end.how) == (2, ChatOutcome.LINES_ENDED)


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
    assert talk.end == ChatEnd(how=ChatOutcome.LINES_ENDED, refused=1)
    assert "  not taken: bad (INVALID_REQUEST)" in talk.lines
    assert "echo hi" in talk.lines


async def test_where_help_is_stands_before_why_a_line_is_refused() -> None:
    """The card comes with each refusal, the reason when the line is given up."""
    fallback = SafetyFallback(card=CARD)

    def answer(message_id: str, text: str) -> Iterable[body.EventBody]:
        return [body.InputRejected(client_message_id=message_id, problem=DOWN, fallback=fallback)]

    talk = await talked(FakeExecutor(answer=answer), "hi")
    refused = next(line for line in talk.lines if line.startswith("  not taken"))
    assert talk.lines.index(CARD.text) < talk.lines.index(refused)


async def test_a_line_refused_for_a_while_is_sent_again() -> None:
    """Too many inputs wait: the executor says how long."""
    busy = replace(DOWN, code=8, reason="SESSION_BUSY")
    talk = await talked(refusing(busy), "hi")
    assert talk.end == ChatEnd(how=ChatOutcome.LINES_ENDED)
    assert talk.lines.count("> hi") == 1


async def test_a_line_after_the_end_counts_as_not_sent() -> None:
    """Another client may have brought the script to its end."""
    talk = await talked(refusing(replace(WRONG, code=9)), "hi", "more")
    assert talk.end == ChatEnd(how=ChatOutcome.COMPLETED, unsent=("hi", "more"))


async def test_a_line_over_the_servers_limit_is_refused_by_the_server() -> None:
    """Which reads it before, and shows where help is; the conversation goes on."""
    fake = refusing(WRONG)
    talk = await talked(fake, "长" * 2_000_000, "hi")
    assert talk.end == ChatEnd(how=ChatOutcome.LINES_ENDED, refused=1)
    assert "  not taken: bad (INVALID_REQUEST)" in talk.lines
    assert len(fake.received) == 2


async def test_a_turn_that_never_ends_is_not_waited_for_for_ever() -> None:
    """Silences are told; where nobody watches, the fifth in a row ends the chat."""
    fake = FakeExecutor(answer=lambda *_: ())
    async with room(fake, Listed(["hi"])) as entered:
        entered.chat.waits.silence_s = 0.02
        with pytest.raises(Failure, match="does not answer"):
            await entered.talk()
        told = entered.out.getvalue().splitlines()
    assert told[-1] == "  (nothing has come for 0.1 s)"
