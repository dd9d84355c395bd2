"""say: the script's own words, no model, no exit decision."""

from __future__ import annotations

from executor_service.actions.action_context import RoundOutcome
from executor_service.actions.say import run_say
from executor_service.scripts.model.actions import ActionType, LiteralConfig
from executor_service.scripts.model.script import Action
from tests.support.engine_builders import PLACE, round_context
from tests.support.fake_model import FakeModel


async def say(content: str, **variables: str) -> RoundOutcome:
    config = LiteralConfig(content=content)
    action = Action(action_type=ActionType.SAY, action_id="a", config=config, place=PLACE)
    return await run_say(round_context(action, FakeModel(), variables=variables))


async def test_words_are_sent_as_they_are_written() -> None:
    """Variables are filled in unquoted, and a value is never filled again."""
    (message,) = (await say("{称呼}，再见。", 称呼="{secret}\n小明")).messages
    assert message.text == "{secret}\n小明，再见。"


async def test_it_completes_at_once_without_a_decision() -> None:
    """No criteria, no exit history, no metrics, no model."""
    outcome = await say("再见。")
    assert outcome.result.completed
    assert (outcome.result.exit_decision, outcome.result.metrics) == (None, None)
    assert (outcome.analyze, outcome.result.ai_message) == (False, "再见。")


async def test_words_that_are_all_empty_are_not_sent() -> None:
    """What nothing fills is recorded; a message without words would say nothing."""
    outcome = await say("{小结}")
    assert outcome.messages == ()
    assert [each.reason for each in outcome.degradations] == ["PLACEHOLDER_EMPTY"]
