"""ai_say: sends an utterance, explains, checks understanding (SCRIPT-LANGUAGE, Action types)."""

from __future__ import annotations

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.actions.judging import decided_by_code, judge_by_code, talk_round
from executor_service.actions.prompting import Brief, script_text
from executor_service.exits.policy import ends_by_rounds
from executor_service.scripts.model.actions import SayConfig
from heartrule.model.reply.contract import SAY_METRICS


async def run_ai_say(context: RoundContext) -> RoundOutcome:
    """Send the first utterance, take its acknowledgment, or judge and send the next."""
    config = context.action.config
    assert isinstance(config, SayConfig)
    last_sent = context.reply is not None and context.instance.round >= config.max_rounds
    if last_sent and ends_by_rounds(context.action):
        return decided_by_code(context, judge_by_code(context, config), config)
    texts = (config.content, config.goal, config.tone or context.scene.cast.tone, config.exit)
    (task, goal, tone, exit_), missing = script_text(context, *texts)
    brief = Brief(
        task=task,
        own_text=config.content,
        goal=goal,
        tone=tone,
        exit=exit_,
        criteria=config.exit_criteria,
        max_rounds=config.max_rounds,
        subtype=config.subtype,
        metrics=SAY_METRICS,
        missing=missing,
        ends_at_once=not config.require_acknowledgment and config.max_rounds == 1,
    )
    return await talk_round(context, brief)
