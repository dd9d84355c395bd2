"""ai_say: utterances counted, acknowledgments taken, understanding judged."""

from __future__ import annotations

from typing import Any

import pytest

from executor_service.actions.action_context import RoundOutcome
from executor_service.actions.ai_say import run_ai_say
from executor_service.scripts.model.exits import ConditionOperator, CustomCondition, ExitCriteria
from executor_service.scripts.model.script import Action
from heartrule.domain.action_result import ActionMetrics
from heartrule.domain.exits import DecisionSource, ExitReason
from tests.support.engine_builders import reasons, round_context, say
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.written_templates import CLOSING, REASK

UNDERSTOOD = ExitCriteria(understanding_threshold=70, has_questions=False)


async def run(action: Action, model: FakeModel, **changes: Any) -> RoundOutcome:
    """Run one round."""
    return await run_ai_say(round_context(action, model, **changes))


async def test_a_single_utterance_waits_for_the_client() -> None:
    """N = 1: it does not complete before the client has spoken once in it."""
    outcome = await run(say(), FakeModel([ask_reply("欢迎你。")]))
    assert (outcome.result.completed, outcome.next_round) == (False, 1)


async def test_the_clients_word_completes_a_single_utterance_without_a_call() -> None:
    """No model, no monitor, no message: the next action answers."""
    model = FakeModel()
    outcome = await run(say(), model, reply="好的")
    assert (outcome.result.completed, outcome.messages, outcome.analyze) == (True, (), False)
    assert model.requests == []
    assert outcome.result.exit_reason is ExitReason.MAX_ROUNDS_REACHED


async def test_an_utterance_that_needs_no_acknowledgment_completes_at_once() -> None:
    """The turn goes on with the next action."""
    action = say(require_acknowledgment=False)
    assert (await run(action, FakeModel([ask_reply("欢迎你。")]))).result.completed


@pytest.mark.parametrize(
    ("said", "sent"), [("欢迎你。还想补充什么吗？", "欢迎你。"), ("还想补充什么吗？", "欢迎你")]
)
async def test_what_completes_at_once_asks_nothing(said: str, sent: str) -> None:
    """Nobody could answer; where nothing is left the script's own text is said."""
    action = say(require_acknowledgment=False)
    outcome = await run(action, FakeModel([ask_reply(said)]))
    assert outcome.messages[0].text == sent
    assert outcome.result.metadata["late_question"] == "还想补充什么吗？"
    assert reasons(outcome.degradations) == ["LATE_QUESTION"]


async def test_several_utterances_wait_even_without_acknowledgment() -> None:
    """N > 1: each further utterance answers a message of the client."""
    action = say(require_acknowledgment=False, max_rounds=3)
    assert not (await run(action, FakeModel([ask_reply("欢迎你。")]))).result.completed


async def test_each_client_message_is_judged_by_one_call_that_speaks_on() -> None:
    """N > 1: the judging call gives metrics of ai_say and the next utterance."""
    metrics = {
        "user_engagement": "在听",
        "emotional_intensity": "平静",
        "understanding_level": "懂",
    }
    outcome = await run(
        say(max_rounds=3), FakeModel([ask_reply("换个说法。", metrics=metrics)]), reply="不懂"
    )
    assert outcome.result.metrics == ActionMetrics(**metrics)
    assert (outcome.result.completed, outcome.next_round) == (False, 2)
    assert outcome.analyze


async def test_the_last_utterance_ends_the_action() -> None:
    """The N-th utterance is spoken by the call that judges the message before it."""
    outcome = await run(say(max_rounds=2), FakeModel([ask_reply("再说一遍。")]), reply="不懂")
    assert outcome.result.completed
    assert outcome.result.exit_reason is ExitReason.MAX_ROUNDS_REACHED
    assert [said.text for said in outcome.messages] == ["再说一遍。"]


async def test_exit_makes_the_utterance_the_closing_line() -> None:
    """The client has understood: what is said is said, and the action ends."""
    outcome = await run(
        say(max_rounds=5), FakeModel([ask_reply("很好。", exit_="YES")]), reply="懂了"
    )
    decision = outcome.result.exit_decision
    assert decision is not None
    assert decision.decision_source is DecisionSource.EXIT_FLAG


@pytest.mark.parametrize(
    ("assessment", "ends"),
    [
        ({"understanding_level": 80, "has_questions": False}, True),
        ({"understanding_level": 60, "has_questions": False}, False),
        ({"understanding_level": 80, "has_questions": True}, False),
    ],
)
async def test_understanding_ends_it_by_the_authors_criteria(
    assessment: dict[str, object], *, ends: bool
) -> None:
    """The numbers compared are the author's threshold and the model's assessment (C25)."""
    action = say(max_rounds=5, exit_criteria=UNDERSTOOD)
    outcome = await run(action, FakeModel([ask_reply("嗯。", assessment=assessment)]), reply="懂了")
    assert outcome.result.completed is ends


async def test_the_opening_meets_no_criteria_about_the_client() -> None:
    """Before the client spoke there is no understanding to measure (C9)."""
    action = say(max_rounds=5, exit_criteria=UNDERSTOOD)
    assessment = {"understanding_level": 100, "has_questions": False}
    outcome = await run(action, FakeModel([ask_reply("你好。", assessment=assessment)]))
    assert not outcome.result.completed


async def test_min_rounds_holds_back_what_the_criteria_would_end() -> None:
    """Utterances are counted: one spoken, one being spoken (C7)."""
    condition = CustomCondition(variable="称呼", operator=ConditionOperator.EQUAL, value="小明")
    criteria = ExitCriteria(min_rounds=3, custom_conditions=(condition,))
    action = say(max_rounds=5, exit_criteria=criteria)
    ended = [
        (
            await run(
                action,
                FakeModel([ask_reply("嗯。")]),
                reply="好",
                round_=spoken,
                variables={"称呼": "小明"},
            )
        ).result.completed
        for spoken in (1, 2)
    ]
    assert ended == [False, True]


@pytest.mark.parametrize(
    ("max_rounds", "round_", "line"),
    [(1, None, "欢迎你"), (3, None, "欢迎你"), (3, 1, REASK), (3, 2, CLOSING)],
)
async def test_a_broken_utterance_is_replaced_by_the_line_of_its_round(
    max_rounds: int, round_: int | None, line: str
) -> None:
    """An opening says the action's content, the last utterance closes, every other asks again."""
    reply = None if round_ is None else "不懂"
    outcome = await run(
        say(max_rounds=max_rounds), FakeModel(['{"EXIT":']), reply=reply, round_=round_
    )
    assert [said.text for said in outcome.messages] == [line]


async def test_a_broken_opening_that_needs_no_acknowledgment_completes() -> None:
    """A reply nobody can read stops no script: the neutral line is said and the turn goes on."""
    outcome = await run(say(require_acknowledgment=False), FakeModel(["{"]))
    assert outcome.result.completed
