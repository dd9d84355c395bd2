"""ai_say: sends an utterance, explains, checks understanding (SCRIPT-LANGUAGE, Action types)."""

from __future__ import annotations

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.actions.judging import acknowledged, judged, opened
from executor_service.actions.prompting import Brief, script_text
from executor_service.actions.round_strategy import talk_by_strategy
from executor_service.exits.policy import ends_by_rounds
from executor_service.scripts.model.actions import SayConfig
from heartrule.model.reply.contract import SAY_METRICS, talk_contract


class AiSay:
    """Sends one utterance a round; a single one needs no judging."""

    async def run(self, context: RoundContext) -> RoundOutcome:
        """Speak the first utterance, take its acknowledgment, or judge and speak the next."""
        config = context.action.config
        assert isinstance(config, SayConfig)
        counted = ends_by_rounds(context.action)
        if counted and context.reply is not None and context.instance.round >= config.max_rounds:
            return acknowledged(context, max_rounds=config.max_rounds)
        brief = _brief(context, config)
        talk_result = await talk_by_strategy(
            context,
            brief,
            template_name="ai_say",
            contract=talk_contract(metrics=() if context.reply is None else SAY_METRICS),
            last_round=counted and context.instance.round + 1 >= config.max_rounds,
        )
        if context.reply is None:
            silent = not config.require_acknowledgment and config.max_rounds == 1
            return opened(context, talk_result, completed=silent)
        return judged(context, brief, talk_result, metric_names=SAY_METRICS)


def _brief(context: RoundContext, config: SayConfig) -> Brief:
    texts = (config.content, config.goal, config.tone or context.scene.tone, config.exit)
    (task, goal, tone, exit_), missing = script_text(context, *texts)
    return Brief(
        task=task,
        goal=goal,
        tone=tone,
        exit=exit_,
        criteria=config.exit_criteria,
        max_rounds=config.max_rounds,
        subtype=config.subtype,
        missing=missing,
    )
