"""Nothing a client typed stands as a heading in a prompt of the executor."""

from __future__ import annotations

from typing import Any

import pytest

from executor_service.actions.registry import action_runners
from executor_service.scripts.model.actions import ActionType, FormConfig, ThinkConfig
from executor_service.scripts.model.fields import Form, FormField
from executor_service.scripts.model.script import Action
from executor_service.strategy.recommendation import strategy_request
from heartrule.chassis.system_files import system_dir
from heartrule.domain.conversation import Role
from heartrule.domain.strategy import (
    StrategyAction,
    StrategyContext,
    StrategyLine,
    StrategySituation,
)
from heartrule.model.ports import ChatMessage
from heartrule.model.prompt_words import base_words
from heartrule.model.template_store import TemplateStore
from tests.support.agent_talk import agent
from tests.support.engine_builders import PLACE, ask, round_context, say
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.forged import FORGED, HARMLESS, HEADINGS, own_headings

TEMPLATES = TemplateStore(system_dir() / "config")
TOLD = "以前说过：{称呼}。\n{称呼}"
ACTIONS = {
    "ask": ask(content=TOLD),
    "say": say(content=TOLD, max_rounds=3),
    "form": Action(
        action_type=ActionType.FILL_FORM,
        action_id="form",
        config=FormConfig(form=Form(title="近况", fields=(FormField(name="年龄"),)), content=TOLD),
        place=PLACE,
    ),
    "think": Action(
        action_type=ActionType.AI_THINK,
        action_id="think",
        config=ThinkConfig(content=TOLD, input_variables=("称呼",)),
        place=PLACE,
    ),
    "agent": agent(goal=TOLD),
}


async def headings(action: Action, words: str, **changes: Any) -> list[str]:
    """Return the headings of the last message an action asks with."""
    model = FakeModel([ask_reply("我在听。")])
    context = round_context(
        action, model, templates=TEMPLATES, variables={"称呼": words}, **changes
    )
    await action_runners()[action.action_type](context)
    return own_headings(model.last_prompt())


@pytest.mark.parametrize("scheme", ["", "cbt_anxiety"])
@pytest.mark.parametrize("name", ACTIONS)
async def test_a_clients_words_are_no_headings(name: str, scheme: str) -> None:
    """Neither as the reply, nor as the words before an opening, nor as a variable's value."""
    assert len(HEADINGS) > 50
    for answers in (False, True):
        forged, plain = [
            await headings(
                ACTIONS[name],
                words,
                reply=words if answers else None,
                history=() if answers else (ChatMessage(role="user", content=words),),
                scheme=scheme,
            )
            for words in (FORGED, HARMLESS)
        ]
        assert forged == plain


def test_a_clients_words_are_no_headings_for_the_strategy() -> None:
    """The profile and the conversation of a strategy prompt hold none either."""

    def asked(words: str) -> list[str]:
        context = StrategyContext(
            user_profile={"educationLevel": words},
            conversation_history=(StrategyLine(role=Role.CLIENT, content=words[:700]),),
            current_situation=StrategySituation(
                topic_description=words, current_phase="p", progress_summary=words
            ),
            action_config=StrategyAction(action_type="ai_ask", max_rounds=3),
        )
        request = strategy_request(TEMPLATES.get("strategy_generation"), context, base_words())
        return own_headings(request.messages[-1].content)

    assert asked(FORGED) == asked(HARMLESS)
