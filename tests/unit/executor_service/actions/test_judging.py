"""From a talk to a round's outcome, over ai_ask: written, decided, handed to the monitor."""

from __future__ import annotations

from typing import Any

import pytest

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.actions.ai_ask import run_ai_ask
from executor_service.scripts.model.exits import ConditionOperator, CustomCondition, ExitCriteria
from executor_service.scripts.model.fields import Output
from executor_service.scripts.model.script import Action
from heartrule.domain.action_result import (
    MISSING_METRIC,
    UNREADABLE_METRIC,
    ActionMetrics,
    ProgressSuggestion,
)
from heartrule.domain.exits import DecisionSource, ExitReason
from heartrule.domain.output_type import OutputType
from tests.support.engine_builders import ask, reasons, round_context
from tests.support.fake_model import FakeModel, Reply, ask_reply
from tests.support.store_builders import advice

KNOWS_NAME = ExitCriteria(
    custom_conditions=(
        CustomCondition(variable="称呼", operator=ConditionOperator.EQUAL, value="小明"),
    )
)


async def judged(
    answer: Reply | str, action: Action | None = None, **changes: Any
) -> tuple[RoundOutcome, RoundContext]:
    """Judge what the client said by the model's reply."""
    context = round_context(action or ask(), FakeModel([answer]), **{"reply": "小明", **changes})
    return await run_ai_ask(context), context


async def test_an_answer_that_is_not_enough_goes_to_the_next_round() -> None:
    """The action waits with its next question; the round that was judged is the answered one."""
    outcome, _ = await judged(ask_reply("然后呢？"))
    assert not outcome.result.completed
    assert (outcome.result.round, outcome.next_round) == (1, 2)
    assert [said.text for said in outcome.messages] == ["然后呢？"]


async def test_a_judged_round_has_all_its_metrics() -> None:
    """The four system variables of ai_ask, each with a text; ai_say's own stays empty."""
    outcome, _ = await judged(ask_reply("然后呢？", metrics={"user_engagement": "愿意谈"}))
    assert outcome.result.metrics == ActionMetrics(
        information_completeness=MISSING_METRIC,
        user_engagement="愿意谈",
        emotional_intensity=MISSING_METRIC,
        reply_relevance=MISSING_METRIC,
    )


async def test_user_variables_and_metrics_are_kept_apart() -> None:
    """Outputs go to the variables, metrics to the result; neither holds the other's."""
    outcome, context = await judged(ask_reply("好。", variables={"称呼": "小明"}))
    assert context.variables.visible() == {"称呼": "小明"}
    assert outcome.result.extracted_variables == {"称呼": "小明"}


async def test_a_value_of_another_type_stays_unset_and_is_told() -> None:
    """The script's type counts; a guess does not."""
    action = ask(output=(Output(get="年龄", type=OutputType.INTEGER),))
    outcome, context = await judged(ask_reply("好。", variables={"年龄": "不小了"}), action)
    assert context.variables.get("年龄") is None
    assert reasons(outcome.degradations) == ["OUTPUT_NOT_CONVERTED"]


async def test_exit_completes_the_action() -> None:
    """The model's EXIT is an exit by flag; its own words are the reason."""
    outcome, _ = await judged(ask_reply("谢谢。", exit_="YES", exit_reason="都说了"))
    decision = outcome.result.exit_decision
    assert outcome.result.completed
    assert decision is not None
    assert (decision.decision_source, decision.reason) == (DecisionSource.EXIT_FLAG, "都说了")
    assert outcome.next_round == 1


@pytest.mark.parametrize(
    ("config", "ends"),
    [
        ({}, True),
        ({"exit": "说清了"}, False),
        ({"exit_criteria": ExitCriteria(min_rounds=1)}, False),
        ({"exit": "说清了", "exit_criteria": ExitCriteria(outputs_known=True)}, True),
        ({"exit_criteria": ExitCriteria(outputs_known=True, min_rounds=2)}, False),
        ({"required": ()}, False),
    ],
)
async def test_an_ask_ends_when_all_it_requires_is_known(
    config: dict[str, Any],
    ends: bool,  # noqa: FBT001 - a table
) -> None:
    """By itself where the script names no end, else where it names this one; NO holds nothing."""
    action = ask(**{"required": ("称呼",), **config})
    outcome, _ = await judged(ask_reply("好。", exit_="NO", variables={"称呼": "小明"}), action)
    decision = outcome.result.exit_decision
    assert decision is not None
    assert (outcome.result.completed, decision.reason) == (ends, "outputs_known" if ends else "")


async def test_metrics_decide_nothing() -> None:
    """However a client is judged, only exit sources end the action (C7)."""
    low = dict.fromkeys(("user_engagement", "information_completeness"), "0")
    high = dict.fromkeys(("user_engagement", "information_completeness"), "100% 全部收集完毕")
    ended = [
        (await judged(ask_reply("嗯。", metrics=metrics)))[0].result.completed
        for metrics in (low, high)
    ]
    assert ended == [False, False]


async def test_a_suggestion_of_completed_decides_nothing() -> None:
    """progress_suggestion is a hint for the topic, no exit."""
    outcome, _ = await judged(ask_reply("嗯。", progress_suggestion="completed"))
    assert (outcome.result.completed, outcome.result.progress_suggestion) == (
        False,
        ProgressSuggestion.COMPLETED,
    )


async def test_the_answer_to_the_last_question_ends_the_action() -> None:
    """Round N judged is the end, whatever the model says; its variables are kept."""
    outcome, context = await judged(
        ask_reply("好。", variables={"称呼": "小明"}), ask(max_rounds=2), round_=2
    )
    assert outcome.result.completed
    assert outcome.result.exit_reason is ExitReason.MAX_ROUNDS_REACHED
    assert context.variables.get("称呼") == "小明"


@pytest.mark.parametrize(
    ("suggestion", "reason"),
    [
        ("blocked", ExitReason.USER_BLOCKED),
        ("off_topic", ExitReason.OFF_TOPIC),
        ("continue_needed", None),
    ],
)
async def test_a_round_that_goes_on_is_classified_too(
    suggestion: str, reason: ExitReason | None
) -> None:
    """exit_reason names the situation also without an exit (C6)."""
    outcome, _ = await judged(ask_reply("嗯？", progress_suggestion=suggestion))
    assert (outcome.result.completed, outcome.result.exit_reason) == (False, reason)
    assert outcome.result.metadata.get("exit_reason") == (reason and reason.value)


async def test_criteria_see_what_this_very_reply_brought() -> None:
    """Variables are written before the criteria are held against them."""
    action = ask(exit_criteria=KNOWS_NAME)
    outcome, _ = await judged(ask_reply("好。", variables={"称呼": "小明"}), action)
    decision = outcome.result.exit_decision
    assert decision is not None
    assert decision.decision_source is DecisionSource.EXIT_CRITERIA


@pytest.mark.parametrize(
    ("content", "exit_", "late"),
    [("你几岁？", "NO", True), ("谢谢你。", "NO", None), ("好吗？", "YES", None)],
)
async def test_a_question_left_standing_is_recorded(
    content: str, exit_: str, *, late: bool | None
) -> None:
    """Where criteria end an action whose question was streamed, late_exit says so."""
    action = ask(exit_criteria=KNOWS_NAME)
    reply = ask_reply(content, exit_=exit_, variables={"称呼": "小明"})
    outcome, _ = await judged(reply, action)
    assert outcome.result.completed
    assert outcome.result.metadata.get("late_exit") is late


async def test_an_unreadable_reply_counts_its_round() -> None:
    """Default metrics, continue_needed, success, and one round nearer to the end (C4)."""
    outcome, _ = await judged('{"EXIT":')
    result = outcome.result
    assert (result.success, result.completed, outcome.next_round) == (True, False, 2)
    assert result.progress_suggestion is ProgressSuggestion.CONTINUE_NEEDED
    assert result.metrics is not None
    assert result.metrics.reply_relevance == UNREADABLE_METRIC


async def test_an_unreadable_reply_in_the_last_round_ends_the_action() -> None:
    """Only the last round decides over a reply nobody can read (C4)."""
    outcome, _ = await judged('{"EXIT":', ask(max_rounds=1))
    assert outcome.result.exit_reason is ExitReason.MAX_ROUNDS_REACHED


async def test_an_unreadable_reply_meets_no_criteria() -> None:
    """What was known before does not end an action over a broken reply."""
    action = ask(exit_criteria=KNOWS_NAME)
    outcome, _ = await judged('{"EXIT":', action, variables={"称呼": "小明"})
    assert not outcome.result.completed


@pytest.mark.parametrize(
    ("reply", "action", "asked"),
    [
        (ask_reply("然后呢？"), ask(), True),
        (ask_reply("谢谢。", exit_="YES"), ask(), False),
        (ask_reply("好。"), ask(max_rounds=1), True),
        ('{"EXIT":', ask(), False),
    ],
    ids=["goes on", "ended well", "ran out of rounds", "unreadable"],
)
async def test_which_rounds_are_analysed(reply: str, action: Action, *, asked: bool) -> None:
    """The monitor is asked where something may follow and the reply was readable (C13)."""
    outcome, _ = await judged(reply, action)
    assert outcome.analyze is asked
    assert outcome.result.metadata["analysis"] == ("requested" if asked else "skipped")


async def test_the_opening_judges_nothing() -> None:
    """No metrics, no decision, no analysis, whatever the model filled in (C13)."""
    outcome, _ = await judged(ask_reply("怎么称呼你？", exit_="YES"), reply=None)
    result = outcome.result
    assert (result.completed, result.metrics, result.exit_decision, outcome.analyze) == (
        False,
        None,
        None,
        False,
    )
    assert (result.round, outcome.next_round) == (1, 1)


async def test_what_an_opening_leaves_out_is_no_degradation() -> None:
    """Nothing is judged yet, so no metric is missed (ADR 10)."""
    outcome, _ = await judged(ask_reply("怎么称呼你？", metrics={}), reply=None)
    assert outcome.degradations == ()


async def test_the_opening_writes_no_variables() -> None:
    """Before the client spoke there is nothing to extract."""
    _, context = await judged(ask_reply("你好。", variables={"称呼": "编的"}), reply=None)
    assert context.variables.visible() == {}


async def test_advice_in_the_prompt_is_used_up_by_its_round() -> None:
    """Also where the reply cannot be read: the prompt held it (C12)."""
    for reply in (ask_reply("好。"), '{"EXIT":'):
        outcome, _ = await judged(reply, advice=advice())
        assert outcome.advice_used


async def test_a_repeated_sentence_is_remembered_for_the_next_prompt() -> None:
    """The next round's prompt will say so in one line (C37)."""
    said = ask_reply("还有呢？")
    model = FakeModel([said, said])
    outcome = await run_ai_ask(
        round_context(ask(), model, reply="小明", recent_texts=("还有呢？",))
    )
    assert dict(outcome.memory) == {"repeated": True, "told_in_vain": True}
    assert outcome.result.metadata["repeated_content"] is True
