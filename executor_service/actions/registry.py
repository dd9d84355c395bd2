"""Which runner belongs to which action type."""

from __future__ import annotations

from collections.abc import Mapping

from executor_service.actions.action_context import ActionRunner
from executor_service.actions.agents import run_ai_agent
from executor_service.actions.ai_ask import run_ai_ask
from executor_service.actions.ai_say import run_ai_say
from executor_service.actions.ai_think import run_ai_think
from executor_service.actions.fill_form import run_fill_form
from executor_service.actions.say import run_say
from executor_service.actions.show_pic import run_show_pic
from executor_service.scripts.model.actions import ActionType


def action_runners() -> Mapping[ActionType, ActionRunner]:
    """Return a runner for every action type a script may use."""
    return {
        ActionType.AI_AGENT: run_ai_agent,
        ActionType.AI_ASK: run_ai_ask,
        ActionType.AI_SAY: run_ai_say,
        ActionType.AI_THINK: run_ai_think,
        ActionType.FILL_FORM: run_fill_form,
        ActionType.SHOW_PIC: run_show_pic,
        ActionType.SAY: run_say,
    }
