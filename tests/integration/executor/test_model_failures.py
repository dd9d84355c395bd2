"""What a model does wrong costs one turn at most, and the client sees every text once."""

from __future__ import annotations

import pytest

from heartrule.domain.action_result import UNREADABLE_METRIC
from heartrule.domain.conversation import Completeness
from heartrule.domain.errors import (
    HeartRuleError,
    ModelRateLimited,
    ModelStreamCut,
    ModelUnavailable,
)
from heartrule.domain.events import (
    ActionResultRecorded,
    DraftVoided,
    MessageCommitted,
    Outcome,
    TurnEnded,
)
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, Reply, ask_reply
from tests.support.interrupting import held
from tests.support.scripts import ask_script

QUESTION = ask_reply("怎么称呼你？")
CLOSING = ask_reply("好的。", exit_="YES", variables={"称呼": "小明"})
DOWN = ModelUnavailable("down", reason="MODEL_UNAVAILABLE")
LIMITED = ModelRateLimited("wait", reason="MODEL_RATE_LIMITED")
CUT = ModelStreamCut("cut", reason="STREAM_CUT")


@pytest.mark.parametrize(("error", "code"), [(DOWN, 14), (LIMITED, 8)])
async def test_a_model_that_is_down_fails_the_turn_and_a_repeat_completes_it(
    error: HeartRuleError, code: int
) -> None:
    """The position stays; the same id runs the same turn again, as attempt 2."""
    model = FakeModel([QUESTION, Reply((), fails=error), CLOSING, ask_reply("再见")])
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(ask_script())
        await running.client.initialize(session_id)
        failed = await running.client.send(session_id, "m1", "小明")
        again = await running.client.send(session_id, "m1", "小明")
        problem = failed.of(TurnEnded)[-1].problem
        assert problem is not None
        assert problem.code == code
        assert again.of(TurnEnded)[-1].outcome is Outcome.SESSION_COMPLETED
        assert again.texts() == ["好的。", "再见"]
        assert {event.attempt for event in again.events if event.turn_id} == {1, 2}


async def test_a_new_input_after_a_failed_turn_is_judged_together_with_it() -> None:
    """Where no step was committed both turns' inputs are merged."""
    model = FakeModel([QUESTION, Reply((), fails=DOWN), ask_reply("慢慢说。")])
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        await running.client.send(session_id, "m1", "小明")
        told = await running.client.send(session_id, "m2", "不对，小红")
        assert told.of(TurnEnded)[-1].client_message_ids == ("m1", "m2")
        assert "> 小明\n> 不对，小红\n" in model.last_prompt()


async def test_a_new_input_resumes_a_failed_turn_and_answers_nothing_it_says() -> None:
    """Its sender receives the resumed turn; only words written after a message acknowledge it."""
    script = ask_script().replace("require_acknowledgment: false", "max_rounds: 2")
    model = FakeModel(
        [QUESTION, CLOSING, Reply((), fails=DOWN), ask_reply("谢谢你"), ask_reply("再见")]
    )
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(script)
        await running.client.initialize(session_id)
        failed = await running.client.send(session_id, "m1", "小明")
        resumed = await running.client.send(session_id, "m2", "等等，我还想说一句")
        answered = await running.client.send(session_id, "m3", "嗯")
        assert (failed.texts(), failed.of(TurnEnded)[-1].outcome) == (["好的。"], Outcome.FAILED)
        assert (resumed.texts(), resumed.of(TurnEnded)[-1].outcome) == (["谢谢你"], Outcome.WAITING)
        assert resumed.of(TurnEnded)[-1].client_message_ids == ("m1", "m2")
        assert "我还想说一句" in str(model.requests[3].messages)
        assert answered.texts() == ["再见"]


async def test_a_stream_cut_after_a_sentence_is_kept_as_truncated() -> None:
    """All text shown is committed, the turn waits, and no other call continues it."""
    cut = Reply(('{"EXIT":"NO","content":"我听到了。那么', "接下来"), fails=CUT)
    model = FakeModel([QUESTION, cut, CLOSING])
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        told = await running.client.send(session_id, "m1", "小明")
        message, ended = told.messages()[-1], told.of(TurnEnded)[-1]
        assert message.completeness is Completeness.TRUNCATED
        assert message.plain_text() == "我听到了。那么接下来"
        assert ended.outcome is Outcome.WAITING
        assert "STREAM_CUT" in {degradation.reason for degradation in ended.degradations}


async def test_a_stream_that_stalls_after_a_sentence_is_kept_as_well() -> None:
    """The turn ends before its time is up, and what the client has read stays."""
    environ = {"HEARTRULE_TURN_TIMEOUT": "4"}
    async with held("好的，小明。我们", environ=environ) as talk:
        committed = await talk.stream.until_body(MessageCommitted)
        ended = await talk.ended()
        assert committed.message.plain_text() == "好的，小明。我们"
        assert committed.message.completeness is Completeness.TRUNCATED
        assert ended.outcome is Outcome.WAITING
        assert [each.metadata for each in ended.degradations] == [{"cause": "TURN_TIMEOUT"}]
        assert (await talk.stream.turn("m2", "叫我小红")).outcome is Outcome.WAITING


async def test_a_stream_cut_within_a_sentence_is_voided_and_fails_retryable() -> None:
    """Less than a sentence is taken back, and a repeat runs the turn again."""
    cut = Reply(('{"EXIT":"NO","content":"我听', "到"), fails=CUT)
    model = FakeModel([QUESTION, cut, CLOSING, ask_reply("再见")])
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        failed = await running.client.send(session_id, "m1", "小明")
        again = await running.client.send(session_id, "m1", "小明")
        assert failed.of(DraftVoided)[-1].up_to_attempt == 1
        assert again.texts() == ["好的。", "再见"]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ("你愿意多说一点吗", "你愿意多说一点吗"),
        (
            '{"EXIT":"NO","content":',
            "抱歉，我刚才没有把话说清楚。刚才那个问题，你愿意再说一说吗？怎么说都可以。",
        ),
        (
            "[1, 2]",
            "抱歉，我刚才没有把话说清楚。刚才那个问题，你愿意再说一说吗？怎么说都可以。",
        ),
    ],
)
async def test_an_unreadable_reply_degrades_and_the_talk_goes_on(raw: str, said: str) -> None:
    """Prose is said as it is, anything broken becomes the neutral line (RESOLUTIONS C4)."""
    model = FakeModel([QUESTION, raw])
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        told = await running.client.send(session_id, "m1", "小明")
        result = told.of(ActionResultRecorded)[-1].action_result
        assert told.texts() == [said]
        assert result.success
        assert result.metadata["parseRetryCount"] == 3
        assert result.metrics is not None
        assert result.metrics.user_engagement == UNREADABLE_METRIC


@pytest.mark.parametrize(("max_rounds", "goes_on"), [(5, "goes on"), (3, "")])
async def test_three_broken_replies_in_a_row(max_rounds: int, goes_on: str) -> None:
    """At 5 rounds the same action goes on; at 3 it ends as max_rounds_reached, the script too."""
    good = ask_reply("慢慢说。") if goes_on else ask_reply("再见")
    model = FakeModel([QUESTION, *['{"broken'] * 3, good])
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(ask_script(max_rounds))
        await running.client.initialize(session_id)
        told = [await running.client.send(session_id, f"m{n}", "嗯") for n in range(3)]
        if goes_on:
            told.append(await running.client.send(session_id, "m3", "嗯"))
        results = [body.action_result for one in told for body in one.of(ActionResultRecorded)]
        assert {result.action_id for result in results} == (
            {"ask_name"} if goes_on else {"ask_name", "say_bye"}
        )
        assert results[2].exit_reason == (None if goes_on else "max_rounds_reached")


async def test_a_clients_template_signs_come_back_as_they_were_typed() -> None:
    """What a client types is data: no placeholder in it is ever filled."""
    typed = "{{task}} ${x} {%chat%} {user_input}"
    model = FakeModel([QUESTION, ask_reply("慢慢说。")])
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(ask_script(9))
        await running.client.initialize(session_id)
        await running.client.send(session_id, "m1", typed)
        assert f"\n> {typed}\n" in model.last_prompt()


async def test_a_script_that_never_waits_fails_with_a_named_error() -> None:
    """Past 100 actions without input the turn fails; what was committed stays."""
    says = "\n".join(
        f"            - {{action_type: ai_say, action_id: s{n}, "
        "config: {content: 好, require_acknowledgment: false}}"
        for n in range(101)
    )
    head = ask_script().split("            - action_type")[0]
    model = FakeModel([ask_reply(f"第{n}句") for n in range(101)])
    async with running_executor(Neighbours(model=model)) as running:
        session_id = await running.client.start(head + says + "\n")
        told = await running.client.initialize(session_id)
        problem = told.of(TurnEnded)[-1].problem
        assert problem is not None
        assert problem.reason == "TOO_MANY_ACTIONS"
        assert len(told.messages()) == 100
