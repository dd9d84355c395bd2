"""ai_ask: asks until its outputs are gathered (SCRIPT-LANGUAGE, Action types)."""

from __future__ import annotations

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.actions.judging import judged, opened
from executor_service.actions.prompting import Brief, script_text
from executor_service.actions.round_strategy import talk_by_strategy
from executor_service.exits.policy import ends_by_rounds
from executor_service.scripts.model.actions import AskConfig
from heartrule.model.reply.contract import ASK_METRICS, ReplyContract, talk_contract


class AiAsk:
    """Puts a question, judges the answer, and asks on or closes, in one call a round."""

    async def run(self, context: RoundContext) -> RoundOutcome:
        """Put the first question, or judge the answer to question `instance.round`."""
        config = context.action.config
        assert isinstance(config, AskConfig)
        brief = _brief(context, config)
        talk_result = await talk_by_strategy(
            context,
            brief,
            template_name="ai_ask",
            contract=_contract(context, config),
            last_round=context.reply is not None and _is_last(context, config),
        )
        if context.reply is None:
            return opened(context, talk_result)
        return judged(context, brief, talk_result, metric_names=ASK_METRICS)


def _is_last(context: RoundContext, config: AskConfig) -> bool:
    return ends_by_rounds(context.action) and context.instance.round >= config.max_rounds


def _contract(context: RoundContext, config: AskConfig) -> ReplyContract:
    """Return what the reply may hold; an opening judges nothing."""
    metrics = () if context.reply is None else ASK_METRICS
    return talk_contract(metrics=metrics, outputs=tuple(output.get for output in config.output))


def _brief(context: RoundContext, config: AskConfig) -> Brief:
    tone_text = config.tone or context.scene.tone
    (task, tone, exit_), missing = script_text(context, config.content, tone_text, config.exit)
    return Brief(
        task=task,
        tone=tone,
        exit=exit_,
        required=config.required,
        outputs=config.output,
        criteria=config.exit_criteria,
        max_rounds=config.max_rounds,
        missing=missing,
    )
