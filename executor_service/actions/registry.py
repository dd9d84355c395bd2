"""Which runner belongs to which action type."""

from __future__ import annotations

from collections.abc import Mapping

from executor_service.actions.action_context import ActionRunner
from executor_service.actions.agents import AiAgent
from executor_service.actions.ai_ask import AiAsk
from executor_service.actions.ai_say import AiSay
from executor_service.actions.ai_think import AiThink
from executor_service.actions.fill_form import FillForm
from executor_service.actions.say import Say
from executor_service.actions.show_pic import ShowPic
from executor_service.scripts.model.actions import ActionType


def action_runners() -> Mapping[ActionType, ActionRunner]:
    """Return a runner for every action type a script may use."""
    return {
        ActionType.AI_AGENT: AiAgent(),
        ActionType.AI_ASK: AiAsk(),
        ActionType.AI_SAY: AiSay(),
        ActionType.AI_THINK: AiThink(),
        ActionType.FILL_FORM: FillForm(),
        ActionType.SHOW_PIC: ShowPic(),
        ActionType.SAY: Say(),
    }
