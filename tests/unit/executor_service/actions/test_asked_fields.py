"""Which fields one call asks for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from executor_service.actions.action_context import RoundContext
from executor_service.actions.ai_ask import run_ai_ask
from executor_service.actions.ai_say import run_ai_say
from executor_service.scripts.model.actions import ActionType
from executor_service.scripts.model.exits import ExitCriteria
from executor_service.scripts.model.fields import Output
from executor_service.scripts.model.script import Action
from heartrule.domain.action_result import NOT_ASSESSED
from heartrule.model.ports import ChatMessage
from heartrule.model.template_store import TemplateStore
from tests.support.engine_builders import ask, round_context, say
from tests.support.fake_model import FakeModel

SHIPPED = TemplateStore(Path(__file__).parents[4] / "_system" / "config")
ROUND = '{"EXIT":"NO","content":"好。","progress_suggestion":"continue_needed"}'
UNDERSTOOD = ExitCriteria(understanding_threshold=80)
ALWAYS = ("EXIT", "content")


async def asked(action: Action, **changes: Any) -> tuple[tuple[str, ...], RoundContext]:
    """Return the fields that the round's prompt asks for."""
    model = FakeModel([ROUND])
    context = round_context(action, model, templates=SHIPPED, **changes)
    runner = run_ai_ask if action.action_type is ActionType.AI_ASK else run_ai_say
    await runner(context)
    return model.requests[0].reply_fields, context


NAMED = ask(output=(Output(get="称呼"),))


@pytest.mark.parametrize(
    ("action", "fields"),
    [
        (NAMED, ("variables", "metrics", "progress_suggestion")),
        (ask(output=()), ("metrics", "progress_suggestion")),
        (say(max_rounds=3), ("metrics", "progress_suggestion", "should_exit")),
        (
            say(exit_criteria=UNDERSTOOD, max_rounds=3),
            ("metrics", "progress_suggestion", "assessment", "should_exit"),
        ),
    ],
)
async def test_a_judged_round_asks_for_what_is_read(
    action: Action, fields: tuple[str, ...]
) -> None:
    """Variables where there are outputs, an assessment where a criterion reads it."""
    found, _ = await asked(action, reply="嗯")
    assert found == (*ALWAYS, *fields)


@pytest.mark.parametrize("action", [NAMED, say()])
async def test_an_opening_asks_for_its_text_alone(action: Action) -> None:
    """There is nothing to judge."""
    found, _ = await asked(action)
    assert found == ("content",)


async def test_metrics_that_nobody_reads_are_not_asked_for() -> None:
    """Where no round is analysed the history says so of each metric."""
    context = round_context(NAMED, FakeModel([ROUND]), reply="嗯", templates=SHIPPED)
    context = replace(context, scene=replace(context.scene, watched=False))
    outcome = await run_ai_ask(context)
    assert outcome.result.metrics is not None
    assert outcome.result.metrics.user_engagement == NOT_ASSESSED
    assert outcome.degradations == ()


async def test_words_that_nothing_answered_stand_last_in_an_opening() -> None:
    """The client's newest words come before the one line of format, quoted, and once."""
    model = FakeModel(['{"content":"好。"}'])
    history = (ChatMessage(role="user", content="我叫小明"),)
    await run_ai_ask(round_context(NAMED, model, history=history, templates=SHIPPED))
    *_, heading, words, last = model.last_prompt().splitlines()
    assert heading.startswith("【来访者刚才说的")
    assert (words, last.endswith('{"content":"…"}')) == ("> 我叫小明", True)
    assert len(model.requests[0].messages) == 2
